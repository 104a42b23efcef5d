package statement

import (
	"bufio"
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"path/filepath"
	"slices"
	"time"

	"varve/archive/store"
	"varve/archive/whole"
	"varve/coherence/evidence"
	"varve/coherence/report"
)

// Config says what is stated, by whom.
type Config struct {
	Capture Subject
	By      string // software and version
	Made    time.Time
	Key     ed25519.PrivateKey
	Dir     string // for a temporary file
	Workers int
	Chains  *Chains // made while the evidence was read; nil: files are read for them
}

// Made says what was written.
type Made struct {
	Pages   int64  `json:"pages"`
	Records int64  `json:"records"` // in the chains
	Files   int    `json:"files"`
	Bytes   int64  `json:"bytes"`
	KeyID   string `json:"keyid"`
}

// Make writes the statement of a crawl, or of all captures of the set. Only captures of the crawl count,
// and the records of other files that hold the content of its revisits.
func Make(ctx context.Context, set *evidence.Set, cfg Config, w io.Writer) (_ *Made, err error) {
	pages, err := whole.Scratch(cfg.Dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, pages.Close()) }()
	refs := originals{}
	list := newList(pages)
	r, err := judge(ctx, set, cfg.Capture.Crawl, cfg.Workers, refs, list.add)
	if err = errors.Join(err, list.w.Flush()); err != nil {
		return nil, err
	}
	if _, err := pages.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	d := newDocument(w)
	d.member("by", cfg.By)
	d.member("capture", cfg.Capture)
	d.member("clock", clockOf(r))
	made := &Made{Pages: r.Pages, KeyID: KeyID(cfg.Key.Public().(ed25519.PublicKey))}
	if err := d.files(ctx, set, cfg, refs, made); err != nil {
		return nil, err
	}
	d.member("format", Format)
	d.member("made", cfg.Made.UTC())
	d.member("metrics", metricsOf(r))
	if err := d.originals(ctx, set, refs, cfg.Workers); err != nil {
		return nil, err
	}
	d.stream("pages", pages)
	d.member("reference", referenceOf(r))
	made.Bytes, err = d.end(cfg.Key)
	return made, err
}

// judge judges the pages of a crawl by its own captures alone and hands each to give.
func judge(ctx context.Context, set *evidence.Set, crawl string, workers int, refs originals, give func(*Claim) error) (*report.Report, error) {
	dates, err := report.LearnDates(set, crawl)
	if err != nil {
		return nil, err
	}
	o := report.Options{Crawl: crawl, Alone: crawl != "", Dates: dates, Workers: workers}
	return report.Make(ctx, set, o, func(p *report.Judged, f *report.Frame) error {
		refs.add(p.Visit)
		refs.add(p.Revisit)
		return give(pageOf(p, f))
	})
}

// originals are the records that hold the content of revisits, by source.
type originals map[int]map[spot]evidence.Place

// spot tells records of a file apart, also those that share a member.
type spot struct{ offset, inner int64 }

func (o originals) add(c *evidence.Observation) {
	if o == nil || c == nil || c.Original == nil {
		return
	}
	at := *c.Original
	if o[at.File] == nil {
		o[at.File] = map[spot]evidence.Place{}
	}
	o[at.File][spot{at.Offset, at.Inner}] = at
}

// inCrawl tells whether a source belongs to the crawl.
func inCrawl(set *evidence.Set, file int, crawl string) bool {
	return crawl == "" || set.Crawls[file] == crawl
}

// document writes the members of a statement in canonical order and hashes them on the way.
type document struct {
	w     *bufio.Writer
	sum   hash.Hash
	n     int64
	first bool
	err   error
}

func newDocument(w io.Writer) *document {
	d := &document{w: bufio.NewWriterSize(w, 1<<16), sum: sha256.New(), first: true}
	d.write([]byte("{"))
	return d
}

func (d *document) write(b []byte) {
	if d.err != nil {
		return
	}
	d.sum.Write(b)
	d.n += int64(len(b))
	_, d.err = d.w.Write(b)
}

// Write writes bytes of a member's value.
func (d *document) Write(b []byte) (int, error) {
	d.write(b)
	return len(b), d.err
}

func (d *document) name(name string) {
	if !d.first {
		d.write([]byte(","))
	}
	d.first = false
	d.write(append(appendString(nil, name), ':'))
}

func (d *document) value(v any) {
	b, err := canonical(v)
	if d.err == nil {
		d.err = err
	}
	d.write(b)
}

func (d *document) member(name string, v any) {
	d.name(name)
	d.value(v)
}

// stream writes a list whose elements, with commas between, come from a reader.
func (d *document) stream(name string, r io.Reader) {
	d.name(name)
	d.write([]byte("["))
	if _, err := io.Copy(d, bufio.NewReaderSize(r, 1<<16)); d.err == nil {
		d.err = err
	}
	d.write([]byte("]"))
}

// fileEntry is a chained file in a statement.
type fileEntry struct {
	Name    string   `json:"name"`
	Size    int64    `json:"size"`
	Chain   string   `json:"chain"`
	Records []string `json:"records"` // "length mark id", one behind the other from the start of the file
}

// files writes the chains of the crawl's files.
func (d *document) files(ctx context.Context, set *evidence.Set, cfg Config, refs originals, made *Made) error {
	d.name("files")
	d.write([]byte("["))
	for i, src := range set.Sources {
		if !inCrawl(set, i, cfg.Capture.Crawl) {
			continue
		}
		delete(refs, i) // all of its records are in the chain
		if k := cfg.Chains.of(src); k != nil {
			d.chained(k, made)
			continue
		}
		f, err := ReadChain(ctx, src, cfg.Workers)
		if err != nil {
			return err
		}
		e := fileEntry{Name: f.Name, Size: f.Size, Chain: f.Chain, Records: make([]string, len(f.Records))}
		for j := range f.Records {
			e.Records[j] = f.Records[j].text()
		}
		if made.Files > 0 {
			d.write([]byte(","))
		}
		made.Files++
		made.Records += int64(len(f.Records))
		d.value(e)
	}
	d.write([]byte("]"))
	return d.err
}

// chained writes the chain of a file as fileEntry has it.
func (d *document) chained(k *chained, made *Made) {
	if made.Files > 0 {
		d.write([]byte(","))
	}
	made.Files++
	made.Records += k.records
	if _, err := k.text.Seek(0, io.SeekStart); d.err == nil {
		d.err = err
	}
	d.write([]byte("{"))
	d.first = true
	d.member("chain", k.chain)
	d.member("name", k.name)
	d.stream("records", k.text)
	d.member("size", k.size)
	d.write([]byte("}"))
	d.first = false
}

// originalEntry is a record of another file that holds the content of a revisit.
type originalEntry struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
	Record string `json:"record"`
	SHA256 string `json:"sha256"` // of the bytes of the record in the file
}

// originals writes the records of other files that the capture rests on.
func (d *document) originals(ctx context.Context, set *evidence.Set, refs originals, workers int) error {
	d.name("originals")
	d.write([]byte("["))
	first := true
	for i, src := range set.Sources {
		places := make([]evidence.Place, 0, len(refs[i]))
		for _, p := range refs[i] {
			places = append(places, p)
		}
		slices.SortFunc(places, func(a, b evidence.Place) int {
			return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Inner, b.Inner))
		})
		if err := stretch(ctx, src, places, workers); err != nil {
			return err
		}
		for _, p := range places {
			sum, err := hashRange(src, p.Offset, p.Length)
			if err != nil {
				return err
			}
			if !first {
				d.write([]byte(","))
			}
			first = false
			d.value(originalEntry{filepath.Base(src.Path), p.Offset, p.Length, plainID(p.Record), sum})
		}
	}
	d.write([]byte("]"))
	return d.err
}

// stretch gives records that share a compressed member the bytes of the file that hold them: the member, and the one behind
// it, into which a record may reach.
func stretch(ctx context.Context, src evidence.Source, places []evidence.Place, workers int) error {
	if !slices.ContainsFunc(places, func(p evidence.Place) bool { return p.Shared }) {
		return nil
	}
	members, err := boundaries(ctx, src, workers)
	if err != nil {
		return err
	}
	for i := range places {
		p := &places[i]
		at, ok := slices.BinarySearchFunc(members, p.Offset, func(r Record, offset int64) int { return cmp.Compare(r.Offset, offset) })
		if !p.Shared || !ok {
			continue
		}
		last := members[min(at+1, len(members)-1)]
		p.Length = last.Offset + last.Length - p.Offset
	}
	return nil
}

// hashRange hashes a stretch of a file.
func hashRange(src evidence.Source, offset, length int64) (string, error) {
	f, err := store.Open(src.Path, src.From)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if n, err := io.Copy(h, io.NewSectionReader(f, offset, length)); err != nil || n != length {
		return "", fmt.Errorf("%s: bytes %d to %d: %w", src.Path, offset, offset+length, cmp.Or(err, io.ErrUnexpectedEOF))
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// end signs the body and closes the document.
func (d *document) end(key ed25519.PrivateKey) (int64, error) {
	if d.err != nil {
		return 0, d.err
	}
	d.sum.Write([]byte("}")) // the body ends here
	s, err := canonical(sign(key, d.sum.Sum(nil)))
	if err != nil {
		return 0, err
	}
	d.write([]byte(`,"signature":`))
	d.write(s)
	d.write([]byte("}\n"))
	if d.err != nil {
		return 0, d.err
	}
	return d.n, d.w.Flush()
}

// list writes pages with commas between them.
type list struct {
	w     *bufio.Writer
	first bool
}

func newList(w io.Writer) *list { return &list{w: bufio.NewWriter(w), first: true} }

func (l *list) add(p *Claim) error {
	b, err := canonical(p)
	if err != nil {
		return err
	}
	if !l.first {
		b = append([]byte(","), b...)
	}
	l.first = false
	_, err = l.w.Write(b)
	return err
}
