package job

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Engine does the steps of a run. It is the seam behind which goroutines of this process (the default), or an engine for many machines, do
// the work; all implementations pass one suite, derive/job/jobtest.
//
// A run has few stages: the scan of files, maps over tables in the order of needs, reductions. An engine gets the steps of one stage, which do
// not depend on each other. It may do them in any order, side by side, in other processes, and more than once: what a step makes lies in a
// folder of its own until the run takes it. It must hand over an outcome of each step, once, unless it returns an error; outcomes that come before an
// error are taken too. A step that fails is an outcome: it never keeps the others from being done.
type Engine interface {
	// Do does steps. take is called for each as soon as its outcome is there, one call at a time; its error ends the work.
	Do(ctx context.Context, steps []Step, take func(Step, Outcome) error) error
}

// Kind is what a step does.
type Kind string

// The kinds of steps.
const (
	ScanStep   Kind = "scan"   // one reading of a file, for all jobs that take part in it
	MapStep    Kind = "map"    // tables of one part, by one job
	ReduceStep Kind = "reduce" // the runs of all parts, by one job
)

// Step is a piece of work that is done, or done again, as a whole. It says everything that its result depends on, but for the files that it names
// and the functions of the jobs, so that it can be sent to another process.
type Step struct {
	Kind Kind   `json:"kind"`
	Part Part   `json:"part,omitzero"` // of scan and map
	Want []Want `json:"want"`          // what is to be made; of map and reduce one
	Runs []Made `json:"runs,omitempty"`

	also bool // the companion wants the scan, too
}

// Want is one receipt that a step is to bring.
type Want struct {
	Job     string `json:"job"`
	Version int    `json:"version"`
	Mark    string `json:"mark"`
}

// ID is a digest of the step.
func (s *Step) ID() string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // it has only strings and numbers
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// String names the step for people.
func (s *Step) String() string {
	switch {
	case s.Kind == ScanStep:
		return "scan of " + s.Part.Name
	case len(s.Want) == 0:
		return string(s.Kind)
	case s.Kind == MapStep:
		return s.Want[0].Job + " of " + s.Part.Name
	}
	return s.Want[0].Job
}

// Outcome is what came of a step.
type Outcome struct {
	Folder   string    `json:"folder,omitempty"` // below the folder of derivatives: the files of the receipts under their names for good
	Receipts []Receipt `json:"receipts"`
	Failures []Failure `json:"failures,omitempty"` // items that were noted elsewhere than in failures.jsonl
	Error    string    `json:"error,omitempty"`    // why receipts are missing
	Damaged  bool      `json:"damaged,omitempty"`  // because a table that it read is

	CPU     map[string]time.Duration `json:"cpu,omitempty"`  // by job
	Scan    time.Duration            `json:"scan,omitempty"` // CPU of reading, beside that of jobs
	Items   int64                    `json:"items,omitempty"`
	Workers int                      `json:"workers,omitempty"` // processes that were started for it

	err error // Error, where it happened in this process
}

// fail notes why the step did not bring everything.
func (o *Outcome) fail(err error) {
	if o.err = errors.Join(o.err, err); o.err != nil {
		o.Error, o.Damaged = o.err.Error(), errors.Is(o.err, ErrDamaged)
	}
}

// problem is the error of a step, with what it is of.
func (o *Outcome) problem(s *Step) error {
	switch {
	case o.err != nil:
		return fmt.Errorf("%s: %w", s, o.err)
	case o.Damaged:
		return fmt.Errorf("%s: %s: %w", s, o.Error, ErrDamaged)
	case o.Error != "":
		return fmt.Errorf("%s: %s", s, o.Error)
	}
	return nil
}

// short reports whether receipts are missing that the step was to bring, without an error that says why.
func (o *Outcome) short(s *Step) bool { return o.Error == "" && len(o.Receipts) != len(s.Want) }
