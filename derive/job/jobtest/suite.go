package jobtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/archive/scan"
	"varve/derive/job"
)

// specEnv makes a test program a process that makes a run.
const specEnv = "VARVE_TEST_JOBS"

// scanWorker is the argument of its scan workers.
const scanWorker = "scan-worker"

// Main is called first in the TestMain of a package that runs the suite. In processes that the suite starts, it does their work and ends them; engine makes the
// engine of a run, nil the embedded one.
func Main(engine func(Spec) (job.Engine, error)) {
	if len(os.Args) == 2 && os.Args[1] == scanWorker {
		os.Exit(scan.Main(Mapper))
	}
	text := os.Getenv(specEnv)
	if text == "" {
		return
	}
	if err := run(text, engine); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(0)
}

func run(text string, engine func(Spec) (job.Engine, error)) error {
	var s Spec
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return err
	}
	cfg := s.config()
	if engine != nil {
		e, err := engine(s)
		if err != nil {
			return err
		}
		if cfg.Engine = e; s.Twice {
			cfg.Engine = twice{e}
		}
	}
	sum, err := job.Run(context.Background(), cfg, Jobs(s), s.Parts)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(sum)
}

// twice is an engine whose first outcomes are thrown away.
type twice struct{ job.Engine }

func (e twice) Do(ctx context.Context, steps []job.Step, take func(job.Step, job.Outcome) error) error {
	if err := e.Engine.Do(ctx, steps, func(job.Step, job.Outcome) error { return nil }); err != nil {
		return err
	}
	return e.Engine.Do(ctx, steps, take)
}

func (s *Spec) config() job.Config {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return job.Config{Dir: s.Dir, Cores: 2, Memory: 2000, Limit: time.Duration(s.Limit), Worker: func() *exec.Cmd { return exec.Command(self, scanWorker) }}
}

// NewWorker makes the worker of a run in another process.
func NewWorker(s Spec) (*job.Worker, error) { return job.NewWorker(s.config(), Jobs(s)) }

// Suite tries an engine. Its processes have the environment env beside their own.
func Suite(t *testing.T, env ...string) {
	parts := files(t, 6, 60)
	spec := func(t *testing.T) Spec {
		return Spec{Dir: t.TempDir(), Parts: parts, Limit: int64(4 * time.Second)}
	}
	whole := spec(t) // by the embedded engine, undisturbed
	if _, err := job.Run(t.Context(), whole.config(), Jobs(whole), parts); err != nil {
		t.Fatal(err)
	}
	want := tree(t, whole.Dir)
	if bad, err := job.Standing(whole.Dir); err != nil || len(bad) < 5 {
		t.Fatalf("the items that misbehave did not fail: %+v, %v", bad, err)
	}
	t.Run("equal", func(t *testing.T) {
		t.Parallel()
		s := spec(t)
		first := start(t, s, env)
		if first.err != nil {
			t.Fatal(first.err)
		}
		same(t, tree(t, s.Dir), want)
		if j := first.sum.Jobs[0]; j.Done != len(parts) || j.Failed != 4 || j.Partial == 0 || !j.Reduced {
			t.Errorf("%+v", j)
		}
		again := start(t, s, env)
		for _, j := range again.sum.Jobs {
			if again.err != nil || j.Done != 0 || j.Reduced {
				t.Errorf("it was done, and is done again: %+v, %v", j, again.err)
			}
		}
		same(t, tree(t, s.Dir), want)
	})
	t.Run("missing file", func(t *testing.T) {
		t.Parallel()
		s := spec(t)
		s.Parts = slices.Clone(parts)
		s.Parts[0].Path += ".gone"
		r := start(t, s, env)
		if r.err == nil || !strings.Contains(r.err.Error(), s.Parts[0].Name) {
			t.Errorf("a file is missing, and the run says: %v", r.err)
		}
		got := tree(t, s.Dir)
		for _, p := range parts[1:] {
			name := filepath.Join(".state", "words", p.Name+".json")
			if got[name] != want[name] {
				t.Errorf("%s was not done, or otherwise", p.Name)
			}
		}
		s.Parts = parts
		if r := start(t, s, env); r.err != nil {
			t.Fatal(r.err)
		}
		same(t, tree(t, s.Dir), want)
	})
	t.Run("killed", func(t *testing.T) {
		t.Parallel()
		s := spec(t)
		s.Deaths, s.Die = t.TempDir(), []string{"scan", "map", "reduce"}
		runs := 1
		for ; ; runs++ {
			r := start(t, s, env)
			if r.err == nil {
				break
			}
			if runs > 2*len(s.Die) {
				t.Fatal(r.err)
			}
		}
		deaths, err := os.ReadDir(s.Deaths)
		if err != nil || len(deaths) != len(s.Die) {
			t.Fatalf("%d deaths, %v", len(deaths), err)
		}
		t.Logf("%d deaths in %d runs", len(deaths), runs)
		same(t, tree(t, s.Dir), want)
	})
	t.Run("twice", func(t *testing.T) {
		t.Parallel()
		s := spec(t)
		s.Twice = true
		if r := start(t, s, env); r.err != nil {
			t.Fatal(r.err)
		}
		same(t, tree(t, s.Dir), want)
	})
}

// Small is a run of one part whose items are all good.
func Small(t *testing.T) Spec {
	return Spec{Dir: t.TempDir(), Parts: files(t, 3, 10)[:1], Limit: int64(time.Minute)}
}

// ran is what came of a process.
type ran struct {
	sum job.Summary
	err error
}

func start(t *testing.T, s Spec, env []string) (r ran) {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self)
	c.Env = append(append(os.Environ(), specEnv+"="+string(text)), env...)
	var out, bad bytes.Buffer
	c.Stdout, c.Stderr = &out, &bad
	if err := c.Run(); err != nil {
		r.err = fmt.Errorf("%w: %s", err, bad.Bytes()[max(0, bad.Len()-4000):])
		return r
	}
	if err := json.Unmarshal(out.Bytes(), &r.sum); err != nil {
		t.Fatalf("%v: %s", err, out.Bytes())
	}
	return r
}

// tree is everything that lies in a folder of derivatives. Failures are sorted, without what differs from run to run.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	bad, err := job.ReadFailures(dir)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range bad {
		f.Cause, _, _ = strings.Cut(f.Cause, "\n") // behind it are goroutines
		if slices.ContainsFunc([]error{scan.ErrMemory, scan.ErrTime, scan.ErrDied}, func(why error) bool { return strings.Contains(f.Cause, why.Error()) }) {
			f.Cause = "over its limits" // on a busy machine time may be over before memory is measured, and rivals may each note their own
		}
		lines = append(lines, fmt.Sprintf("%+v", f))
	}
	slices.Sort(lines)
	out["failures.jsonl"] = strings.Join(slices.Compact(lines), "\n") // a part that is done again tells again what it lacks
	return out
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] == want[name] {
			continue
		}
		if a, b := strings.Split(got[name], "\n"), strings.Split(want[name], "\n"); strings.HasSuffix(name, ".jsonl") {
			t.Errorf("%s has %.2000q, and lacks %.2000q", name, without(a, b), without(b, a))
		} else {
			t.Errorf("%s is %.600q, want %.600q", name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s was left behind", name)
		}
	}
}

// without are the lines of a that b has not.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(l string) bool { return slices.Contains(b, l) })
}
