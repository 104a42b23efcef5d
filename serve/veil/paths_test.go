package veil

import (
	"testing"
	"time"
)

func TestPathsBeginAtTheArchive(t *testing.T) {
	p := Paths{"/srv/old"}
	for in, want := range map[string]string{
		"open /srv/old/collections/a/fixity.jsonl: no such file": "open collections/a/fixity.jsonl: no such file",
		`folder "/srv/old" is not there`:                         `folder "the archive" is not there`,
		"in /srv/old.":                                           "in the archive.",
		"/srv/old":                                               "the archive",
		"/srv/old/":                                              "",
		"/srv/older/a, /srv/old-2/b":                             "/srv/older/a, /srv/old-2/b",
		"https://a.example/srv/old/page":                         "https://a.example/srv/old/page",
		"/mnt/srv/old/page":                                      "/mnt/srv/old/page",
		"a:/srv/old/b,/srv/old/c\n/srv/old/d":                    "a:b,c\nd",
		`"a\n/srv/old/d"`:                                        `"a\nd"`,
		"nothing of it":                                          "nothing of it",
	} {
		if got := p.Text(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	if got := (Paths{"data"}).Text("data: open data/collections/a: metadata/collections, data/x"); got != "data: open collections/a: metadata/collections, data/x" {
		t.Errorf("of a name that is not whole: %q", got)
	}
	if got := PathsOf("/"); len(got) != 0 {
		t.Errorf("the root is %q", got)
	}
}

// Without rules an answer is given back but for where the archive lies; what is shared between requests stays as it was.
func TestAnswersTellNoPaths(t *testing.T) {
	type item struct{ Name, Why, Text string }
	in := []item{{"a", "read /srv/old/a: damaged", "pages may tell of /srv/old/a"}, {"b", "fine", ""}}
	v, err := Of(t.Context(), Paths{"/srv/old"}, nil, nil, "", time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	out := v.Answer(in).([]item)
	if out[0].Why != "read a: damaged" || out[0].Text != in[0].Text || out[1] != in[1] || in[0].Why != "read /srv/old/a: damaged" {
		t.Errorf("%+v of %+v", out, in)
	}
	if got, ok := v.Event([]byte(`{"why":"/srv/old/x","n":1}`)); string(got) != `{"n":1,"why":"x"}` || !ok {
		t.Errorf("%s %v", got, ok)
	}
}
