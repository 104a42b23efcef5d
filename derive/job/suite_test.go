package job_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"varve/derive/job"
	"varve/derive/job/jobtest"
)

// workersEnv makes processes of the suite run on workers instead of the embedded engine.
const workersEnv = "VARVE_TEST_JOB_WORKERS"

func TestMain(m *testing.M) {
	if os.Getenv(workersEnv) != "" {
		jobtest.Main(func(s jobtest.Spec) (job.Engine, error) { return rivals{s}, nil })
	}
	jobtest.Main(nil)
	if err := flag.Set("test.parallel", "8"); err != nil { // -parallel stands above it: the suites mostly wait for items that never end
		panic(err)
	}
	os.Exit(m.Run())
}

func TestEmbeddedConformance(t *testing.T) {
	t.Parallel()
	jobtest.Suite(t)
}

// Workers of which two do each step at the same time, as if one of them were believed dead.
func TestWorkersConformance(t *testing.T) {
	t.Parallel()
	jobtest.Suite(t, workersEnv+"=1")
}

// rivals is an engine whose every step is done by two workers.
type rivals struct{ spec jobtest.Spec }

func (r rivals) Do(ctx context.Context, steps []job.Step, take func(job.Step, job.Outcome) error) error {
	var wg sync.WaitGroup
	failed := make([]error, 2)
	for i := range failed {
		wg.Go(func() {
			w, err := jobtest.NewWorker(r.spec)
			for k := 0; k < len(steps) && err == nil; k++ {
				err = w.Do(ctx, steps[k])
			}
			if failed[i] = err; w != nil {
				failed[i] = errors.Join(err, w.Close())
			}
		})
	}
	ended := make(chan error, 1)
	go func() {
		wg.Wait()
		ended <- errors.Join(failed...)
	}()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	err := job.Await(ctx, r.spec.Dir, steps, tick.C, ended, take)
	wg.Wait()
	return err
}

// An item during which two attempts died is passed over; one during which another attempt is still at work is not.
func TestDeathsElsewhere(t *testing.T) {
	for _, c := range []struct {
		name string
		ago  time.Duration
		want int
	}{{"dead", time.Hour, 1}, {"at work", 0, 0}} {
		t.Run(c.name, func(t *testing.T) {
			s := jobtest.Small(t)
			var step job.Step
			cfg := job.Config{Dir: s.Dir, Engine: engineFunc(func(_ context.Context, steps []job.Step, _ func(job.Step, job.Outcome) error) error {
				step = steps[0]
				return errors.New("enough")
			})}
			if _, err := job.Run(t.Context(), cfg, jobtest.Jobs(s), s.Parts); err == nil {
				t.Fatal("the engine was not asked")
			}
			for i := range 2 {
				path := filepath.Join(s.Dir, ".state", "steps", fmt.Sprintf("%s.underway-%d", step.ID(), i))
				line := `[{"job":"words","version":3,"part":"` + step.Part.Name + `","item":"0","cause":"the process died while it was under way","suspect":true}]`
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(line), 0o644), os.Chtimes(path, time.Time{}, time.Now().Add(-c.ago))); err != nil {
					t.Fatal(err)
				}
			}
			cfg.Engine = rivals{s}
			sum, err := job.Run(t.Context(), cfg, jobtest.Jobs(s), s.Parts)
			if err != nil || sum.Jobs[0].Failed != int64(c.want) {
				t.Errorf("%+v, %v", sum.Jobs, err)
			}
		})
	}
}

type engineFunc func(context.Context, []job.Step, func(job.Step, job.Outcome) error) error

func (f engineFunc) Do(ctx context.Context, steps []job.Step, take func(job.Step, job.Outcome) error) error {
	return f(ctx, steps, take)
}
