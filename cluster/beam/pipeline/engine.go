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

// Do does a step in a worker process; what the run says of itself is told as bytes, and so is the step, as JSON. Beam finds the function by its
// name, so it must be registered with beam.RegisterFunction. The error is of the worker: the engine tries the step again.
type Do = func(ctx context.Context, spec, step []byte) error

// Runner lets some engine run a pipeline, and returns when it is through.
type Runner interface {
	Run(ctx context.Context, p *beam.Pipeline) error
}

// Engine is a job.Engine.
type Engine struct {
	Runner Runner
	Dir    string // of the derivatives, which workers see at the same path
	Worker Do
	Spec   []byte // for Worker
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
	beam.ParDo0(s, &doStep{Spec: e.Spec, Program: program, Do: beam.EncodedFunc{Fn: reflectx.MakeFunc(e.Worker)}}, spread)
	return p, nil
}

// doStep is the function of the pipeline. Its fields travel to workers.
type doStep struct {
	Spec    []byte           `json:"spec"`
	Program string           `json:"program"` // digest
	Do      beam.EncodedFunc `json:"do"`
}

func init() { // Beam finds functions by their types
	register.DoFn2x1[context.Context, []byte, error](&doStep{})
}

// ProcessElement does a step.
func (d *doStep) ProcessElement(ctx context.Context, step []byte) error {
	mine, err := Program()
	if err != nil {
		return err
	}
	if mine != d.Program {
		return errors.New("the worker is another program than the one that planned the run: install the same varve-beam everywhere")
	}
	if err, _ := d.Do.Fn.Call([]any{ctx, d.Spec, step})[0].(error); err != nil {
		return fmt.Errorf("%.300s: %w", step, err)
	}
	return nil
}
