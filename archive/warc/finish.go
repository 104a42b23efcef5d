package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

var recordEnd = []byte("\r\n\r\n")

// finish reads what is left of the current record, checks its end and its digests.
func (r *Reader) finish() error {
	if !r.active {
		return nil
	}
	r.active = false
	blockErr := r.blk.skip()
	if blockErr != nil && r.win.in.fault != nil {
		return blockErr
	}
	if r.broken {
		if err := r.recover(blockErr); err != nil {
			return err
		}
	} else if err := r.endRecord(); err != nil {
		return err
	}
	if f := r.takeFailure(); f != nil {
		return f
	}
	return nil
}

// recover gets to the next record after a broken block.
func (r *Reader) recover(cause error) error {
	r.rec.size = r.win.in.offset() - r.rec.Offset
	if errors.Is(cause, ErrShortBlock) {
		if r.kind == Plain {
			return r.rewind()
		}
		return nil // the next member starts a record, or there is none
	}
	if errors.Is(cause, errChecksum) {
		return nil
	}
	return r.resync()
}

// rewind looks for a record inside the block that a plain file cut short: a wrong Content-Length
// may have swallowed the records behind it.
func (r *Reader) rewind() error {
	if !r.win.moveTo(r.rec.Offset + int64(len(r.rec.Raw))) {
		return nil
	}
	r.win.memberAt, r.win.unpacked, r.win.open = r.win.in.offset(), 0, true
	return r.findStart()
}

// endRecord checks the line ends behind the block, the end of the member, and the digests.
func (r *Reader) endRecord() error {
	end := r.endLines
	if r.arc != nil {
		end = r.endArcLine
	}
	if err := end(); err != nil {
		return err
	}
	if r.kind != Plain {
		r.skipBlank() // surplus line ends belong to the member, and to its size
	}
	if r.kind != Plain && r.rec.Inner == 0 && len(r.win.bytes()) == 0 {
		if err := r.endMember(); err != nil {
			return err
		}
	}
	r.rec.size = r.recordSize()
	if r.verify != nil && !r.broken {
		r.verify.check(r)
	}
	return nil
}

func (r *Reader) recordSize() int64 {
	switch {
	case r.kind == Plain:
		return r.win.memberAt + r.win.place() - r.rec.Offset
	case r.win.open || r.rec.Inner != 0:
		r.rec.shared = true
		return int64(len(r.rec.Raw)) + r.rec.length + int64(len(recordEnd))
	}
	return r.win.in.offset() - r.rec.Offset
}

// endLines expects CRLF CRLF, forgives other numbers of line ends, and takes anything else as a
// sign that the Content-Length is wrong.
func (r *Reader) endLines() error {
	b, err := r.peek(len(recordEnd))
	if err != nil {
		return r.memberFailed(err)
	}
	if bytes.HasPrefix(b, recordEnd) {
		r.win.use(len(recordEnd))
		return nil
	}
	most := len(recordEnd)
	if strings.Contains(r.rec.Raw, "\r\r\n") { // the line ends behind the block will be like those of the header
		most = 2 * len("\r\r\n")
		if b, err = r.peek(most); err != nil {
			return r.memberFailed(err)
		}
	}
	n := 0
	for n < len(b) && n < most && (b[n] == '\r' || b[n] == '\n') {
		n++
	}
	r.win.use(n)
	b = b[n:]
	if len(b) == 0 || mayStartVersion(b) || startsVersion(b) {
		r.find(Syntax, RuleRecordEnd, fmt.Sprintf("%d line-end bytes after the block instead of CRLF CRLF", n))
		return nil
	}
	r.broken = true
	r.find(Damage, RuleWrongLength, fmt.Sprintf("after %d bytes the block goes on: wrong Content-Length", r.rec.length))
	if r.kind == Plain {
		return r.rewind()
	}
	return r.findStart()
}

// peek gives n bytes without using them; fewer at the end of the member, unless members are known
// not to follow records: then it looks into the next one.
func (r *Reader) peek(n int) ([]byte, error) {
	for len(r.win.bytes()) < n {
		if !r.win.open && (!r.shared || r.win.next() != nil) {
			break
		}
		if err := r.win.more(); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
	}
	return r.win.bytes(), nil
}

// endMember reads to the end of the member, where its checksum is checked.
func (r *Reader) endMember() error {
	if !r.win.open {
		return nil
	}
	err := r.win.more()
	if err == nil || errors.Is(err, io.EOF) {
		return nil // bytes: the next record starts in this member, and place will tell
	}
	return r.memberFailed(err)
}
