package wacz

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"varve/archive/capture"
	"varve/archive/cdxj"
	"varve/archive/warc"
	"varve/archive/whole"
)

// deep reads the WARC files and compares what is in them with the index: two external sorts of
// "file offset", and one walk along both.
func (c *checker) deep(ctx context.Context) (err error) {
	if !c.opts.Deep {
		return nil
	}
	folder, err := whole.NewFolder(c.opts.Dir, "wacz-check")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	dir := folder.Path
	opts := cdxj.SortOptions{Memory: 16 << 20, Unique: true}
	there, listed := cdxj.NewSorter(dir, opts), cdxj.NewSorter(dir, opts)
	defer func() { err = errors.Join(err, there.Close(), listed.Close()) }()
	for _, name := range c.p.WARCs() {
		if err := c.scan(ctx, name, there); err != nil {
			return err
		}
	}
	for r, err := range c.p.Range("", "") {
		if err == nil {
			err = listed.Add(position(c.p.warcPath(r.Filename), r.Offset))
		} else {
			err = nil // told by indexLines
		}
		if err != nil {
			return err
		}
	}
	return c.compare(there, listed)
}

// position gives a line that sorts by file and offset.
func position(path string, offset int64) []byte { return fmt.Appendf(nil, "%s %019d", path, offset) }

// scan reads one WARC file and notes where its captures are.
func (c *checker) scan(ctx context.Context, name string, there *cdxj.Sorter) error {
	file, err := c.p.WARC(name)
	if err != nil {
		return nil //nolint:nilerr // told as compressed, or as not readable
	}
	opts := warc.Options{Policy: warc.Lenient(), Verify: true, OnFinding: func(f warc.Finding) {
		c.find(f.Class, Rule("warc-"+string(f.Rule)), name, 0, "record at %d: %s", f.Offset, f.Message)
	}}
	err = warc.Scan(ctx, file, opts, max(1, c.opts.Workers), func(rec *warc.Record) (int64, error) {
		if isCapture(rec) {
			return rec.Offset, nil
		}
		return -1, nil
	}, func(offset int64) error {
		if offset < 0 {
			return nil
		}
		return there.Add(position(name, offset))
	})
	if err != nil && ctx.Err() == nil {
		c.find(warc.Damage, RuleUnreadable, name, 0, "%v", err)
		return nil
	}
	return err
}

// isCapture tells which records every index has.
func isCapture(rec *warc.Record) bool {
	if !capture.Is(rec) || rec.Type() == warc.TypeConversion {
		return false
	}
	if rec.Type() == warc.TypeRevisit { // of 304 many indexes have none
		if h, err := rec.HTTP(); err == nil && h.Status == 304 || err != nil && warc.IsNotModified(rec) {
			return false
		}
	}
	_, err := rec.Date()
	return err == nil && isWeb(rec.TargetURI())
}

// compare tells which captures the index does not have.
func (c *checker) compare(there, listed *cdxj.Sorter) error {
	next, stop := iter.Pull2(listed.Sorted())
	defer stop()
	line, err, more := next()
	for at, scanErr := range there.Sorted() {
		if scanErr != nil {
			return scanErr
		}
		for more && err == nil && bytes.Compare(line, at) < 0 {
			line, err, more = next()
		}
		if err != nil {
			return err
		}
		if !more || !bytes.Equal(line, at) {
			i := bytes.LastIndexByte(at, ' ')
			offset, _ := strconv.ParseInt(string(at[i+1:]), 10, 64) // position wrote it
			c.find(warc.Framing, RuleUnindexed, string(at[:i]), 0, "the capture at %d is not in the index", offset)
		}
	}
	return nil
}
