package markup

import (
	"html"
	"strings"
	"testing"
)

func TestReferences(t *testing.T) {
	for _, c := range []struct{ in, text, value string }{
		{"a&amp;b", "a&b", "a&b"},
		{"&lt;&gt;&quot;", `<>"`, `<>"`},
		{"&copy;", "\u00a9", "\u00a9"},
		{"&copy", "\u00a9", "\u00a9"},
		{"?a=1&copy=2", "?a=1\u00a9=2", "?a=1&copy=2"},
		{"?a=1&copyright=2", "?a=1\u00a9right=2", "?a=1&copyright=2"},
		{"?a=1&copyright;2", "?a=1\u00a9right;2", "?a=1&copyright;2"},
		{"&copy/x", "\u00a9/x", "\u00a9/x"},
		{"&semi;", ";", ";"},
		{"&NotEqualTilde;", "\u2242\u0338", "\u2242\u0338"},
		{"&nosuchname; &;", "&nosuchname; &;", "&nosuchname; &;"},
		{"&#65;&#x41&#X42;", "AAB", "AAB"},
		{"&#150;&#0;&#xd800;&#99999999999999999999;", "\u2013\ufffd\ufffd\ufffd", "\u2013\ufffd\ufffd\ufffd"},
		{"&#;&#x;&# ", "&#;&#x;&# ", "&#;&#x;&# "},
		{"&nbsp;", "\u00a0", "\u00a0"},
		{"&", "&", "&"},
	} {
		if got := Value([]byte(c.in)); got != c.value {
			t.Errorf("%q as a value: %q, want %q", c.in, got, c.value)
		}
		if got := decoded(c.in); got != c.text {
			t.Errorf("%q as text: %q, want %q", c.in, got, c.text)
		}
	}
}

// decoded decodes text.
func decoded(s string) string {
	var out []byte
	for s != "" {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			return string(out) + s
		}
		var n int
		out, n = AppendReference(append(out, s[:i]...), []byte(s[i:]), false)
		s = s[i+n:]
	}
	return string(out)
}

// Text is decoded as the standard library does, whose rules are those of the standard for text.
func FuzzReferences(f *testing.F) {
	for _, s := range []string{"&amp;", "&copyright;", "&#x80;&#", "&notit;", "&&amp", "a&b=c&ltd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Contains(s, "&#") || len(s) > 30 {
			return // the library keeps what is no number in other ways, and knows names longer than all there are
		}
		if got, want := decoded(s), html.UnescapeString(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
		if v := Value([]byte(s)); !strings.Contains(s, "&") && v != s {
			t.Errorf("%q became %q", s, v)
		}
	})
}
