package wacz

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"

	"github.com/klauspost/compress/gzip"

	"varve/archive/cdxj"
	"varve/archive/warc"
	"varve/web/canon"
)

// lineRange is sorted text that can be searched. *cdxj.ZipNum, *cdxj.Lines and streamed do it.
type lineRange interface {
	Range(from, to string) iter.Seq2[[]byte, error]
}

// index is one index of a package.
type index struct {
	path  string
	lines lineRange
}

// allIndexes gives the indexes of a package: each idx with the file it is about, and the files
// that have none. What cannot be searched is read from the start.
func (p *Package) allIndexes() ([]index, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.opened {
		return p.indexes, nil
	}
	var out []index
	covered := map[string]bool{}
	for _, f := range p.files {
		if !strings.HasPrefix(f.Name, indexDir) || !strings.HasSuffix(f.Name, ".idx") {
			continue
		}
		z, err := p.openIdx(f.Name, covered)
		if err != nil {
			return nil, err
		}
		out = append(out, index{f.Name, z})
	}
	for _, f := range p.files {
		if covered[f.Name] || !isIndex(f.Name) || strings.HasSuffix(f.Name, ".idx") || p.byPath[f.Name] != f {
			continue
		}
		out = append(out, index{f.Name, p.plainIndex(f)})
	}
	p.indexes, p.opened = out, true
	return out, nil
}

// isIndex tells by its name whether an entry is an index.
func isIndex(name string) bool {
	return strings.HasPrefix(name, indexDir) && hasAnySuffix(name, indexSuffixes)
}

var indexSuffixes = []string{".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz", ".idx"}

// openIdx opens a ZipNum index. An idx that is compressed is small, and held in memory.
func (p *Package) openIdx(name string, covered map[string]bool) (*cdxj.ZipNum, error) {
	idx, size, err := p.randomAccess(name)
	if err != nil {
		return nil, err
	}
	shard := func(file string) (io.ReaderAt, error) { return p.Section(path.Join(path.Dir(name), file)) }
	z, err := cdxj.OpenZipNum(idx, size, shard)
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", name, p.name, err)
	}
	for b, err := range z.Blocks("", "") {
		if err != nil {
			break // told by whoever reads the lines
		}
		covered[path.Join(path.Dir(name), b.Shard)] = true
		if b.Seq == 0 {
			break // an idx of WACZ is about one file; only classic ones name many
		}
	}
	covered[strings.TrimSuffix(name, ".idx")+".cdx.gz"] = true
	return z, nil
}

func (p *Package) randomAccess(name string) (io.ReaderAt, int64, error) {
	if f := p.byPath[name]; f != nil && f.Method == zip.Store {
		s, err := p.Section(name)
		if err != nil {
			return nil, 0, err
		}
		return s, s.Size(), nil
	}
	b, err := p.readAll(name, p.limits.Idx)
	return bytes.NewReader(b), int64(len(b)), err
}

func (p *Package) plainIndex(f *zip.File) lineRange {
	if !strings.HasSuffix(f.Name, ".gz") && f.Method == zip.Store {
		if s, err := p.Section(f.Name); err == nil {
			return cdxj.NewLines(s, s.Size())
		}
	}
	return &streamed{p: p, path: f.Name, limit: p.limits.Unpacked}
}

// streamed is an index without an idx, or in one compressed piece: it is read from its start.
type streamed struct {
	p     *Package
	path  string
	limit int64
}

// Range gives the lines from <= l < to.
func (s *streamed) Range(from, to string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		file, err := s.p.OpenEntry(s.path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer file.Close()
		var r io.Reader = file
		if strings.HasSuffix(s.path, ".gz") {
			if r, err = gzip.NewReader(file); err != nil {
				yield(nil, fmt.Errorf("%s: %w", s.path, err))
				return
			}
		}
		lines := bufio.NewScanner(io.LimitReader(r, s.limit))
		lines.Buffer(nil, cdxj.MaxLine)
		for lines.Scan() {
			l := lines.Bytes()
			if to != "" && string(l) >= to {
				return
			}
			if string(l) >= from && !yield(l, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(nil, fmt.Errorf("%s: %w", s.path, err))
		}
	}
}

// Range gives the captures whose index lines l are from <= l < to, in order; an empty to means no
// end. canon.Range makes the bounds. A line that cannot be parsed gives its error and the sequence
// goes on; any other error ends it.
func (p *Package) Range(from, to string) iter.Seq2[cdxj.Record, error] {
	return func(yield func(cdxj.Record, error) bool) {
		indexes, err := p.allIndexes()
		if err == nil && len(indexes) == 0 {
			err = fmt.Errorf("%s has no index", p.name)
		}
		if err != nil {
			yield(cdxj.Record{}, err)
			return
		}
		sources := make([]iter.Seq2[[]byte, error], len(indexes))
		for i := range indexes {
			sources[i] = indexes[i].lines.Range(from, to)
		}
		for line, err := range merged(sources) {
			if err == nil && (len(line) == 0 || line[0] == '!' || bytes.HasPrefix(line, cdxHeader)) {
				continue
			}
			var r cdxj.Record
			fatal := err != nil
			if !fatal {
				err = r.Parse(string(line))
			}
			if !yield(r, err) || fatal {
				return
			}
		}
	}
}

var cdxHeader = []byte(" CDX")

// Lookup gives the captures of a URL, oldest first. POST captures are found by the key of
// canon.RequestKey and Range.
func (p *Package) Lookup(url string) iter.Seq2[cdxj.Record, error] {
	key := canon.SURT(url)
	return p.Range(key+" ", key+"!")
}

// WARC gives a WARC file of the package by its path or by the name that the index has.
func (p *Package) WARC(name string) (*warc.File, error) {
	entry := p.warcPath(name)
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.warcs[entry]; f != nil {
		return f, nil
	}
	s, err := p.Section(entry)
	if err != nil {
		return nil, err
	}
	f, err := warc.NewFile(p.name+"!"+entry, s, s.Size())
	if err != nil {
		return nil, err
	}
	p.warcs[entry] = f
	return f, nil
}

// warcPath gives the path of a WARC file: indexes name it with or without its folder.
func (p *Package) warcPath(name string) string {
	if strings.HasPrefix(name, archiveDir) && p.byPath[name] != nil {
		return name
	}
	return archiveDir + name
}

// Record opens the record that an index line means, never another one. Close the reader when done
// with it.
func (p *Package) Record(r cdxj.Record, opts warc.Options) (*warc.Record, *warc.Reader, error) {
	if r.Offset < 0 {
		return nil, nil, errors.New("the index line has no offset")
	}
	c, err := r.Capture()
	if err != nil {
		return nil, nil, err
	}
	f, err := p.WARC(r.Filename)
	if err != nil {
		return nil, nil, err
	}
	return f.Record(warc.PlaceOf(c), opts)
}
