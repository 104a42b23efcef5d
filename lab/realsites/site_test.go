package realsites

import (
	"encoding/json"
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

// What a comparison names is held against what pages read before and after; a word that differs while nobody writes is no change.
func TestChange(t *testing.T) {
	pages := []Page{{"a", "a"}, {"b", "b"}, {"c", "c"}, {"d", "d"}, {"e", "e"}, {"f", "f"}}
	live := [3][]string{
		{"one", "two", "three", "seen 1 times", "five", "six"},
		{"one", "two", "three", "seen 2 times", "five", "six"},
		{"one", "TWO", "not found", "seen 3 times", "FIVE", "SIX"},
	}
	var found comparison
	err := json.Unmarshal([]byte(`{"changed": [{"url": "a", "layer": "text", "defect": "content"}, {"url": "b", "layer": "main", "defect": "links"},
		{"url": "c", "layer": "main", "defect": "missing"}, {"url": "d", "layer": "bytes", "defect": "content"}, {"url": "e", "layer": "dom", "defect": "content"}]}`), &found)
	if err != nil {
		t.Fatal(err)
	}
	var c Change
	c.judge(pages, live, map[string]bool{"c": true}, &found, map[string]bool{"a": true, "b": true, "c": true, "d": true, "e": true})
	want := Change{Edited: 3, Deleted: 1, Seen: 2, False: []string{"a is named, and reads as before"}, Missed: []string{"e"}, Unasked: []string{"f"}}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("%+v, want %+v", c, want)
	}
}
