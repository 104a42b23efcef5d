package durable

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
)

var errShort = errors.New("value ends too early")

// Reader takes a stored value apart. The first failure sticks.
type Reader struct {
	b   []byte
	err error
}

// NewReader reads v, which must not change meanwhile.
func NewReader(v []byte) Reader { return Reader{b: v} }

// Byte reads one byte.
func (r *Reader) Byte() byte {
	if len(r.b) == 0 {
		r.Fail(errShort)
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

// Uvarint reads a number.
func (r *Reader) Uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.Fail(errShort)
		return 0
	}
	r.b = r.b[n:]
	return v
}

// Varint reads a number that may be negative.
func (r *Reader) Varint() int64 {
	u := r.Uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// Upto reads a number that is at most most.
func (r *Reader) Upto(most uint64) uint64 {
	v := r.Uvarint()
	if v > most {
		r.Fail(fmt.Errorf("number %d is larger than %d", v, most))
		return 0
	}
	return v
}

// Int reads a count: a number that fits an int32.
func (r *Reader) Int() int { return int(r.Upto(math.MaxInt32)) }

// Int64 reads a size: a number that fits an int64.
func (r *Reader) Int64() int64 { return int64(r.Upto(math.MaxInt64)) }

// View reads bytes that are part of the value and live as long as it.
func (r *Reader) View() []byte {
	n := r.Uvarint()
	if n > uint64(len(r.b)) {
		r.Fail(errShort)
		return nil
	}
	v := r.b[:n]
	r.b = r.b[n:]
	return v
}

// String reads a string.
func (r *Reader) String() string { return string(r.View()) }

// Bytes reads a copy of bytes; none read back as nil.
func (r *Reader) Bytes() []byte {
	v := r.View()
	if len(v) == 0 {
		return nil
	}
	return append([]byte(nil), v...)
}

// Time reads an instant, to the millisecond, in UTC.
func (r *Reader) Time() time.Time {
	ms := r.Varint()
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// Len tells how many bytes are left: a bound for counts that precede elements.
func (r *Reader) Len() int { return len(r.b) }

// Skip passes over the rest.
func (r *Reader) Skip() { r.b = nil }

// Fail makes the value a damaged one.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.b = nil
}

// Done gives the error of the whole value, which is named what.
func (r *Reader) Done(what string) error {
	if r.err == nil && len(r.b) > 0 {
		r.err = fmt.Errorf("%d bytes too many", len(r.b))
	}
	if r.err != nil {
		return fmt.Errorf("damaged %s: %w", what, r.err)
	}
	return nil
}
