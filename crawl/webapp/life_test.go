package webapp

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// What was edited, deleted or added between captures is told with the captures that it lies between.
func TestFollow(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2024, 1, day, 0, 0, 0, 0, time.UTC) }
	post := func(id, text string) Object { return Object{Type: "post", ID: id, Text: text} }
	looks := []Look{
		{at(1), []Object{post("1", "one"), post("2", "two"), {Type: "post", Author: "Anna", When: "Monday", Text: "no number"}}},
		{at(3), []Object{post("1", "one, edited"), post("2", "two"), post("3", "three")}},
		{at(5), []Object{post("1", "one, edited"), post("3", "three"), {Type: "post", Author: "Anna", When: "Monday", Text: "no number"}}},
		{at(7), []Object{post("1", "one, edited twice"), {Type: "post", Author: "Anna", When: "Monday", Text: "no number"}}},
	}
	day := func(x time.Time) string {
		if x.IsZero() {
			return "-"
		}
		return fmt.Sprint(x.Day())
	}
	var got []string
	for _, l := range Follow(looks) {
		s := fmt.Sprintf("%s%s %q since %s from %s to %s gone %s", l.ID, l.Author, l.Text, day(l.Since), day(l.First), day(l.Last), day(l.Gone))
		for _, e := range l.Edits {
			s += fmt.Sprintf(", %q until %s-%s", e.Text, day(e.After), day(e.By))
		}
		got = append(got, s)
	}
	want := []string{
		`1 "one, edited twice" since - from 1 to 7 gone -, "one" until 1-3, "one, edited" until 5-7`,
		`2 "two" since - from 1 to 3 gone 5`,
		`Anna "no number" since - from 1 to 7 gone -`,
		`3 "three" since 1 from 3 to 5 gone 7`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if list := Follow(nil); list != nil {
		t.Errorf("%v", list)
	}
}
