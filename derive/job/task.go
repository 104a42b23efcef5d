package job

import (
	"errors"
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

	maker   *maker
	job     *Job
	temp    string // folder of what the step makes
	files   []*tableFile
	pairs   *sorter
	cpu     time.Duration
	partial int64
	scan    scan.Task // counts items, failures and CPU time of a job that takes part in the scan
}

// tableFile is a file under way.
type tableFile struct {
	path string // its name for good, below the folder of derivatives
	*os.File
}

// newTask makes what a job needs to work on a part.
func (m *maker) newTask(j *Job, p Part, temp string, cores int) *Task {
	return &Task{Part: p, Cores: cores, maker: m, job: j, temp: temp, pairs: newSorter(filepath.Join(temp, "spill-"+j.Name), m.cfg.Memory, j.Combine)}
}

// close lets go of files that were not finished.
func (t *Task) close() {
	for _, f := range t.files {
		_ = f.Close() // most are closed
	}
}

// Partial notes that the result of an item lacks something, so that it is told beside what failed. It is for sinks, which take one item after another.
func (t *Task) Partial(item, cause string) error {
	t.partial++
	return t.maker.failures.write(Failure{Job: t.job.Name, Version: t.job.Version, Part: t.Part.Name, Item: item, Cause: cause, Partial: true})
}

// Create makes the part's file of a table. The runner closes, syncs and names it.
func (t *Task) Create(table string) (io.Writer, error) {
	return t.create(tableName(table, t.Part.Name))
}

// CreateFile makes a file that is no Parquet table: DIR/<folder>/<name>.
func (t *Task) CreateFile(folder, name string) (io.Writer, error) {
	return t.create(filepath.Join(folder, name))
}

func (t *Task) create(path string) (io.Writer, error) {
	temp := filepath.Join(t.temp, path)
	if err := os.MkdirAll(filepath.Dir(temp), 0o755); err != nil {
		return nil, err
	}
	f, err := os.Create(temp)
	if err != nil {
		return nil, err
	}
	t.files = append(t.files, &tableFile{File: f, path: path})
	return f, nil
}

// Input is the path of the part's file of a table that another job made.
func (t *Task) Input(table string) string { return t.maker.dir.path(tableName(table, t.Part.Name)) }

// Emit gives a pair to the reducer. It is not safe for concurrent use.
func (t *Task) Emit(key, value []byte) error { return t.pairs.add(key, value) }

// finish makes the files of the task durable, and the receipt of the part.
func (t *Task) finish(w Want, o *Outcome) error {
	rec := Receipt{Job: t.job.Name, Version: w.Version, Part: t.Part.Name, Mark: w.Mark, Items: t.scan.Items.Load(), Failed: t.scan.Failures.Load(), Partial: t.partial}
	if t.job.Reduce != nil {
		path := runName(t.job.Name, t.Part.Name)
		if _, err := t.create(path); err != nil {
			return err
		}
		run := t.files[len(t.files)-1]
		if err := errors.Join(t.pairs.finish(run.Name()), os.RemoveAll(t.pairs.dir)); err != nil {
			return err
		}
	}
	for _, f := range t.files {
		made, err := f.finish()
		if err != nil {
			return err
		}
		rec.Files = append(rec.Files, made)
	}
	o.Receipts = append(o.Receipts, rec)
	o.CPU[t.job.Name] = t.cpu + time.Duration(t.scan.CPU.Load())
	return nil
}

// finish makes a file durable and measures it.
func (f *tableFile) finish() (Made, error) {
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return Made{}, err
	}
	size, sum, err := measure(f.Name())
	return Made{Path: filepath.ToSlash(f.path), Size: size, SHA256: sum}, err
}
