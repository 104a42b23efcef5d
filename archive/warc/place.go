package warc

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"varve"
	"varve/web/canon"
)

// Place is where an index says that a record lies, and what it says of that record. What it does not
// say is zero, and is not compared.
type Place struct {
	Offset int64     // of the member, or of the record in plain files
	Inner  int64     // unpacked bytes of the member before the record; indexes of others do not tell, and say 0
	ID     string    // WARC-Record-ID
	Type   string    // WARC-Type; "": of a place with a URI any record that may be a capture
	URI    string    // compared by index key
	Date   time.Time // compared to the second
	Digest string    // of the payload, in any form
}

// PlaceOf gives the place of a capture as an index has it.
func PlaceOf(c varve.Capture) Place {
	return Place{Offset: c.Offset, Inner: c.Inner, URI: c.URL, Date: c.Time, Digest: c.Digest}
}

// Place gives the place of a capture that a revisit refers to.
func (r Ref) Place() Place {
	return Place{Offset: r.Offset, Inner: r.Inner, ID: r.RecordID, URI: r.URI, Date: r.Date, Digest: r.Digest}
}

// Mismatch is the error of a place where another record lies than the index means. The bytes of that
// other record are never given.
type Mismatch struct {
	File  string
	Place Place
	Found string // what is there
}

// Error tells the place, what was expected there and what was found.
func (m *Mismatch) Error() string {
	at := fmt.Sprintf("%s:%d", m.File, m.Place.Offset)
	if m.Place.Inner > 0 {
		at += fmt.Sprintf("+%d", m.Place.Inner)
	}
	return fmt.Sprintf("%s: not the record that the index means: expected %s, found %s", at, m.Place.describe(), m.Found)
}

// describe names what a place should hold.
func (p *Place) describe() string {
	var b strings.Builder
	b.WriteString(first(p.Type, "a capture"))
	word := func(before, s string) {
		if s != "" {
			b.WriteString(before + clip(s))
		}
	}
	word(" ", p.ID)
	word(" of ", p.URI)
	if !p.Date.IsZero() {
		word(" at ", Timestamp(p.Date))
	}
	word(" with ", p.Digest)
	return b.String()
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// Bounds of what is looked through for a record whose place in its member is not known or not right.
const (
	maxSearched = 1 << 30 // unpacked bytes
	// maxFirstPass is the longest block that is read once before it is given out, where only its
	// payload can tell whether it is the right one. Longer ones tell at their end.
	maxFirstPass = 16 << 20
)

// Record opens the record that a place means: the one at that offset and inner offset if address,
// date, id and digest are what the place says, else the first such record in the same member. If
// there is none, the error is a *Mismatch. Close the reader when done with the record.
//
// The digest is compared with the one that the record declares. A record that declares none is
// hashed: before it is given out, or, if it is long, while it is read; then the block ends with a
// *Mismatch in place of io.EOF.
func (f *File) Record(p Place, opts Options) (*Record, *Reader, error) {
	if opts.Name == "" {
		opts.Name = f.name
	}
	r, err := f.readerAt(p.Offset, p.Inner, opts)
	if err != nil && p.Inner > 0 {
		return f.search(p, opts, err.Error())
	}
	if err != nil {
		return nil, nil, err
	}
	rec, err := r.Next()
	found := ""
	switch {
	case errors.Is(err, io.EOF):
		found = "no record"
	case err != nil && r.win.in.fault != nil:
		return nil, nil, errors.Join(fmt.Errorf("record at %s:%d: %w", opts.Name, p.Offset, err), r.Close())
	case err != nil:
		found = err.Error()
	case rec.Offset != p.Offset:
		found = fmt.Sprintf("no record; the next is at %d", rec.Offset)
	default:
		found = p.differs(rec)
	}
	if found != "" {
		if err := r.Close(); err != nil {
			return nil, nil, err
		}
		return f.search(p, opts, found)
	}
	return f.hashed(p, opts, rec, r)
}

// search looks for a record among all of its member.
func (f *File) search(p Place, opts Options, found string) (*Record, *Reader, error) {
	missed := &Mismatch{opts.Name, p, found}
	if f.kind == Plain || p.ID == "" && p.URI == "" {
		return nil, nil, missed
	}
	r, err := f.readerAt(p.Offset, 0, opts)
	if err != nil {
		return nil, nil, err
	}
	for {
		rec, err := r.Next()
		if err != nil && r.win.in.fault != nil {
			return nil, nil, errors.Join(fmt.Errorf("record at %s:%d: %w", opts.Name, p.Offset, err), r.Close())
		}
		if err != nil || rec.Offset != p.Offset || rec.Inner > maxSearched {
			return nil, nil, errors.Join(missed, r.Close())
		}
		if p.differs(rec) == "" {
			return f.hashed(p, opts, rec, r)
		}
	}
}

// differs tells what a record is if it is not the one that a place means; "" if it is.
func (p *Place) differs(rec *Record) string {
	uri := rec.TargetURI()
	is := func(what string) string {
		return fmt.Sprintf("%s (%s of %s at %s)", what, clip(first(rec.Type(), "a record")), clip(first(uri, "no address")), clip(rec.Header.Get(FieldDate)))
	}
	switch t := rec.Type(); {
	case p.Type != "" && t != p.Type, p.Type == "" && p.URI != "" && !MayBeCapture(t):
		return is("another type")
	case p.ID != "" && rec.ID() != p.ID:
		return is("record " + clip(first(rec.ID(), "without id")))
	case p.URI != "" && uri != p.URI && canon.SURT(uri) != canon.SURT(p.URI):
		return is("another address")
	}
	if date, err := rec.Date(); err == nil && !p.Date.IsZero() && date.Sub(p.Date).Abs() >= time.Second {
		return is("another date")
	}
	want, err := digestOf(p.Digest)
	if err != nil {
		return ""
	}
	if got, err := digestOf(rec.Header.Get(FieldPayloadDigest)); err == nil && got.Algorithm == want.Algorithm && got != want {
		return is("payload digest " + clip(rec.Header.Get(FieldPayloadDigest)))
	}
	return ""
}

// MayBeCapture tells the types of records that stand for what was at an address.
func MayBeCapture(recordType string) bool {
	switch recordType {
	case TypeResponse, TypeRevisit, TypeResource, TypeConversion:
		return true
	}
	return false
}

// digestOf reads a digest, also the bare base32 of CDX files.
func digestOf(s string) (DigestValue, error) {
	if len(s) == base32Length(digestSizes["sha1"]) && !strings.Contains(s, ":") {
		s = "sha1:" + s
	}
	return ParseDigest(s)
}

// hashed sees to a record whose header does not tell its payload digest: the payload must tell.
func (f *File) hashed(p Place, opts Options, rec *Record, r *Reader) (*Record, *Reader, error) {
	if err := f.hash(p, opts, r); err != nil {
		return nil, nil, errors.Join(err, r.Close())
	}
	return rec, r, nil
}

func (f *File) hash(p Place, opts Options, r *Reader) error {
	want, err := digestOf(p.Digest)
	if err != nil || payloadIsElsewhere(&r.rec) || r.rec.Header.Get(FieldPayloadDigest) != "" {
		return nil
	}
	opts.Verify, opts.Policy = true, Silent()
	at := Place{Offset: r.rec.Offset, Inner: r.rec.Inner}
	if r.rec.length > maxFirstPass {
		r.verify = newVerifier()
		r.verify.expect(&r.rec, want)
		r.blk.expected = func() error { return r.verify.expected(opts.Name, p) }
		return nil
	}
	again, err := f.readerAt(at.Offset, at.Inner, opts)
	if err != nil {
		return err
	}
	defer again.Close()
	if _, err := again.Next(); err != nil {
		return fmt.Errorf("record at %s:%d: %w", opts.Name, p.Offset, err)
	}
	again.verify.expect(&again.rec, want)
	if err := again.blk.skip(); err != nil {
		return nil //nolint:nilerr // a damaged block: whoever reads it is told
	}
	return again.verify.expected(opts.Name, p)
}

// expect prepares for a record whose payload must have a digest that its header does not tell.
func (v *verifier) expect(rec *Record, want DigestValue) {
	v.start(rec)
	v.wantPayload, v.raw = want, v.raws.get(want.Algorithm)
}

// expected tells whether the payload that was read is the expected one.
func (v *verifier) expected(file string, p Place) error {
	if v.matches(v.raw, v.wantPayload) || v.dechunked != nil && v.matches(v.dechunked, v.wantPayload) {
		return nil
	}
	return &Mismatch{file, p, "a payload with " + FormatDigest(v.wantPayload.Algorithm, v.raw.Sum(nil))}
}
