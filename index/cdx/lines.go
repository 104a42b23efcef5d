package cdx

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/klauspost/compress/gzip"

	"varve/archive/cdxj"
	"varve/web/canon"
)

// SourceField is the field of a line that names the CDX file it was taken over from. Lines of WARC
// files do not have it.
const SourceField = "source"

// maxNamed is how many WARC files of a CDX file are remembered by name.
const maxNamed = 100_000

// readLines takes over the lines of a CDX or CDXJ file of another tool, plain or gzipped (ZipNum
// data is gzip too). Lines of WARC files that are in the collection are passed over: these are read
// themselves. The key is made anew from the URL, since tools differ in it.
func readLines(ctx context.Context, f File, src *Source, warcs map[string]bool, put func(*cdxj.Record) error) error {
	file, err := os.Open(f.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	text, err := unzipped(file)
	if err != nil {
		return err
	}
	named := map[string]bool{}
	for r, err := range cdxj.NewReader(text).All() {
		if _, bad := errors.AsType[*cdxj.LineError](err); bad {
			src.Skipped++
			continue
		}
		if err == nil && (src.Lines+src.Covered)%checkEvery == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if len(named) <= maxNamed {
			named[r.Filename] = true
		}
		if warcs[r.Filename] {
			src.Covered++
			continue
		}
		rekey(&r)
		r.Set(SourceField, f.Name)
		if err := put(&r); err != nil {
			return err
		}
	}
	if src.Many = len(named) > maxNamed; !src.Many {
		src.Files = slices.Sorted(maps.Keys(named))
	}
	if src.Lines+src.Covered == 0 && src.Skipped > 0 {
		return fmt.Errorf("none of its %d lines can be read: is it CDX or CDXJ?", src.Skipped)
	}
	return nil
}

// unzipped gives the text of a file that may be gzipped, in one member or many.
func unzipped(r io.Reader) (io.Reader, error) {
	br := bufio.NewReaderSize(r, 64<<10)
	head, err := br.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(head) < 2 || head[0] != 0x1f || head[1] != 0x8b {
		return br, nil
	}
	return gzip.NewReader(br)
}

// rekey gives a line the key that we look it up by. The key of a request that was not a GET is kept
// as far as it says so: body and method are not in the URL.
func rekey(r *cdxj.Record) {
	if r.URL == "" {
		return
	}
	if method, ok := r.Get("method"); ok && method != "GET" && method != "" {
		return
	}
	r.Key = canon.SURT(r.URL)
}
