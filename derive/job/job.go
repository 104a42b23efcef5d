package job

import (
	"context"
	"fmt"
	"io"
	"iter"

	"varve/archive/scan"
	"varve/archive/store"
	"varve/archive/warc"
)

// Part is one file of the input.
type Part struct {
	Name string       `json:"name"` // unique; output files are named by it
	Path string       `json:"path"`
	Mark string       `json:"mark"` // changes when the content does
	From store.Source `json:"-"`    // opens it where it may not lie on the disk; nil: it does
}

// Job is one kind of work. Its functions must depend on their arguments alone.
type Job struct {
	Name    string
	Version int      // of the code; another one does all parts again
	Mark    string   // of what the results depend on beside the file and Needs; another one does all parts again
	Needs   []string // jobs whose tables Map reads
	Map     func(ctx context.Context, t *Task) error

	// Scan is set instead of Map for a job that takes part in the one scan of a file: the mapper that gets its records, and
	// where the results go. Such a job needs no tables; its mapper may need the results of other mappers.
	Scan *Scan

	// Combine makes one value of two with the same key; nil keeps both. It must not depend on the order.
	Combine func(key, a, b []byte) []byte
	// Reduce gets all keys in order with their values, and writes whole tables; nil if there is nothing
	// to reduce.
	Reduce func(ctx context.Context, out *Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error
}

// Scan is what a job takes from the scan of a file.
type Scan struct {
	Mapper *scan.Mapper // its name is the job's; nil if heads are enough
	// Open makes what takes the results of a file, in order, and writes tables and pairs with the task. Close is called at the end of the
	// file. A sink with a method Wants is asked by it instead of the mapper; one with a method
	// Finding is told of damage.
	Open func(t *Task) (Sink, error)
}

// Sink takes the records of a file in order.
type Sink interface {
	scan.Sink
	Close() error
}

// Companion takes part in the scan of files without being a job: it keeps its own account of which files it has. The index of captures does.
type Companion interface {
	Due(part string) bool // it wants a file
	// Open makes what takes the records of a file that is due. Close is called at its end, Drop in any case and last.
	Open(part string) (CompanionSink, error)
}

// CompanionSink takes the records of a file, and is told of damage.
type CompanionSink interface {
	Sink
	Finding(f warc.Finding)
	Drop() error
}

// Output is where a reducer writes.
type Output struct {
	create func(table string) (io.Writer, error)
}

// Create makes the one file of a table: DIR/<table>.parquet.
func (o *Output) Create(table string) (io.Writer, error) { return o.create(table) }

// ordered sorts jobs so that each comes after those it needs.
func ordered(jobs []Job) ([]Job, error) {
	byName := map[string]*Job{}
	for i := range jobs {
		if byName[jobs[i].Name] != nil {
			return nil, fmt.Errorf("two jobs are called %q", jobs[i].Name)
		}
		byName[jobs[i].Name] = &jobs[i]
	}
	const visiting, done = 1, 2
	state := map[string]int{}
	var out []Job
	var visit func(name, by string) error
	visit = func(name, by string) error {
		j := byName[name]
		switch {
		case j == nil:
			return fmt.Errorf("job %q needs %q, which is not there", by, name)
		case state[name] == visiting:
			return fmt.Errorf("job %q needs itself, through %q", name, by)
		case state[name] == done:
			return nil
		}
		state[name] = visiting
		if j.Scan != nil && len(j.Needs) > 0 {
			return fmt.Errorf("job %q takes part in the scan and needs tables", name)
		}
		for _, n := range j.Needs {
			if err := visit(n, name); err != nil {
				return err
			}
		}
		state[name] = done
		out = append(out, *j)
		return nil
	}
	for _, j := range jobs {
		if err := visit(j.Name, ""); err != nil {
			return nil, err
		}
	}
	return out, nil
}
