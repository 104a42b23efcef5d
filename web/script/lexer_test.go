package script_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"varve/web/script"
)

// kinds are the letters of the kinds in these tests.
var kinds = map[script.Kind]string{
	script.Name: "i", script.Private: "#", script.Number: "n", script.String: "s", script.Template: "t", script.Regexp: "r", script.Punct: "p", script.Comment: "c",
}

// tokens writes the tokens of a script: kind, text, and ! where it is cut.
func tokens(src string) string {
	var l script.Lexer
	l.Comments = true
	l.Reset([]byte(src), 0)
	var out []string
	for {
		t := l.Next()
		if t.Kind() == script.End {
			return strings.Join(out, " ")
		}
		s := kinds[t.Kind()] + string(t.Text([]byte(src)))
		if t.Cut() {
			s += "!"
		}
		if t.Specifier() {
			s += "@"
		}
		out = append(out, s)
	}
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", ""},
		{"a.b?.c", "ia p. ib p?. ic"},
		{"a?.5:1", "ia p? n.5 p: n1"},
		{"1..x 1.5e+3 0x1f.y 10n .5", "n1. p. ix n1.5e+3 n0x1f p. iy n10n n.5"},
		{"a+++b a+=1 a>>>=b a>>b a**b a??=b [...c]", "ia p++ p+ ib ia p+= n1 ia p>>>= ib ia p>> ib ia p** ib ia p??= ib p[ p... ic p]"},
		{`"a\"b" 'c\` + "\r\nd' \"e\nf", `s"a\"b" s'c\` + "\r\nd' s\"e! if"},
		{"'open", "s'open!"},
		{"a // b\n/* c */ d", "ia c// b c/* c */ id"},
		{"<!-- a\nb\n--> c\nd", "c<!-- a ib c--> c id"},
		{"a --> b", "ia p-- p> ib"},
		{"#!/bin/x\na", "c#!/bin/x ia"},
		{"\ufeffa\u00a0b\u2028c", "ia ib ic"},
		{`\u0061b c\u{64}e \x`, `i\u0061b ic\u{64}e p\ ix`},
		{"été _$1", "iété i_$1"},
		{"this.#a in #b", "ithis p. ##a iin ##b"},
		// Regular expressions and division.
		{"a / b / c", "ia p/ ib p/ ic"},
		{"a = /b/g", "ia p= r/b/g"},
		{"(a) / b /1", "p( ia p) p/ ib p/ n1"},
		{"if (a) /b/", "iif p( ia p) r/b/"},
		{"x.if (a) /b/1", "ix p. iif p( ia p) p/ ib p/ n1"},
		{"a++ / b / c", "ia p++ p/ ib p/ ic"},
		{"a\n++/b/.c", "ia p++ r/b/ p. ic"},
		{"return /[/]/", "ireturn r/[/]/"},
		{"x.return / a / b", "ix p. ireturn p/ ia p/ ib"},
		{"{} /a/", "p{ p} r/a/"},
		{"x = {} / a / b", "ix p= p{ p} p/ ia p/ ib"},
		{"class A {} /b/", "iclass iA p{ p} r/b/"},
		{"x = {class: 1} / a / b", "ix p= p{ iclass p: n1 p} p/ ia p/ ib"},
		{"=> {} /a/", "p=> p{ p} r/a/"},
		{"switch (a) { case b: {} /c/ }", "iswitch p( ia p) p{ icase ib p: p{ p} r/c/ p}"},
		{"a: {} /b/", "ia p: p{ p} r/b/"},
		{"a ? b : {} / c / d", "ia p? ib p: p{ p} p/ ic p/ id"},
		{"a = b\n/ c / d", "ia p= ib p/ ic p/ id"},
		{"/a\n/b/", "p/ ia p/ ib p/"},
		{"/[/\nb", "p/ p[ p/ ib"},
		// Templates.
		{"`a`", "t`a`"},
		{"`a${b}c${d}`", "t`a${ ib t}c${ id t}`"},
		{"`${ {a: `${b}`} }` / c / d", "t`${ p{ ia p: t`${ ib t}` p} t}` p/ ic p/ id"},
		{"`${ /}`/ }`", "t`${ r/}`/ t}`"},
		{"`${a)}`", "t`${ ia p) t}`"},
		{"`\\`$a", "t`\\`$a!"},
		// Modules.
		{`import "a"`, `iimport s"a"@`},
		{`import a, {b as "c"} from 'd'; e("f")`, `iimport ia p, p{ ib ias s"c" p} ifrom s'd'@ p; ie p( s"f" p)`},
		{`export * from "a"`, `iexport p* ifrom s"a"@`},
		{`export {a} from "b"; export default "c"`, `iexport p{ ia p} ifrom s"b"@ p; iexport idefault s"c"`},
		{`import("a"); import.meta; x.import "b"`, `iimport p( s"a" p) p; iimport p. imeta p; ix p. iimport s"b"`},
		{`export const from = 1; from "a"`, `iexport iconst ifrom p= n1 p; ifrom s"a"`},
	} {
		if got := tokens(c.src); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.src, got, c.want)
		}
	}
}

func TestAppendText(t *testing.T) {
	for in, want := range map[string]string{
		`a\nb\tc\rd\be\ff\vg\0h`: "a\nb\tc\rd\be\ff\vg\x00h",
		`\x41\u0042\u{43}`:       "ABC",
		`\ud83d\ude00`:           "😀",
		`\ud83d`:                 "\ufffd",
		`\101\1018\477`:          "AA8'7",
		"a\\\nb\\\r\nc\\\u2028d": "abcd",
		`\q\\\"`:                 `q\"`,
		`a\`:                     "a",
		`\u{ffffffff}\x\u`:       "\ufffd\x00\x00",
	} {
		if got := string(script.AppendText(nil, []byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestInside(t *testing.T) {
	for src, want := range map[string]script.Bracket{
		"": script.Block, "x = {": script.Object, "f({": script.Object, "if (a) {": script.Block, "() => {": script.Block, "class A extends B {": script.Body,
		"import {": script.Imports, "import a, {": script.Imports, "export {": script.Exports, "`${": script.Hole, "a(": script.Paren, "while (": script.Head,
		"[": script.Array, "a[": script.Index, "return [": script.Array, "return {": script.Object, "else {": script.Block, "a: {": script.Block, "({a: {": script.Object,
		"switch (a) { default: {": script.Block, "b ? a : {": script.Object, "{ a: {": script.Block, "export default {": script.Object, "x.class {": script.Block,
		"const {": script.Object, "a = 1\nb: {": script.Block, "a(b)}": script.Block, "export const a = {": script.Object, "x = {class: {": script.Object,
	} {
		var l script.Lexer
		l.Reset([]byte(src), 0)
		for l.Next().Kind() != script.End {
		}
		if got := l.Inside(); got != want {
			t.Errorf("%q: inside %d, want %d", src, got, want)
		}
	}
}

// Reading ahead leaves the lexer where it is, and following it closes what was closed ahead.
func TestAhead(t *testing.T) {
	src := []byte(`f(["a"].join(1) / 2)`)
	var l, a script.Lexer
	l.Reset(src, 0)
	for range 3 { // f ( [
		l.Next()
	}
	l.Ahead(&a)
	for range 6 { // "a" ] . join ( 1
		a.Next()
	}
	a.Next()
	if l.Depth() != 2 || l.Pos() != 3 {
		t.Fatalf("depth %d at %d", l.Depth(), l.Pos())
	}
	l.Follow(&a)
	if next := l.Next(); !next.Is('/') || !next.After() || l.Depth() != 1 {
		t.Errorf("%q, depth %d", next.Text(src), l.Depth())
	}
}

// Nesting beyond the limit is counted and read to the end.
func TestDeep(t *testing.T) {
	for _, unit := range []string{"(", "{", "`${", "[{("} {
		src := []byte(strings.Repeat(unit, 3*script.MaxDepth) + "a")
		var l script.Lexer
		l.Reset(src, 0)
		n := 0
		for l.Next().Kind() != script.End {
			n++
		}
		if n == 0 || l.Pos() != len(src) {
			t.Errorf("%s: %d tokens up to %d of %d", unit, n, l.Pos(), len(src))
		}
	}
}

func TestNoAllocation(t *testing.T) {
	src := sample(50)
	var l script.Lexer
	read := func() {
		l.Reset(src, 0)
		for l.Next().Kind() != script.End {
		}
	}
	read()
	if n := testing.AllocsPerRun(10, read); n != 0 {
		t.Errorf("%v allocations for %d bytes", n, len(src))
	}
}

// Whatever is read, tokens come in order and do not overlap, between them stand only blanks and comments, brackets are
// counted right, and a script without its comments has the same tokens.
func FuzzLexer(f *testing.F) {
	for _, s := range []string{"a/b/c", "`${`${a}`}`", "if(a)/b/.c", "import{a as b}from'c'", "<!--\n-->", "class A{#b=1}", "a:{}", "\\u0061", "#\\", "/[/", "0x1.a", "'\\\r\n"} {
		f.Add([]byte(s))
	}
	f.Add(sample(1))
	f.Fuzz(func(t *testing.T, src []byte) {
		var with, without script.Lexer
		with.Comments = true
		with.Reset(src, 0)
		without.Reset(src, 0)
		end := 0
		for {
			a := with.Next()
			for a.Kind() == script.Comment {
				if a.From < end || a.To <= a.From {
					t.Fatalf("comment %d-%d after %d", a.From, a.To, end)
				}
				end = a.To
				a = with.Next()
			}
			b := without.Next()
			if a != b || with.Depth() != without.Depth() || with.Inside() != without.Inside() {
				t.Fatalf("%+v with comments, %+v without", a, b)
			}
			if a.From < end || a.To > len(src) || a.Kind() != script.End && a.To <= a.From {
				t.Fatalf("%+v after %d", a, end)
			}
			if a.Kind() == script.End {
				return
			}
			if a.Kind() == script.String || a.Kind() == script.Template {
				if in := a.Inside(src); len(in) > a.To-a.From || len(script.AppendText(nil, in)) > 3*len(in) {
					t.Fatalf("%+v", a)
				}
			}
			end = a.To
		}
	})
}

func sample(n int) []byte {
	return []byte(strings.Repeat(`function f(e,t){var n=t.offset(),r=n.top-e.scrollTop(),i={left:n.left,top:r};return /^https?:\/\/[^/]+/.test(document.location.href)?i:e.map(function(o){return o.location||window.location.hash.replace("#","")})}
var q=function(a,b){for(var i=0;i<a.length;i++){if(a[i]===b&&typeof a[i]=="string"){return i/2}}return -1}; // find
`+"const url = `/api/${encodeURIComponent(q)}?page=${n + 1}`;\n", n))
}

func BenchmarkLexer(b *testing.B) {
	src := sample(1000)
	used := func() float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	}
	var l script.Lexer
	b.ReportAllocs()
	from := used()
	for b.Loop() {
		l.Reset(src, 0)
		for l.Next().Kind() != script.End {
		}
	}
	b.ReportMetric(float64(len(src))*float64(b.N)/1e6/(used()-from), "MB/CPU-s")
}

func ExampleLexer() {
	src := []byte(`if (a) /b/.test("c")`)
	var l script.Lexer
	l.Reset(src, 0)
	for t := l.Next(); t.Kind() != script.End; t = l.Next() {
		fmt.Printf("%s ", t.Text(src))
	}
	// Output: if ( a ) /b/ . test ( "c" )
}
