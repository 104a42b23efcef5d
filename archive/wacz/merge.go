package wacz

import (
	"bytes"
	"iter"
)

// merged gives the lines of sorted sources in order. Most packages have one index, which is passed
// through. An error ends the sequence.
func merged(sources []iter.Seq2[[]byte, error]) iter.Seq2[[]byte, error] {
	if len(sources) == 1 {
		return sources[0]
	}
	return func(yield func([]byte, error) bool) {
		heads := make([]*head, 0, len(sources))
		for _, s := range sources {
			h := &head{}
			next, stop := iter.Pull2(s)
			defer stop()
			h.next = next
			if h.advance() {
				heads = append(heads, h)
			}
		}
		for len(heads) > 0 {
			least := 0
			for i := range heads {
				if heads[i].before(heads[least]) {
					least = i
				}
			}
			h := heads[least]
			if !yield(h.line, h.err) || h.err != nil {
				return
			}
			if !h.advance() {
				heads = append(heads[:least], heads[least+1:]...)
			}
		}
	}
}

// head is the next line of a source.
type head struct {
	next func() ([]byte, error, bool)
	line []byte
	err  error
}

func (h *head) advance() (ok bool) {
	h.line, h.err, ok = h.next()
	return ok
}

// before orders heads: errors first, so that they are told as soon as they are known.
func (h *head) before(o *head) bool {
	if (h.err != nil) != (o.err != nil) {
		return h.err != nil
	}
	return bytes.Compare(h.line, o.line) < 0
}
