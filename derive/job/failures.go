package job

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Failure is an item that has no result, or one that lacks something.
type Failure struct {
	Job     string `json:"job"`
	Version int    `json:"version"`
	Part    string `json:"part"`
	Item    string `json:"item"`
	Cause   string `json:"cause"`
	Suspect bool   `json:"suspect,omitempty"` // the process died while it was under way
	Partial bool   `json:"partial,omitempty"` // the tables have the rest of it
}

type failureKey struct {
	job     string
	version int
	part    string
	item    string
}

const failuresFile = "failures.jsonl"

// deaths is how often the process may die during an item.
const deaths = 2

// failures are the items that are passed over. They are kept in a file of JSON lines.
type failures struct {
	mu   sync.Mutex
	file *os.File
	bad  map[failureKey]string // not those of which a part is there: they are read
	died map[failureKey]int
	told map[Failure]bool // those of other processes that the file has; nil until it is asked for
	dir  string
}

func newFailures(dir string) *failures {
	return &failures{bad: map[failureKey]string{}, died: map[failureKey]int{}, dir: dir}
}

func openFailures(dir string) (*failures, error) {
	f := newFailures(dir)
	list, err := ReadFailures(dir)
	if err != nil {
		return nil, err
	}
	for _, l := range list {
		f.note(l)
	}
	f.file, err = os.OpenFile(FailuresFile(dir), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	return f, err
}

// ReadFailures lists the failures of a folder of derivatives. A line that a kill left half written is passed over.
func ReadFailures(dir string) ([]Failure, error) { return readFailures(FailuresFile(dir)) }

func readFailures(path string) ([]Failure, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var out []Failure
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l Failure
		if json.Unmarshal(lines.Bytes(), &l) == nil {
			out = append(out, l)
		}
	}
	return out, lines.Err()
}

// Standing lists the failures that the tables of a folder lack something for: those of the version that made them, each once.
func Standing(dir string) ([]Failure, error) {
	list, err := ReadFailures(dir)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	all := newFailures(dir)
	partial := map[failureKey]bool{}
	type part struct{ job, part string }
	made := map[part]Receipt{}
	var out []Failure
	for _, l := range list {
		key := failureKey{l.Job, l.Version, l.Part, l.Item}
		if _, told := all.known(key); told || partial[key] {
			continue
		}
		all.note(l)
		partial[key] = l.Partial
		if _, bad := all.known(key); !bad && !l.Partial {
			continue // one death is no failure
		}
		p := part{l.Job, l.Part}
		if _, read := made[p]; !read {
			made[p], _ = folder(dir).readReceipt(l.Job, l.Part)
		}
		if rec := made[p]; rec.Version == l.Version && (rec.Failed > 0 && !l.Partial || rec.Partial > 0 && l.Partial) {
			out = append(out, l)
		}
	}
	return out, nil
}

// Split tells the items without a result from those that lack something.
func Split(list []Failure) (failed, partial []Failure) {
	for _, l := range list {
		if l.Partial {
			partial = append(partial, l)
		} else {
			failed = append(failed, l)
		}
	}
	return failed, partial
}

// FailuresFile is where the failures of a folder of derivatives are.
func FailuresFile(dir string) string { return filepath.Join(dir, failuresFile) }

// Receipts lists the folders whose dates change when a receipt does that Standing asks: none if there are no failures.
func Receipts(dir string) []string {
	if info, err := os.Stat(FailuresFile(dir)); err != nil || info.Size() == 0 {
		return nil
	}
	out := []string{filepath.Join(dir, stateDir)}
	entries, _ := os.ReadDir(out[0]) // none: what is not there is told of by its folder
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, filepath.Join(out[0], e.Name()))
		}
	}
	return out
}

func (f *failures) note(l Failure) {
	if l.Partial {
		return
	}
	key := failureKey{l.Job, l.Version, l.Part, l.Item}
	if l.Suspect {
		if f.died[key]++; f.died[key] < deaths {
			return
		}
	}
	f.bad[key] = l.Cause
}

func (f *failures) known(key failureKey) (why string, bad bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	why, bad = f.bad[key]
	return why, bad
}

func (f *failures) add(key failureKey, cause string) error {
	return f.write(Failure{Job: key.job, Version: key.version, Part: key.part, Item: key.item, Cause: cause})
}

// once writes what another process noted, unless the file has it.
func (f *failures) once(l Failure) error {
	f.mu.Lock()
	if f.told == nil {
		f.told = map[Failure]bool{}
		list, err := ReadFailures(f.dir)
		if err != nil {
			f.mu.Unlock()
			return err
		}
		for _, have := range list {
			f.told[have] = true
		}
	}
	had := f.told[l]
	f.told[l] = true
	f.mu.Unlock()
	if had {
		return nil
	}
	return f.write(l)
}

func (f *failures) write(l Failure) error {
	b, err := json.Marshal(l)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.note(l)
	_, err = f.file.Write(append(b, '\n'))
	return err
}

func (f *failures) close() error { return errors.Join(f.file.Sync(), f.file.Close()) }
