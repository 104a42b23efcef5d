package job

import (
	"io"
	"os"
	"path/filepath"
	"time"

	"varve/archive/scan"
)

// Task is one part under way in one job.
type Task struct {
	Part  Part
	Cores int // that it may keep busy

	runner  *Runner
	job     *Job
	temp    string // folder of its temporary files
	files   []*tableFile
	pairs   *sorter
	cpu     time.Duration
	partial int64
	scan    scan.Task // counts items, failures and CPU time of a job that takes part in the scan
}

type tableFile struct {
	table string
	path  string // its name for good
	*os.File
}

// Partial notes that the result of an item lacks something, so that it is told beside what failed. It is for sinks, which take one item after another.
func (t *Task) Partial(item, cause string) error {
	t.partial++
	return t.runner.failures.write(Failure{Job: t.job.Name, Version: t.job.Version, Part: t.Part.Name, Item: item, Cause: cause, Partial: true})
}

// Create makes the part's file of a table. The runner closes, syncs and names it.
func (t *Task) Create(table string) (io.Writer, error) {
	f, err := os.Create(filepath.Join(t.temp, table))
	if err != nil {
		return nil, err
	}
	t.files = append(t.files, &tableFile{table: table, File: f, path: t.runner.tablePath(table, t.Part.Name)})
	return f, nil
}

// CreateFile makes a file that is no Parquet table: DIR/<folder>/<name>.
func (t *Task) CreateFile(folder, name string) (io.Writer, error) {
	f, err := os.Create(filepath.Join(t.temp, folder))
	if err != nil {
		return nil, err
	}
	t.files = append(t.files, &tableFile{File: f, path: filepath.Join(t.runner.cfg.Dir, folder, name)})
	return f, nil
}

// Input is the path of the part's file of a table that another job made.
func (t *Task) Input(table string) string { return t.runner.tablePath(table, t.Part.Name) }

// Emit gives a pair to the reducer. It is not safe for concurrent use.
func (t *Task) Emit(key, value []byte) error { return t.pairs.add(key, value) }
