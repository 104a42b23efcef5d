package review_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/curate/notes"
	"varve/lab/servetest"
	"varve/serve/holdings"
	"varve/serve/review"
)

// opens tells which files and folders below a directory are opened, by whomever.
type opens struct {
	t    *testing.T
	fd   int
	dirs map[int32]string
}

func watchOpens(t *testing.T, dir string) *opens {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	o := &opens{t, fd, map[int32]string{}}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		wd, err := syscall.InotifyAddWatch(fd, path, syscall.IN_OPEN)
		rel, _ := filepath.Rel(dir, path)
		o.dirs[int32(wd)] = rel
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// since lists what was opened since it was last asked.
func (o *opens) since() []string {
	o.t.Helper()
	seen := map[string]bool{}
	buf := make([]byte, 64<<10)
	for {
		n, err := syscall.Read(o.fd, buf)
		if n <= 0 || err != nil {
			break
		}
		for b := buf[:n]; len(b) >= syscall.SizeofInotifyEvent; {
			wd, mask := int32(binary.NativeEndian.Uint32(b)), binary.NativeEndian.Uint32(b[4:])
			if mask&syscall.IN_Q_OVERFLOW != 0 {
				o.t.Fatal("too many files were opened to be told of")
			}
			end := syscall.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(b[12:]))
			name := string(bytes.TrimRight(b[syscall.SizeofInotifyEvent:end], "\x00"))
			seen[filepath.Join(o.dirs[wd], name)] = true
			b = b[end:]
		}
	}
	out := make([]string, 0, len(seen))
	for name := range seen {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// trayOf is an archive and its tray; the files are an hour old.
type trayOf struct {
	t    *testing.T
	dir  string
	now  time.Time
	age  time.Duration
	desk *review.Desk
}

func newTray(t *testing.T, dir string) *trayOf {
	y := &trayOf{t: t, dir: dir, now: time.Date(2020, 1, 2, 4, 0, 0, 0, time.UTC), age: time.Hour}
	clock := func() time.Time { return y.now }
	y.desk = &review.Desk{Archive: dir, Holdings: holdings.New(catalog.Open(dir), clock), Now: clock}
	y.settle("")
	return y
}

// settle makes what is below a path of an archive old, and of another date than before.
func (y *trayOf) settle(path string) {
	y.t.Helper()
	y.age -= time.Second
	at := time.Now().Add(-y.age)
	err := filepath.WalkDir(filepath.Join(y.dir, path), func(p string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(p, at, at)
	})
	if err != nil {
		y.t.Fatal(err)
	}
}

// put writes a file of the archive; it and the folders above it that are new are old at once.
func (y *trayOf) put(name, text string) {
	y.t.Helper()
	path := filepath.Join(y.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		y.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		y.t.Fatal(err)
	}
	y.age -= time.Second
	at := time.Now().Add(-y.age)
	for p := path; p != y.dir && filepath.Base(p) != "collections"; p = filepath.Dir(p) {
		if err := os.Chtimes(p, at, at); err != nil {
			y.t.Fatal(err)
		}
	}
}

func (y *trayOf) kinds() string {
	y.t.Helper()
	tray, err := y.desk.Tray(y.t.Context())
	if err != nil {
		y.t.Fatal(err)
	}
	var out []string
	for _, a := range tray.Open {
		out = append(out, a.Collection+" "+string(a.Kind))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// Nothing is opened for a collection of which nothing changed; every file that was is opened again when it changes.
func TestAnUnchangedCollectionIsNotReadAgain(t *testing.T) {
	dir := t.TempDir()
	if err := servetest.Many(dir, 2, 1); err != nil {
		t.Fatal(err)
	}
	const full, bare = "collections/site-00000", "collections/site-00001"
	y := newTray(t, dir)
	for _, name := range []string{
		"fixity.jsonl", "events.jsonl", "references.jsonl", "media/queue.jsonl", "labels/notes.jsonl", "labels/spam.jsonl", "labels/searches.jsonl",
		"labels/media.jsonl", "labels/definitions.jsonl", "labels/tray.jsonl", "labels/selection-best.jsonl",
	} {
		y.put(full+"/"+name, "")
	}
	y.put(full+"/derived/failures.jsonl", `{"job":"text","version":1,"part":"p","item":"i","cause":"it is broken"}`+"\n")
	y.put(full+"/derived/.state/text/p.json", `{"version":1,"failed":1}`)
	y.settle("")
	opened := watchOpens(t, dir)
	const first = "site-00000 crawl-stopped, site-00000 derive-failed, site-00001 crawl-stopped"
	if got := y.kinds(); got != first {
		t.Fatalf("alerts: %s", got)
	}
	read := opened.since()
	y.kinds() // the holdings settle
	opened.since()
	if got := y.kinds(); got != first {
		t.Errorf("alerts: %s", got)
	}
	if again := opened.since(); !slices.Equal(again, []string{"collections"}) { // which lists them
		t.Errorf("nothing changed, but opened were %v", again)
	}

	files := 0
	for _, name := range read {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.IsDir() || !strings.HasPrefix(name, full) {
			continue
		}
		files++
		y.settle(name)
		y.settle(filepath.Dir(name)) // receipts are renamed into place
		y.kinds()
		again := opened.since()
		if !slices.Contains(again, name) {
			t.Errorf("%s changed and was not read again", name)
		}
		for _, other := range again {
			if strings.HasPrefix(other, bare) {
				t.Errorf("%s changed, and %s was read", name, other)
			}
		}
	}
	if files < 13 {
		t.Errorf("%d files of a collection are read: %v", files, read)
	}

	for _, step := range []struct {
		what string
		do   func()
		want string
	}{
		{"a receipt", func() { y.put(full+"/derived/.state/text/p.json", `{"version":2}`) }, "site-00000 crawl-stopped, site-00001 crawl-stopped"},
		{"a question comes where there was no folder", func() {
			book := notes.Open(filepath.Join(dir, bare), time.Now)
			if _, err := book.Add(notes.Line{Kind: notes.Question, Text: "why?", By: "ann"}); err != nil {
				t.Fatal(err)
			}
			y.settle(bare)
		}, "site-00000 crawl-stopped, site-00001 crawl-stopped, site-00001 question"},
		{"it goes", func() {
			if err := os.RemoveAll(filepath.Join(dir, bare, "labels")); err != nil {
				t.Fatal(err)
			}
			y.settle(bare)
		}, "site-00000 crawl-stopped, site-00001 crawl-stopped"},
		{"time passes", func() { y.now = y.now.Add(3 * time.Hour) }, "site-00000 crawl-stopped, site-00000 overdue, site-00001 crawl-stopped, site-00001 overdue"},
		{"the clock is set back", func() { y.now = y.now.Add(-3 * time.Hour) }, "site-00000 crawl-stopped, site-00001 crawl-stopped"},
		{"a file is damaged", func() { y.put(bare+"/events.jsonl", "{\n{}\n") }, "site-00000 crawl-stopped, site-00001 crawl-stopped, site-00001 unreadable"},
		{"the copy of before comes back with its date", func() {
			file := filepath.Join(dir, bare, "events.jsonl")
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte("{}\n{}"), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(file, info.ModTime(), info.ModTime()); err != nil {
				t.Fatal(err)
			}
		}, "site-00000 crawl-stopped, site-00001 crawl-stopped"},
	} {
		step.do()
		if got := y.kinds(); got != step.want {
			t.Errorf("%s: %s", step.what, got)
		}
	}
}

// A decision is in the tray at once, whether or not the alerts of the collection are kept.
func TestDecisionsAboutKeptAlerts(t *testing.T) {
	dir := t.TempDir()
	if err := servetest.Many(dir, 1, 1); err != nil {
		t.Fatal(err)
	}
	y := newTray(t, dir)
	for range 2 {
		tray, err := y.desk.Tray(t.Context())
		if err != nil || len(tray.Open) != 1 || len(tray.Aside) != 0 {
			t.Fatalf("%+v, %v", tray, err)
		}
		id := tray.Open[0].ID
		for _, do := range []string{review.Done, review.Reopen} {
			if _, err := y.desk.Decide(t.Context(), review.Decision{ID: id, Do: do, By: "ann"}); err != nil {
				t.Fatal(err)
			}
			tray, err := y.desk.Tray(t.Context())
			if err != nil || (len(tray.Aside) == 1) != (do == review.Done) {
				t.Fatalf("%s: %+v, %v", do, tray, err)
			}
		}
		y.settle("")
	}
}

// What is kept of a collection is small.
func TestKeptCollectionsAreSmall(t *testing.T) {
	dir := t.TempDir()
	const n = 400
	if err := servetest.Many(dir, n, 1); err != nil {
		t.Fatal(err)
	}
	y := newTray(t, dir)
	list, err := y.desk.Holdings.Collections(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	y.desk.Holdings = fixed(list)
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	y.kinds()
	with := heap()
	runtime.KeepAlive(y.desk)
	y.desk = nil
	per := (with - heap()) / n
	t.Logf("%d bytes for a collection with one alert", per)
	if per > 2<<10 {
		t.Errorf("%d bytes are kept of a collection with one alert", per)
	}
	runtime.KeepAlive(list)
}

// fixed is holdings that stay as they are.
type fixed []*holdings.Collection

func (f fixed) Collections(context.Context) ([]*holdings.Collection, error) { return f, nil }
