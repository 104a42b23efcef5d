// Command varve-beam does `varve derive` on Apache Flink, or on another engine that has a Beam job service: the same tables and receipts, byte for
// byte. It is a program and module of its own, so that the product stays small.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve"
	"varve/cli"
	"varve/cluster/beam/pipeline"
	"varve/derive/job"
)

func init() { beam.RegisterFunction(doStep) }

func main() {
	if pipeline.IsWorker() {
		if err := pipeline.Serve(context.Background(), os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "varve-beam worker:", err)
			os.Exit(1)
		}
		return
	}
	log.SetupLogging("error", "text") // what the engine says is told where it fails
	beam.Init()
	root := cli.Root("varve-beam", "varve derive on Flink", "Makes the tables of collections on an engine of many machines, as 'varve derive' does on one.")
	root.AddCommand(newDeriveCommand())
	os.Exit(cli.Run(root, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// spec is what a worker is told of the run.
type spec struct {
	cli.Derivation
	Cores int `json:"cores"`
}

// doStep does a step of a derivation, in whatever process.
func doStep(ctx context.Context, text, element []byte) error {
	var sp spec
	var step job.Step
	if err := errors.Join(json.Unmarshal(text, &sp), json.Unmarshal(element, &step)); err != nil {
		return err
	}
	w, err := sp.Open(ctx, sp.Cores)
	if err != nil {
		return err
	}
	return errors.Join(w.Do(ctx, step), w.Close())
}

type engineOptions struct {
	runner      string
	endpoint    string
	program     string
	parallelism int
	cores       int
	env         []string
}

func newDeriveCommand() *cobra.Command {
	var o engineOptions
	return cli.NewDeriveCommand(`Makes the tables of 'varve derive', byte for byte, on an engine with a Beam job service; Apache Flink 1.19 with the job server of Beam 2.62 is tried.
All machines must see the archive at the same path (a shared directory; WARC files may lie in a bucket, see docs/formats/varve-toml.md), and have this
program at the same path. WARC files are read and tables made by workers anywhere; this process plans, gives tables their names and writes receipts. It holds
the lock of the collection, can be stopped and killed at any time, and goes on where it was.

The flags beside --runner, --endpoint and those below it are those of 'varve derive', whose help tells what is made. The index of captures is not
made in the same reading: run 'varve index'.

Exit codes: 0 the tables are up to date, 1 some pages could not be read, or stopped early, 2 could not.`,
		func(f *pflag.FlagSet) {
			f.StringVar(&o.runner, "runner", "flink", "flink or universal: the Beam job service at --endpoint; direct: in this process, for trials")
			f.StringVar(&o.endpoint, "endpoint", "localhost:8099", "HOST:PORT of the job service")
			f.StringVar(&o.program, "worker-program", "", "path of this program on the machines of the engine (default: its path here)")
			f.IntVar(&o.parallelism, "parallelism", 0, "steps side by side (default: what the engine is set to)")
			f.IntVar(&o.cores, "worker-cores", 0, "cores for each step (default: 1; direct: all)")
			f.StringSliceVar(&o.env, "worker-env", nil, "names of environment variables that workers get from this process, such as VARVE_S3_ACCESS_KEY: the engine sees their values")
		}, o.engine)
}

func (o *engineOptions) engine(_ context.Context, d cli.Derivation) (job.Engine, error) {
	e := &pipeline.Engine{Dir: filepath.Join(d.Archive, "collections", d.Collection, "derived"), Worker: doStep}
	cores := o.cores
	switch o.runner {
	case "direct":
		e.Runner = pipeline.Direct{}
		if cores == 0 {
			cores = runtime.NumCPU()
		}
	case "flink", "universal":
		s := &pipeline.Service{Endpoint: o.endpoint, Program: o.program, Parallelism: o.parallelism, Name: fmt.Sprintf("varve-derive-%s-%d", d.Collection, time.Now().Unix()), Env: map[string]string{}}
		if s.Program == "" {
			self, err := os.Executable()
			if err != nil {
				return nil, err
			}
			s.Program = self
		}
		for _, name := range o.env {
			if v, ok := os.LookupEnv(name); ok {
				s.Env[name] = v
			}
		}
		e.Runner = s
		if cores == 0 {
			cores = 1
		}
	default:
		return nil, &varve.Error{Kind: varve.Invalid, Op: "derive", Msg: fmt.Sprintf("there is no runner %q", o.runner), Hint: "flink, universal or direct"}
	}
	var err error
	e.Spec, err = json.Marshal(spec{d, cores})
	return e, err
}
