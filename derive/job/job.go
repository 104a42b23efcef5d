package job

import (
	"context"
	"fmt"
	"io"
	"iter"
)

// Part is one file of the input.
type Part struct {
	Name string // unique; output files are named by it
	Path string
	Mark string // changes when the content does
}

// Job is one kind of work. Its functions must depend on their arguments alone.
type Job struct {
	Name    string
	Version int      // of the code; another one does all parts again
	Needs   []string // jobs whose tables Map reads
	Map     func(ctx context.Context, t *Task) error

	// Combine makes one value of two with the same key; nil keeps both. It must not depend on the order.
	Combine func(key, a, b []byte) []byte
	// Reduce gets all keys in order with their values, and writes whole tables; nil if there is nothing
	// to reduce.
	Reduce func(ctx context.Context, out *Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error
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
