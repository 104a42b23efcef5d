package tour

import (
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	const head = "title = \"T\"\n"
	stop := func(at string) string { return "[[stop]]\nat = '" + at + "'\ntitle = \"S\"\n" }
	for _, c := range []struct{ name, src, wrong string }{
		{"one stop", head + stop("/search?q=a b"), ""},
		{"no title", stop("/"), "title"},
		{"no stops", head, "0 stops"},
		{"too many", head + strings.Repeat(stop("/"), maxStops+1), "201 stops"},
		{"a word that is not known", head + "colour = 1\n" + stop("/"), "colour"},
		{"a stop without a title", head + "[[stop]]\nat = \"/\"\n", "stop 1 (/)"},
		{"another server", head + stop("/") + stop("https://evil.test/"), "stop 2"},
		{"another server without a scheme", head + stop("//evil.test/"), "stop 1"},
		{"as browsers read backslashes", head + stop(`/\evil.test/`), "stop 1"},
		{"no path", head + stop("search"), "stop 1"},
		{"a script", head + stop("javascript:alert(1)"), "stop 1"},
		{"not TOML", head + "stop", "line 2"},
	} {
		_, err := Parse(c.src)
		if c.wrong == "" && err != nil || c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.wrong)
		}
	}
}

func TestWriteRead(t *testing.T) {
	dir := t.TempDir()
	if got, err := Read(dir); got != nil || err != nil {
		t.Fatal(got, err)
	}
	want := &Tour{
		Words: Words{"Title", "Text"}, In: map[string]Words{"de": {"Titel", ""}},
		Stops: []Stop{{At: "/a?x=1&y=%26#z", Words: Words{"A", "B"}, In: map[string]Words{"de": {"", "Wort"}}}},
	}
	if err := Write(dir, want); err != nil {
		t.Fatal(err)
	}
	got, err := Read(dir)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, %v", got, err)
	}
	if a := got.Address(1); a != "/a?tour=1&x=1&y=%26#z" || got.Address(0) != "" || got.Address(2) != "" {
		t.Error(a)
	}
	if w := got.Stops[0].Said("de"); w != (Words{"A", "Wort"}) {
		t.Errorf("%+v", w)
	}
	if w := got.Said("fr"); w != want.Words {
		t.Errorf("%+v", w)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("title = \"T\"\n[[stop]]\nat = \"/x\"\ntitle = \"S\"\nin.de = { title = \"U\" }\n")
	f.Fuzz(func(t *testing.T, src string) {
		got, err := Parse(src)
		if err != nil {
			return
		}
		for i := range got.Stops {
			if a := got.Address(i + 1); !strings.HasPrefix(a, "/") || strings.HasPrefix(a, "//") || strings.HasPrefix(a, `/\`) {
				t.Errorf("%q leads to %q", got.Stops[i].At, a)
			}
		}
	})
}
