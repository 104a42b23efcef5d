package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
)

// planned gives the crawl of the collection's plan that --definition names.
func (o *crawlOptions) planned(col *catalog.Collection) (crawl.Definition, error) {
	plan, err := crawl.ReadPlan(col)
	if err != nil {
		return crawl.Definition{}, err
	}
	c, ok := plan.Crawls[o.definitionName]
	if !ok {
		return crawl.Definition{}, &varve.Error{Kind: varve.NotFound, Op: "--definition " + o.definitionName, Msg: "the plan of collection " + col.Name + " has no such crawl", Hint: "'varve crawl plan list --collection " + col.Name + "' lists them; add one to " + col.DefinitionFile() + ", or on the screen Plan of 'varve serve'"}
	}
	return c.Definition, nil
}

// overPlan puts what the command line says of who runs a planned crawl, and how far, over what is planned, and names the flags that have no effect on it.
func (o *crawlOptions) overPlan(def *crawl.Definition, progress io.Writer) error {
	given := *def
	if err := o.limit(&given); err != nil {
		return err
	}
	for flag, take := range map[string]func(){
		"contact":   func() { def.Contact = o.contact },
		"operator":  func() { def.Operator = o.operator },
		"max-pages": func() { def.MaxPages = given.MaxPages },
		"max-urls":  func() { def.MaxURLs = given.MaxURLs },
		"max-bytes": func() { def.MaxBytes = given.MaxBytes },
		"max-time":  func() { def.MaxTime = given.MaxTime },
		"min-disk":  func() { def.MinDisk = given.MinDisk },
	} {
		if o.flags.Changed(flag) {
			take()
		}
	}
	o.sayKept(progress, "a planned crawl runs as it is planned", "contact", "operator")
	return nil
}

// isPlanned tells whether a word is the name of a planned crawl: no host is called so, since it has no dot.
func isPlanned(col *catalog.Collection, word string) bool {
	if crawl.CheckPlanName(word) != nil || word == "localhost" {
		return false
	}
	plan, err := crawl.ReadPlan(col)
	if err != nil {
		return false
	}
	_, there := plan.Crawls[word]
	return there
}

// runDue runs all planned crawls whose time has come, one after the other. One that fails does
// not keep the others from running.
func runDue(ctx context.Context, o *crawlOptions, oneOnly bool, out, progress io.Writer) error {
	archive := openArchive(o.archive)
	cols, err := archive.Collections()
	if oneOnly {
		var col *catalog.Collection
		col, err = archive.Collection(o.collection)
		cols = []*catalog.Collection{col}
	}
	if err != nil {
		return err
	}
	var failed error
	for _, col := range cols {
		if err := o.runDueOf(ctx, col, oneOnly, out, progress); err != nil {
			failed = worse(failed, err)
		}
	}
	if failed != nil && !errors.Is(failed, varve.ErrFindings) {
		return errToldDue
	}
	return failed
}

// errToldDue ends a run of which every error was printed where it came up.
var errToldDue = &varve.Error{Kind: varve.Unavailable, Op: "crawl --due", Msg: "not all that was due could be done; the errors stand above"}

// tellDue prints an error of one collection or crawl with its advice: the next ones still run.
func tellDue(progress io.Writer, who string, err error) {
	if errors.Is(err, varve.ErrFindings) {
		return
	}
	fmt.Fprintf(progress, "varve: %s: %s\n", who, oneLine(err.Error()))
	if hint := varve.HintOf(err); hint != "" {
		fmt.Fprintf(progress, "   %s\n", oneLine(hint))
	}
}

func (o *crawlOptions) runDueOf(ctx context.Context, col *catalog.Collection, asked bool, out, progress io.Writer) error {
	plan, err := crawl.ReadPlan(col)
	if varve.KindOf(err) == varve.NotFound && !asked {
		return nil // a collection without a plan has nothing due
	}
	if err != nil {
		tellDue(progress, col.Name, err)
		return err
	}
	last, err := crawl.LastStarted(col, o.clock.Now())
	if err != nil {
		tellDue(progress, col.Name, err)
		return err
	}
	var failed error
	for _, c := range plan.Due(o.clock.Now(), last) {
		if ctx.Err() != nil {
			return worse(failed, varve.ErrFindings)
		}
		fmt.Fprintf(progress, "%s: crawl %s is due\n", col.Name, c.Name)
		err := o.overPlan(&c.Definition, progress)
		if err == nil {
			err = o.run(ctx, col, c.Definition, "", out, progress)
		}
		if err != nil {
			tellDue(progress, col.Name+": "+c.Name, err)
			failed = worse(failed, err)
		}
	}
	return failed
}

// worse keeps the error with the higher exit code.
func worse(a, b error) error {
	if varve.ExitCode(b) > varve.ExitCode(a) {
		return b
	}
	return a
}
