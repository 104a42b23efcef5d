package pdf

import (
	"bytes"
)

// file is a PDF file whose objects were located. The table of contents of the file (xref) is not used: it is wrong in
// many files, and finding the objects costs little.
type file struct {
	at      map[ref]place
	trailer dict // what trailers and cross reference streams say, the last of each key
	limits  Limits
	left    int64 // bytes that may still be unpacked
	cut     bool  // a limit was reached
	busy    map[ref]bool
}

// place is where an object is written.
type place struct {
	b    []byte // the file, or an unpacked object stream
	from int
}

// scan locates all objects, in the order of the file, so that later versions of an object replace earlier ones.
func (f *file) scan(b []byte) {
	for pos := 0; pos < len(b); {
		i := bytes.Index(b[pos:], []byte("obj"))
		t := bytes.Index(b[pos:], []byte("trailer"))
		if t >= 0 && (i < 0 || t < i) {
			l := &lexer{b: b, pos: pos + t + len("trailer")}
			v, _ := l.value(0)
			f.addTrailer(v)
			pos = l.pos
			continue
		}
		if i < 0 {
			return
		}
		i += pos
		pos = i + 3
		n, ok := objectNumber(b, i)
		if !ok {
			continue
		}
		if len(f.at) >= f.limits.Objects {
			f.cut = true
			return
		}
		pos = f.object(n, b, i+3)
	}
}

// objectNumber reads backwards from "obj" the number of "12 0 obj".
func objectNumber(b []byte, i int) (ref, bool) {
	back := func(j int) (from, to int) {
		for j > 0 && classes[b[j-1]] == isSpace {
			j--
		}
		to = j
		for j > 0 && b[j-1] >= '0' && b[j-1] <= '9' && to-j < 10 {
			j--
		}
		return j, to
	}
	genFrom, genTo := back(i)
	if genFrom == genTo {
		return 0, false
	}
	from, to := back(genFrom)
	if from == to || to == genFrom {
		return 0, false
	}
	n := 0
	for _, c := range b[from:to] {
		n = n*10 + int(c-'0')
	}
	return ref(n), n > 0 && n < 1<<30
}

// object notes where an object is, unpacks it if it holds others, and gives the place after it.
func (f *file) object(n ref, b []byte, from int) int {
	f.at[n] = place{b, from}
	l := &lexer{b: b, pos: from}
	v, _ := l.value(0)
	d, ok := v.(dict)
	if !ok {
		return l.pos
	}
	s := f.streamAt(l, d, true)
	if s == nil {
		return l.pos
	}
	switch d["Type"] {
	case name("ObjStm"):
		f.objectStream(s)
	case name("XRef"):
		f.addTrailer(d)
	}
	return l.pos
}

func (f *file) addTrailer(v any) {
	if d, ok := v.(dict); ok {
		for _, k := range []name{"Root", "Info", "Encrypt", "ID"} {
			if d[k] != nil {
				f.trailer[k] = d[k]
			}
		}
	}
}

// streamAt gives the stream that follows a dictionary, nil if there is none. While scanning, lengths that are
// references cannot be followed, and the end is looked for.
func (f *file) streamAt(l *lexer, d dict, scanning bool) *stream {
	l.skip()
	if !bytes.HasPrefix(l.b[l.pos:], []byte("stream")) {
		return nil
	}
	from := l.pos + len("stream")
	if from < len(l.b) && l.b[from] == '\r' {
		from++
	}
	if from < len(l.b) && l.b[from] == '\n' {
		from++
	}
	length, known := d["Length"].(float64)
	if !known && !scanning {
		length, known = f.get(d["Length"]).(float64)
	}
	if end := from + int(min(max(length, 0), 1<<40)); known && end <= len(l.b) && endsStream(l.b[end:]) {
		l.pos = end
		return &stream{d, l.b[from:end]}
	}
	end := bytes.Index(l.b[from:], []byte("endstream"))
	if end < 0 {
		end = len(l.b) - from
	}
	l.pos = from + end
	return &stream{d, bytes.TrimRight(l.b[from:from+end], "\r\n")}
}

// endsStream tells whether the end of a stream is here.
func endsStream(b []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(b[:min(len(b), 16)], "\r\n \t"), []byte("endstream"))
}

// objectStream locates the objects in an object stream.
func (f *file) objectStream(s *stream) {
	data, err := f.unpack(s)
	if err != nil {
		return
	}
	first := integer(s.dict["First"])
	l := &lexer{b: data}
	for range min(integer(s.dict["N"]), f.limits.Objects) {
		n, ok1 := l.next(0)
		from, ok2 := l.next(0)
		if !ok1 || !ok2 || len(f.at) >= f.limits.Objects {
			return
		}
		if at := first + integer(from); at >= 0 && at < len(data) && integer(n) > 0 {
			f.at[ref(integer(n))] = place{data, at}
		}
	}
}
