package realsites

import (
	"strings"
	"testing"
)

// One table has every figure, and the lines below it what must be shown.
func TestPrint(t *testing.T) {
	lines := []Line{
		{
			Site: "blog", Pages: 3, Found: 3, Objects: 5, Right: 4, Wrong: []string{"post 2: not read"}, Requests: 10, Plain: 35, Looked: 2, Same: 2, Alike: 1, Likeness: 0.9, Complete: true, CPU: 2, Everywhere: 30,
			Change:   &Change{Pages: 4, Still: 4, Edited: 1, Deleted: 1, Seen: 2, During: 1, Proven: 1},
			Template: &Template{Known: 5, Right: 5, Objects: 6, Learned: 6, Discovered: 3, Themes: []Theme{{Name: "a", Objects: 6, Right: 6}, {Name: "b", Objects: 6, Right: 1}, {Name: "c", LeftOut: "too new"}}},
		},
		{Site: "absent", LeftOut: "needs root"},
		{Site: "ill", Failed: "no answer"},
	}
	if lines[0].Whole() {
		t.Error("an object that was not read, a page that looks otherwise, and the site is whole")
	}
	var b strings.Builder
	if err := Print(&b, lines); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"sites whole: 0 of 2 measured", "3 of 3 pages, 4 of 5 objects; 1 misses named", "2 of 2 pages have the same words, 1 of 2 look alike", "2 of 2 edits and deletions between crawls named, 1 of 1 during a crawl told, 0 made up",
		"5 of 5 before, 6 of 6 learned, 3 of 6 unseen", "at least 3.5 times as many", "absent: needs root", "blog: template c cannot be set: too new", " 1 of 3 ",
		"2 s against 30 s, 15.0 times less", "ill: failed: no answer",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

// What was measured before is read back, and a file that is none of ours says where it ends to be one.
func TestReadLines(t *testing.T) {
	lines, err := ReadLines(strings.NewReader("{\"site\": \"blog\", \"pages\": 3}\n{\"site\": \"wiki\"}\n"))
	if err != nil || len(lines) != 2 || lines[0].Pages != 3 || lines[1].Site != "wiki" {
		t.Errorf("%+v (%v)", lines, err)
	}
	for _, bad := range []string{"{\"site\": \"blog\"} x", "[]", "{\"pages\": 1}"} {
		if lines, err := ReadLines(strings.NewReader(bad)); err == nil {
			t.Errorf("%s is %+v", bad, lines)
		}
	}
}
