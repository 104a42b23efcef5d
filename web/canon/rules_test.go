package canon

import (
	"strings"
	"testing"
)

func TestDefaultRules(t *testing.T) {
	rules := DefaultRules()
	examples := 0
	for _, r := range rules.All() {
		if len(r.Examples) == 0 || r.Why == "" {
			t.Errorf("rule %q %q has no example or no reason", r.Names, r.Pattern)
		}
		examples += len(r.Examples)
	}
	if err := rules.Check(); err != nil {
		t.Error(err)
	}
	t.Logf("%d rules, %d examples", len(rules.All()), examples)
}

func TestFrontierKey(t *testing.T) {
	for _, c := range [][2]string{
		{"http://Example.com", "http://example.com/"},
		{"https://example.com/a#b", "https://example.com/a"},
		{"http://www.example.com/A/", "http://www.example.com/A/"},
		{"http://example.com/a?", "http://example.com/a?"},
		{"http://example.com/a?#", "http://example.com/a?"},
		{"http://example.com/?b=1&a=2&utm_source=x", "http://example.com/?b=1&a=2&utm_source=x"},
		{"http://example.com/?PHPSESSID=" + id32, "http://example.com/"},
		{"http://example.com/?PHPSESSID=" + id32 + "&", "http://example.com/"},
		{"http://example.com/?a&PHPSESSID=" + id32 + "&&b=", "http://example.com/?a&&b="},
		{"http://u:p@example.com:81/x;jsessionid=A?y#z", "http://u:p@example.com:81/x?y"},
		{"mailto:a@b.example#x", "mailto:a@b.example"},
		{"data:a #x", "data:a"},
	} {
		u, err := Parse(c[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := u.FrontierKey(); got != c[1] {
			t.Errorf("FrontierKey(%q) = %q, want %q", c[0], got, c[1])
		}
		checkFrontierKey(t, c[0])
	}
}

func TestStripGroups(t *testing.T) {
	u, _ := Parse("http://h.example/a?utm_source=x&_=123&sid=" + id32 + "&q=1#f")
	r := DefaultRules()
	for _, c := range []struct {
		groups []string
		want   string
	}{
		{nil, "http://h.example/a?utm_source=x&_=123&sid=" + id32 + "&q=1"},
		{[]string{GroupSession}, "http://h.example/a?utm_source=x&_=123&q=1"},
		{[]string{GroupTracking, GroupCache}, "http://h.example/a?sid=" + id32 + "&q=1"},
		{[]string{GroupSession, GroupTracking, GroupCache, "no such"}, "http://h.example/a?q=1"},
	} {
		if got := r.Strip(u, c.groups...); got != c.want {
			t.Errorf("Strip(%v) = %q, want %q", c.groups, got, c.want)
		}
	}
}

func TestLoadRulesErrors(t *testing.T) {
	head := "format = \"varve-canon-rules\"\nversion = 1\n"
	for _, c := range []struct{ name, text, want string }{
		{"syntax", "x = ", "line 1"},
		{"format", "version = 1", "format"},
		{"version", "format = \"varve-canon-rules\"\nversion = 2", "version 2"},
		{"unknown", head + "[[querry]]\n", "querry"},
		{"group", head + "[[query]]\nnames=[\"a\"]\n", "query rule 1: no group"},
		{"names", head + "[[matrix]]\ngroup=\"g\"\n", "matrix rule 1: no names"},
		{"pattern", head + "[[segment]]\ngroup=\"g\"\n", "segment rule 1: no pattern"},
		{"upper", head + "[[query]]\ngroup=\"g\"\nnames=[\"A\"]\n", `name "A"`},
		{"regexp", head + "[[query]]\ngroup=\"g\"\nnames=[\"a\"]\nvalue=\"(\"\n", "value"},
		{"anchor", head + "[[query]]\ngroup=\"g\"\nnames=[\"a\"]\nvalue=\"a)|(b\"\n", "value"},
		{"star", head + "[[query]]\ngroup=\"g\"\nnames=[\"a*\",\"b\"]\ntogether=true\n", "whole"},
		{"example", head + "[[query]]\ngroup=\"g\"\nnames=[\"a\"]\nexamples=[{in=\"http://h/?a=1\"}]\n", "want"},
		{"example URL", head + "[[query]]\ngroup=\"g\"\nnames=[\"a\"]\nexamples=[{in=\"/\"}]\n", "parse URL"},
		{"long", strings.Repeat("#", maxRuleFile+1), "longer"},
	} {
		_, err := LoadRules(strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to say %q", c.name, err, c.want)
		}
	}
}

// checkFrontierKey checks that a key is the key of itself.
func checkFrontierKey(t testing.TB, raw string) {
	t.Helper()
	u, err := Parse(raw)
	if err != nil {
		return
	}
	key := u.FrontierKey()
	v, err := Parse(key)
	if err != nil {
		t.Fatalf("FrontierKey(%q) = %q does not parse: %v", raw, key, err)
	}
	if again := v.FrontierKey(); again != key {
		t.Fatalf("FrontierKey(%q) = %q, and again %q", raw, key, again)
	}
	fuzzy := DefaultRules().Strip(u, GroupSession, GroupTracking, GroupCache)
	w, err := Parse(fuzzy)
	if err != nil {
		t.Fatalf("stripped %q does not parse: %v", fuzzy, err)
	}
	if again := DefaultRules().Strip(w, GroupSession, GroupTracking, GroupCache); again != fuzzy {
		t.Fatalf("Strip(%q) = %q, and again %q", raw, fuzzy, again)
	}
}

func FuzzFrontierKey(f *testing.F) {
	for _, r := range refs {
		f.Add(r)
		f.Add("http://example.com/" + r)
	}
	for _, r := range DefaultRules().All() {
		for _, e := range r.Examples {
			f.Add(e.In)
		}
	}
	f.Add("http://e/(4hqa0555fwsecu455xqckv45);jsessionid=1/..;phpsessid=/x.aspx?cfid=1&cftoken=2&cfid=3")
	f.Fuzz(func(t *testing.T, raw string) { checkFrontierKey(t, raw) })
}
