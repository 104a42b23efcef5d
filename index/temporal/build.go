package temporal

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"varve/archive/cdxj"
	"varve/archive/whole"
)

// The files of an index. They lie in a folder of their own, which the manifest names; replacing the
// manifest is the commit.
const (
	manifestName = "MANIFEST"
	dataName     = "versions.cdx.gz"
	idxName      = "versions.idx"
	fencesName   = "versions.fences"
	formatName   = "varve-temporal"

	// FormatVersion is the version of the files that this package writes and reads.
	FormatVersion = 1

	// Rule is the version of the rule by which versions and their validity are found. An index by another rule answers until the new one is there.
	//
	//	1  until issue 15: of the stamps of a host only its most common one was not believed (manifests do not tell it)
	//	2  the stamps of a host are believed or not, by dating.Trust
	//	3  versions that were first seen in one second stand in the order of time
	Rule = 3
)

// treeNames are the trees: one for each measure of validity and level of evidence.
var treeNames = []string{"nominal", "inferred", string(Witnessed), string(Asserted)}

// manifest says which folder counts.
type manifest struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Rule     int    `json:"rule,omitempty"`
	Folder   string `json:"folder"`
	Source   uint64 `json:"source"` // state (Content) of the CDX index it was built from
	Versions int64  `json:"versions"`
	Pages    int64  `json:"pages"`
	Fences   string `json:"fences"` // SHA-256
	Block    int64  `json:"block"`  // lines in a block of the table
}

// Config says how an index is built.
type Config struct {
	// Source is the state (Content) of the CDX index that the captures come from.
	Source uint64
	// Crawl tells the crawl that wrote a WARC file; "" if it is not known. Two captures of one crawl
	// with the same content witness the time between them.
	Crawl func(file string) string
	// Told gets how many captures were read, now and then; nil for nobody.
	Told func(captures int64)
}

// Built is what was built.
type Built struct {
	Versions int64 `json:"versions"`
	Pages    int64 `json:"pages"` // index keys that have versions
	Spans    int64 `json:"spans"` // intervals in all trees
}

// Build makes the index in a directory of captures in the order of the CDX index. Readers see it
// once it is whole.
func Build(ctx context.Context, dir string, captures iter.Seq2[cdxj.Record, error], cfg Config) (Built, error) {
	return build(dir, cfg, func(add func(*Version) error) error {
		j := &judge{out: add}
		f := &folder{crawl: cfg.Crawl, emit: j.add}
		n := 0
		for r, err := range captures {
			if err == nil {
				err = f.add(&r)
			}
			if n++; err == nil && n%4096 == 0 {
				if err = ctx.Err(); cfg.Told != nil {
					cfg.Told(int64(n))
				}
			}
			if err != nil {
				return err
			}
		}
		if err := f.flush(Forever); err != nil {
			return err
		}
		return j.flush()
	})
}

// BuildVersions makes the index of versions, sorted by key and first capture, that somebody else
// made.
func BuildVersions(ctx context.Context, dir string, versions iter.Seq2[*Version, error], cfg Config) (Built, error) {
	return build(dir, cfg, func(add func(*Version) error) error {
		n := 0
		for v, err := range versions {
			if n++; err == nil && n%4096 == 0 {
				err = ctx.Err()
			}
			if err == nil {
				err = add(v)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// build writes a new folder and commits it.
func build(dir string, cfg Config, run func(add func(*Version) error) error) (done Built, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return done, fmt.Errorf("build temporal index: %w", err)
	}
	folder, err := os.MkdirTemp(dir, "v")
	if err != nil {
		return done, fmt.Errorf("build temporal index: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("build temporal index: %w", err), os.RemoveAll(folder))
		}
	}()
	if err := os.Chmod(folder, 0o755); err != nil { // a temporary folder is for its owner only
		return done, err
	}
	w, err := newWriter(folder)
	if err != nil {
		return done, err
	}
	if err := run(w.add); err != nil {
		return done, errors.Join(err, w.abort())
	}
	if err := w.finish(); err != nil {
		return done, err
	}
	m := manifest{Folder: filepath.Base(folder), Source: cfg.Source, Versions: w.done.Versions, Pages: w.done.Pages, Fences: w.sum, Block: cdxj.TableBlockLines}
	if err := commit(dir, m); err != nil {
		return done, err
	}
	sweep(dir, m.Folder)
	return w.done, nil
}

// writer writes the files of an index.
type writer struct {
	folder string
	files  []*os.File
	bufs   []*bufio.Writer
	table  *cdxj.TableWriter
	sum    string // of the fences
	digest func() string
	spools []*spool  // of the trees
	group  []pending // versions of one page that were first seen in the same second
	key    string
	done   Built
}

func newWriter(folder string) (*writer, error) {
	w := &writer{folder: folder}
	h := sha256.New()
	w.digest = func() string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }
	var outs []io.Writer
	for _, name := range []string{dataName, idxName, fencesName} {
		f, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			return nil, errors.Join(err, w.abort())
		}
		buf := bufio.NewWriterSize(f, 256<<10)
		w.files, w.bufs = append(w.files, f), append(w.bufs, buf)
		outs = append(outs, buf)
	}
	for _, name := range treeNames {
		s, err := newSpool(filepath.Join(folder, name+".spool"))
		if err != nil {
			return nil, errors.Join(err, w.abort())
		}
		w.spools = append(w.spools, s)
	}
	outs[2] = io.MultiWriter(w.bufs[2], h)
	w.table = cdxj.NewTableWriter(outs[0], outs[1], outs[2], cdxj.ZipOptions{Name: dataName, Level: 1, Lines: cdxj.TableBlockLines})
	return w, nil
}

// pending is a version whose place among its neighbours is not known yet.
type pending struct {
	v    *Version
	line []byte
}

// add takes the next version. Versions come by page and time; those of one second are put in the
// order of their lines, which is that of time where captures tell it.
func (w *writer) add(v *Version) error {
	if len(w.group) > 0 && (w.group[0].v.Key != v.Key || w.group[0].v.First != v.First) {
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.group = append(w.group, pending{v, v.line(nil)})
	return nil
}

func (w *writer) flush() error {
	slices.SortStableFunc(w.group, func(a, b pending) int { return bytes.Compare(a.line, b.line) })
	for _, p := range w.group {
		if err := w.write(p.v, p.line); err != nil {
			return err
		}
	}
	clear(w.group)
	w.group = w.group[:0]
	return nil
}

// write writes a version; its number is its id.
func (w *writer) write(v *Version, line []byte) error {
	id := uint32(w.done.Versions)
	if w.done.Versions >= forever {
		return errors.New("more versions than an index can number")
	}
	if err := w.table.WriteLine(line); err != nil {
		return err
	}
	if w.done.Versions++; v.Key != w.key {
		w.key = v.Key
		w.done.Pages++
	}
	for tree, spans := range [][]Span{{v.Nominal()}, {v.Inferred()}, v.Witnessed, v.Asserted} {
		for _, s := range spans {
			if err := w.spools[tree].add(interval{s.From, s.To, id}); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish writes the trees and makes all files durable.
func (w *writer) finish() error {
	if err := errors.Join(w.flush(), w.table.Close()); err != nil {
		return errors.Join(err, w.abort())
	}
	w.sum = w.digest()
	for i, f := range w.files {
		if err := errors.Join(w.bufs[i].Flush(), f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	for i, sp := range w.spools { // one tree at a time is held in memory
		list, err := sp.take()
		if err != nil {
			return err
		}
		w.done.Spans += int64(len(list))
		if err := writeTreeFile(filepath.Join(w.folder, treeNames[i]), sortIntervals(list)); err != nil {
			return err
		}
	}
	return whole.SyncDir(w.folder)
}

func writeTreeFile(name string, list []interval) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	buf := bufio.NewWriterSize(f, 256<<10)
	if err := writeTree(buf, list); err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(buf.Flush(), f.Sync(), f.Close())
}

func (w *writer) abort() error {
	var all error
	for _, f := range w.files {
		all = errors.Join(all, f.Close())
	}
	for _, s := range w.spools {
		all = errors.Join(all, s.f.Close())
	}
	return all
}

// commit makes a folder the index.
func commit(dir string, m manifest) error {
	m.Format, m.Version, m.Rule = formatName, FormatVersion, Rule
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	text = fmt.Appendf(nil, "%s\nsha256:%x\n", text, sum)
	if err := whole.SyncDir(dir); err != nil { // the name of the folder, before what names it
		return err
	}
	return whole.Bytes(filepath.Join(dir, manifestName), 0o644, text)
}

// sweep removes the folders of other builds. Readers that have their files open keep them.
func sweep(dir, keep string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // what stays is removed by the next build
	}
	for _, e := range entries {
		if e.IsDir() && e.Name() != keep {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}
