package pdf

import (
	"bytes"
)

// file is a PDF file whose objects were located. The table of contents of the file (xref) is not used: it is wrong in
// many files, and finding the objects costs little.
type file struct {
	at       map[ref]place
	trailer  dict // what trailers and cross reference streams say, the last of each key
	limits   Limits
	left     int64 // bytes that may still be unpacked
	cut      bool  // a limit was reached
	busy     map[ref]bool
	crypt    *crypt    // nil if the file is not encrypted
	packed   []*stream // object streams, in the order of the file
	packedAt []int     // where they are
}

// place is where an object is written.
type place struct {
	b     []byte // the file, or an unpacked object stream
	from  int
	order int // place in the file: later versions of an object replace earlier ones
	gen   int
	num   ref // 0 in an object stream, which is encrypted as a whole
}

// scan locates all objects, but for those in object streams.
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
		n, gen, ok := objectNumber(b, i)
		if !ok {
			continue
		}
		if len(f.at) >= f.limits.Objects {
			f.cut = true
			return
		}
		pos = f.object(place{b: b, from: i + 3, order: i, gen: gen, num: n})
	}
}

// objectNumber reads backwards from "obj" the numbers of "12 0 obj".
func objectNumber(b []byte, i int) (n ref, gen int, ok bool) {
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
	from, to := back(genFrom)
	if genFrom == genTo || from == to || to == genFrom {
		return 0, 0, false
	}
	n, gen = ref(decimal(b[from:to])), decimal(b[genFrom:genTo])
	return n, gen, n > 0 && n < 1<<30
}

func decimal(digits []byte) (n int) {
	for _, c := range digits {
		n = n*10 + int(c-'0')
	}
	return n
}

// object notes where an object is, and gives the place after it.
func (f *file) object(p place) int {
	f.at[p.num] = p
	l := &lexer{b: p.b, pos: p.from}
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
		s.num, s.gen = p.num, p.gen
		f.packed, f.packedAt = append(f.packed, s), append(f.packedAt, p.order)
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
		return &stream{dict: d, raw: l.b[from:end]}
	}
	end := bytes.Index(l.b[from:], []byte("endstream"))
	if end < 0 {
		end = len(l.b) - from
	}
	l.pos = from + end
	return &stream{dict: d, raw: bytes.TrimRight(l.b[from:from+end], "\r\n")}
}

// endsStream tells whether the end of a stream is here.
func endsStream(b []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(b[:min(len(b), 16)], "\r\n \t"), []byte("endstream"))
}

// unpackObjects locates the objects in object streams.
func (f *file) unpackObjects() {
	for i, s := range f.packed {
		f.objectStream(s, f.packedAt[i])
	}
	f.packed, f.packedAt = nil, nil
}

func (f *file) objectStream(s *stream, order int) {
	data, err := f.unpack(s)
	if err != nil {
		return
	}
	first := integer(f.get(s.dict["First"]))
	l := &lexer{b: data}
	for range min(integer(f.get(s.dict["N"])), f.limits.Objects) {
		n, ok1 := l.next(0)
		from, ok2 := l.next(0)
		if !ok1 || !ok2 || len(f.at) >= f.limits.Objects {
			return
		}
		at, num := first+integer(from), ref(integer(n))
		if old, ok := f.at[num]; at >= 0 && at < len(data) && num > 0 && (!ok || old.order < order) {
			f.at[num] = place{b: data, from: at, order: order}
		}
	}
}
