package cli

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/archive/whole"
	"varve/coherence/evidence"
	"varve/derive"
)

func newCoherenceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "coherence",
		Short: "How well captures hang together in time, and the proof of it",
		Long: `Tells what WARC files prove about when pages were as they were captured: those of our crawls and
those of any other crawler. Nothing but the files is asked; nothing is changed.

Where to start:
  varve coherence report --collection news          how well the newest crawl hangs together
  varve coherence compare OLD.warc.gz NEW.warc.gz   what changed between two captures, layer by layer
  varve coherence graph -o capture.graphml          its tree, coloured by what became of each page
  varve coherence asof 2026-03-01T12:00:00Z         which pages are known to have stood at an instant
  varve coherence best                              at which instants most pages are
  varve coherence statement -o statement.json       a signed statement of it all
  varve coherence verify statement.json FILES...    check one from the WARC files alone

Layers of equality, from the finest: bytes, dom (markup without tokens, time stamps and comments),
text (visible text), main (without boilerplate), near (nearly the same main text); beside them links.`,
	}
	c.AddCommand(
		newCoherenceReportCommand(), newCoherenceCompareCommand(), newCoherenceGraphCommand(), newCoherenceAsOfCommand(),
		newCoherenceBestCommand(), newCoherenceStatementCommand(), newCoherenceVerifyCommand(),
	)
	return c
}

// evidenceReader reads WARC files for the coherence commands.
type evidenceReader struct {
	tmp    string
	lazy   bool
	damage atomic.Int64

	stored func(path string) iter.Seq2[evidence.Stored, error] // what derive noted of files; nil: all are read
	beside func(dir string) func(src evidence.Source) (evidence.Sink, error)
}

func (r *evidenceReader) flags(c *cobra.Command) {
	c.Flags().StringVar(&r.tmp, "tmp", "", "directory for temporary files (default: that of the system)")
}

// read collects the evidence and calls use with it and with a directory that is gone afterwards.
func (r *evidenceReader) read(c *cobra.Command, sources []evidence.Source, use func(set *evidence.Set, dir string) error) (err error) {
	folder, err := whole.NewFolder(r.tmp, "coherence")
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "make a temporary directory", Err: err, Hint: "--tmp DIR names another place"}
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	dir := folder.Path
	progress, clear := newProgress(c)
	set, err := evidence.Read(c.Context(), sources, evidence.Options{
		Dir: dir, Workers: workers(), Lazy: r.lazy, Progress: progress, OnFinding: r.finding, Stored: r.stored, Beside: r.openBeside(dir),
	})
	clear()
	if err != nil {
		return evidenceError(c, err)
	}
	defer func() { err = errors.Join(err, set.Close()) }()
	return use(set, dir)
}

// openBeside lets somebody else take part in the scan, with files of his own in the directory.
func (r *evidenceReader) openBeside(dir string) func(src evidence.Source) (evidence.Sink, error) {
	if r.beside == nil {
		return nil
	}
	return r.beside(dir)
}

// use lets the reader take what derive noted of the files of a collection.
func (r *evidenceReader) use(col *catalog.Collection) error {
	files, err := col.Files()
	if err == nil {
		r.stored = derive.StoredEvidence(derivedDir(col), files)
	}
	return err
}

func (r *evidenceReader) finding(f warc.Finding) {
	if f.Class == warc.Damage {
		r.damage.Add(1)
	}
}

// end tells of damage, since what is damaged proves nothing.
func (r *evidenceReader) end(c *cobra.Command) error {
	if n := r.damage.Load(); n > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "varve: %s of damage: 'varve warc check' tells them\n", count(n, "finding"))
		return varve.ErrFindings
	}
	return nil
}

func evidenceError(c *cobra.Command, err error) error {
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	e := InputError("", err)
	var known *varve.Error
	if errors.As(e, &known) && known.Op == "read " {
		known.Op = "read evidence"
		if errors.Is(err, evidence.ErrNoRecords) {
			known.Kind, known.Hint = varve.Invalid, "is it really a WARC or ARC file?"
		}
	}
	return e
}

// sourcesOf lists the files of paths.
func sourcesOf(paths []string, side int) ([]evidence.Source, error) {
	var out []evidence.Source
	for _, p := range paths {
		more, err := evidence.Sources(p, side)
		if err != nil {
			return nil, InputError(p, err)
		}
		for _, src := range more {
			if !slices.Contains(out, src) { // a file may be given by its name and by its directory
				out = append(out, src)
			}
		}
	}
	return out, nil
}
