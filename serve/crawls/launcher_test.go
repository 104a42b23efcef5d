package crawls

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/clock"
	"varve/serve/access"
)

// The test program is its own fake of varve: the variable says what it does.
func TestMain(m *testing.M) {
	if what := os.Getenv("CRAWLS_FAKE"); what != "" {
		os.Exit(fake(what))
	}
	os.Exit(m.Run())
}

// fake does as a crawl would: tells its arguments, takes the lock, says that it is ready, and ends
// as it is told.
func fake(what string) int {
	fmt.Println("args", strings.Join(os.Args[1:], " "))
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	if pipe := os.Getenv("CRAWLS_READY"); pipe != "" {
		if err := os.WriteFile(pipe, []byte("ready"), 0); err != nil {
			return 2
		}
	}
	switch what {
	case "wait":
		<-interrupted
		fmt.Println("stopped in good order")
		return 1
	case "stubborn":
		select {}
	case "fail":
		fmt.Fprintln(os.Stderr, "varve: no contact is given")
		return 2
	}
	return 0
}

const plan = `title = "News"
[crawl.daily]
seeds = ["https://news.example/"]
every = "24h"
max-pages = 7
[[crawl.daily.rule]]
name = "no search"
do = "reject"
prefix = ["https://news.example/search"]
[crawl.-odd]
seeds = ["https://odd.example/"]
`

type world struct {
	*Launcher
	col   *catalog.Collection
	audit *access.Audit
	pipe  string
}

func newWorld(t *testing.T, what string, change ...func(*Config)) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{audit: access.OpenAudit(filepath.Join(dir, "access")), pipe: filepath.Join(dir, "ready")}
	if err := syscall.Mkfifo(w.pipe, 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	t.Setenv("CRAWLS_FAKE", what)
	t.Setenv("CRAWLS_READY", w.pipe)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Program: program, Archive: dir, Audit: w.audit, Clock: clock.Real(), Patience: time.Nanosecond, Grace: time.Minute}
	for _, f := range change {
		f(&cfg)
	}
	w.Launcher = New(cfg)
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	if w.col, err = w.archive.Collection("news"); err != nil {
		t.Fatal(err)
	}
	w.plan(t, w.col)
	return w
}

func (w *world) plan(t *testing.T, col *catalog.Collection) {
	t.Helper()
	if err := col.Create(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(col.DefinitionFile(), []byte(plan), 0o644); err != nil {
		t.Fatal(err)
	}
}

// ready waits until the program that was started last is as far as it can be.
func (w *world) ready(t *testing.T) {
	t.Helper()
	if b, err := os.ReadFile(w.pipe); err != nil || string(b) != "ready" {
		t.Fatal(string(b), err)
	}
}

// end waits for the end of the job of a collection.
func (w *world) end(t *testing.T, collection string) Job {
	t.Helper()
	w.mu.Lock()
	p := w.jobs[collection]
	w.mu.Unlock()
	<-p.done
	j, ok := w.Job(collection)
	if !ok {
		t.Fatal("the job is gone")
	}
	return j
}

func (w *world) log(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(w.col.Dir(), LogName))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func (w *world) audited(t *testing.T) (out []string) {
	t.Helper()
	for e, err := range w.audit.Entries() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e.By+": "+e.Did+" "+e.Collection+" "+e.What)
	}
	return out
}

func TestStart(t *testing.T) {
	w := newWorld(t, "complete")
	ctx := context.Background()
	j, err := w.Start(ctx, "news", "daily", "eva")
	if err != nil || j.State != Running || j.PID == 0 || j.By != "eva" {
		t.Fatalf("%+v, %v", j, err)
	}
	w.ready(t)
	if j = w.end(t, "news"); j.State != Complete || j.Ended.IsZero() || j.Why != "" {
		t.Errorf("%+v", j)
	}
	want := "args crawl --collection=news --archive=" + w.cfg.Archive + " --quiet --definition=daily\n"
	if got := w.log(t); !strings.Contains(got, want) || !strings.Contains(got, "crawl daily, started by eva\n") {
		t.Errorf("log: %s", got)
	}
	if got := w.audited(t); !slices.Equal(got, []string{"eva: start crawl news daily"}) {
		t.Errorf("audit log: %q", got)
	}
	// A name that looks like a flag is a name.
	if _, err := w.Start(ctx, "news", "-odd", "eva"); err != nil {
		t.Fatal(err)
	}
	w.ready(t)
	w.end(t, "news")
	if got := w.log(t); !strings.Contains(got, "--definition=-odd\n") {
		t.Errorf("log: %s", got)
	}
	if j, err = w.Refer(ctx, "news", "-odd", "eva"); err != nil || j.Definition != "-odd-reference" {
		t.Fatalf("%+v, %v", j, err)
	}
	w.ready(t)
	w.end(t, "news")
	if got := w.log(t); !strings.Contains(got, "args define --collection=news --archive="+w.cfg.Archive+" propose --who=eva -- -odd\n") {
		t.Errorf("log: %s", got)
	}
}

func TestNamesAreChecked(t *testing.T) {
	w := newWorld(t, "complete")
	bare, err := w.archive.Collection("bare")
	if err == nil {
		err = bare.Create()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		collection, definition string
		kind                   varve.Kind
	}{
		{"news", "weekly", varve.NotFound},
		{"news", "", varve.NotFound},
		{"news", "daily --ignore-robots", varve.NotFound},
		{"none", "daily", varve.NotFound},
		{"bare", "daily", varve.NotFound},
		{"../../etc", "daily", varve.Invalid},
		{"", "daily", varve.Invalid},
	} {
		if _, err := w.Start(context.Background(), c.collection, c.definition, "eva"); varve.KindOf(err) != c.kind {
			t.Errorf("%q %q: %v, want %s", c.collection, c.definition, err, c.kind)
		}
		if _, ok := w.Job(c.collection); ok {
			t.Errorf("%q %q left a job", c.collection, c.definition)
		}
	}
	if err := os.WriteFile(w.col.DefinitionFile(), []byte("[crawl.daily]\nseeds = 7\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Start(context.Background(), "news", "daily", "eva"); varve.KindOf(err) != varve.Invalid {
		t.Errorf("broken plan: %v", err)
	}
	if got := w.audited(t); len(got) != 0 {
		t.Errorf("audit log: %q", got)
	}
}

func TestConflicts(t *testing.T) {
	w := newWorld(t, "wait", func(c *Config) { c.Most = 2 })
	ctx := context.Background()
	for _, name := range []string{"news", "b", "c"} {
		col, err := w.archive.Collection(name)
		if err != nil {
			t.Fatal(err)
		}
		w.plan(t, col)
	}
	lock, err := w.col.Lock("a test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Start(ctx, "news", "daily", "eva"); varve.KindOf(err) != varve.Conflict || !strings.Contains(err.Error(), "a test") {
		t.Errorf("locked: %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Start(ctx, "news", "daily", "eva"); err != nil {
		t.Fatal(err)
	}
	w.ready(t)
	if _, err := w.Start(ctx, "news", "daily", "max"); varve.KindOf(err) != varve.Conflict || !strings.Contains(err.Error(), "by eva") {
		t.Errorf("second of a collection: %v", err)
	}
	if _, err := w.Start(ctx, "b", "daily", "max"); err != nil {
		t.Fatal(err)
	}
	w.ready(t)
	if _, err := w.Start(ctx, "c", "daily", "max"); varve.KindOf(err) != varve.Conflict || !strings.Contains(err.Error(), "2 crawls") {
		t.Errorf("too many: %v", err)
	}
	if got := w.audited(t); !slices.Equal(got, []string{"eva: start crawl news daily", "max: start crawl b daily"}) {
		t.Errorf("audit log: %q", got)
	}
}

func TestCloseEndsInGoodOrder(t *testing.T) {
	w := newWorld(t, "wait")
	if _, err := w.Start(context.Background(), "news", "daily", "eva"); err != nil {
		t.Fatal(err)
	}
	w.ready(t)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if j, _ := w.Job("news"); j.State != Stopped || !strings.Contains(w.log(t), "stopped in good order") {
		t.Errorf("%+v, log %s", j, w.log(t))
	}
	if _, err := w.Start(context.Background(), "news", "daily", "eva"); varve.KindOf(err) != varve.Unavailable {
		t.Errorf("started after the end: %v", err)
	}
}

func TestCloseKillsTheStubborn(t *testing.T) {
	w := newWorld(t, "stubborn", func(c *Config) { c.Grace = time.Nanosecond })
	if _, err := w.Start(context.Background(), "news", "daily", "eva"); err != nil {
		t.Fatal(err)
	}
	w.ready(t)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if j, _ := w.Job("news"); j.State != Failed || !strings.Contains(j.Why, "killed") {
		t.Errorf("%+v", j)
	}
}

func TestFailuresAreTold(t *testing.T) {
	w := newWorld(t, "fail")
	if _, err := w.Start(context.Background(), "news", "daily", "eva"); err != nil {
		t.Fatal(err)
	}
	w.ready(t)
	if j := w.end(t, "news"); j.State != Failed || !strings.HasSuffix(j.Why, "varve: no contact is given") || strings.Contains(j.Why, "---") {
		t.Errorf("%+v", j)
	}
	w.cfg.Program = filepath.Join(t.TempDir(), "missing")
	if _, err := w.Start(context.Background(), "news", "daily", "eva"); varve.KindOf(err) != varve.Unavailable {
		t.Errorf("missing program: %v", err)
	}
	if j, _ := w.Job("news"); j.State != Failed || j.PID == 0 {
		t.Errorf("the job before is forgotten: %+v", j)
	}
	if got := w.audited(t); len(got) != 3 || got[2] != "eva: start crawl failed news daily" {
		t.Errorf("audit log: %q", got)
	}
}

// broken is an audit log that cannot be written.
type broken struct{}

func (broken) Append(access.Entry) error { return errors.New("disk full") }

func TestWithoutAuditNothingStarts(t *testing.T) {
	w := newWorld(t, "complete", func(c *Config) { c.Audit = broken{} })
	if _, err := w.Start(context.Background(), "news", "daily", "eva"); varve.KindOf(err) != varve.Unavailable {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(w.col.Dir(), LogName)); err == nil {
		t.Error("it was started all the same")
	}
}

// Work in the background lets go of a collection when a crawl is to begin.
func TestGiveWay(t *testing.T) {
	var let func() error
	w := newWorld(t, "wait", func(c *Config) {
		c.GiveWay = func(collection string) {
			if collection != "news" || let() != nil {
				t.Errorf("asked to let go of %s", collection)
			}
		}
	})
	lock, err := w.col.Lock("the server, deriving")
	if err != nil {
		t.Fatal(err)
	}
	let = lock.Unlock
	if _, err := w.Start(t.Context(), "news", "daily", "eva"); err != nil {
		t.Fatal(err)
	}
	w.ready(t)
}
