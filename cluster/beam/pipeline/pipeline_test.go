package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"varve/cluster/beam/flinkd"
	"varve/cluster/beam/pipeline"
	"varve/derive/job"
	"varve/derive/job/jobtest"
)

func init() { beam.RegisterFunction(doJobs) }

// endpointEnv names the job service for processes of the suite; without it they use Beam's direct runner.
const endpointEnv = "VARVE_TEST_BEAM_ENDPOINT"

func TestMain(m *testing.M) {
	if pipeline.IsWorker() {
		if err := pipeline.Serve(context.Background(), os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "worker:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	beam.Init()
	jobtest.Main(func(s jobtest.Spec) (job.Engine, error) {
		text, err := json.Marshal(s)
		e := &pipeline.Engine{Dir: s.Dir, Worker: doJobs, Spec: text, Runner: pipeline.Direct{}}
		if endpoint := os.Getenv(endpointEnv); endpoint != "" {
			self, err := os.Executable()
			if err != nil {
				return nil, err
			}
			e.Runner = &pipeline.Service{Endpoint: endpoint, Program: self, Name: fmt.Sprintf("suite-%d", time.Now().UnixNano())}
		}
		return e, err
	})
	os.Exit(m.Run())
}

func doJobs(ctx context.Context, text, element []byte) error {
	var spec jobtest.Spec
	var step job.Step
	if err := errors.Join(json.Unmarshal(text, &spec), json.Unmarshal(element, &step)); err != nil {
		return err
	}
	w, err := jobtest.NewWorker(spec)
	if err != nil {
		return err
	}
	return errors.Join(w.Do(ctx, step), w.Close())
}

func TestDirectConformance(t *testing.T) { jobtest.Suite(t) }

// A job service that is not there is named.
func TestNoService(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	beam.Create(s, 1)
	err := (&pipeline.Service{Endpoint: "127.0.0.1:1", Program: "/nowhere", Dial: time.Second}).Run(t.Context(), p)
	if err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Error(err)
	}
}

// The suite on a real Flink cluster of two TaskManagers.
func TestDrillFlinkConformance(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("a drill: VARVE_DRILL=1 runs it")
	}
	jars, err := flinkd.Jars(t.Context())
	if err != nil {
		t.Skip(err)
	}
	start := time.Now()
	c, err := flinkd.Start(t.Context(), jars, t.TempDir(), 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("Flink came up in %s", time.Since(start).Round(time.Second))
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(c.Logs())
		}
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	t.Run("suite", func(t *testing.T) { jobtest.Suite(t, endpointEnv+"="+c.Endpoint) })
	t.Logf("resident at most: %v", c.RSS())
}
