package job_test

import (
	"context"
	"errors"
	"os"
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
	os.Exit(m.Run())
}

func TestEmbeddedConformance(t *testing.T) { jobtest.Suite(t) }

// Workers of which two do each step at the same time, as if one of them were believed dead.
func TestWorkersConformance(t *testing.T) { jobtest.Suite(t, workersEnv+"=1") }

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
