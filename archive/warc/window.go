package warc

import "io"

// window is the unpacked side of a file: a buffer over the bytes of the current member. It never
// reads into the next member by itself, so that the ends of members stay known.
type window struct {
	in  *input
	u   unpacker
	buf []byte
	r   int // next byte to give
	w   int // end of the bytes in buf

	open     bool  // a member is open
	memberAt int64 // offset of the member in the file
	unpacked int64 // bytes of the member that were put into buf or skipped
}

func newWindow(in *input, u unpacker) window {
	return window{in: in, u: u, buf: make([]byte, inputBuffer)}
}

// bytes are what is in the buffer.
func (v *window) bytes() []byte { return v.buf[v.r:v.w] }

// place is the position of the next byte in its unpacked member.
func (v *window) place() int64 { return v.unpacked - int64(v.w-v.r) }

// use passes over n bytes of the buffer.
func (v *window) use(n int) { v.r += n }

// next opens the next member. Bytes of the last one may still be in the buffer.
func (v *window) next() error {
	at, err := v.u.next()
	v.memberAt, v.unpacked = at, 0
	v.open = err == nil
	return err
}

// more puts at least one more byte of the member into the buffer, or tells why not: io.EOF is the
// end of a sound member, which is closed then.
func (v *window) more() error {
	v.makeRoom()
	for range 100 {
		n, err := v.u.Read(v.buf[v.w:])
		v.w += n
		v.unpacked += int64(n)
		if n > 0 {
			return nil // an error with data comes again at the next call
		}
		if err != nil {
			v.open = false
			return err
		}
	}
	return io.ErrNoProgress
}

func (v *window) makeRoom() {
	if v.r == v.w {
		v.r, v.w = 0, 0
	}
	if v.w < len(v.buf) && v.w < inputBuffer/2 {
		return
	}
	if v.r > 0 {
		copy(v.buf, v.buf[v.r:v.w])
		v.w -= v.r
		v.r = 0
	}
	if v.w == len(v.buf) {
		v.buf = append(v.buf, make([]byte, len(v.buf))...)
	}
}

// skipTo opens the next member and passes over its first n bytes.
func (v *window) skipTo(n int64) error {
	if err := v.next(); err != nil {
		return err
	}
	for v.place() < n {
		if len(v.bytes()) == 0 {
			if err := v.more(); err != nil {
				return err
			}
		}
		v.use(int(min(int64(len(v.bytes())), n-v.place())))
	}
	return nil
}

// readDirect fills p from the member without the buffer, which must be empty.
func (v *window) readDirect(p []byte) (int, error) {
	n, err := v.u.Read(p)
	v.unpacked += int64(n)
	if n > 0 {
		return n, nil
	}
	if err != nil {
		v.open = false
	}
	return n, err
}

// skipPlain passes over n bytes of a plain file without reading them; the buffer must be empty.
func (v *window) skipPlain(n int64) (int64, error) {
	m, err := v.in.skip(n)
	v.unpacked += m
	return m, err
}

// moveTo throws the buffer away and goes to an offset of the file, if it can be reached.
func (v *window) moveTo(offset int64) bool {
	v.r, v.w, v.open = 0, 0, false
	return v.in.seek(offset)
}
