package links

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// prose gathers the visible text of a page: character references decoded, white space collapsed, blocks separated by a
// newline. Links remember places in it, so that anchors and surroundings are slices of one string made at the end.
type prose struct {
	buf   []byte
	limit int
	over  int // characters beyond the limit, only counted
}

func (t *prose) reset(limit int) { t.buf, t.limit, t.over = t.buf[:0], limit, 0 }

// place is where the next word will stand.
func (t *prose) place() int32 { return int32(len(t.buf)) }

// briefText is how much of the start of a text is kept where only its start is wanted.
const briefText = 1 << 10

// start adds character data while the start of the text is not full, and counts the rest.
func (t *prose) start(p []byte) {
	if room := max(0, briefText-len(t.buf)); len(p) > room {
		t.over += len(p) - room
		p = p[:room]
	}
	t.add(p)
}

// add appends character data.
func (t *prose) add(p []byte) {
	if room := max(0, t.limit-len(t.buf)); len(p) > room {
		t.over += utf8.RuneCount(p[room:])
		p = p[:room]
	}
	buf := t.buf
	for i := 0; i < len(p); {
		from := i
		i = plainRun(p, i)
		if run := p[from:i]; len(run) > 0 {
			if run[0] == ' ' && endsBlank(buf) {
				run = run[1:]
			}
			buf = append(buf, run...)
		}
		if i == len(p) {
			break
		}
		if p[i] == '&' {
			var n int
			buf, n = appendEntity(buf, p[i:], false)
			i += n
			continue
		}
		for i++; i < len(p) && isSpace(p[i]); i++ {
		}
		if !endsBlank(buf) {
			buf = append(buf, ' ')
		}
	}
	t.buf = buf
}

// plainRun gives the end of the stretch at i that can be copied as it is: words with single spaces between them.
func plainRun(p []byte, i int) int {
	for i < len(p) {
		if class[p[i]]&(classSpace|classAmp) != 0 && (p[i] != ' ' || i+1 == len(p) || isSpace(p[i+1])) {
			break
		}
		i++
	}
	return i
}

// endsBlank tells whether a space at the end of buf would be one too many.
func endsBlank(buf []byte) bool {
	n := len(buf)
	return n == 0 || buf[n-1] == ' ' || buf[n-1] == '\n'
}

// newline separates blocks.
func (t *prose) newline() {
	n := len(t.buf)
	if n == 0 || t.buf[n-1] == '\n' {
		return
	}
	if t.buf[n-1] == ' ' {
		t.buf[n-1] = '\n'
		return
	}
	t.buf = append(t.buf, '\n')
}

// string gives the text and its length in characters.
func (t *prose) string() (string, int) {
	p := bytes.TrimRight(t.buf, " \n")
	if !utf8.Valid(p) {
		// Places would move; the replacement must keep every byte where it is.
		for i := 0; i < len(p); {
			r, n := utf8.DecodeRune(p[i:])
			if r == utf8.RuneError && n == 1 {
				p[i] = '?'
			}
			i += n
		}
	}
	return string(p), characters(p) + t.over
}

// characters counts the characters of valid UTF-8, eight bytes at a time: all bytes but those that continue one.
func characters(p []byte) int {
	n := len(p)
	for ; len(p) >= 8; p = p[8:] {
		x := binary.LittleEndian.Uint64(p)
		n -= bits.OnesCount64(x >> 7 &^ (x >> 6) & 0x0101010101010101)
	}
	for _, c := range p {
		if c&0xc0 == 0x80 {
			n--
		}
	}
	return n
}

// window cuts [from, to) out of s, widened by around bytes on each side and then narrowed to whole characters.
func window(s string, from, to, around int) (string, Place) {
	from, to = max(0, from-around), min(len(s), to+around)
	if from >= to {
		return "", Place{}
	}
	for from < to && !utf8.RuneStart(s[from]) {
		from++
	}
	for to < len(s) && to > from && !utf8.RuneStart(s[to]) {
		to--
	}
	for from < to && (s[from] == ' ' || s[from] == '\n') {
		from++
	}
	for to > from && (s[to-1] == ' ' || s[to-1] == '\n') {
		to--
	}
	return s[from:to], Place{int32(from), int32(to)}
}
