package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/reflectx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"varve/derive/job"
)

// Worker does steps where the engine runs them.
type Worker interface {
	Do(ctx context.Context, s job.Step) error
	Close() error
}

// Open makes a worker from what the run says of it. It runs in worker processes, so it must be registered with beam.RegisterFunction.
type Open = func(ctx context.Context, spec []byte) (Worker, error)

// Runner lets some engine run a pipeline, and returns when it is through.
type Runner interface {
	Run(ctx context.Context, p *beam.Pipeline) error
}

// Engine is a job.Engine.
type Engine struct {
	Runner Runner
	Dir    string // of the derivatives, which workers see at the same path
	Open   Open
	Spec   []byte
}

var _ job.Engine = (*Engine)(nil)

// Do runs one pipeline for the steps of a stage.
func (e *Engine) Do(ctx context.Context, steps []job.Step, take func(job.Step, job.Outcome) error) error {
	p, err := e.pipeline(steps)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	over := make(chan struct{})
	go func() {
		defer close(over)
		ended <- e.Runner.Run(ctx, p)
	}()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	err = job.Await(ctx, e.Dir, steps, tick.C, ended, take)
	stop()
	<-over
	return err
}

// pipeline is Create, Reshuffle, ParDo: elements are steps, as JSON.
func (e *Engine) pipeline(steps []job.Step) (*beam.Pipeline, error) {
	p, s := beam.NewPipelineWithRoot()
	s = s.Scope("varve")
	var list [][]byte
	for i := range steps {
		b, err := json.Marshal(&steps[i])
		if err != nil {
			return nil, err
		}
		list = append(list, b)
	}
	program, err := Program()
	if err != nil {
		return nil, err
	}
	spread := beam.Reshuffle(s, beam.CreateList(s, list))
	beam.ParDo0(s, &doStep{Spec: e.Spec, Program: program, Open: beam.EncodedFunc{Fn: reflectx.MakeFunc(e.Open)}}, spread)
	return p, nil
}

// doStep is the function of the pipeline. Its fields travel to workers.
type doStep struct {
	Spec    []byte           `json:"spec"`
	Program string           `json:"program"` // digest
	Open    beam.EncodedFunc `json:"open"`

	worker Worker
}

func init() { // Beam finds functions by their types
	register.DoFn2x1[context.Context, []byte, error](&doStep{})
}

// Setup makes the worker of a process.
func (d *doStep) Setup(ctx context.Context) error {
	mine, err := Program()
	if err != nil {
		return err
	}
	if mine != d.Program {
		return errors.New("the worker is another program than the one that planned the run: install the same varve-beam everywhere")
	}
	out := d.Open.Fn.Call([]any{ctx, d.Spec})
	if err, _ := out[1].(error); err != nil {
		return err
	}
	d.worker = out[0].(Worker)
	return nil
}

// ProcessElement does a step.
func (d *doStep) ProcessElement(ctx context.Context, element []byte) error {
	var s job.Step
	if err := json.Unmarshal(element, &s); err != nil {
		return err
	}
	if err := d.worker.Do(ctx, s); err != nil {
		return fmt.Errorf("%s: %w", &s, err)
	}
	return nil
}

// Teardown ends the worker.
func (d *doStep) Teardown() error {
	if d.worker == nil {
		return nil
	}
	return d.worker.Close()
}
