package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"varve/web/wire"
)

// readHeader parses the WARC header at the start of the buffer and makes it the current record.
func (r *Reader) readHeader() error {
	r.place()
	size, err := r.headerSize()
	if size == 0 {
		return err
	}
	r.rec.Raw = string(r.win.bytes()[:size])
	r.win.use(size)
	r.parseHeader()
	length, ok := contentLength(r.rec.Header)
	if !ok {
		what := "Content-Length is missing"
		if v, there := r.rec.Header.Lookup(FieldContentLength); there {
			what = fmt.Sprintf("Content-Length %q is no length", clip(v))
		}
		r.find(Syntax, RuleContentLength, what)
		r.checkHeader()
		r.started = true
		return r.findStart() // the next record may start right here
	}
	r.begin(length)
	r.checkHeader()
	return nil
}

// place notes where the record at the start of the buffer lies.
func (r *Reader) place() {
	r.rec.Header = r.rec.Header[:0]
	r.rec.File = r.opts.Name
	r.rec.size, r.rec.shared = -1, false
	r.rec.payload = PayloadUnknown
	r.rec.Offset, r.rec.Inner = r.win.memberAt, r.win.place()
	if r.kind == Plain {
		r.rec.Offset, r.rec.Inner = r.win.memberAt+r.rec.Inner, 0
		return
	}
	if r.rec.Inner != 0 && !r.shared {
		r.shared = true
		r.find(Framing, RuleSharedMember, "several records in one compressed member: they cannot be read by offset (varve warc recompress mends it)")
	}
}

// headerSize makes sure that the whole header is in the buffer and gives its length; 0 after
// damage.
func (r *Reader) headerSize() (int, error) {
	from := 0
	for {
		b := r.win.bytes()
		if n := headEnd(b[from:]); n >= 0 {
			return from + n, nil
		}
		if len(b) > r.opts.MaxHeader {
			r.find(Syntax, RuleHeaderTooLong, fmt.Sprintf("header longer than %d bytes", r.opts.MaxHeader))
			return 0, r.resync()
		}
		// The blank line may straddle the border of what was searched.
		from = max(0, lastLine(b))
		if grown, err := r.grow(); !grown {
			return 0, err
		}
	}
}

// headEnd gives the length of the header at the start of b, blank line included, or -1. Besides CRLF
// it takes LF and CR CR LF, which a transfer in text mode makes of it.
func headEnd(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '\n')
		if n < 0 {
			return -1
		}
		i += n + 1
		end := i
		for end < len(b) && b[end] == '\r' {
			end++
		}
		if end < len(b) && b[end] == '\n' {
			return end + 1
		}
	}
}

// lastLine gives the start of the line before the last line end, from where a search may resume.
func lastLine(b []byte) int {
	i := len(b) - 1
	for i > 0 && (b[i] == '\r' || b[i] == '\n') {
		i--
	}
	return i
}

// grow gets more bytes of a header, from the next member if the record is split over members. If
// there are none, it tells the damage and gets past it.
func (r *Reader) grow() (bool, error) {
	for {
		if !r.win.open {
			if r.kind == Plain || r.win.next() != nil {
				break
			}
			r.splitRecord()
		}
		err := r.win.more()
		if err == nil {
			return true, nil
		}
		if !errors.Is(err, io.EOF) {
			return false, r.memberFailed(err)
		}
	}
	if r.win.in.fault != nil {
		return false, r.win.in.fault
	}
	r.find(Damage, RuleCutOff, "the file ends inside a record header")
	r.win.use(len(r.win.bytes()))
	r.win.open = false
	return false, nil
}

// splitRecord tells that a record goes on in the next gzip member. Zstd allows several frames.
func (r *Reader) splitRecord() {
	if r.kind == Gzip && !r.shared {
		r.shared = true
		r.find(Framing, RuleSplitRecord, "a record goes on in the next compressed member: members do not follow records (varve warc recompress mends it)")
	}
}

// parseHeader splits the raw header into version and fields.
func (r *Reader) parseHeader() {
	text := r.rec.Raw
	for strings.Contains(text, "\r\r\n") {
		text = strings.ReplaceAll(text, "\r\r\n", "\r\n")
	}
	eol := strings.IndexByte(text, '\n')
	version := strings.TrimRight(text[:eol], "\r \t")
	r.rec.Version = strings.ToUpper(version)
	var problems []wire.Problem
	r.rec.Header, problems = wire.ParseFields(r.rec.Header, text[eol+1:], 2)
	for _, p := range problems {
		if p.What != "folded header line" { // the standard allows folding
			r.find(Syntax, RuleHeaderLine, fmt.Sprintf("header line %d: %s", p.Line, p.What))
		}
	}
	if version != r.rec.Version && r.opts.Policy.Spec != Ignore {
		r.findAt(Advice, RuleLetterCase, "4", fmt.Sprintf("the version is written %q: %s is usual, and other readers want it", clip(version), r.rec.Version))
	}
	if r.opts.Policy.Syntax != Ignore {
		r.checkLines()
	}
}

// begin makes the block of the current record readable.
func (r *Reader) begin(length int64) {
	r.rec.length = length
	r.rec.Block = &r.blk
	r.rec.reader = r
	r.blk.left = length
	r.blk.err, r.blk.expected = nil, nil
	r.active, r.broken, r.started = true, false, true
	r.records++
	if r.verify != nil {
		r.verify.start(&r.rec)
	}
}
