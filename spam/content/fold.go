package content

import (
	"encoding/base64"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// fold does what can be done with constants, until nothing changes or four times: it takes obfuscation off.
//
//	"a" + "b"                      "ab"
//	String.fromCharCode(108, 111)  "lo"
//	unescape("%6c"), atob("bG8=")  "l", "lo"
//	"ol".split("").reverse().join("")    "lo"
//	["l","o"].join("")             "lo"
//	x["location"]                  x.location
//	v = "lo"; ... v + "cation"     each v is put in its place
func fold(toks []tok) []tok {
	toks = slices.Clone(toks)
	for range 4 {
		n := len(toks)
		toks = foldOnce(toks)
		put := propagate(toks)
		if len(toks) == n && !put {
			break
		}
	}
	return toks
}

// maxFolded bounds a string that is put together.
const maxFolded = 256 << 10

func foldOnce(toks []tok) []tok {
	out := make([]tok, 0, len(toks))
	for i := 0; i < len(toks); {
		made, n := constant(toks[i:])
		if n > 0 && toks[i].is("(") && called(out) {
			n = 0 // the brackets of a call
		}
		if n == 0 {
			out = append(out, toks[i])
			i++
			continue
		}
		out = append(out, made...)
		i += n
		out = join(out)
	}
	return out
}

// called tells whether a bracket that follows is that of a call.
func called(out []tok) bool {
	last := at(out, len(out)-1)
	return last.kind == ident && !last.is("return") || last.is(")", "]")
}

// join puts "a" + "b" together at the end of out.
func join(out []tok) []tok {
	for {
		n := len(out)
		if n < 3 || out[n-1].kind != str || !out[n-2].is("+") || out[n-3].kind != str || len(out[n-1].text)+len(out[n-3].text) > maxFolded {
			return out
		}
		out[n-3].text += out[n-1].text
		out = out[:n-2]
	}
}

// constant looks for an expression of constants at the beginning; n is how many tokens it takes, 0 for none.
func constant(t []tok) (made []tok, n int) {
	switch {
	case t[0].is("fromCharCode") && at(t, 1).is("("):
		return charCodes(t)
	case t[0].is("String") && at(t, 1).is(".") && at(t, 2).is("fromCharCode") && at(t, 3).is("("):
		made, n = charCodes(t[2:])
		if n > 0 {
			n += 2
		}
		return made, n
	case t[0].is("unescape", "decodeURIComponent", "decodeURI", "atob") && at(t, 1).is("(") && at(t, 2).kind == str && at(t, 3).is(")"):
		return []tok{{str, decodeWith(t[0].text, t[2].text)}}, 4
	case t[0].is("(") && at(t, 1).kind == str && at(t, 2).is(")"):
		return []tok{t[1]}, 3
	case t[0].is("[") && at(t, 1).kind == str:
		return bracketed(t)
	case t[0].kind == str:
		return reversed(t)
	}
	return nil, 0
}

func charCodes(t []tok) ([]tok, int) {
	var b strings.Builder
	for i := 2; i+1 < len(t); i += 2 {
		v, err := strconv.ParseInt(t[i].text, 0, 32)
		if t[i].kind != number || err != nil {
			return nil, 0
		}
		b.WriteRune(rune(v))
		if t[i+1].is(")") {
			return []tok{{str, b.String()}}, i + 2
		}
		if !t[i+1].is(",") {
			return nil, 0
		}
	}
	return nil, 0
}

func decodeWith(name, s string) string {
	if name == "atob" {
		if raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(s)); err == nil {
			return string(raw)
		}
		return s
	}
	return percent(s)
}

// percent decodes %XX and %uXXXX; what is none of these stays.
func percent(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		from, digits := i+1, 2
		if strings.HasPrefix(s[i:], "%u") {
			from, digits = i+2, 4
		}
		if s[i] == '%' && from+digits <= len(s) {
			if v, err := strconv.ParseUint(s[from:from+digits], 16, 32); err == nil {
				b.WriteRune(rune(v))
				i = from + digits - 1
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// bracketed reads ["a", "b"].join("") and makes x["name"] into x.name.
func bracketed(t []tok) ([]tok, int) {
	var parts []string
	for i := 1; i+1 < len(t) && t[i].kind == str; i += 2 {
		parts = append(parts, t[i].text)
		if t[i+1].is(",") {
			continue
		}
		if !t[i+1].is("]") {
			return nil, 0
		}
		rest := t[i+2:]
		if at(rest, 0).is(".") && at(rest, 1).is("join") && at(rest, 2).is("(") && at(rest, 3).kind == str && at(rest, 4).is(")") {
			return []tok{{str, clip(strings.Join(parts, rest[3].text), maxFolded)}}, i + 2 + 5
		}
		if len(parts) == 1 && name(parts[0]) {
			return []tok{{sign, "."}, {ident, parts[0]}}, i + 2
		}
		return nil, 0
	}
	return nil, 0
}

func name(s string) bool {
	return s != "" && letter(s[0]) && strings.IndexFunc(s, func(r rune) bool { return r < 0x80 && !letter(byte(r)) && !digit(byte(r)) }) < 0
}

// backwards is what is called on a string to turn it round.
var backwards = []string{".", "split", "(", "", ")", ".", "reverse", "(", ")", ".", "join", "(", "", ")"}

// reversed reads "ol".split("").reverse().join("").
func reversed(t []tok) ([]tok, int) {
	if len(t) <= len(backwards) {
		return []tok{t[0]}, 1
	}
	for i, want := range backwards {
		if t[i+1].text != want {
			return []tok{t[0]}, 1
		}
	}
	r := []rune(t[0].text)
	slices.Reverse(r)
	return []tok{{str, string(r)}}, 1 + len(backwards)
}

// propagate puts strings in the place of variables that are set once.
func propagate(toks []tok) bool {
	values, twice := map[string]string{}, map[string]bool{}
	for i, t := range toks {
		if t.kind != ident || !at(toks, i+1).is("=", "+=") || at(toks, i-1).is(".") {
			continue
		}
		if _, known := values[t.text]; known || at(toks, i+1).is("+=") {
			twice[t.text] = true
		}
		end := at(toks, i+3)
		if at(toks, i+2).kind == str && (end.is(";", ",", "}") || end.kind == none || end.kind == ident) {
			values[t.text] = toks[i+2].text
		} else {
			twice[t.text] = true
		}
	}
	put := false
	for i, t := range toks {
		v, known := values[t.text]
		if t.kind != ident || !known || twice[t.text] || at(toks, i+1).is("=") || at(toks, i-1).is(".", "function", "var") || t.text == "location" || t.text == "href" {
			continue
		}
		toks[i] = tok{str, v}
		put = true
	}
	return put
}

// scriptsIn goes through the code of script elements in markup.
func scriptsIn(markup string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			_, rest, ok := strings.Cut(markup, "<script")
			if !ok {
				return
			}
			_, rest, ok = strings.Cut(rest, ">")
			code, after, _ := strings.Cut(rest, "</script")
			if !ok || !yield(code) {
				return
			}
			markup = after
		}
	}
}

// refreshIn tells whether markup holds a meta refresh.
func refreshIn(markup string) bool {
	low := strings.ToLower(markup)
	return strings.Contains(low, "http-equiv") && strings.Contains(low, "refresh") && strings.Contains(low, "url=")
}
