package models

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"varve/lab/eval/corpus"
	"varve/language/sentence"
	"varve/language/term"
	"varve/language/wordlist"
)

// backgroundLeast is how often a word must be met to be in the background of English.
const backgroundLeast = 3

// Background returns how frequent the words of English are in texts about anything: the same texts that word classes are made of.
func Background(data string, annotated []corpus.Document) (map[string]uint32, error) {
	counts, total := map[string]int{}, 0
	err := unlabelled(data, annotated, func(text string) {
		for s := range sentence.Split(text) {
			for _, t := range s.Tokens {
				if letters(t.Text) > 1 && len(t.Text) <= 64 {
					counts[strings.ToLower(t.Text)]++
					total++
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	values := map[string]uint32{term.Unknown: term.Value(1.5 / float64(total))}
	for w, n := range counts {
		if n >= backgroundLeast {
			values[w] = term.Value(float64(n+1) / float64(total))
		}
	}
	return values, nil
}

func letters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// wordfreqLanguages are those whose background is taken from wordfreq.
var wordfreqLanguages = []string{"de", "es", "fr", "it", "nl", "pt"}

// Wordfreq adds the backgrounds of languages other than English, from the package wordfreq (Robyn Speer 2022, version 3.1.1 of PyPI, a wheel; its
// data is CC BY-SA 4.0), which is not among the data of the project.
func (m *Made) Wordfreq(wheel string) error {
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, lang := range wordfreqLanguages {
		f, err := z.Open("wordfreq/data/small_" + lang + ".msgpack.gz")
		if err != nil {
			return fmt.Errorf("%s: %w", wheel, err)
		}
		values, err := wordfreq(f)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: words of %s: %w", wheel, lang, err)
		}
		var b bytes.Buffer
		if err := wordlist.Write(&b, values); err != nil {
			return err
		}
		m.Files["language/term/"+lang+".bin"] = b.Bytes()
	}
	return nil
}

// wordfreq reads a list: an array of MessagePack whose first element is a header, and whose others are the words with a share of 10^(-i/100), from i = 0.
func wordfreq(r io.Reader) (map[string]uint32, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(z, 64<<20))
	if err != nil {
		return nil, err
	}
	m := &msgpack{rest: b}
	bins := m.array()
	m.skip() // the header
	values := map[string]uint32{}
	last := 0
	for i := range max(0, bins-1) {
		for range m.array() {
			if w := m.text(); letters(w) > 1 {
				values[w] = uint32(max(1, i))
				last = max(last, i)
			}
		}
	}
	if m.err != nil {
		return nil, m.err
	}
	values[term.Unknown] = uint32(last) + 100 // a tenth of the rarest: most unknown words are much rarer
	return values, nil
}

// msgpack reads what those lists use of MessagePack: arrays, maps, strings, small numbers.
type msgpack struct {
	rest []byte
	err  error
}

func (m *msgpack) take(n int) []byte {
	if m.err != nil || n > len(m.rest) {
		m.err = errors.Join(m.err, io.ErrUnexpectedEOF)
		m.rest = nil
		return make([]byte, max(0, min(n, 8)))
	}
	b := m.rest[:n]
	m.rest = m.rest[n:]
	return b
}

// length returns the length of what begins here: in the low bits of the first byte, or in 1, 2 or 4 bytes behind it.
func (m *msgpack) length(fix, mask byte, one, two, four byte) int {
	switch c := m.take(1)[0]; {
	case c&^mask == fix:
		return int(c & mask)
	case c == one && one != 0:
		return int(m.take(1)[0])
	case c == two:
		return int(binary.BigEndian.Uint16(m.take(2)))
	case c == four:
		if n := binary.BigEndian.Uint32(m.take(4)); int64(n) <= int64(len(m.rest)) {
			return int(n)
		}
	}
	m.err = errors.Join(m.err, errors.New("not as expected"))
	return 0
}

func (m *msgpack) array() int { return m.length(0x90, 0x0f, 0, 0xdc, 0xdd) }

func (m *msgpack) text() string { return string(m.take(m.length(0xa0, 0x1f, 0xd9, 0xda, 0xdb))) }

// skip skips a map of strings to strings and small numbers.
func (m *msgpack) skip() {
	for range m.length(0x80, 0x0f, 0, 0xde, 0xdf) {
		m.text()
		if len(m.rest) > 0 && m.rest[0] < 0x80 {
			m.take(1)
		} else {
			m.text()
		}
	}
}
