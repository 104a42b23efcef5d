package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/direct"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/runnerlib"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"

	"varve"
)

// Direct is Beam's runner in this process: for trials, one step after another.
type Direct struct{}

// Run runs a pipeline.
func (Direct) Run(ctx context.Context, p *beam.Pipeline) error {
	_, err := direct.Execute(ctx, p)
	return err
}

// Service is a Beam job service: that of Flink, or another engine's.
type Service struct {
	Endpoint    string // HOST:PORT
	Program     string // that the engine starts as a worker, on any of its machines: this one, at the same path
	Parallelism int    // steps side by side; what the engine is set to if 0
	Name        string // of the job on the engine's screens
	Env         map[string]string
	Dial        time.Duration // how long to wait for the service; 30 s if 0
}

// Run submits a pipeline and waits until it is through. When ctx ends, the job is cancelled.
func (s *Service) Run(ctx context.Context, p *beam.Pipeline) (err error) {
	edges, _, err := p.Build()
	if err != nil {
		return err
	}
	env := map[string]string{workerEnv: "1"}
	for k, v := range s.Env {
		env[k] = v
	}
	config, err := json.Marshal(map[string]any{"command": s.Program, "env": env})
	if err != nil {
		return err
	}
	environment, err := graphx.CreateEnvironment(ctx, graphx.URNEnvProcess, func(context.Context) string { return string(config) })
	if err != nil {
		return err
	}
	environment.Dependencies = nil // the program is there
	pb, err := graphx.Marshal(edges, &graphx.Options{Environment: environment})
	if err != nil {
		return err
	}
	wait := s.Dial
	if wait == 0 {
		wait = 30 * time.Second
	}
	cc, err := grpcx.Dial(ctx, s.Endpoint, wait)
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "reach the Beam job service at " + s.Endpoint, Err: err, Hint: "start it, or name the right one with --endpoint; docs/scale.md tells how"}
	}
	defer func() { err = errors.Join(err, cc.Close()) }()
	client := jobpb.NewJobServiceClient(cc)
	o := &runnerlib.JobOptions{Name: s.Name, Parallelism: s.Parallelism}
	if o.Parallelism == 0 {
		o.Parallelism = -1
	}
	id, artifacts, session, err := runnerlib.Prepare(ctx, client, pb, o)
	if err != nil {
		return fmt.Errorf("the Beam job service at %s: %w", s.Endpoint, err)
	}
	token, err := runnerlib.Stage(ctx, id, artifacts, "", session) // of nothing, but the service wants to be asked
	if err != nil {
		return err
	}
	running, err := runnerlib.Submit(ctx, client, id, token)
	if err != nil {
		return err
	}
	err = await(ctx, client, running)
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), cancel(context.WithoutCancel(ctx), client, running))
	}
	return err
}

// cancel ends a job whose run is over.
func cancel(ctx context.Context, client jobpb.JobServiceClient, id string) error {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	_, err := client.Cancel(ctx, &jobpb.CancelJobRequest{JobId: id})
	return err
}

// await follows a job to its end. The last error of the engine says why it failed.
func await(ctx context.Context, client jobpb.JobServiceClient, id string) error {
	stream, err := client.GetMessageStream(ctx, &jobpb.JobMessagesRequest{JobId: id})
	if err != nil {
		return err
	}
	said, failed := "", false
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) || failed && err != nil {
			break
		}
		if err != nil {
			return err
		}
		if r := m.GetMessageResponse(); r.GetImportance() >= jobpb.JobMessage_JOB_MESSAGE_ERROR {
			said = r.GetMessageText()
		}
		switch m.GetStateResponse().GetState() {
		case jobpb.JobState_DONE:
			return nil
		case jobpb.JobState_CANCELLED:
			return errors.New("somebody cancelled the job")
		case jobpb.JobState_FAILED:
			failed = true
		}
		if failed && said != "" {
			break
		}
	}
	return fmt.Errorf("the engine gave the job up: %.3000s", said)
}
