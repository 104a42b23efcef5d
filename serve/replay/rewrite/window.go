package rewrite

import (
	"bytes"
	"io"
)

// Limits of one token that is held in memory. What is longer is passed on as it is.
const (
	MaxTag     = 1 << 20 // a start tag with its attributes
	MaxElement = 8 << 20 // the content of a script or style element
	chunk      = 32 << 10
)

// window is the part of a stream that is in memory: src[pos:] is not read yet.
type window struct {
	r   io.Reader
	src []byte
	pos int
	eof bool
	err error
}

// rest gives what is in memory.
func (w *window) rest() []byte { return w.src[w.pos:] }

// fill reads more behind what is there, and tells whether any came.
func (w *window) fill() bool {
	if w.eof {
		return false
	}
	if w.pos > 0 && (w.pos >= chunk || w.pos == len(w.src)) {
		w.src = w.src[:copy(w.src, w.src[w.pos:])]
		w.pos = 0
	}
	if cap(w.src)-len(w.src) < chunk {
		grown := make([]byte, len(w.src), 2*cap(w.src)+chunk)
		copy(grown, w.src)
		w.src = grown
	}
	for range 100 {
		n, err := w.r.Read(w.src[len(w.src):cap(w.src)])
		w.src = w.src[:len(w.src)+n]
		if err != nil {
			w.eof = true
			if err != io.EOF {
				w.err = err
			}
			return n > 0
		}
		if n > 0 {
			return true
		}
	}
	w.eof, w.err = true, io.ErrNoProgress
	return false
}

// need tells whether n bytes are to be had.
func (w *window) need(n int) bool {
	for len(w.src)-w.pos < n {
		if !w.fill() {
			return false
		}
	}
	return true
}

// index finds a text at or after the place from, relative to pos; -1 if it is not within limit bytes or the end.
func (w *window) index(from int, text string, limit int) int {
	for {
		if rest := w.rest(); from < len(rest) {
			if n := bytes.Index(rest[from:], []byte(text)); n >= 0 {
				return from + n
			}
			from = max(from, len(rest)-len(text)+1)
		}
		if len(w.src)-w.pos > limit || !w.fill() {
			return -1
		}
	}
}
