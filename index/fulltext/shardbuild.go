package fulltext

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/blevesearch/bleve/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"golang.org/x/sync/errgroup"

	"varve/derive"
)

// buildShards makes the shards of some years in one pass over the table, each in a temporary folder that gets its name when all is
// in it. One reads, and each shard has a worker; as many work at a time as there are cores.
func buildShards(ctx context.Context, dir, versions string, years []*year, told func(Progress)) (err error) {
	builders := map[string]*shardBuilder{}
	defer func() {
		for _, b := range builders {
			err = errors.Join(err, b.abandon())
		}
	}()
	for _, y := range years {
		if builders[y.year], err = newShardBuilder(dir, y); err != nil {
			return fmt.Errorf("shard %s: %w", y.year, err)
		}
	}
	work, inner := errgroup.WithContext(ctx)
	cores := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, b := range builders {
		work.Go(func() error { return b.work(inner, cores) })
	}
	err = readTo(inner, versions, builders, told)
	for _, b := range builders {
		close(b.in)
	}
	if err = errors.Join(work.Wait(), err); err != nil {
		return err
	}
	for _, y := range years {
		delete(builders, y.year)
		if err := writeSums(filepath.Join(dir, "tmp-"+y.info().Dir)); err != nil {
			return err
		}
		if err := errors.Join(ctx.Err(), os.Rename(filepath.Join(dir, "tmp-"+y.info().Dir), filepath.Join(dir, y.info().Dir))); err != nil {
			return err
		}
	}
	return syncDir(dir)
}

// readTo gives each document to its builder.
func readTo(ctx context.Context, versions string, builders map[string]*shardBuilder, told func(Progress)) error {
	return derive.Rows(versions, func(v *derive.VersionRow) (bool, error) {
		b := builders[yearOf(v)]
		if b == nil {
			return true, nil
		}
		if b.given++; b.given%batchDocs == 0 {
			told(Progress{Year: b.year.year, Done: b.given, Docs: b.year.docs})
		}
		own := *v
		for _, s := range texts(&own) {
			*s = strings.Clone(*s) // the row is used again
		}
		own.Minhash = slices.Clone(own.Minhash)
		select {
		case b.in <- &own:
			return true, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	})
}

// shardBuilder makes one shard.
type shardBuilder struct {
	year   *year
	temp   string
	text   bleve.Builder
	docs   *docsWriter
	cols   *columnsBuilder
	n      int
	in     chan *derive.VersionRow
	given  int // by the reader
	closed bool
}

// work puts all documents in and writes everything out; cores bounds how many shards do so at a time.
func (b *shardBuilder) work(ctx context.Context, cores chan struct{}) error {
	for v := range b.in {
		cores <- struct{}{}
		err := errors.Join(ctx.Err(), b.add(v))
		<-cores
		if err != nil {
			return fmt.Errorf("shard %s: %w", b.year.year, err)
		}
	}
	cores <- struct{}{}
	defer func() { <-cores }()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	b.closed = true
	if err := b.close(); err != nil {
		return fmt.Errorf("shard %s: %w", b.year.year, errors.Join(err, os.RemoveAll(b.temp)))
	}
	return nil
}

func newShardBuilder(dir string, y *year) (*shardBuilder, error) {
	m, err := newMapping()
	if err != nil {
		return nil, err
	}
	b := &shardBuilder{year: y, temp: filepath.Join(dir, "tmp-"+y.info().Dir), cols: newColumnsBuilder(), in: make(chan *derive.VersionRow, 16)}
	if err := errors.Join(os.RemoveAll(b.temp), os.RemoveAll(filepath.Join(dir, y.info().Dir)), os.MkdirAll(b.temp, 0o755)); err != nil {
		return nil, err
	}
	if b.docs, err = createDocs(filepath.Join(b.temp, "docs")); err != nil {
		return nil, err
	}
	b.text, err = bleve.NewBuilder(filepath.Join(b.temp, "bleve"), m, map[string]any{"batchSize": batchDocs, "mergeMax": 100, "buildPathPrefix": b.temp})
	if err != nil {
		return nil, errors.Join(err, b.docs.close())
	}
	return b, nil
}

// add puts a document in: its number is its id.
func (b *shardBuilder) add(v *derive.VersionRow) error {
	fields := map[string]any{"title": v.Title, "text": v.Text, "anchor": v.Anchors, "url": addressWords(v.URL)}
	if err := b.text.Index(strconv.Itoa(b.n), fields); err != nil {
		return err
	}
	b.n++
	b.cols.add(v)
	return b.docs.add(v)
}

// close writes everything out. The columns come last, since they are in the order that Bleve chose.
func (b *shardBuilder) close() error {
	if err := errors.Join(b.text.Close(), b.docs.close()); err != nil {
		return err
	}
	return withSegment(filepath.Join(b.temp, "bleve"), b.n, func(seg segment.Segment) error {
		order, err := orderOf(seg, b.n)
		if err != nil {
			return err
		}
		if err := writeTerms(filepath.Join(b.temp, "terms"), seg, b.n); err != nil {
			return err
		}
		if err := b.writePlaces(seg); err != nil {
			return err
		}
		return writeSynced(filepath.Join(b.temp, "columns"), b.cols.finish(order).bytes())
	})
}

// writePlaces writes the frequent words, and the pairs of the common ones among them.
func (b *shardBuilder) writePlaces(seg segment.Segment) error {
	path := filepath.Join(b.temp, "frequent")
	if err := writeFrequent(path, seg, b.n); err != nil {
		return err
	}
	often, err := openFrequent(path, b.n)
	if err != nil {
		return err
	}
	return errors.Join(writePairs(filepath.Join(b.temp, "pairs"), seg, often, b.n, pairsBytes), often.close())
}

// abandon drops what was made.
func (b *shardBuilder) abandon() error {
	if b == nil || b.closed {
		return nil
	}
	return errors.Join(b.text.Close(), b.docs.close(), os.RemoveAll(b.temp))
}

func writeSynced(path string, b []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Sync(), f.Close())
}

// withSegment opens the segment that Bleve wrote.
func withSegment(dir string, docs int, do func(segment.Segment) error) (err error) {
	ix, err := bleve.OpenUsing(dir, map[string]any{"read_only": true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ix.Close()) }()
	advanced, err := ix.Advanced()
	if err != nil {
		return err
	}
	r, err := advanced.Reader()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	seg, err := onlySegment(r, docs)
	if err != nil {
		return err
	}
	return do(seg)
}

// orderOf gives the numbers of the documents in the order in which Bleve has them.
func orderOf(seg segment.Segment, docs int) ([]uint32, error) {
	out := make([]uint32, docs)
	for i := range out {
		id, err := seg.DocID(uint64(i))
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(string(id))
		if err != nil || n < 0 || n >= docs {
			return nil, fmt.Errorf("document %q is not one of %d", id, docs)
		}
		out[i] = uint32(n)
	}
	return out, nil
}
