package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// DefaultMaxHeader is the longest record header that is read.
const DefaultMaxHeader = 1 << 20

// Options say how a file is read.
type Options struct {
	Name      string        // of the file, for findings
	Policy    Policy        // what to do about findings; the zero value fails on all
	OnFinding func(Finding) // gets the findings of classes that warn
	Verify    bool          // check block and payload digests while reading
	MaxHeader int           // longest header; DefaultMaxHeader if 0
}

// Reader reads the records of a WARC or ARC file one after the other. It is not safe for
// concurrent use.
type Reader struct {
	win  window
	kind Compression
	opts Options

	rec    Record
	blk    block
	verify *verifier
	active bool // rec is not finished
	broken bool // the unfinished record is damaged: resynchronise
	done   bool
	failed *Finding // a finding whose action is Fail, to be returned next

	arc     *arcDialect // set once the file proves to be ARC
	records int64
	shared  bool // told that a member holds several records
	started bool // a record was found
}

// NewReader reads records from src, whose first byte is at offset 0 of the file. If src is also
// an io.Seeker (a file), reading can go back to find records after damage.
func NewReader(src io.Reader, opts Options) (*Reader, error) {
	return newReaderAs(src, 0, "", nil, opts)
}

// newReaderAs reads records from src, whose next byte has the given offset in the file. The
// packing "" means to look at the first bytes.
func newReaderAs(src io.Reader, offset int64, kind Compression, dict []byte, opts Options) (*Reader, error) {
	if opts.MaxHeader == 0 {
		opts.MaxHeader = DefaultMaxHeader
	}
	in := newInput(src, offset)
	if kind == "" {
		head, err := in.br.Peek(4)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read %s: %w", opts.Name, err)
		}
		kind = detect(head)
	}
	r := &Reader{kind: kind, opts: opts}
	r.win = newWindow(in, newUnpacker(kind, in, dict))
	r.blk.r = r
	if opts.Verify {
		r.verify = newVerifier()
	}
	return r, nil
}

// Compression tells how the file is packed.
func (r *Reader) Compression() Compression { return r.kind }

// Close frees the decoders. The source stays open: who opened it closes it.
func (r *Reader) Close() error {
	if z, ok := r.win.u.(*unzstd); ok {
		z.close()
	}
	return nil
}

// Next gives the next record; io.EOF after the last. A *Finding as error means that the policy
// says Fail to it; the next call goes on behind it. Any other error is final.
func (r *Reader) Next() (*Record, error) {
	if err := r.finish(); err != nil {
		return nil, err
	}
	for !r.done {
		err := r.advance()
		if f := r.takeFailure(); f != nil {
			return nil, f // the next call gets past the rest of the record
		}
		if err != nil {
			return nil, err
		}
		if r.active {
			return &r.rec, nil
		}
	}
	return nil, io.EOF
}

// advance does one step towards the next record: opens a member, parses a header, or gets past
// damage. It sets active once a record is there, and done at the end of the file.
func (r *Reader) advance() error {
	if len(r.win.bytes()) == 0 {
		return r.refill()
	}
	if r.skipBlank() {
		return nil
	}
	start := r.win.bytes()
	switch {
	case startsVersion(start):
		return r.readHeader()
	case mayStartVersion(start) || !r.started && len(start) < len(byteOrderMark) && bytes.HasPrefix(byteOrderMark, start):
		r.place()
		_, err := r.grow()
		return err
	case r.arc != nil || looksLikeArc(start):
		return r.readArcLine()
	}
	r.find(Damage, RuleNoRecord, fmt.Sprintf("no record starts here: %q", clip(string(start[:min(len(start), 40)]))))
	return r.resync()
}

var (
	warcPrefix    = []byte("WARC/")
	byteOrderMark = []byte("\xef\xbb\xbf")
)

// startsVersion tells whether b starts like a version line. Literals of the standard's grammar match
// in any case (RFC 2616, 2.1), and there are files with "warc/1.0".
func startsVersion(b []byte) bool {
	return len(b) >= len(warcPrefix) && bytes.EqualFold(b[:len(warcPrefix)], warcPrefix)
}

// mayStartVersion tells whether b ends before it can be told.
func mayStartVersion(b []byte) bool {
	return len(b) < len(warcPrefix) && bytes.EqualFold(b, warcPrefix[:len(b)])
}

// refill gets bytes of the current member, or opens the next one.
func (r *Reader) refill() error {
	if r.win.open {
		err := r.win.more()
		if err == nil || errors.Is(err, io.EOF) {
			return nil
		}
		return r.memberFailed(err)
	}
	err := r.win.next()
	switch {
	case err == nil:
		return r.openedMember()
	case errors.Is(err, io.EOF):
		r.done = true
		if !r.started {
			r.rec.Offset, r.rec.Header = 0, nil
			r.find(Damage, RuleEmptyFile, "the file holds no record")
		}
		return nil
	}
	return r.memberFailed(err)
}

// openedMember reads the first bytes of a member; an empty one is told and passed over.
func (r *Reader) openedMember() error {
	err := r.win.more()
	if errors.Is(err, io.EOF) {
		r.rec.Offset, r.rec.Header = r.win.memberAt, nil
		r.find(Advice, RuleEmptyMember, "a compressed member without content")
		return nil
	}
	if err != nil {
		return r.memberFailed(err)
	}
	return nil
}

// memberFailed tells damage in the packed bytes and looks for the next sound member.
func (r *Reader) memberFailed(err error) error {
	r.rec.Offset = r.win.memberAt
	if !r.active {
		r.rec.Header = nil
	}
	rule, text, fatal := r.classify(err)
	if fatal {
		return fmt.Errorf("read %s at %d: %w", r.opts.Name, r.win.memberAt, err)
	}
	r.find(Damage, rule, text)
	if rule == RuleChecksum {
		return nil // the end of the member is known: the next one follows
	}
	return r.resync()
}

// skipBlank passes over line ends between records, and a byte order mark before the first, and tells
// whether it did.
func (r *Reader) skipBlank() bool {
	b := r.win.bytes()
	n := 0
	if !r.started && bytes.HasPrefix(b, byteOrderMark) {
		n = len(byteOrderMark)
	}
	for n < len(b) && (b[n] == '\r' || b[n] == '\n') {
		n++
	}
	if n == 0 {
		return false
	}
	switch {
	case r.arc != nil:
	case r.started:
		r.find(Syntax, RuleRecordEnd, "more line ends after the record than the standard says")
	case r.win.memberAt == 0 && r.win.place() == 0:
		r.rec.Offset, r.rec.Header = 0, nil
		r.find(Syntax, RuleFileStart, "line ends or a byte order mark stand before the first record")
	}
	r.win.use(n)
	return true
}

// find reports a finding about the current record, by the policy, with the clause of its rule.
func (r *Reader) find(class Class, rule Rule, message string) {
	clause := rule.Clause()
	if r.arc != nil {
		clause = "" // ARC is not of the standard
	}
	r.findAt(class, rule, clause, message)
}

// findAt is find with the clause of what is wrong.
func (r *Reader) findAt(class Class, rule Rule, clause, message string) {
	action := r.opts.Policy.of(class)
	if action == Ignore {
		return
	}
	f := Finding{File: r.opts.Name, Offset: r.rec.Offset, Class: class, Rule: rule, Clause: clause, Message: message}
	f.RecordID = r.rec.Header.Get(FieldRecordID)
	if action == Warn {
		if r.opts.OnFinding != nil {
			r.opts.OnFinding(f)
		}
		return
	}
	if r.failed == nil {
		r.failed = &f
	}
}

// takeFailure gives the pending fatal finding once. It returns the concrete type so that no nil
// pointer hides in an error.
func (r *Reader) takeFailure() *Finding {
	f := r.failed
	r.failed = nil
	return f
}
