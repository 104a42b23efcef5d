package tool

import (
	"cmp"
	"context"
	"crypto/sha1"
	"fmt"
	"io"
	"slices"

	"varve/archive/warc"
	"varve/web/canon"
)

// DedupOptions say how duplicates are looked for.
type DedupOptions struct {
	Workers  int
	Top      int // how many of the most wasteful payloads to name
	Progress Progress
}

// Dedup is the report on payloads that are stored more than once, and on revisits.
type Dedup struct {
	Captures   int64                `json:"captures"` // stored in full, with a payload
	Payloads   int64                `json:"payloads"` // different ones among them
	Hashed     int64                `json:"hashed"`   // captures without a payload digest: it was computed
	Duplicates Duplicates           `json:"duplicates"`
	SameURL    Duplicates           `json:"same_url"` // of Duplicates, those of the same index key as the first
	Revisits   int64                `json:"revisits"`
	Resolved   map[warc.Step]Solved `json:"resolved"`
	Unresolved int64                `json:"unresolved"`
	Top        []Repeated           `json:"top"`
}

// Duplicates are captures whose payload is stored in full once more: what revisits would save. A
// revisit still stores the heads, some 500 bytes packed.
type Duplicates struct {
	Records int64 `json:"records"`
	Payload int64 `json:"payload"` // bytes of payload
	Packed  int64 `json:"packed"`  // bytes of these records in the files
}

// Solved are revisits whose original was found in one way, and what they saved.
type Solved struct {
	Records int64 `json:"records"`
	Saved   int64 `json:"saved"` // bytes of payload of the originals
}

// Repeated is a payload that is stored more than once.
type Repeated struct {
	Digest  string `json:"digest"`
	Copies  int64  `json:"copies"` // all of them
	Payload int64  `json:"payload"`
	Packed  int64  `json:"packed"` // bytes of the copies behind the first
	URL     string `json:"url"`    // of the first
	File    string `json:"file"`
	Offset  int64  `json:"offset"`
}

// original is the first copy of a payload, about 80 bytes in the map. Payloads are told apart by
// a 64-bit hash of their digest: among ten million, two fall together once in 400,000 runs.
type original struct {
	key     uint64 // of its index key
	offset  int64
	inner   int64
	payload int64
	packed  int64 // of the copies behind it
	copies  int64
	input   int32
}

// stored is what the report keeps of a record until it is in order.
type stored struct {
	digest, key uint64
	payload     int64
	packed      int64
	offset      int64
	inner       int64 // where several records share a member
	hashed      bool
	revisit     *revisit
}

// revisit is what is kept of a revisit until all originals are known.
type revisit struct {
	rec *warc.Record // with the fields that name the original, no more
	key string
}

// DedupReport reads the files once, and a second time if there are revisits.
func DedupReport(ctx context.Context, inputs []*Input, opts DedupOptions) (*Dedup, error) {
	d := &deduper{
		report: Dedup{Resolved: map[warc.Step]Solved{}}, byDigest: map[uint64]original{},
		survey: survey{inputs: inputs, workers: opts.Workers, progress: opts.Progress, wanted: map[uint64]struct{}{}},
	}
	for i, in := range inputs {
		if in.File == nil {
			return nil, fmt.Errorf("%s: %w", in.Name, ErrStream)
		}
		_, err := walk(ctx, in, warc.Options{Policy: warc.Silent()}, opts.Workers, opts.Progress, storedOf, func(s stored) error {
			d.note(int32(i), s)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if err := d.resolve(ctx); err != nil {
		return nil, err
	}
	err := d.name(opts.Top)
	return &d.report, err
}

type deduper struct {
	report   Dedup
	byDigest map[uint64]original
	revisits []*revisit
	survey   survey
}

// storedOf looks at one record; it runs on several cores.
func storedOf(rec *warc.Record) (stored, error) {
	s := stored{offset: rec.Offset, inner: rec.Inner, payload: -1}
	kind := rec.Type()
	switch {
	case kind == warc.TypeRevisit:
		s.revisit = &revisit{rec: bare(rec), key: canon.SURT(rec.TargetURI())}
	case isCapture(kind) && !rec.Header.Has(warc.FieldSegmentNumber):
		s.look(rec)
	}
	var err error
	s.packed, err = rec.Finish()
	return s, err
}

// look takes the payload's length and digest; it computes the digest if the record has none.
func (s *stored) look(rec *warc.Record) {
	body, err := bodyOf(rec, false)
	if err != nil {
		return
	}
	defer body.Close()
	digest := rec.Header.Get(warc.FieldPayloadDigest)
	if digest != "" {
		n, err := io.Copy(io.Discard, body)
		if err != nil {
			return
		}
		s.payload = n
	} else {
		h := sha1.New()
		n, err := io.Copy(h, body)
		if err != nil {
			return
		}
		s.payload, s.hashed = n, true
		digest = warc.FormatDigest("sha1", h.Sum(nil))
	}
	s.digest = hashDigest(digest)
	s.key = hashID(canon.SURT(rec.TargetURI()))
}

// bare keeps of a revisit what Resolve asks for.
func bare(rec *warc.Record) *warc.Record {
	out := &warc.Record{}
	for _, name := range [...]string{
		warc.FieldTargetURI, warc.FieldDate, warc.FieldRefersTo, warc.FieldRefersToURI, warc.FieldRefersToDate, warc.FieldPayloadDigest,
	} {
		if v, ok := rec.Header.Lookup(name); ok {
			out.Header.Add(name, v)
		}
	}
	return out
}

func (d *deduper) note(input int32, s stored) {
	if s.revisit != nil {
		d.revisits = append(d.revisits, s.revisit)
		_ = d.survey.note(surveyed{wants: wants(s.revisit.rec)}) // never fails
		return
	}
	if s.payload <= 0 {
		return // nothing to save
	}
	d.report.Captures++
	if s.hashed {
		d.report.Hashed++
	}
	first, there := d.byDigest[s.digest]
	if !there {
		d.report.Payloads++
		d.byDigest[s.digest] = original{key: s.key, offset: s.offset, inner: s.inner, payload: s.payload, copies: 1, input: input}
		return
	}
	first.copies++
	first.packed += s.packed
	d.byDigest[s.digest] = first
	d.report.Duplicates.add(s)
	if first.key == s.key {
		d.report.SameURL.add(s)
	}
}

func (d *Duplicates) add(s stored) {
	d.Records++
	d.Payload += s.payload
	d.Packed += s.packed
}

// resolve looks for the originals of the revisits.
func (d *deduper) resolve(ctx context.Context) error {
	d.report.Revisits = int64(len(d.revisits))
	in, err := d.survey.originals(ctx)
	if err != nil {
		return err
	}
	for _, r := range d.revisits {
		ref, step, ok := warc.Resolve(r.rec, r.key, in)
		if !ok {
			d.report.Unresolved++
			continue
		}
		s := d.report.Resolved[step]
		s.Records++
		s.Saved += d.byDigest[hashDigest(ref.Digest)].payload
		d.report.Resolved[step] = s
	}
	return nil
}

// name finds the payloads that waste most and reads the headers of their first copies.
func (d *deduper) name(n int) error {
	var worst []original
	for _, o := range d.byDigest {
		if o.copies < 2 {
			continue
		}
		at, _ := slices.BinarySearchFunc(worst, o, byWaste)
		if at < n {
			worst = slices.Insert(worst, at, o)
			worst = worst[:min(n, len(worst))]
		}
	}
	d.report.Top = []Repeated{}
	for _, o := range worst {
		in := d.survey.inputs[o.input]
		row := Repeated{Copies: o.copies, Payload: o.payload, Packed: o.packed, File: in.Name, Offset: o.offset}
		rec, done, err := openRecord(in, warc.Place{Offset: o.offset, Inner: o.inner})
		if err != nil {
			return err
		}
		row.URL, row.Digest = rec.TargetURI(), rec.Header.Get(warc.FieldPayloadDigest)
		if err := done(); err != nil {
			return err
		}
		d.report.Top = append(d.report.Top, row)
	}
	return nil
}

// byWaste puts the payload with most bytes in its further copies first; ties by place, so that
// the report does not change from run to run.
func byWaste(a, b original) int {
	return cmp.Or(
		cmp.Compare(b.payload*(b.copies-1), a.payload*(a.copies-1)),
		cmp.Compare(a.input, b.input), cmp.Compare(a.offset, b.offset), cmp.Compare(a.payload, b.payload),
	)
}
