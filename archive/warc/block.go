package warc

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// ErrShortBlock ends a block that has fewer bytes than its Content-Length says.
var ErrShortBlock = fmt.Errorf("block shorter than its Content-Length: %w", io.ErrUnexpectedEOF)

// block streams the block of the current record.
type block struct {
	r    *Reader
	left int64
	err  error // sticky
	// expected, if not nil, tells at the end of the block whether its payload is the one that was asked for.
	expected func() error
}

// Read gives bytes of the block.
func (b *block) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, b.end()
	}
	if b.err != nil {
		return 0, b.err
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.take(p)
	b.left -= int64(n)
	if b.r.verify != nil && n > 0 {
		b.r.verify.feed(p[:n])
	}
	if err != nil {
		b.err = err
		if n > 0 {
			err = nil
		}
	}
	return n, err
}

// end is the error behind the last byte.
func (b *block) end() error {
	if b.expected != nil {
		if err := b.expected(); err != nil {
			return err
		}
	}
	return io.EOF
}

// take copies from the buffer, or reads past it when the buffer is empty and p is large.
func (b *block) take(p []byte) (int, error) {
	win := &b.r.win
	for {
		if buffered := win.bytes(); len(buffered) > 0 {
			n := copy(p, buffered)
			win.use(n)
			return n, nil
		}
		if !win.open {
			if err := b.nextMember(); err != nil {
				return 0, err
			}
			continue
		}
		n, err := 0, error(nil)
		if len(p) >= inputBuffer/4 {
			n, err = win.readDirect(p)
		} else {
			err = win.more()
		}
		if n > 0 {
			return n, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, b.damaged(err)
		}
	}
}

// nextMember goes on in the next member, if the block does: a member that starts a record of its
// own means that this block is short.
func (b *block) nextMember() error {
	r := b.r
	if r.kind == Plain {
		return b.short()
	}
	if err := r.win.next(); err != nil {
		if errors.Is(err, io.EOF) {
			return b.short()
		}
		return b.damaged(err)
	}
	if err := r.win.more(); err != nil {
		if errors.Is(err, io.EOF) {
			return nil // an empty member: look at the next
		}
		return b.damaged(err)
	}
	if startsVersion(r.win.bytes()) {
		return b.short()
	}
	r.splitRecord()
	return nil
}

func (b *block) short() error {
	b.r.broken = true
	if fault := b.r.win.in.fault; fault != nil {
		return fmt.Errorf("read %s at %d: %w", b.r.opts.Name, b.r.win.memberAt, fault)
	}
	rule := RuleShortBlock
	if len(b.r.win.bytes()) == 0 {
		rule = RuleCutOff
	}
	b.r.find(Damage, rule, fmt.Sprintf("block ends %d bytes before its Content-Length of %d", b.left, b.r.rec.length))
	return ErrShortBlock
}

func (b *block) damaged(err error) error {
	b.r.broken = true
	rule, text, fatal := b.r.classify(err)
	if !fatal {
		b.r.find(Damage, rule, fmt.Sprintf("%s, %d bytes before the end of the block", text, b.left))
	}
	return fmt.Errorf("read %s at %d: %w", b.r.opts.Name, b.r.win.memberAt, err)
}

// classify tells damage in the packed bytes from a failing disk, which is fatal.
func (r *Reader) classify(err error) (rule Rule, text string, fatal bool) {
	switch {
	case r.win.in.fault != nil:
		return "", "", true
	case errors.Is(err, errChecksum):
		return RuleChecksum, err.Error(), false
	case errors.Is(err, io.ErrUnexpectedEOF):
		return RuleCutOff, "the file ends inside a compressed member", false
	case errors.Is(err, gzip.ErrHeader):
		return RuleCorrupt, "no gzip member starts here", false
	}
	return RuleCorrupt, "broken compressed data: " + err.Error(), false
}

// skip passes over the rest of the block. It does not copy, and in plain files it seeks.
func (b *block) skip() error {
	r := b.r
	for b.left > 0 && b.err == nil {
		if buffered := r.win.bytes(); len(buffered) > 0 {
			n := int(min(int64(len(buffered)), b.left))
			if r.verify != nil {
				r.verify.feed(buffered[:n])
			}
			r.win.use(n)
			b.left -= int64(n)
			continue
		}
		if r.kind == Plain && r.verify == nil && b.left > inputBuffer {
			n, err := r.win.skipPlain(b.left)
			b.left -= n
			if err != nil && n == 0 {
				b.err = b.short()
			}
			continue
		}
		b.err = b.refill()
	}
	return b.err
}

func (b *block) refill() error {
	if !b.r.win.open {
		return b.nextMember()
	}
	err := b.r.win.more()
	if err != nil && !errors.Is(err, io.EOF) {
		return b.damaged(err)
	}
	return nil
}
