package realsites

import (
	"reflect"
	"testing"
)

func TestTruth(t *testing.T) {
	s := Site{Name: "docsify"}
	got, err := s.parse("page /\npage /#/guide /guide.md\npart /openapi.json\n")
	want := &Truth{
		Pages: []Page{
			{"http://docsify.realsites.test/", "http://docsify.realsites.test/"},
			{"http://docsify.realsites.test/#/guide", "http://docsify.realsites.test/guide.md"},
		},
		Parts: []string{"http://docsify.realsites.test/openapi.json"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v (%v)", got, err)
	}
	for _, bad := range []string{"", "page\n", "PHP Warning: something\n", "part /a /b\n"} {
		if got, err := s.parse(bad); err == nil {
			t.Errorf("%q is %+v", bad, got)
		}
	}
}

// Every site has the script that fills it.
func TestScripts(t *testing.T) {
	for _, s := range Sites() {
		if _, err := sources.ReadFile("sites/" + s.Name + "/fill.sh"); err != nil {
			t.Error(err)
		}
	}
}

func TestCompare(t *testing.T) {
	var l Line
	pages := []Page{{URL: "a"}, {URL: "b"}, {URL: "c"}, {URL: "d"}, {URL: "e"}}
	live, again := []string{"one two", "one two three", "x", "seen 1 times today", "seen 1 times today"}, []string{"one two", "one two three", "x", "seen 2 times today", "seen 2 times today"}
	l.compare(pages, live, again, []string{"one two", "one two", "", "seen 7 times today", "seen 7 times yesterday"})
	want := []string{`b: live "two three", replay "two"`, `c: live "x", replay ""`, `e: live "today", replay "yesterday"`}
	if l.Looked != 5 || l.Same != 2 || !reflect.DeepEqual(l.Differ, want) {
		t.Errorf("%d of %d, %q", l.Same, l.Looked, l.Differ)
	}
}
