package webapp

import (
	"strings"
	"testing"
	"testing/fstest"
)

// minimal is a file with all that is needed.
const minimal = `version = 1
name = "Test"
kind = "forum"
marks = ["testbb"]
signs = [
  '0.9 body.testbb',
  '0.5 address =~ /thread/',
]

[level.thread]
address = '/thread/'

[object.post]
levels = ["thread"]
each = ".post"
text = [".text"]
`

// A file with errors names the line and the reason.
func TestErrorsNameLineAndReason(t *testing.T) {
	if _, err := Parse("minimal.toml", []byte(minimal)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"version = 1", "version = 2", "f.toml, line 1: version 2; this program reads version 1"},
		{`kind = "forum"`, "kind = 3", "f.toml, line 3: kind: incompatible types"},
		{`kind = "forum"`, "", "f.toml, line 1: a kind is needed"},
		{`["testbb"]`, `["bb"]`, "f.toml, line 4: a mark has at least four letters"},
		{`["testbb"]`, `["testbb"`, "f.toml, line 5: "},
		{"0.9 body", "body", `f.toml, line 6: sign "body.testbb": it begins with its weight`},
		{"0.9 body.testbb", "0.9 body:has(a)", `f.toml, line 6: selector "body:has(a)", at ":has(a)": ":" is not known here`},
		{"address =~ /thread/'", "address =~ /(thread|topic)/'", "f.toml, line 7: sign"},
		{"=~ /thread/'", "=~ /(thread/'", "missing closing )"},
		{"address = '/thread/'", "address = '/(thread/'", "f.toml, line 11: error parsing regexp: missing closing )"},
		{"address = '/thread/'", "", `f.toml, line 10: level "thread" needs element or address`},
		{"address = '/thread/'", "element = 'p'\nfollow = false", `f.toml, line 10: level "thread" is not visited: it must be told by its address`},
		{"address = '/thread/'", "address = '/thread/'\ngone = true", `f.toml, line 12: level "thread": gone says what a visited page shows; it needs element`},
		{`["thread"]`, `["threads"]`, `f.toml, line 14: object "post" is on pages of level "threads", which is not there`},
		{`each = ".post"`, "", `f.toml, line 13: object "post" needs each, and text or title`},
		{`each = ".post"`, `each = ".post >"`, `f.toml, line 15: selector ".post >", at "": an element is missing`},
		{`text = [".text"]`, "text = [\".text\",\n  \"p + p\"]", `f.toml, line 17: selector "p + p"`},
		{`text = [".text"]`, `text = [".text @"]`, `f.toml, line 16: ".text @": behind @ stands the name of an attribute`},
		{"text = [", "body = [", `f.toml, line 16: "object.post.body" is not known`},
	} {
		src := strings.Replace(minimal, c.old, c.new, 1)
		_, err := Parse("f.toml", []byte(src))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q instead of %q: %v\nwant %s", c.new, c.old, err, c.want)
		}
	}
}

// Every error of a folder is told, and files without errors are read.
func TestFolder(t *testing.T) {
	k, err := LoadFS(fstest.MapFS{
		"apps/a.toml": {Data: []byte(minimal)},
		"apps/b.toml": {Data: []byte("version = ")},
		"apps/c.toml": {Data: []byte(strings.Replace(minimal, "version = 1", "version = 7", 1))},
	}, "apps")
	if err == nil || !strings.Contains(err.Error(), "b.toml, line 1") || !strings.Contains(err.Error(), "c.toml, line 1: version 7") {
		t.Errorf("%v", err)
	}
	if len(k.Applications()) != 1 {
		t.Errorf("%d applications, want 1", len(k.Applications()))
	}
}

// A file replaces the one of the same name.
func TestWith(t *testing.T) {
	k := Default()
	n := len(k.Applications())
	own, err := Parse("own.toml", []byte(strings.Replace(minimal, `"Test"`, `"phpBB"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if k = k.With(own); len(k.Applications()) != n || k.Named("phpBB") != own {
		t.Errorf("%d applications instead of %d", len(k.Applications()), n)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(minimal)
	for _, a := range []string{"wordpress", "phpbb", "generic_blog"} {
		src, err := files.ReadFile("knowledge/" + a + ".toml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	f.Fuzz(func(t *testing.T, src string) {
		if a, err := Parse("f.toml", []byte(src)); err != nil {
			if !strings.HasPrefix(err.Error(), "f.toml") {
				t.Fatalf("no name in %v", err)
			}
		} else {
			k := newKnowledge([]*Application{a})
			k.Marked([]byte(src))
		}
	})
}
