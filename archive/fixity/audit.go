package fixity

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"sync"
	"time"

	"varve/archive/catalog"
	"varve/archive/journal"
	"varve/archive/store"
)

// Config says how to audit.
type Config struct {
	Share    float64 // of the bytes known, those looked at longest ago first; 0 means all
	NewOnly  bool    // look only at files that the ledger does not know
	Workers  int     // files at a time; 0 means 2
	By       string  // who asked, for the ledger
	Now      func() time.Time
	Progress func(file string, done, total int64) // bytes over all files; may be nil, called by one at a time
}

// Report is what an audit found.
type Report struct {
	Collection string          `json:"collection"`
	Time       time.Time       `json:"time"`
	Files      int             `json:"files"`   // that are kept
	Checked    int             `json:"checked"` // of them, in this audit
	Bytes      int64           `json:"bytes"`   // read
	Outcomes   map[Outcome]int `json:"outcomes"`
	Findings   []Look          `json:"findings"`              // the bad ones
	Oldest     time.Time       `json:"oldest,omitzero"`       // the look longest ago, of all files, after this audit
	BadLines   []string        `json:"ledgerLines,omitempty"` // of the ledger, that cannot be read
}

// Bad tells whether somebody must look at the collection.
func (r *Report) Bad() bool { return len(r.Findings) > 0 || len(r.BadLines) > 0 }

// task is a file to look at.
type task struct {
	Object
	known
	there bool
}

// Audit looks at the files of a collection, writes what it found into the ledger, and makes the manifest anew. When ctx
// ends early, what was looked at until then stands in the ledger and in the report. The caller holds the
// collection's lock.
func Audit(ctx context.Context, col *catalog.Collection, cfg Config) (*Report, error) {
	l, err := readLedger(col)
	if err != nil {
		return nil, fmt.Errorf("audit %s: %w", col.Name, err)
	}
	objects, err := Objects(col)
	if err != nil {
		return nil, fmt.Errorf("audit %s: %w", col.Name, err)
	}
	a := &audit{col: col, cfg: cfg, ledger: l, proven: map[string]bool{}, report: &Report{
		Collection: col.Name, Time: cfg.Now(), Outcomes: map[Outcome]int{}, Findings: []Look{}, BadLines: l.bad,
	}}
	all, err := a.tasks(objects)
	if err != nil {
		return nil, err
	}
	a.report.Files = len(all)
	err = a.run(ctx, a.choose(all))
	slices.SortFunc(a.report.Findings, func(x, y Look) int { return cmp.Compare(x.File, y.File) })
	for _, k := range l.files {
		if a.report.Oldest.IsZero() || k.checked.Before(a.report.Oldest) {
			a.report.Oldest = k.checked
		}
	}
	if err == nil || ctx.Err() != nil {
		err = errors.Join(err, writeManifest(ManifestFile(col), l, a.proven))
	}
	return a.report, err
}

type audit struct {
	col    *catalog.Collection
	cfg    Config
	ledger *ledger
	proven map[string]bool // files that are what the ledger says
	report *Report
	mu     sync.Mutex
	total  int64 // bytes to read
}

// tasks puts together what is there and what the ledger knows.
func (a *audit) tasks(objects []Object) ([]task, error) {
	var all []task
	seen := map[string]bool{}
	for _, o := range objects {
		seen[o.File] = true
		all = append(all, task{Object: o, known: a.ledger.files[o.File], there: true})
	}
	for file, k := range a.ledger.files {
		if seen[file] {
			continue
		}
		path, err := pathOf(a.col, file)
		if err != nil {
			return nil, fmt.Errorf("ledger of %s: %w", a.col.Name, err)
		}
		if outside(file, objects) {
			path = ""
		}
		all = append(all, task{Object: Object{File: file, Path: path}, known: k})
	}
	return all, nil
}

// choose takes the files of this audit: new ones always, then those looked at longest ago.
func (a *audit) choose(all []task) []task {
	slices.SortFunc(all, func(x, y task) int {
		return cmp.Or(x.checked.Compare(y.checked), cmp.Compare(x.File, y.File))
	})
	var known, taken int64
	for _, t := range all {
		if t.digest != "" {
			known += t.known.size
		}
	}
	out := slices.DeleteFunc(all, func(t task) bool {
		if t.digest == "" {
			return false
		}
		if a.cfg.NewOnly || a.cfg.Share > 0 && float64(taken) >= a.cfg.Share*float64(known) {
			return true
		}
		taken += t.known.size
		return false
	})
	for _, t := range out {
		a.total += t.Object.Size
	}
	return out
}

func (a *audit) run(ctx context.Context, tasks []task) error {
	work := make(chan task)
	var workers sync.WaitGroup
	errs := make([]error, max(a.cfg.Workers, 2))
	for i := range errs {
		workers.Go(func() {
			for t := range work {
				if errs[i] == nil {
					errs[i] = a.one(ctx, t)
				}
			}
		})
	}
	for _, t := range tasks {
		if ctx.Err() != nil {
			break
		}
		work <- t
	}
	close(work)
	workers.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

// one looks at a file and writes the line of the ledger.
func (a *audit) one(ctx context.Context, t task) error {
	look, err := a.look(ctx, t)
	if err != nil {
		return err
	}
	look.Time, look.By = a.cfg.Now(), a.cfg.By
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := journal.Append(LedgerFile(a.col), look); err != nil {
		return err
	}
	a.ledger.add(look)
	switch look.Outcome {
	case Recorded, OK, Grown:
		a.proven[look.File] = true
	}
	a.report.Checked++
	a.report.Outcomes[look.Outcome]++
	if look.Outcome.Bad() {
		a.report.Findings = append(a.report.Findings, look)
	}
	return nil
}

// look compares a file with what is known of it. Of a file that grows, the part that was recorded is compared and the
// whole is recorded anew.
func (a *audit) look(ctx context.Context, t task) (Look, error) {
	look := Look{File: t.File, Outcome: Missing, Expect: t.digest}
	if t.Path == "" {
		look.Why = "references.jsonl does not name it, so it was not opened: only files imported in place lie outside of the collection"
		return look, nil
	}
	f, err := store.Open(t.Path, t.From)
	if errors.Is(err, fs.ErrNotExist) {
		return look, nil
	}
	var now, before string
	if err == nil {
		defer f.Close()
		now, before, look.Size, err = a.hash(ctx, io.NewSectionReader(f, 0, math.MaxInt64), t)
	}
	if ctx.Err() != nil {
		return look, ctx.Err()
	}
	if err != nil {
		look.Outcome, look.Why = Unreadable, err.Error()
		return look, nil
	}
	look.SHA256 = now
	switch {
	case t.digest == "" && t.manifest == "" && !a.ledger.hole:
		look.Outcome = Recorded
	case t.digest == "" && t.manifest == "":
		look.Outcome, look.Why = Disputed, "the ledger has lost lines, the manifest does not list it: it may be a new file or an old one that changed"
	case t.digest == "" && now == t.manifest:
		look.Outcome, look.Why = Recorded, "the ledger had lost it; it is what the manifest says"
	case t.digest == "":
		look.Outcome, look.Expect = Changed, t.manifest
		look.Why = "the ledger has lost it; the manifest says another digest"
	case now == t.manifest && now != t.digest:
		look.Outcome, look.Why = Disputed, "it is what the manifest says, and not what the ledger says"
	case now == t.other:
		look.Outcome, look.Why = Disputed, "one line of the ledger found it right as it is, another says otherwise"
	case now == t.digest && (look.Size == t.known.size || now == t.manifest):
		look.Outcome, look.Expect = OK, ""
	case t.Grows && look.Size > t.known.size && before == t.digest:
		look.Outcome, look.Expect = Grown, ""
	default:
		look.Outcome = Changed
		look.Why = fmt.Sprintf("%d bytes, recorded were %d", look.Size, t.known.size)
	}
	return look, nil
}

// hash gives the digest of a file, and of its beginning as long as it was when it was recorded.
func (a *audit) hash(ctx context.Context, f io.Reader, t task) (whole, start string, size int64, err error) {
	sum := sha256.New()
	if t.known.size == 0 {
		start = hex.EncodeToString(sum.Sum(nil))
	}
	buf := make([]byte, 256<<10)
	for {
		part := buf
		if left := t.known.size - size; left > 0 && left < int64(len(buf)) {
			part = buf[:left] // so that a read ends where the record did
		}
		n, err := f.Read(part)
		sum.Write(part[:n])
		size += int64(n)
		if size == t.known.size && n > 0 {
			start = hex.EncodeToString(sum.Sum(nil))
		}
		a.tell(t.File, int64(n))
		switch {
		case errors.Is(err, io.EOF):
			return hex.EncodeToString(sum.Sum(nil)), start, size, nil
		case err != nil:
			return "", "", size, err
		case ctx.Err() != nil:
			return "", "", size, ctx.Err()
		}
	}
}

func (a *audit) tell(file string, n int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.report.Bytes += n
	if a.cfg.Progress != nil {
		a.cfg.Progress(file, a.report.Bytes, a.total)
	}
}
