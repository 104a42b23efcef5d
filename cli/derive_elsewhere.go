package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve"
	"varve/archive/catalog"
	"varve/derive"
	"varve/derive/job"
)

// Derivation is what `derive` makes of one collection, told so that a process elsewhere can do steps of it. That process must see the archive as
// this one does; which units are made was decided here.
type Derivation struct {
	Archive    string        `json:"archive"`
	Collection string        `json:"collection"`
	Limit      time.Duration `json:"limit"`
	Asked      Asked         `json:"asked"`
}

// NewDeriveCommand makes the command derive of a program whose steps an engine elsewhere does (varve-beam). flags are added to those of `varve derive`.
func NewDeriveCommand(long string, flags func(*pflag.FlagSet), engine func(context.Context, Derivation) (job.Engine, error)) *cobra.Command {
	c, o := deriveCommand()
	c.Long, c.Example = long, ""
	o.engine = func(ctx context.Context, d Derivation) (job.Engine, error) {
		var err error
		if d.Archive, err = filepath.Abs(d.Archive); err != nil {
			return nil, err
		}
		return engine(ctx, d)
	}
	for _, name := range []string{"workers"} { // the engine decides
		if err := c.Flags().MarkHidden(name); err != nil {
			panic(err) // the flag is there
		}
	}
	flags(c.Flags())
	return c
}

// DeriveWorker does steps of a derivation in a process elsewhere.
type DeriveWorker struct {
	*job.Worker
	files map[string]catalog.File
	done  func() error
}

// Open makes a worker for steps of the derivation, on that many cores.
func (d Derivation) Open(ctx context.Context, cores int) (_ *DeriveWorker, err error) {
	cols, err := chosenCollections(d.Archive, d.Collection)
	if err != nil {
		return nil, err
	}
	col := cols[0]
	files, err := col.Files()
	if err != nil {
		return nil, err
	}
	opts, _, done, err := d.Asked.options(ctx, col, files)
	if err != nil {
		return nil, err
	}
	w := &DeriveWorker{files: map[string]catalog.File{}, done: done}
	for _, f := range files {
		w.files[f.Name] = f
	}
	w.Worker, err = job.NewWorker(job.Config{Dir: derivedDir(col), Cores: cores, Limit: d.Limit, Worker: newScanWorker()}, append(derive.Jobs(opts), opts.More...))
	if err != nil {
		return nil, errors.Join(err, done())
	}
	return w, nil
}

// Do does a step, on the file as this process sees it.
func (w *DeriveWorker) Do(ctx context.Context, s job.Step) error {
	if s.Kind == job.ScanStep {
		from, err := w.file(s.Part)
		if err != nil {
			return w.Fail(s, err)
		}
		s.Part.From = from.From
	}
	return w.Worker.Do(ctx, s)
}

// file finds the file of a part, and whether it is the one that the run was planned for.
func (w *DeriveWorker) file(want job.Part) (p job.Part, err error) {
	f, ok := w.files[want.Name]
	if !ok {
		return p, &varve.Error{Kind: varve.NotFound, Op: "file " + want.Name, Msg: "the worker does not see it", Hint: "all machines must see the archive at the same path, and reach its store"}
	}
	parts, err := derive.Parts([]catalog.File{f})
	if err == nil && len(parts) != 1 {
		err = errors.New("it is no WARC file")
	}
	if err != nil {
		return p, fmt.Errorf("%s: %w", want.Name, err)
	}
	if parts[0].Mark != want.Mark {
		return p, &varve.Error{Kind: varve.Conflict, Op: "file " + want.Name, Msg: "the worker sees another file of that name", Hint: "all machines must see the same archive"}
	}
	return parts[0], nil
}

// Close ends the worker.
func (w *DeriveWorker) Close() error { return errors.Join(w.Worker.Close(), w.done()) }
