package fulltext

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/derive"
)

func TestParse(t *testing.T) {
	for query, want := range map[string]string{
		"":                                 "<nil>",
		"a b":                              "[{ a} { b}]",
		"a OR b c":                         "or[{ a} [{ b} { c}]]",
		`"a b"~3 title:x`:                  "[{ a b ~3} {title x}]",
		"-a (b OR cc*)":                    "[not{ a} or[{ b} { cc *}]]",
		"NOT a AND b":                      "[not{ a} { b}]",
		"ORANGE AND-x":                     "[{ ORANGE} { AND-x}]",
		`url:"x y"`:                        "{url x y}",
		`person:"Angela Merkel" x`:         `[{person=Angela Merkel} { x}]`,
		"-place:Ber* OR lang:de":           "or[not{place=Ber*} {lang=de}]",
		`opinion:<-0.3 about:"rent law" x`: "[{opinion<-0.3 about {=rent law}} { x}]",
		"(opinion:>=1)":                    "{opinion>=1}",
		"opinion:=.5 about:*":              "{opinion=0.5 about {=*}}",
		`opinion:>0 about:“a b”*`:          "{opinion>0 about {=a b*}}",
		"http://a.test/b note: x":          "[{ http://a.test/b} { note:} { x}]",
		"a:b Re:x 12:30":                   "[{ a:b} { Re:x} { 12:30}]",
		"x opinion:<":                      "query, at character 12: a number is missing after <, such as -0.3",
		"opinion:<0.5x":                    "query, at character 13: a number ends here, and something else follows at once",
		"about:x":                          `query, at character 1: about: stands behind a number, as in opinion:<-0.3 about:"rent law"`,
		"opinion:<1 x about:y":             `query, at character 14: about: stands behind a number, as in opinion:<-0.3 about:"rent law"`,
		"opinion:<1 about:":                "query, at character 18: a word is missing",
		`person:"  "`:                      "query, at character 12: a value is missing between the quotes",
		"person:x*":                        "query, at character 8: at least two letters before *",
		"title:“a b” «c d»~3":              "[{title a b} { c d ~3}]",
		"x„a b“y OR“z z”":                  "or[[{ x} { a b} { y}] { z z}]",
		"über“":                            "query, at character 5: the closing quote is missing",
		"für \xff":                         "query, at character 5: not UTF-8",
		"(a":                               "query, at character 3: a closing parenthesis is missing",
		"a)":                               "query, at character 2: a closing parenthesis without an opening one",
		`"a`:                               "query, at character 1: the closing quote is missing",
		"a OR":                             "query, at character 5: something is missing at the end",
		"x*":                               "query, at character 1: at least two letters before *",
		`"a b"~`:                           "query, at character 7: a number is missing after ~",
		strings.Repeat("(", 30):            "query, at character 21: too many parentheses",
	} {
		n, err := Parse(query)
		got := show(n)
		if err != nil {
			got = err.Error()
			if se := (*SyntaxError)(nil); !errors.As(err, &se) {
				t.Errorf("%q: %T", query, err)
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
}

func show(n Node) string {
	list := func(l []Node) string {
		var out []string
		for _, x := range l {
			out = append(out, show(x))
		}
		return "[" + strings.Join(out, " ") + "]"
	}
	switch n := n.(type) {
	case And:
		return list(n)
	case Or:
		return "or" + list(n)
	case Not:
		return "not" + show(n.Node)
	case Words:
		s := n.Field + " " + n.Text
		if n.Prefix {
			s += " *"
		}
		if n.Within > 0 {
			s += fmt.Sprintf(" ~%d", n.Within)
		}
		return "{" + s + "}"
	case Value:
		return "{" + n.Facet + "=" + n.Text + strings.Repeat("*", map[bool]int{true: 1}[n.Prefix]) + "}"
	case Number:
		s := fmt.Sprintf("{%s%s%g", n.Facet, n.Op, n.Than)
		if n.About != nil {
			s += " about " + show(*n.About)
		}
		return s + "}"
	}
	return fmt.Sprint(n)
}

// Signs are no words: beside words they are passed over, alone they are refused.
func TestSigns(t *testing.T) {
	ix := build(t, library(60, 3))
	for query, same := range map[string]string{
		"w1 & w2": "w1 w2", "w1 - w2": "w1 w2", "(w1 OR +) -… w2": "w1 w2", `w1 "!?" OR w2`: "w1 OR w2", "w1 -(& OR !)": "w1",
	} {
		a, err := ix.Search(t.Context(), Query{Text: query})
		b, err2 := ix.Search(t.Context(), Query{Text: same})
		if err != nil || err2 != nil || a.Total != b.Total || a.Total == 0 {
			t.Errorf("%q: %v %v, %q: %v %v", query, a, err, same, b, err2)
		}
	}
	for _, query := range []string{"!!!", `""`, "& OR +", "-…"} {
		var syntax *SyntaxError
		if a, err := ix.Search(t.Context(), Query{Text: query}); !errors.As(err, &syntax) {
			t.Errorf("%q: %v %v", query, a, err)
		}
		if _, err := RisingTerms(t.Context(), []Source{{Index: ix}}, Query{Text: query, From: origin, To: origin.AddDate(1, 0, 0)}); !errors.As(err, &syntax) {
			t.Errorf("%q: rising words: %v", query, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`a "b c"~2 OR (d* -e)`, "title:x NOT y", "((((", "---a", `opinion:<-0.3 about:"rent law" -person:Mer*`, "opinion:>=1e9 about:*", "host:x:y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := Parse(s)
		if err == nil {
			_ = show(n)
		}
	})
}

func FuzzColumns(f *testing.F) {
	b := newColumnsBuilder()
	for _, v := range library(5, 1) {
		b.add(&v)
	}
	f.Add(b.finish([]uint32{3, 0, 4, 1, 2}).bytes())
	f.Fuzz(func(_ *testing.T, b []byte) { _, _ = parseColumns(b) })
}

// An index of another version is not taken for one without documents; it is built anew.
func TestOtherVersion(t *testing.T) {
	dir := t.TempDir()
	table, at := filepath.Join(dir, "versions.parquet"), filepath.Join(dir, "ix")
	writeVersions(t, table, library(20, 3))
	if _, err := Build(t.Context(), at, table, nil); err != nil {
		t.Fatal(err)
	}
	for _, manifest := range []string{`{"version": 3, "shards": []}`, "{"} {
		if err := os.WriteFile(filepath.Join(at, "manifest.json"), []byte(manifest), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(at); err == nil || !strings.Contains(err.Error(), "varve index") {
			t.Errorf("%s: %v", manifest, err)
		}
		if rep, err := Build(t.Context(), at, table, nil); err != nil || rep.Built != rep.Shards {
			t.Errorf("%+v %v", rep, err)
		}
	}
	ix, err := Open(at)
	if err != nil || ix.Docs() != 20 {
		t.Fatalf("%v", err)
	}
	if err := ix.Close(); err != nil {
		t.Error(err)
	}
}

// A second build with nothing new keeps the shards; new documents of one year rebuild that year.
func TestIncremental(t *testing.T) {
	dir := t.TempDir()
	table, at := filepath.Join(dir, "versions.parquet"), filepath.Join(dir, "ix")
	list := library(300, 3)
	builds := func(want int) {
		t.Helper()
		writeVersions(t, table, list)
		rep, err := Build(t.Context(), at, table, nil)
		if err != nil || rep.Built != want || rep.Docs != len(list) || rep.Bytes == 0 {
			t.Fatalf("%+v, want %d built: %v", rep, want, err)
		}
	}
	builds(4)
	builds(0)
	ix, err := Open(at)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	more := list[0]
	more.SURT, more.Text, more.From = "zz", "quokka", time.Date(2021, 5, 5, 0, 0, 0, 0, time.UTC)
	list = append(list, more)
	builds(1)
	if a, err := ix.Search(t.Context(), Query{Text: "quokka"}); err != nil || a.Total != 0 {
		t.Errorf("an open index sees what it opened: %+v, %v", a, err)
	}
	if err := ix.Refresh(); err != nil {
		t.Fatal(err)
	}
	if a, err := ix.Search(t.Context(), Query{Text: "quokka"}); err != nil || a.Total != 1 || a.Hits[0].SURT != "zz" {
		t.Errorf("%+v, %v", a, err)
	}
	if err := os.WriteFile(filepath.Join(at, "tmp-left"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	builds(0)
	if _, err := os.Stat(filepath.Join(at, "tmp-left")); err == nil {
		t.Error("what a killed build left is still there")
	}
}

func TestGroupsAndSnippets(t *testing.T) {
	text := strings.Repeat("Lorem ipsum dolor sit amet. ", 30) + "The quick brown fox <b>jumps</b> over the lazy dog."
	page := func(surt, text string, month time.Month) derive.VersionRow {
		return derive.VersionRow{
			URL: "http://a.test/" + surt, SURT: surt, Host: "a.test", Text: text, Words: 60, Captures: 1,
			From: time.Date(2020, month, 1, 0, 0, 0, 0, time.UTC), Minhash: []byte(strings.Repeat(fmt.Sprintf("%04d", len(text)/100), 64)),
		}
	}
	ix := build(t, []derive.VersionRow{page("a", text, 1), page("a", text+" fox", 2), page("b", text, 3), page("c", "a fox alone", 4)})
	a, err := ix.Search(t.Context(), Query{Text: "fox", Group: true})
	if err != nil {
		t.Fatal(err)
	}
	if a.Total != 4 || len(a.Hits) != 2 || len(a.Hits[0].Alike)+len(a.Hits[1].Alike) != 2 {
		t.Errorf("%+v", a)
	}
	b, err := ix.Search(t.Context(), Query{Text: "quick", Limit: 1})
	if err != nil || len(b.Hits) != 1 || b.Cursor == "" {
		t.Fatalf("%+v, %v", b, err)
	}
	hits, all := 0, ""
	for _, p := range b.Hits[0].Snippet {
		all += p.Text
		if p.Hit {
			hits++
			if p.Text != "quick" {
				t.Errorf("marked %q", p.Text)
			}
		}
	}
	if hits != 1 || !strings.Contains(all, "brown fox") || len(all) > 300 {
		t.Errorf("%d marks in %q", hits, all)
	}
	newest, err := ix.Search(t.Context(), Query{Sort: ByNewest, Limit: 2})
	if err != nil || newest.Hits[0].SURT != "c" || newest.Hits[1].SURT != "b" {
		t.Errorf("%+v, %v", newest, err)
	}
	for _, bad := range []Query{{Relation: "x"}, {Trend: "week"}, {Sort: "up"}, {Facets: []string{"x"}}, {Cursor: "x"}, {Text: "("}} {
		if _, err := ix.Search(t.Context(), bad); err == nil {
			t.Errorf("%+v was answered", bad)
		}
	}
}
