package style_test

import (
	"strings"
	"syscall"
	"testing"

	"varve/web/style"
)

var kinds = map[style.Kind]string{
	style.Ident: "i", style.Number: "n", style.Hash: "h", style.At: "@", style.Function: "f", style.URL: "u", style.String: "s", style.Punct: "p", style.Comment: "c",
}

// tokens writes the tokens of a sheet: kind, what is inside, ! where it is cut, ? where it is bad.
func tokens(src string) string {
	var l style.Lexer
	l.Reset([]byte(src))
	var out []string
	for {
		t := l.Next()
		if t.Kind() == style.End {
			return strings.Join(out, " ")
		}
		s := kinds[t.Kind()] + string(t.AppendInside(nil, []byte(src)))
		if t.Cut() {
			s += "!"
		}
		if t.Bad() {
			s += "?"
		}
		out = append(out, s)
	}
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", ""},
		{"a{b:c;d:1.5em}", "ia p{ ib p: ic p; id p: n1 p. n5em p}"},
		{"@import url(a.css) screen;", "@import ua.css iscreen p;"},
		{"@import 'a' ; #x > .y", "@import sa p; hx p> p. iy"},
		{"url( a b )url()", "ua b u"},
		{`url("a" x) src('b')`, "furl sa ix p) fsrc sb p)"},
		{`u\rl(a) \75 rl(b) URL(c)`, "ua ub uc"},
		{"url(a'b) url(a(b) url(c)", "ua'b? ua(b? uc"},
		{"a{b:url(open; c:d}", "ia p{ ib p: uopen!? p; ic p: id p}"},
		{"url(data:a;b,c)", "udata:a;b,c"},
		{`"a\"b" 'c\` + "\n" + `d' "\41 b" "e` + "\nf", `sa"b scd sAb se! if`},
		{"/* a */ b /* c", "c a  ib c c!"},
		{"image-set('a' 1x, url(b) 2x)", "fimage-set sa n1x p, ub n2x p)"},
		{"\\", "p\\"},
		{"a\\", "ia p\\"},
		{"--x: été", "i--x p: iété"},
		{`\0 \110000 \zz`, "i\ufffd\ufffdzz"},
	} {
		if got := tokens(c.src); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.src, got, c.want)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	src := sample(50)
	var l style.Lexer
	if n := testing.AllocsPerRun(10, func() {
		for l.Reset(src); l.Next().Kind() != style.End; {
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Tokens come in order, between them is only white space, and what is inside of them lies in them.
func FuzzLexer(f *testing.F) {
	for _, s := range []string{"a{b:url(c)}", "@import'a';", `"\`, "url(;", "url(data:;", "u\\72l(a)", "/*", "\\", "url(\\"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var l style.Lexer
		l.Reset(src)
		end := 0
		for {
			k := l.Next()
			if k.From < end || k.To > len(src) || strings.Trim(string(src[end:k.From]), " \t\r\n\f") != "" {
				t.Fatalf("%+v after %d", k, end)
			}
			if k.Kind() == style.End {
				return
			}
			if from, to := k.Span(src); from < k.From || to > k.To || from > to || k.To == k.From {
				t.Fatalf("%+v: inside %d-%d", k, from, to)
			}
			k.AppendInside(nil, src)
			end = k.To
		}
	})
}

func sample(n int) []byte {
	return []byte(strings.Repeat(`.teaser>a:hover{color:#0f5c63;background:url("/img/back.png") no-repeat 0 0;margin:0 auto 1.5em}@media (max-width:600px){.x{display:none}}`+"\n", n))
}

func BenchmarkLexer(b *testing.B) {
	src := sample(2000)
	used := func() float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	}
	var l style.Lexer
	b.ReportAllocs()
	from := used()
	for b.Loop() {
		for l.Reset(src); l.Next().Kind() != style.End; {
		}
	}
	b.ReportMetric(float64(len(src))*float64(b.N)/1e6/(used()-from), "MB/CPU-s")
}
