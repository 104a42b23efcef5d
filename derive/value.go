package derive

import (
	"encoding/binary"
	"errors"
	"math"
	"time"
	"unicode/utf8"
)

// coder writes a value between map and reduce field by field, or reads it: one list of fields, which are given as pointers, says both. It is for
// values that are as many as rows; nobody but the job itself reads them. Whoever changes the list counts the version of the job up.
type coder struct {
	b     []byte // written, or left to read
	reads bool
	err   error // of reading; all fields after it are left as they are
}

// errValue is that of a value that is not what was written.
var errValue = errors.New("a value between map and reduce is cut")

// take reads n bytes.
func (c *coder) take(n uint64) []byte {
	if n > uint64(len(c.b)) {
		c.b, c.err = nil, errValue
		return nil
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}

func (c *coder) uvarint(v *uint64) {
	if !c.reads {
		c.b = binary.AppendUvarint(c.b, *v)
		return
	}
	got, size := binary.Uvarint(c.b)
	if size <= 0 {
		c.b, c.err = nil, errValue
		return
	}
	*v, c.b = got, c.b[size:]
}

// number is one of any size.
func number[T ~int | ~int32 | ~int64](c *coder, v *T) {
	u := uint64(*v)<<1 ^ uint64(int64(*v)>>63)
	c.uvarint(&u)
	*v = T(int64(u>>1) ^ -int64(u&1))
}

// text is a string. Bytes that are no UTF-8 are replaced: tables are read by programs that do not stand them.
func (c *coder) text(s *string) {
	if !c.reads {
		valid := *s
		if !utf8.ValidString(valid) {
			valid = string([]rune(valid))
		}
		c.b = append(binary.AppendUvarint(c.b, uint64(len(valid))), valid...)
		return
	}
	var n uint64
	c.uvarint(&n)
	*s = string(c.take(n))
}

func (c *coder) bytes(s *[]byte) {
	n := uint64(len(*s))
	c.uvarint(&n)
	if !c.reads {
		c.b = append(c.b, *s...)
		return
	}
	*s = append([]byte(nil), c.take(n)...)
}

// time is to the microsecond, as in tables.
func (c *coder) time(t *time.Time) {
	micro := t.UnixMicro()
	number(c, &micro)
	*t = time.UnixMicro(micro).UTC()
}

func (c *coder) float(f *float64) {
	u := math.Float64bits(*f)
	c.uvarint(&u)
	*f = math.Float64frombits(u)
}

func (c *coder) float32(f *float32) {
	u := uint64(math.Float32bits(*f))
	c.uvarint(&u)
	*f = math.Float32frombits(uint32(u))
}
