package cdx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"varve/archive/cdxj"
	"varve/archive/scan"
	"varve/archive/warc"
)

// Report tells what a Refresh did.
type Report struct {
	Files     int          `json:"files"`     // of the collection
	Unchanged int          `json:"unchanged"` // in the index as they are
	Added     int          `json:"added"`     // new or changed, and indexed
	Dropped   int          `json:"dropped"`   // gone from the collection, or changed
	Lines     int64        `json:"lines"`     // added
	Skipped   int64        `json:"skipped"`   // lines and captures that could not be read
	Damaged   int64        `json:"damaged"`   // findings of damage
	Failed    []FailedFile `json:"failed,omitempty"`
	Problems  []string     `json:"problems,omitempty"`
}

// FailedFile is a file that could not be indexed.
type FailedFile struct {
	Name string `json:"name"`
	Err  string `json:"error"`
}

// Refresh brings the index up to the files of the collection: all of them. Those that are in it
// unchanged cost a look at their size and time. A file that cannot be read is told in the report and
// does not stop the rest. When the context ends, what was committed stays.
func (b *Builder) Refresh(ctx context.Context, files []File) (Report, error) {
	b.adding.Lock()
	defer b.adding.Unlock()
	rep := Report{Files: len(files)}
	todo, err := b.plan(files, &rep)
	if err != nil {
		return rep, err
	}
	return rep, b.add(ctx, todo, files, &rep)
}

// known gives the sources by name.
func (b *Builder) known() map[string]Source {
	out := map[string]Source{}
	for _, s := range b.Sources() {
		out[s.Name] = s
	}
	return out
}

// plan tells which files must be read, and drops what is gone or changed.
func (b *Builder) plan(files []File, rep *Report) (todo []File, err error) {
	known := b.known()
	gone := map[string]bool{}
	here := map[string]bool{}
	for name := range known {
		gone[name] = true
	}
	for _, f := range files {
		here[f.Name] = true
	}
	for _, f := range files {
		s, ok := known[f.Name]
		if ok && b.same(&s, f) && !namesNew(&s, known, here) {
			delete(gone, f.Name)
			rep.Unchanged++
			continue
		}
		todo = append(todo, f)
	}
	rep.Dropped = len(gone)
	if len(gone) > 0 {
		err = b.drop(gone)
	}
	return todo, err
}

// same tells whether a file is what it was: by size and time, else by size, head and tail.
func (b *Builder) same(s *Source, f File) bool {
	if s.unchanged(f) {
		return true
	}
	now, err := look(f)
	return err == nil && now.Kind == s.Kind && now.Size == s.Size && now.Digest == s.Digest
}

// namesNew tells whether the lines of a CDX file name a WARC file that has come to the collection
// since: the file itself is the better source.
func namesNew(s *Source, known map[string]Source, here map[string]bool) bool {
	if s.Kind != KindCDX {
		return false
	}
	for name := range here {
		if _, old := known[name]; old || name == s.Name {
			continue
		}
		if s.Many || slices.Contains(s.Files, name) {
			return true
		}
	}
	return false
}

// drop takes sources out of the index: their lines are passed over, and gone with the next merge.
func (b *Builder) drop(names map[string]bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.man.Runs
	var kept, empty []runInfo
	for _, info := range before {
		info.Dropped = slices.Clone(info.Dropped)
		for _, s := range b.sources[info.ID] {
			if names[s.Name] && !slices.Contains(info.Dropped, s.Name) {
				info.Dropped = append(info.Dropped, s.Name)
			}
		}
		if len(b.sources[info.ID]) > 0 && len(info.Dropped) == len(b.sources[info.ID]) {
			empty = append(empty, info)
			continue
		}
		kept = append(kept, info)
	}
	b.man.Runs = kept
	if err := b.commitLocked(true); err != nil {
		b.man.Runs = before
		return err
	}
	for _, info := range empty {
		delete(b.sources, info.ID)
		removeRun(b.cfg.FS, b.dir, info.ID)
	}
	return nil
}

// batch is the lines of some files on their way into a run.
type batch struct {
	sorter  *cdxj.Sorter
	sources []Source
	lines   int64
}

// add reads files and commits a run for every BatchLines lines.
func (b *Builder) add(ctx context.Context, todo, all []File, rep *Report) error {
	cur := b.newBatch()
	defer func() { _ = cur.sorter.Close() }()
	warcs := map[string]bool{}
	for _, f := range all {
		if f.Kind == KindWARC {
			warcs[f.Name] = true
		}
	}
	for i, f := range todo {
		if ctx.Err() != nil {
			break
		}
		if b.cfg.OnProgress != nil {
			b.cfg.OnProgress(f.Path, i, len(todo))
		}
		src, err := b.read(ctx, f, warcs, cur)
		if err != nil {
			src.Size = partly
			if ctx.Err() == nil {
				rep.Failed = append(rep.Failed, FailedFile{f.Name, err.Error()})
			}
			if src.Lines == 0 {
				continue
			}
		}
		rep.added(&src)
		cur.sources = append(cur.sources, src)
		if ctx.Err() != nil {
			break
		}
		if cur.lines >= b.cfg.BatchLines {
			if err := b.flush(cur); err != nil {
				return err
			}
			cur = b.newBatch()
		}
	}
	return errors.Join(b.flush(cur), ctx.Err())
}

// added counts a file whose lines are in the index.
func (r *Report) added(src *Source) {
	if src.Size != partly {
		r.Added++
	}
	r.Lines += src.Lines
	r.Skipped += src.Skipped
	r.Damaged += src.Damaged
}

// partly is the size of a source whose lines are not all in the index: no file has it, so the next
// Refresh reads it again.
const partly = -1

func (b *Builder) newBatch() *batch {
	return &batch{sorter: cdxj.NewSorter(b.cfg.SortDir, cdxj.SortOptions{Memory: b.cfg.SortMemory, Unique: true})}
}

// flush writes a batch as a run and commits it.
func (b *Builder) flush(cur *batch) error {
	defer cur.sorter.Close()
	if len(cur.sources) == 0 {
		return nil
	}
	slices.SortFunc(cur.sources, func(a, c Source) int { return compareSources(&a, &c) })
	info, err := writeRun(b.cfg.FS, b.dir, b.newID(), cur.lines, cur.sources, cur.sorter.Sorted())
	if err != nil {
		return err
	}
	return b.commitRun(info, cur.sources)
}

func compareSources(a, b *Source) int { return cmp.Compare(a.Name, b.Name) }

// read puts the lines of a file into a batch.
func (b *Builder) read(ctx context.Context, f File, warcs map[string]bool, cur *batch) (Source, error) {
	src, err := look(f)
	if err != nil {
		return src, err
	}
	put := b.putting(f, &src, func(line []byte) error {
		cur.lines++
		return cur.sorter.Add(line)
	})
	if f.Kind == KindCDX {
		return src, readLines(ctx, f, &src, warcs, put)
	}
	return src, b.scan(ctx, f, &src, put)
}

// putting returns what makes lines of the captures of a file, in the format of the index, and counts them.
func (b *Builder) putting(f File, src *Source, add func(line []byte) error) func(*cdxj.Record) error {
	var buf []byte
	exact := b.exact()
	return func(r *cdxj.Record) error {
		if err := r.Check(); err != nil {
			src.Skipped++
			return nil //nolint:nilerr // one bad address is counted and does not stop the file
		}
		if !exact {
			r.Within = ""
		}
		if b.reads != nil {
			b.reads(f.Name, r.Offset)
		}
		buf = cdxj.Format{}.Append(buf[:0], r)
		if err := add(buf); err != nil {
			return err
		}
		src.Lines++
		return nil
	}
}

// scan reads the heads of a WARC or ARC file on all cores.
func (b *Builder) scan(ctx context.Context, f File, src *Source, put func(*cdxj.Record) error) error {
	o := scan.Options{Name: f.Name, From: f.From, Cores: b.cfg.Workers, Policy: warc.Lenient(), OnFinding: func(w warc.Finding) { b.found(w, src) }}
	return scan.File(ctx, f.Path, o, scan.Captures(put))
}

// found counts a finding of damage, and tells of any.
func (b *Builder) found(f warc.Finding, src *Source) {
	if f.Class == warc.Damage {
		src.Damaged++
	}
	if b.cfg.OnFinding != nil {
		b.cfg.OnFinding(f)
	}
}

// AddLines puts lines that come from nowhere in particular into the index, under a name: all of them
// become one run. It is how a large index is made from lines that somebody else sorted or made up.
func (b *Builder) AddLines(ctx context.Context, name string, lines iter.Seq2[[]byte, error]) (int64, error) {
	b.adding.Lock()
	defer b.adding.Unlock()
	cur := b.newBatch()
	defer func() { _ = cur.sorter.Close() }()
	for line, err := range lines {
		if err == nil && cur.lines%checkEvery == 0 {
			err = ctx.Err()
		}
		if err == nil {
			err = cur.sorter.Add(line)
		}
		if err != nil {
			return 0, fmt.Errorf("add lines of %s: %w", name, err)
		}
		cur.lines++
	}
	cur.sources = []Source{{Name: name, Lines: cur.lines}}
	return cur.lines, b.flush(cur)
}
