package markup

import (
	"fmt"
	"strings"
	"testing"
)

// teller writes down the tokens that it gets.
type teller struct {
	kinds Kinds
	src   []byte
	out   strings.Builder
	fail  func(format string, args ...any)
}

func (l *teller) Begin(src []byte) Kinds {
	l.src = src
	l.out.Reset()
	return l.kinds
}

func (l *teller) Token(t *Token) {
	if t.From < 0 || t.From > t.To || t.To > len(l.src) {
		l.fail("token %d at [%d, %d) of %d bytes", t.Kind, t.From, t.To, len(l.src))
		return
	}
	at := string(l.src[t.From:t.To])
	switch t.Kind {
	case Start:
		fmt.Fprintf(&l.out, "<%s", t.Name)
		for _, a := range t.Attrs {
			if !strings.EqualFold(string(l.src[a.At:a.At+len(a.Key)]), string(a.Key)) {
				l.fail("attribute %q is not at %d of %q", a.Key, a.At, l.src)
			}
			fmt.Fprintf(&l.out, " %s=%s", a.Key, a.Val)
		}
		l.out.WriteString(">")
	case End:
		fmt.Fprintf(&l.out, "</%s>", t.Name)
	case Text:
		l.out.WriteString("(" + at + ")")
	case Raw:
		fmt.Fprintf(&l.out, "[%s: %s]", t.Name, at)
	case Drawing:
		l.out.WriteString("{" + at + "}")
	}
}

func TestWalk(t *testing.T) {
	inside, whole := &teller{kinds: Of(Start, End, Text, Raw), fail: t.Fatalf}, &teller{kinds: Of(Start, End, Text, Raw, Drawing), fail: t.Fatalf}
	for _, c := range []struct{ src, inside, whole string }{
		{"<P CLASS=a>x</P>", "<p class=a>(x)</p>", ""},
		{"<script>a<b</script>c", "<script>[script: a<b]</script>(c)", ""},
		{"<iframe><a></iframe>", "<iframe>[iframe: <a>]</iframe>", ""},
		{"<title>a</title><svg><title>b</title></svg>c", "<title>[title: a]</title><svg><title>(b)</title></svg>(c)", "<title>[title: a]</title>{<svg><title>b</title></svg>}(c)"},
		{"<svg><style></svg>d</style>e", "<svg><style>[style: </svg>d]</style>(e)", "{<svg><style></svg>}(d)</style>(e)"},
		{"<math><a</math>f", "<math><a< math=>(f)", "{<math><a</math>}(f)"},
		{"a</>b</3>c", "(a)(b)(c)", ""},
	} {
		var w Walker
		w.Walk([]byte(c.src), false, inside, whole)
		if c.whole == "" {
			c.whole = c.inside
		}
		if got := inside.out.String(); got != c.inside {
			t.Errorf("%s: %s, want %s", c.src, got, c.inside)
		}
		if got := whole.out.String(); got != c.whole {
			t.Errorf("%s with drawings whole: %s, want %s", c.src, got, c.whole)
		}
	}
}

func FuzzWalk(f *testing.F) {
	f.Add("<svg><style></svg>d</style>e", false)
	f.Add("<svg:style>a</svg:style><script/>b", true)
	f.Add(strings.Repeat("<svg><style></svg>", 100), false)
	f.Fuzz(func(t *testing.T, src string, xml bool) {
		var w Walker
		w.Walk([]byte(src), xml, &teller{kinds: Of(Start, End, Text, Raw), fail: t.Fatalf}, &teller{kinds: Of(Start, End, Text, Raw, Drawing), fail: t.Fatalf})
	})
}
