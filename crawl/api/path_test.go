package api

import (
	"fmt"
	"strings"
	"testing"
)

const sampleJSON = `{"id":12345678901234567890,"a":{"b":[{"c":"x"},{"c":"y","d":null}]},"n":[1,2],"t":true,"pages":{"7":{"u":"s"},"9":{"u":"t"}}}`

const sampleXML = `<?xml version="1.0"?><feed xmlns="x"><link rel="self" href="a"/><link rel="next" href="b"/><entry><id>1</id></entry><entry><id>2</id></entry><one><id>3</id></one></feed>`

func TestPaths(t *testing.T) {
	for _, tt := range []struct{ doc, path, want string }{
		{sampleJSON, "id", "12345678901234567890"},
		{sampleJSON, "$.a.b[*].c", "x y"},
		{sampleJSON, "a.b.c", "x y"},
		{sampleJSON, "a.b[1].c", "y"},
		{sampleJSON, "a.b[2].c", ""},
		{sampleJSON, "a.b[*].d", ""},
		{sampleJSON, "n[*]", "1 2"},
		{sampleJSON, "t", "true"},
		{sampleJSON, "pages.*.u", "s t"},
		{sampleJSON, "none.at.all", ""},
		{`[{"l":1},{"l":2}]`, "[*].l", "1 2"},
		{sampleXML, "feed.link.@href", "a b"},
		{sampleXML, "feed.link[1].@rel", "next"},
		{sampleXML, "feed.entry[*].id", "1 2"},
		{sampleXML, "feed.one[*].id", "3"},
		{"\xef\xbb\xbf \n{\"a\":\"b\"}", "a", "b"},
	} {
		tree, err := Read([]byte(tt.doc))
		if err != nil {
			t.Fatalf("%s: %v", tt.doc, err)
		}
		p, err := ParsePath(tt.path)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range p.Values(tree) {
			if s, ok := textOf(v); ok {
				got = append(got, s)
			}
		}
		if all := strings.Join(got, " "); all != tt.want {
			t.Errorf("%s: %q, want %q", tt.path, all, tt.want)
		}
	}
}

func TestBadPaths(t *testing.T) {
	for _, s := range []string{"a..b", "a[", "a[x]", "a[-1]", ".", "a.", "a[99999999999]", strings.Repeat("a.", 40) + "a"} {
		if _, err := ParsePath(s); err == nil {
			t.Errorf("%q was read", s)
		}
	}
	for _, s := range []string{"", "{", `{"a":}`, "[1,", "<a><b>", strings.Repeat("[", 300), strings.Repeat("<a>", 300)} {
		if v, err := Read([]byte(s)); err == nil {
			t.Errorf("%.20q was read: %v", s, v)
		}
	}
}

func TestTemplates(t *testing.T) {
	v := func(place string) (string, bool) {
		s, ok := map[string]string{"base": "http://e.example/api/", "id": "a/b c", "q": "?rest=/", "none": ""}[place]
		return s, ok
	}
	for _, tt := range []struct{ in, want string }{
		{"{base}x/{id}", "http://e.example/api/x/a%2Fb%20c"},
		{"{base}x?i={id}", "http://e.example/api/x?i=a%2Fb+c"},
		{"{base}x/{+id}", "http://e.example/api/x/a/b c"},
		{"{base}{+q}posts?per=1", "http://e.example/api/?rest=/posts&per=1"},
		{"{base}{missing}", ""},
	} {
		tpl, err := ParseTemplate(tt.in)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := tpl.URL(v); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.in, got, tt.want)
		}
	}
	tpl, err := ParseBody(`{"after":"{{cursor}}","fields":{id}}`)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := tpl.Text(func(string) (string, bool) { return `a"b`, true })
	if want := `{"after":"a\"b","fields":{id}}`; !ok || got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func FuzzPath(f *testing.F) {
	for _, s := range []string{"a.b[*].c", "$[0].*", "feed.link.@href", "a..b", "[", "[*]"} {
		f.Add(s, sampleJSON)
		f.Add(s, sampleXML)
	}
	f.Fuzz(func(t *testing.T, path, doc string) {
		p, err := ParsePath(path)
		if err != nil {
			return
		}
		tree, err := Read([]byte(doc))
		if err != nil {
			return
		}
		for _, v := range p.Values(tree) {
			textOf(v)
		}
		relLink(tree, "next")
	})
}

func FuzzTemplate(f *testing.F) {
	f.Add("{base}x/{id}?{+q}", "a b")
	f.Add("{{{}}", "")
	f.Fuzz(func(t *testing.T, text, value string) {
		tpl, err := ParseTemplate(text)
		if err != nil {
			return
		}
		v := func(string) (string, bool) { return value, true }
		tpl.URL(v)
		if s, ok := tpl.fill(func(p string) (string, bool) { return "", true }, func(s, _ string) string { return s }); ok && len(s) > len(text) {
			t.Errorf("%q became %q", text, s)
		}
	})
}

func FuzzLoad(f *testing.F) {
	f.Add(defaults)
	f.Add("version = 1\n[[interface]]\nname='x'\n[[interface.find]]\nurl='(.*)'\n[[interface.list]]\nname='l'\nurl='{base}'\nnext={by='rel'}\n")
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := Load("f", strings.NewReader(text))
		if err == nil && len(rules.Names()) != len(rules.list) {
			t.Error(fmt.Sprint(rules.Names()))
		}
	})
}
