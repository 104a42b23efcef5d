package difficult

import (
	"strings"
	"testing"
)

func TestParseName(t *testing.T) {
	for _, c := range []struct {
		text string
		want name
	}{
		{"/a", name{Element{"", "GET", "/a", ""}, ""}},
		{"/a?b=c (opaque)", name{Element{Opaque, "GET", "/a?b=c", ""}, ""}},
		{"//h.test/a (explicit)", name{Element{Explicit, "GET", "//h.test/a", ""}, ""}},
		{"/old -> /new", name{Element{"", "GET", "/old", ""}, "/new"}},
		{"POST /q a=1&b=2 (variable)", name{Element{Variable, "POST", "/q", "a=1&b=2"}, ""}},
		{`POST /q {"q":"x { y }"} (opaque)`, name{Element{Opaque, "POST", "/q", `{"q":"x { y }"}`}, ""}},
	} {
		if got, err := parseName(c.text); err != nil || got != c.want {
			t.Errorf("%q: %+v, %v", c.text, got, err)
		}
	}
	for _, bad := range []string{"", "a", "GET /a b", "/a b (opaque)", "POST"} {
		if got, err := parseName(bad); err == nil {
			t.Errorf("%q is taken for %+v", bad, got)
		}
	}
}

func TestExpand(t *testing.T) {
	var got []string
	for _, one := range expand("/x{9-11}.json") {
		got = append(got, one.text)
	}
	if s := strings.Join(got, " "); s != "/x9.json /x10.json /x11.json" {
		t.Error(s)
	}
	if one := expand("{a-b}"); len(one) != 1 || one[0].text != "{a-b}" {
		t.Error(one)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"color = 1\n":                 "color",
		"about = \n":                  "",
		"-- nothing --\n":             "want [POST ]TARGET",
		"-- /a --\n{{nosuch}}\n":      "nosuch",
		"-- /a{1-2} --\n{{mark}}{{\n": "/a{1-2}",
	} {
		s := &Site{Name: "x", Host: "x.test", answers: map[string]*answer{}}
		if err := s.read(1, []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A name is read or refused, and never makes more answers than its range says.
func FuzzName(f *testing.F) {
	f.Add("POST /q{1-3} a=1 -> /b (opaque)")
	f.Add("//h/a?b=* (variable)")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 200 {
			return
		}
		list := expand(text)
		if len(list) > maxRange {
			t.Fatalf("%d names", len(list))
		}
		for _, one := range list {
			if n, err := parseName(one.text); err == nil && !strings.HasPrefix(n.URL, "/") {
				t.Fatalf("%q: target %q", one.text, n.URL)
			}
		}
	})
}
