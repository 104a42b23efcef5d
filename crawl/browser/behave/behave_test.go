package behave

import (
	"regexp"
	"strings"
	"testing"
)

func TestBuiltin(t *testing.T) {
	r, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	any := func(words []string, label string) bool {
		for _, w := range words {
			if regexp.MustCompile("(?i)" + w).MatchString(label) {
				return true
			}
		}
		return false
	}
	for _, label := range []string{"Log out", "Sign off", "logout", "Delete", "Konto löschen", "Buy now", "In den Warenkorb", "Unsubscribe", "Submit", "Upvote", "Acheter", "btn delete", "Place order"} {
		if !any(r.Generic.Never, label) {
			t.Errorf("%q would be pressed", label)
		}
	}
	for _, label := range []string{"Show details", "Menu", "Next", "About us", "Blog", "Undeleted items", "Payment history of the house", "Catalogue", "Login", "Comments (3)", "Flagship"} {
		if any(r.Generic.Never, label) {
			t.Errorf("%q would not be pressed", label)
		}
	}
	for _, label := range []string{"Load more", "Show 20 more", "Mehr anzeigen", "Weitere Artikel", "Voir plus", "Ver más", "もっと見る", "Older posts", "Next page", "Показать ещё"} {
		if !any(r.Generic.More, label) {
			t.Errorf("%q brings more", label)
		}
	}
	for _, label := range []string{"Accept all", "Alle akzeptieren", "Tout accepter", "I agree", "Got it"} {
		if !any(r.Generic.Accept, label) {
			t.Errorf("%q lets a banner pass", label)
		}
	}
	for _, label := range []string{"Reject all", "Settings", "Ablehnen", "Disagree"} {
		if any(r.Generic.Accept, label) {
			t.Errorf("%q is no consent", label)
		}
	}
}

func TestSteps(t *testing.T) {
	r, err := Parse("t", []byte(`
[[site]]
host = "www.a.test"
path = "/news"
step = [{selector = ".one"}]
[[site]]
host = "*.a.test"
step = [{selector = ".two", times = 3, each = true}]
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ host, path, want string }{
		{"www.a.test", "/news/1", ".one"}, {"www.a.test", "/", ".two"}, {"A.test", "/", ".two"}, {"b.test", "/", ""}, {"xa.test", "/", ""},
	} {
		got := ""
		if s := r.Steps(tc.host, tc.path); len(s) > 0 {
			got = s[0].Selector
		}
		if got != tc.want {
			t.Errorf("%s%s: %q, want %q", tc.host, tc.path, got, tc.want)
		}
	}
	b, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	both := b.With(r)
	if both.Site[0].Host != "www.a.test" || len(both.Generic.Never) != len(b.Generic.Never) {
		t.Error("joined wrongly")
	}
}

func TestBadRules(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"[generic]\nnever = ['(']", "generic.never[0]"},
		{"[[site]]\nstep = []", "a host is needed"},
		{"[[site]]\nhost = 'x'\nstep = [{selector = ' '}]", "site[0].step[0]: a selector is needed"},
		{"[generic]\nsometimes = []", "unknown key generic.sometimes"},
		{"[generic", "t: toml"},
	} {
		if _, err := Parse("t", []byte(tc.text)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q: %v", tc.text, err)
		}
	}
}

func TestScripts(t *testing.T) {
	r, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Scripts(Limits{Mores: 7}, 99)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(s.Hook+s.Behave, placeholder) || !strings.Contains(s.Hook, "seed: 99") || !strings.Contains(s.Behave, `"mores":7`) || !strings.Contains(s.State, "varve-00000063") {
		t.Error("the configuration is not in the scripts")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("[generic]\nnever = ['\\bx\\b', 'y+']\nmore = ['^z']\nbanner = []\n")
	f.Add("[[site]]\nhost = 'x'\nstep = [{selector = 'a', times = -1}]")
	f.Fuzz(func(t *testing.T, s string) {
		r, err := Parse("f", []byte(s))
		if err != nil {
			return
		}
		r.Steps("a.test", "/")
		if _, err := r.Scripts(Limits{}, 1); err != nil {
			t.Error(err)
		}
	})
}
