package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"varve/archive/scan"
)

// markOf tells what a part's result depends on: the file, and the receipts of the jobs that are needed.
func (r *Runner) markOf(j *Job, all []Job, p Part) string {
	mark := p.Mark
	if j.Mark != "" {
		mark += " " + j.Mark
	}
	for _, n := range j.Needs {
		i := slices.IndexFunc(all, func(o Job) bool { return o.Name == n })
		mark += " " + n + "=" + strconv.Itoa(all[i].Version)
		rec, _ := r.readReceipt(n, p.Name)
		for _, f := range rec.Files {
			mark += "," + f.SHA256[:min(16, len(f.SHA256))]
		}
	}
	return mark
}

// forget removes what was made of parts that are gone.
func (r *Runner) forget(j *Job, parts []Part) (bool, error) {
	names, err := filepath.Glob(filepath.Join(r.cfg.Dir, stateDir, j.Name, "*.json"))
	if err != nil {
		return false, err
	}
	gone := false
	for _, path := range names {
		part := strings.TrimSuffix(filepath.Base(path), ".json")
		if slices.ContainsFunc(parts, func(p Part) bool { return p.Name == part }) {
			continue
		}
		gone = true
		rec, _ := r.readReceipt(j.Name, part)
		for _, f := range rec.Files {
			err = errors.Join(err, removeIfThere(filepath.Join(r.cfg.Dir, f.Path)))
		}
		err = errors.Join(err, removeIfThere(path))
	}
	return gone, err
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// mapParts does parts side by side.
func (r *Runner) mapParts(ctx context.Context, j *Job, all []Job, todo []Part, of int) ([]Receipt, error) {
	side := min(r.cfg.Cores, max(1, len(todo)))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(side)
	done := make([]*Receipt, len(todo))
	var finished atomic.Int64
	for i, p := range todo {
		g.Go(func() error {
			rec, err := r.mapPart(ctx, j, p, r.markOf(j, all, p), max(1, r.cfg.Cores/side))
			if err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
			done[i] = &rec
			if r.cfg.Progress != nil {
				n := int(finished.Add(1)) + of - len(todo)
				r.cfg.Progress(Progress{Job: j.Name, Part: p.Name, Done: n, Parts: of, Items: r.items.Load()})
			}
			return nil
		})
	}
	err := g.Wait()
	var out []Receipt
	for _, rec := range done {
		if rec != nil {
			out = append(out, *rec)
		}
	}
	return out, err
}

// newTask makes what a job needs to work on a part; drop removes what it left.
func (r *Runner) newTask(j *Job, p Part, cores int) (t *Task, drop func() error, err error) {
	temp, err := os.MkdirTemp(filepath.Join(r.cfg.Dir, stateDir), "tmp-")
	if err != nil {
		return nil, nil, err
	}
	t = &Task{Part: p, Cores: cores, runner: r, job: j, temp: temp, pairs: newSorter(temp, r.cfg.Memory, j.Combine)}
	return t, func() error {
		for _, f := range t.files {
			_ = f.Close() // those that were not settled
		}
		return os.RemoveAll(temp)
	}, nil
}

// mapPart makes everything of one part and then its receipt.
func (r *Runner) mapPart(ctx context.Context, j *Job, p Part, mark string, cores int) (rec Receipt, err error) {
	t, drop, err := r.newTask(j, p, cores)
	if err != nil {
		return rec, err
	}
	defer func() { err = errors.Join(err, drop()) }()
	t.cpu = scan.CPUTime(func() { err = j.Map(ctx, t) })
	if err = errors.Join(err, ctx.Err()); err != nil {
		return rec, err
	}
	return t.finish(mark)
}

// finish gives the files of a part their names and writes the receipt.
func (t *Task) finish(mark string) (Receipt, error) {
	r, j := t.runner, t.job
	rec := Receipt{Job: j.Name, Version: j.Version, Part: t.Part.Name, Mark: mark, Items: t.scan.Items.Load(), Failed: t.scan.Failures.Load(), Partial: t.partial}
	for _, f := range t.files {
		made, err := r.keep(f.File, f.path)
		if err != nil {
			return rec, err
		}
		rec.Files = append(rec.Files, made)
	}
	if j.Reduce != nil {
		if err := t.pairs.finish(filepath.Join(t.temp, "run")); err != nil {
			return rec, err
		}
		f, err := os.OpenFile(filepath.Join(t.temp, "run"), os.O_RDWR, 0)
		if err != nil {
			return rec, err
		}
		made, err := r.keep(f, r.runPath(j.Name, t.Part.Name))
		if err != nil {
			return rec, err
		}
		rec.Files = append(rec.Files, made)
	}
	rec.CPU = t.cpu + time.Duration(t.scan.CPU.Load())
	return rec, r.writeReceipt(rec)
}

// keep gives a temporary file its name for good.
func (r *Runner) keep(f *os.File, path string) (Made, error) {
	size, sum, err := measure(f.Name())
	if err != nil {
		return Made{}, err
	}
	if err := settle(f, path); err != nil {
		return Made{}, err
	}
	rel, err := filepath.Rel(r.cfg.Dir, path)
	return Made{Path: filepath.ToSlash(rel), Size: size, SHA256: sum}, err
}
