package statement

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"varve/archive/store"
	"varve/coherence/evidence"
	"varve/coherence/report"
)

// Check says against what a statement is checked.
type Check struct {
	Files   []evidence.Source            // WARC files; others than those of the statement are not read
	Known   map[string]ed25519.PublicKey // keys that are trusted, by id; nil: none is known
	By      string                       // this software and version
	Dir     string                       // for temporary files
	Workers int
}

// Verify checks a statement from the WARC files alone. The error is for a statement that cannot be read;
// what is wrong with one that can is in the findings.
func Verify(ctx context.Context, src io.ReaderAt, size int64, c Check) (*Verified, error) {
	v := &verifier{Check: c, out: &Verified{Findings: []Finding{}, Notes: []string{}}, byName: map[string]evidence.Source{}}
	for _, f := range c.Files {
		v.byName[filepath.Base(f.Path)] = f
	}
	sum, err := bodySum(src, size)
	if err != nil {
		return nil, err
	}
	h, err := read(src, size, parts{
		file:     func(e fileEntry) error { return v.file(ctx, e) },
		original: v.original,
	})
	if err != nil {
		return nil, err
	}
	v.header(h, sum)
	if v.out.damaged() {
		v.out.Notes = append(v.out.Notes, "pages and metrics were not judged again, since the files are not those of the statement")
	} else if err := v.judge(ctx, src, size, h); err != nil {
		return nil, err
	}
	v.out.OK = v.out.Count == 0
	return v.out, nil
}

type verifier struct {
	Check
	out    *Verified
	byName map[string]evidence.Source
	used   []evidence.Source
}

// header checks the signature and takes over what it is about.
func (v *verifier) header(h *header, sum []byte) {
	v.out.Capture, v.out.By, v.out.Made = h.Capture, h.By, h.Made
	key, ok := h.Signature.check(sum)
	if !ok {
		v.out.find(Finding{Kind: BadSignature, Message: "the signature is not one over this text: the statement was changed, or signed by somebody else"})
		return
	}
	v.out.KeyID = KeyID(key)
	known, there := v.Known[v.out.KeyID]
	v.out.KeyKnown = there && known.Equal(key)
	switch {
	case v.Known == nil:
		v.out.Notes = append(v.out.Notes, "no key was handed in: the signature fits the key in the statement, "+v.out.KeyID+", but whose key that is was not checked")
	case !v.out.KeyKnown:
		v.out.find(Finding{Kind: UnknownKey, Message: "signed with the key " + v.out.KeyID + ", which is none of the known ones"})
	}
}

// find looks for a file of the statement among those given.
func (v *verifier) locate(name string) (evidence.Source, bool) {
	src, ok := v.byName[filepath.Base(name)]
	return src, ok
}

func (v *verifier) use(src evidence.Source) {
	if !slices.Contains(v.used, src) {
		v.used = append(v.used, src)
	}
}

// file checks all records of a file.
func (v *verifier) file(ctx context.Context, e fileEntry) error {
	v.out.Files++
	stated := make([]Record, 0, len(e.Records))
	var at int64
	for _, text := range e.Records {
		r, err := parseRecord(text, at)
		if err != nil {
			return fmt.Errorf("file %s: %w", e.Name, err)
		}
		at += r.Length
		stated = append(stated, r)
	}
	if at != e.Size {
		return fmt.Errorf("file %s: records of %d bytes in a file of %d", e.Name, at, e.Size)
	}
	src, ok := v.locate(e.Name)
	if !ok {
		v.out.find(Finding{Kind: MissingFile, File: e.Name, Message: fmt.Sprintf("%d records cannot be checked: the file was not given", len(stated))})
		return nil
	}
	v.use(src)
	info, err := store.Stat(src.Path, src.From)
	if err != nil {
		return err
	}
	if info.Size != e.Size {
		return v.moved(ctx, src, e, stated)
	}
	return v.inPlace(ctx, src, e, stated)
}

// inPlace compares the records of a file of the right size where they lie.
func (v *verifier) inPlace(ctx context.Context, src evidence.Source, e fileEntry, stated []Record) error {
	c, err := openChain(ctx, src, func(*Record) error { return nil })
	if err != nil {
		return err
	}
	defer c.file.Close()
	differ := false
	for _, was := range stated {
		now := was
		if err := c.add(&now); err != nil {
			return fmt.Errorf("%s: %w", src.Path, err)
		}
		v.out.Records++
		if now.Mark != was.Mark {
			differ = true
			v.out.find(Finding{
				Kind: RecordDiffers, File: e.Name, Offset: now.Offset, Record: now.ID,
				Message: fmt.Sprintf("its %d bytes are not those that were stated", now.Length),
			})
		}
	}
	if !differ && c.hex() != e.Chain {
		v.out.find(Finding{Kind: BadChain, File: e.Name, Message: "the marks of all records agree, and the chain over them does not"})
	}
	return nil
}

// moved compares the records of a file of another size by their ids.
func (v *verifier) moved(ctx context.Context, src evidence.Source, e fileEntry, stated []Record) error {
	now := map[string]Record{}
	if f, err := ReadChain(ctx, src, v.Workers); err == nil {
		for _, r := range f.Records {
			now[r.ID] = r
		}
	} else if ctx.Err() != nil {
		return err
	}
	for _, s := range stated {
		v.out.Records++
		r, ok := now[s.ID]
		delete(now, s.ID)
		switch {
		case !ok:
			v.out.find(Finding{Kind: RecordMissing, File: e.Name, Offset: s.Offset, Record: s.ID, Message: "it is not in the file any more"})
		case r.Mark != s.Mark:
			v.out.find(Finding{Kind: RecordDiffers, File: e.Name, Offset: r.Offset, Record: s.ID, Message: fmt.Sprintf("it has %d bytes that are not the %d stated", r.Length, s.Length)})
		}
	}
	extra := slices.SortedFunc(maps.Values(now), func(a, b Record) int { return cmp.Compare(a.Offset, b.Offset) })
	for _, r := range extra {
		v.out.find(Finding{Kind: RecordExtra, File: e.Name, Offset: r.Offset, Record: r.ID, Message: "the statement does not know it"})
	}
	if !v.out.damaged() {
		v.out.find(Finding{Kind: BadChain, File: e.Name, Message: "the file has another size than was stated"})
	}
	return nil
}

// original checks a record of another crawl that holds the content of a revisit.
func (v *verifier) original(o originalEntry) error {
	src, ok := v.locate(o.File)
	if !ok {
		v.out.find(Finding{Kind: MissingFile, File: o.File, Record: o.Record, Message: "it holds the content of a revisit and was not given"})
		return nil
	}
	v.use(src)
	v.out.Records++
	sum, err := hashRange(src, o.Offset, o.Length)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		v.out.find(Finding{Kind: RecordMissing, File: o.File, Offset: o.Offset, Record: o.Record, Message: "the file ends before it"})
	case err != nil:
		return err
	case sum != o.SHA256:
		v.out.find(Finding{Kind: RecordDiffers, File: o.File, Offset: o.Offset, Record: o.Record, Message: fmt.Sprintf("its %d bytes are not those that were stated", o.Length)})
	}
	return nil
}

// judge collects the evidence again and compares pages and figures.
func (v *verifier) judge(ctx context.Context, src io.ReaderAt, size int64, h *header) (err error) {
	set, err := evidence.Read(ctx, v.used, evidence.Options{Dir: v.Dir, Workers: v.Workers})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, set.Close()) }()
	pages, err := h.pages(src, size)
	if err != nil {
		return err
	}
	m := &merge{v: v, stated: pages, strict: h.By == v.By, parts: h.composite()}
	r, err := judge(ctx, set, h.Capture.Crawl, v.Workers, nil, m.page)
	if err != nil {
		return err
	}
	if err := m.rest(); err != nil {
		return err
	}
	v.figures(h, r, m.strict)
	return nil
}

// figures compares the metrics, the clock and the reference point.
func (v *verifier) figures(h *header, r *report.Report, strict bool) {
	metrics := metricsOf(r)
	if !h.composite() {
		metrics.Composite = nil // made by software that did not judge pages with their parts
	}
	for _, f := range []struct {
		name   string
		stated []byte
		now    any
	}{{"metrics", h.Metrics, metrics}, {"clock", h.Clock, clockOf(r)}, {"reference", h.Reference, referenceOf(r)}} {
		got, err := canonical(f.now)
		var differ string
		if err == nil {
			differ, err = firstDifference(f.stated, got)
		}
		switch {
		case err != nil:
			v.out.find(Finding{Kind: BadMetrics, Message: f.name + ": " + err.Error()})
		case differ == "":
		case !strict && f.name == "metrics":
			v.out.Notes = append(v.out.Notes, "metrics were made by "+h.By+"; this software judges layers other than bytes in another way")
		default:
			v.out.find(Finding{Kind: BadMetrics, Message: f.name + differ})
		}
	}
}
