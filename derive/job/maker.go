package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"varve/archive/scan"
)

// maker does steps: what an engine does with them in the end, in whatever process.
type maker struct {
	cfg      Config
	dir      folder
	jobs     []Job // all, those that a step needs mappers of among them
	failures *failures
	watch    *watch
	workers  *scan.Workers // nil: mappers run in this process
	items    *atomic.Int64
}

// limited are jobs whose mappers have no more time than the run allows.
func limited(jobs []Job, limit time.Duration) []Job {
	out := slices.Clone(jobs)
	for i := range out {
		if s := out[i].Scan; s != nil && s.Mapper != nil && s.Mapper.Limits.Time > limit {
			mine, m := *s, *s.Mapper
			m.Limits.Time = limit
			mine.Mapper = &m
			out[i].Scan = &mine
		}
	}
	return out
}

// startWorkers prepares the processes in which mappers run; nil if they run in this one.
func startWorkers(cfg *Config, jobs []Job) (*scan.Workers, error) {
	var mappers []*scan.Mapper
	for i := range jobs {
		if s := jobs[i].Scan; s != nil && s.Mapper != nil {
			mappers = append(mappers, s.Mapper)
		}
	}
	if cfg.Worker == nil || len(mappers) == 0 {
		return nil, nil
	}
	return scan.NewWorkers(cfg.Worker, mappers)
}

// job finds a job by its name.
func (m *maker) job(name string) (*Job, error) {
	i := slices.IndexFunc(m.jobs, func(j Job) bool { return j.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no job %q", name)
	}
	return &m.jobs[i], nil
}

// do does a step. What it makes lies in the folder of the outcome, durable but for the names of files.
func (m *maker) do(ctx context.Context, s *Step, cores int) (o Outcome) {
	temp, err := os.MkdirTemp(m.dir.state(), "tmp-")
	if err != nil {
		o.fail(err)
		return o
	}
	o.CPU = map[string]time.Duration{}
	switch s.Kind {
	case ScanStep:
		m.scan(ctx, s, temp, cores, &o)
	case MapStep:
		m.mapPart(ctx, s, temp, cores, &o)
	case ReduceStep:
		m.reduce(ctx, s, temp, &o)
	default:
		o.fail(fmt.Errorf("there is no step of kind %q", s.Kind))
	}
	o.fail(ctx.Err())
	if len(o.Receipts) == 0 {
		o.fail(os.RemoveAll(temp))
		return o
	}
	o.Folder, err = filepath.Rel(string(m.dir), temp)
	o.fail(err)
	return o
}

// mapPart makes everything of one part.
func (m *maker) mapPart(ctx context.Context, s *Step, temp string, cores int, o *Outcome) {
	w := s.Want[0]
	j, err := m.job(w.Job)
	if err == nil && j.Map == nil {
		err = errors.New("it has nothing to map")
	}
	if err != nil {
		o.fail(err)
		return
	}
	t := m.newTask(j, s.Part, temp, cores)
	defer t.close()
	t.cpu = scan.CPUTime(func() { err = j.Map(ctx, t) })
	if err = errors.Join(err, ctx.Err()); err == nil {
		err = t.finish(w, o)
	}
	o.fail(err)
}

// reduce merges the runs of all parts.
func (m *maker) reduce(ctx context.Context, s *Step, temp string, o *Outcome) {
	w := s.Want[0]
	j, err := m.job(w.Job)
	if err == nil && j.Reduce == nil {
		err = errors.New("it has nothing to reduce")
	}
	var paths []string
	for _, f := range s.Runs { // pairs have no checksums of their own
		err = errors.Join(err, ctx.Err())
		if err == nil {
			err = m.dir.sound(f)
		}
		paths = append(paths, m.dir.path(f.Path))
	}
	if err != nil {
		o.fail(err)
		return
	}
	var files []*tableFile
	out := &Output{create: func(table string) (io.Writer, error) {
		f, err := os.Create(filepath.Join(temp, table+".parquet"))
		if err == nil {
			files = append(files, &tableFile{File: f, path: table + ".parquet"})
		}
		return f, err
	}}
	defer func() {
		for _, f := range files {
			_ = f.Close() // those that were not finished
		}
	}()
	o.CPU[j.Name] = scan.CPUTime(func() {
		var failed error
		err = j.Reduce(ctx, out, grouped(paths, j.Combine, &failed))
		err = errors.Join(err, failed, ctx.Err())
	})
	rec := Receipt{Job: j.Name, Version: w.Version, Mark: w.Mark}
	for _, f := range files {
		if err == nil {
			var made Made
			made, err = f.finish()
			rec.Files = append(rec.Files, made)
		}
	}
	if err != nil {
		o.fail(err)
		return
	}
	o.Receipts = append(o.Receipts, rec)
}
