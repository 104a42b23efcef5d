package fulltext

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
	index "github.com/blevesearch/bleve_index_api"

	"varve/derive"
)

// formatVersion of the index; another one is built anew.
const formatVersion = 1

// batchDocs is how many documents are given to Bleve at once.
const batchDocs = 500

// manifest names the shards that make up an index.
type manifest struct {
	Version int         `json:"version"`
	Shards  []shardInfo `json:"shards"`
}

type shardInfo struct {
	Year string `json:"year"`
	Dir  string `json:"dir"`
	Mark string `json:"mark"` // digest of its documents
	Docs int    `json:"docs"`
}

// Progress is told while an index is built.
type Progress struct {
	Year string `json:"year"`
	Done int    `json:"done"`
	Docs int    `json:"docs"`
}

// Report is what Build did.
type Report struct {
	Shards  int   `json:"shards"`
	Built   int   `json:"built"` // the others were up to date
	Docs    int   `json:"docs"`
	Indexed int   `json:"indexed"` // of those, now
	Bytes   int64 `json:"bytes"`   // on disk
}

// Build brings the index in dir up to the table of versions. Shards whose documents are as they were
// are kept. A kill leaves the old index; the next Build removes what was half made.
func Build(ctx context.Context, dir, versions string, told func(Progress)) (rep Report, err error) {
	if told == nil {
		told = func(Progress) {}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return rep, err
	}
	old, err := readManifest(dir)
	if err != nil {
		return rep, err
	}
	years, err := measureYears(ctx, versions)
	if err != nil {
		return rep, err
	}
	next := manifest{Version: formatVersion}
	for _, y := range years {
		rep.Docs += y.docs
		info := shardInfo{Year: y.year, Mark: y.mark, Docs: y.docs, Dir: y.year + "-" + y.mark[:12]}
		if !slices.Contains(old.Shards, info) {
			if err := buildShard(ctx, filepath.Join(dir, info.Dir), versions, y, told); err != nil {
				return rep, fmt.Errorf("shard %s: %w", y.year, err)
			}
			rep.Built++
			rep.Indexed += y.docs
		}
		next.Shards = append(next.Shards, info)
	}
	rep.Shards = len(next.Shards)
	if err := writeManifest(dir, next); err != nil {
		return rep, err
	}
	return rep, errors.Join(sweep(dir, next), rep.measure(dir))
}

func (r *Report) measure(dir string) error {
	return filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			r.Bytes += info.Size()
		}
		return err
	})
}

func readManifest(dir string) (m manifest, err error) {
	b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if errors.Is(err, os.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	if json.Unmarshal(b, &m) != nil || m.Version != formatVersion {
		return manifest{}, nil // built anew
	}
	return m, nil
}

func writeManifest(dir string, m manifest) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "tmp-manifest-")
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), filepath.Join(dir, "manifest.json")); err != nil {
		return err
	}
	return syncDir(dir)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// sweep removes what the manifest does not name.
func sweep(dir string, m manifest) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		used := e.Name() == "manifest.json" || slices.ContainsFunc(m.Shards, func(s shardInfo) bool { return s.Dir == e.Name() })
		if !used {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

type year struct {
	year string
	docs int
	sum  hash.Hash
	mark string
}

func yearOf(v *derive.Version) string { return v.From.UTC().Format("2006") }

// measureYears finds the shards and what tells whether they changed.
func measureYears(ctx context.Context, versions string) ([]*year, error) {
	byYear := map[string]*year{}
	n := 0
	err := derive.Rows(versions, func(v *derive.Version) (bool, error) {
		y := byYear[yearOf(v)]
		if y == nil {
			y = &year{year: yearOf(v), sum: sha256.New()}
			byYear[y.year] = y
		}
		y.docs++
		b, err := json.Marshal(v)
		if err != nil {
			return false, err
		}
		y.sum.Write(b)
		if n++; n%1000 == 0 {
			err = ctx.Err()
		}
		return true, err
	})
	var out []*year
	for _, y := range byYear {
		y.mark = hex.EncodeToString(y.sum.Sum(nil))
		out = append(out, y)
	}
	slices.SortFunc(out, func(a, b *year) int { return strings.Compare(a.year, b.year) })
	return out, err
}

// buildShard makes a shard in a temporary folder and gives it its name.
func buildShard(ctx context.Context, dir, versions string, y *year, told func(Progress)) (err error) {
	temp := filepath.Join(filepath.Dir(dir), "tmp-"+filepath.Base(dir))
	if err := errors.Join(os.RemoveAll(temp), os.RemoveAll(dir)); err != nil {
		return err
	}
	if err := os.MkdirAll(temp, 0o755); err != nil {
		return err
	}
	b, err := newShardBuilder(temp)
	if err != nil {
		return err
	}
	n := 0
	err = derive.Rows(versions, func(v *derive.Version) (bool, error) {
		if yearOf(v) != y.year {
			return true, nil
		}
		if n++; n%batchDocs == 0 {
			told(Progress{Year: y.year, Done: n, Docs: y.docs})
		}
		return true, errors.Join(ctx.Err(), b.add(v))
	})
	if err = errors.Join(err, b.close(ctx, err == nil)); err != nil {
		return errors.Join(err, os.RemoveAll(temp))
	}
	if err := os.Rename(temp, dir); err != nil {
		return err
	}
	return syncDir(filepath.Dir(dir))
}

type shardBuilder struct {
	dir   string
	bleve bleve.Index
	batch *bleve.Batch
	docs  *docsWriter
	cols  *columnsBuilder
	n     int
}

func newShardBuilder(dir string) (*shardBuilder, error) {
	m, err := newMapping()
	if err != nil {
		return nil, err
	}
	b := &shardBuilder{dir: dir, cols: newColumnsBuilder()}
	if b.docs, err = createDocs(filepath.Join(dir, "docs")); err != nil {
		return nil, err
	}
	b.bleve, err = bleve.NewUsing(filepath.Join(dir, "bleve"), m, scorch.Name, scorch.Name, nil)
	if err != nil {
		return nil, errors.Join(err, b.docs.close())
	}
	b.batch = b.bleve.NewBatch()
	return b, nil
}

// add puts a document in: its number is its id.
func (b *shardBuilder) add(v *derive.Version) error {
	fields := map[string]any{"title": v.Title, "text": v.Text, "anchor": v.Anchors, "url": addressWords(v.URL)}
	if err := b.batch.Index(strconv.Itoa(b.n), fields); err != nil {
		return err
	}
	b.n++
	b.cols.add(v)
	if err := b.docs.add(v); err != nil {
		return err
	}
	if b.batch.Size() < batchDocs {
		return nil
	}
	return b.flush()
}

func (b *shardBuilder) flush() error {
	err := b.bleve.Batch(b.batch)
	b.batch.Reset()
	return err
}

// close writes everything out; whole tells that all documents are in.
func (b *shardBuilder) close(ctx context.Context, whole bool) (err error) {
	if whole {
		err = b.flush()
		if err == nil {
			err = b.merge(ctx)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(b.dir, "columns"), b.cols.finish().bytes(), 0o644)
		}
	}
	return errors.Join(err, b.bleve.Close(), b.docs.close())
}

// merge makes few segments of many: fewer to ask.
func (b *shardBuilder) merge(ctx context.Context) error {
	advanced, err := b.bleve.Advanced()
	if err != nil {
		return err
	}
	if s, ok := advanced.(*scorch.Scorch); ok {
		return s.ForceMerge(ctx, &mergeplan.SingleSegmentMergePlanOptions)
	}
	return nil
}

// numbers gives for each internal number of Bleve the number of the document.
func numbers(r index.IndexReader, docs int) ([]uint32, error) {
	out := make([]uint32, 0, docs)
	ids, err := r.DocIDReaderAll()
	if err != nil {
		return nil, err
	}
	defer ids.Close()
	for {
		id, err := ids.Next()
		if err != nil || id == nil {
			return out, err
		}
		name, err := r.ExternalID(id)
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(name)
		if err != nil || n >= docs {
			return nil, fmt.Errorf("document %q is not one of %d", name, docs)
		}
		at := internal(id)
		for len(out) <= at {
			out = append(out, 0)
		}
		out[at] = uint32(n)
	}
}
