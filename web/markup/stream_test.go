package markup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// rawHere are the elements whose content the tests read raw.
func rawHere(name []byte) bool {
	switch string(name) {
	case "script", "style", "textarea", "plaintext":
		return true
	}
	return false
}

// streamed writes down the tokens of a stream, runs of text put together, and the bytes that they are.
func streamed(r io.Reader, xml bool) (tokens string, whole []byte, err error) {
	var b strings.Builder
	text := false
	s := NewStream(r, xml)
	for {
		t := s.Next()
		if text && t.Kind != Text {
			b.WriteString(")")
		}
		if t.Kind == EOF {
			return b.String(), whole, s.Err()
		}
		if t.Kind == Text && !text {
			b.WriteString("(")
		}
		text = t.Kind == Text
		whole = append(whole, s.Bytes()...)
		switch t.Kind {
		case Text:
			b.Write(t.Data)
		case Start:
			if !t.Whole {
				fmt.Fprintf(&b, "cut %s", s.Bytes())
				continue
			}
			fmt.Fprintf(&b, "<%s", t.Name)
			for i := range t.Attrs {
				from, to := t.Attrs[i].Span(s.Window())
				fmt.Fprintf(&b, " %s=%s{%s}", t.Attrs[i].Key, t.Attrs[i].Val, s.Window()[from:to])
			}
			fmt.Fprintf(&b, " %v>", t.Self)
			if rawHere(t.Name) {
				raw := s.Raw(string(t.Name), MaxToken)
				whole = append(whole, s.Bytes()...)
				fmt.Fprintf(&b, "[%s]", raw.Data)
			}
		case End:
			fmt.Fprintf(&b, "</%s>", t.Name)
		default:
			fmt.Fprintf(&b, "%d[%s]", t.Kind, t.Data)
		}
	}
}

// lexed writes down the tokens that the lexer finds in the whole document, in the same way.
func lexed(src []byte, xml bool) string {
	var b strings.Builder
	var tags tagReader
	var t Token
	l := Lexer{Src: src, XML: xml, CDATA: xml}
	for {
		switch kind := l.Next(); kind {
		case EOF:
			return b.String()
		case Text:
			fmt.Fprintf(&b, "(%s)", l.Data)
		case Start:
			from := l.From
			tags.read(&l, &t)
			if !t.Whole { // the tag ends at its first >
				n := bytes.IndexByte(src[from:], '>') + 1
				if n == 0 {
					n = len(src) - from
				}
				fmt.Fprintf(&b, "cut %s", src[from:from+n])
				l.Pos = from + n
				continue
			}
			fmt.Fprintf(&b, "<%s", t.Name)
			for _, a := range t.Attrs {
				from, to := a.Span(src)
				fmt.Fprintf(&b, " %s=%s{%s}", a.Key, a.Val, src[from:to])
			}
			fmt.Fprintf(&b, " %v>", t.Self)
			if rawHere(t.Name) {
				fmt.Fprintf(&b, "[%s]", l.Raw(string(t.Name)))
			}
		case End:
			fmt.Fprintf(&b, "</%s>", tags.name(&l, l.Name))
		default:
			fmt.Fprintf(&b, "%d[%s]", kind, l.Data)
		}
	}
}

// ragged reads pieces of any length.
type ragged struct {
	r io.Reader
	n func() int
}

func (r ragged) Read(p []byte) (int, error) { return r.r.Read(p[:min(len(p), r.n())]) }

// However a document comes, the stream finds in it what the lexer finds in the whole, and passes on every byte. Filling
// moves the ends of the window over the document.
func TestStream(t *testing.T) {
	pieces := []string{
		"<", "</", "a", "<a", "<b", " href=", " x", "\"", "'", ">", "/", "=", " ", "y", "<!--", "-->", "--!>", "-", "!", "&amp;", "\n", "?", "<?", "<!", "<i/>",
		"<script>", "</script>", "</SCRIPT", "<style>", "</style>", "<!doctype html>", "<!DOCTYPE x [<!ENTITY a 'b'>]>", "<![CDATA[", "]]>", "\u00e9", "1", "<textarea>", "</textarea>",
		"<plaintext>", "?>", "<B A = 'x>y' c=d/>", strings.Repeat("z", 500),
	}
	const seed = 7
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	for i := range 1_000 {
		var b strings.Builder
		if i%3 == 0 { // so that the soup lies around the end of the window
			b.WriteString(strings.Repeat("t", chunk-r.IntN(60)))
		}
		for range 1 + r.IntN(30) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		src, xml := b.String(), i%5 == 0
		want := lexed([]byte(src), xml)
		n := 1 + r.IntN(40)
		for name, in := range map[string]io.Reader{
			"whole": strings.NewReader(src), "ragged": ragged{strings.NewReader(src), func() int { return r.IntN(n + 1) }}, "with EOF": iotest.DataErrReader(strings.NewReader(src)),
		} {
			got, whole, err := streamed(in, xml)
			if err != nil || string(whole) != src {
				t.Fatalf("%s: %v; passed on %q of %q", name, err, whole, src)
			}
			if got != want {
				t.Fatalf("%s, xml %v: %q\n got %s\nwant %s", name, xml, src, got, want)
			}
		}
	}
}

func FuzzStream(f *testing.F) {
	f.Add("<a b='c'>d</a><script><!--<script></script>--></script>e<!-- f --!>g", uint16(3), false)
	f.Add("<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a><![CDATA[d]]></a>", uint16(chunk-20), true)
	f.Add("</\xc7", uint16(1), false)
	f.Fuzz(func(t *testing.T, src string, before uint16, xml bool) {
		src = strings.Repeat("t", int(before)) + src
		got, whole, err := streamed(iotest.HalfReader(strings.NewReader(src)), xml)
		if err != nil || string(whole) != src {
			t.Fatalf("%v: passed on %q of %q", err, whole, src)
		}
		if want := lexed([]byte(src), xml); got != want {
			t.Fatalf("xml %v: %q\n got %s\nwant %s", xml, src, got, want)
		}
	})
}

// Tokens that do not fit are passed on in parts, in a window of bounded size, and what follows them is read.
func TestStreamIsBounded(t *testing.T) {
	const size = 10 << 20
	for _, c := range []struct {
		name, open, fill, end string
		raw                   string
		most                  int // raw
	}{
		{name: "text", fill: "word < ", end: ""},
		{name: "comment", open: "<!--", fill: "- > ", end: "-->"},
		{name: "bogus comment", open: "<!", fill: "x", end: ">"},
		{name: "end tag", open: "</a", fill: " x", end: ">"},
		{name: "start tag", open: "<a", fill: " name=value", end: ">"},
		{name: "value", open: `<img src="data:`, fill: "AAAA", end: `">`},
		{name: "script", open: "<script>", fill: "<!--<script></scrip ", end: "--></script>", raw: "script", most: 8 << 20},
		{name: "script that nobody holds", open: "<script>", fill: "a<b ", end: "</script>", raw: "script"},
		{name: "textarea", open: "<textarea>", fill: "<a></textare>", end: "</TEXTAREA >", raw: "textarea"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := size / len(c.fill)
			in := io.MultiReader(strings.NewReader(c.open), &repeated{text: c.fill, n: n}, strings.NewReader(c.end+"<b>"))
			s := NewStream(in, false)
			total, largest, last := 0, 0, ""
			for {
				tok := s.Next()
				if tok.Kind == EOF {
					break
				}
				total += len(s.Bytes())
				if tok.Kind == Start && tok.Whole && c.raw != "" && string(tok.Name) == c.raw {
					if s.Raw(c.raw, c.most); s.tok.Whole {
						t.Error("content of 10 MB is whole")
					}
					total += len(s.Bytes())
				}
				largest = max(largest, cap(s.Window()))
				last = string(s.Bytes())
			}
			if want := len(c.open) + n*len(c.fill) + len(c.end) + 3; total != want || last != "<b>" {
				t.Errorf("%d of %d bytes, the last of them %.20q", total, want, last)
			}
			if most := max(2*max(MaxToken, c.most)+2*chunk, chunk); largest > most {
				t.Errorf("a window of %d bytes, want at most %d", largest, most)
			}
		})
	}
}

// repeated reads a text n times.
type repeated struct {
	text string
	n    int
	rest string
}

func (r *repeated) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if r.rest == "" {
			if r.n == 0 {
				break
			}
			r.n--
			r.rest = r.text
		}
		k := copy(p[n:], r.rest)
		n, r.rest = n+k, r.rest[k:]
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// What came before an error is read, and the error is told.
func TestStreamFails(t *testing.T) {
	broken := errors.New("broken")
	for name, in := range map[string]io.Reader{
		"broken":   io.MultiReader(strings.NewReader("<a>b<"), iotest.ErrReader(broken)),
		"no bytes": io.MultiReader(strings.NewReader("<a>b<"), ragged{strings.NewReader("x"), func() int { return 0 }}),
	} {
		tokens, whole, err := streamed(in, false)
		if tokens != "<a false>(b<)" || string(whole) != "<a>b<" || !errors.Is(err, broken) && !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("%s: %s, %v", name, tokens, err)
		}
	}
}
