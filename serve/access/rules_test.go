package access

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/lab/attack"
	"varve/web/canon"
)

var now = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func rule(t testing.TB, r Rule) Rule {
	t.Helper()
	r.Reason = "test"
	if err := r.Check(); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestWhoMaySeeWhat(t *testing.T) {
	tally := attack.Count(t)
	set := NewRuleSet([]Rule{
		rule(t, Rule{ID: "embargo", Collection: "news", Embargo: 365}),
		rule(t, Rule{ID: "room", Prefix: "press.example", Level: ReadingRoom}),
		rule(t, Rule{ID: "free", Prefix: "http://press.example/free/", Level: Open}),
		rule(t, Rule{ID: "gone", Prefix: "http://press.example/free/bad", Level: Blocked}),
		rule(t, Rule{ID: "old", Prefix: "http://town.example/", Level: Curators, To: now.AddDate(-10, 0, 0)}),
		rule(t, Rule{ID: "one", Prefix: "http://village.example/news/1", Exact: true, Person: "Q1", Level: Blocked}),
	})
	viewer, reader, curator := Visitor{Role: Viewer}, Visitor{Role: Viewer, ReadingRoom: true}, Visitor{Role: Curator}
	fresh, aged := now.AddDate(0, -1, 0), now.AddDate(-2, 0, 0)
	for _, tt := range []struct {
		who        Visitor
		collection string
		url        string
		at         time.Time
		by         string // the rule that withholds it; "": may be seen
	}{
		{viewer, "other", "http://a.example/", fresh, ""},
		{viewer, "other", "http://village.example/news/1", fresh, "one"},
		{curator, "other", "https://www.village.example/news/1", fresh, "one"},
		{viewer, "other", "http://village.example/news/10", fresh, ""},
		{viewer, "other", "http://village.example/news/1/b", fresh, ""},
		{viewer, "other", "http://village.example/news/1?page=2", fresh, ""},
		{viewer, "news", "http://a.example/", fresh, "embargo"},
		{viewer, "news", "http://a.example/", aged, ""},
		{curator, "news", "http://a.example/", fresh, ""},
		{viewer, "other", "http://press.example/x", aged, "room"},
		{viewer, "other", "https://www.press.example/X", aged, "room"},
		{viewer, "other", "http://sub.press.example/", aged, "room"},
		{viewer, "other", "http://press.examples/", aged, ""},
		{reader, "other", "http://press.example/x", aged, ""},
		{viewer, "other", "http://press.example/free/a", aged, ""},
		{viewer, "other", "http://press.example/free/", aged, ""},
		{viewer, "other", "http://press.example/free/?page=2", aged, ""},
		{viewer, "other", "http://press.example/freedom", aged, "room"},
		{viewer, "news", "http://press.example/free/a", fresh, "embargo"},
		{viewer, "other", "http://press.example/free/bad.html", aged, "gone"},
		{curator, "other", "http://press.example/free/bad.html", aged, "gone"},
		{Visitor{Role: Admin}, "other", "http://press.example/free/bad.html", aged, "gone"},
		{viewer, "other", "http://town.example/a", now.AddDate(-11, 0, 0), "old"},
		{viewer, "other", "http://town.example/a", aged, ""},
	} {
		if tt.by != "" {
			tally.Try(1)
		}
		v := set.Check(tt.who, tt.collection, canon.SURT(tt.url), tt.at, now)
		got := ""
		if !v.Allowed {
			got = v.Rule.ID
		}
		if got != tt.by {
			t.Errorf("%+v: %s %s %s: withheld by %q, want %q", tt.who, tt.collection, tt.url, tt.at.Format(time.DateOnly), got, tt.by)
		}
	}
}

// The narrowest rule decides, whatever the order in which the rules were added.
func TestOrderOfRulesDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	levels := []Level{Open, ReadingRoom, Curators}
	for range 200 {
		var rules []Rule
		for i := range 6 {
			depth := rng.IntN(4)
			rules = append(rules, rule(t, Rule{ID: fmt.Sprint(i), Prefix: "http://a.example/" + strings.Repeat("x/", depth), Level: levels[rng.IntN(3)]}))
		}
		key := canon.SURT("http://a.example/" + strings.Repeat("x/", rng.IntN(5)) + "page")
		first := NewRuleSet(append([]Rule(nil), rules...)).Check(Visitor{Role: Viewer}, "c", key, now, now).Allowed
		// By hand: the longest prefix that matches, and of equal ones the strictest.
		var best *Rule
		for i := range rules {
			r := &rules[i]
			if !r.matches("c", key, now) {
				continue
			}
			if best == nil || len(r.low) > len(best.low) || len(r.low) == len(best.low) && levelRanks[r.Level] > levelRanks[best.Level] {
				best = r
			}
		}
		if want := best == nil || best.Level == Open; first != want {
			t.Fatalf("%s: allowed %v, want %v: %+v", key, first, want, rules)
		}
		rng.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
		if again := NewRuleSet(rules).Check(Visitor{Role: Viewer}, "c", key, now, now).Allowed; again != first {
			t.Fatalf("%s: the order of rules matters", key)
		}
	}
}

func TestBadRules(t *testing.T) {
	for _, r := range []Rule{
		{Reason: "nothing said"},
		{Level: "secret", Reason: "x"},
		{Level: Blocked},
		{Embargo: -1, Reason: "x"},
		{Level: Blocked, From: now, To: now, Reason: "x"},
	} {
		if err := r.Check(); err == nil {
			t.Errorf("%+v was taken", r)
		}
	}
}

func TestDecisionsAreAppended(t *testing.T) {
	dir := t.TempDir()
	audit := OpenAudit(dir)
	a, b := OpenDecisions(dir, audit), OpenDecisions(dir, audit) // a server and a command
	got, err := a.Add(Rule{Prefix: "http://a.example/", Level: Blocked, Reason: "letter"}, "eva", Admin, now)
	if err != nil {
		t.Fatal(err)
	}
	set, err := b.InForce()
	if err != nil {
		t.Fatal(err)
	}
	if set.Check(Visitor{Role: Admin}, "c", canon.SURT("http://a.example/x"), now, now).Allowed {
		t.Error("the other process does not know of the takedown")
	}
	if !set.Withholds(Visitor{Role: Admin}, "c") {
		t.Error("the rule withholds from everybody, in every collection")
	}
	if err := b.Lift(got.ID, "eva", "agreed", now); err != nil {
		t.Fatal(err)
	}
	if rules, err := a.Rules(); err != nil || len(rules) != 0 {
		t.Errorf("after lifting: %v, %v", rules, err)
	}
	if err := b.Lift(got.ID, "eva", "again", now); err == nil {
		t.Error("a rule was lifted twice")
	}
	var did []string
	for e, err := range audit.Entries() {
		if err != nil {
			t.Fatal(err)
		}
		did = append(did, e.Did)
	}
	if strings.Join(did, ", ") != "rule added, rule lifted" {
		t.Errorf("audit: %v", did)
	}
}

// A crash in the middle of a decision loses that one, which nobody was told of: neither those before it nor those after.
func TestTornDecision(t *testing.T) {
	dir := t.TempDir()
	d := OpenDecisions(dir, nil)
	if _, err := d.Add(Rule{Prefix: "http://a.example/", Level: Blocked, Reason: "letter"}, "eva", Admin, now); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(d.path)
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{1, len(whole) / 2, len(whole) - 2} {
		if err := os.WriteFile(d.path, append(slices.Clone(whole), whole[:cut]...), 0o600); err != nil {
			t.Fatal(err)
		}
		torn := OpenDecisions(dir, nil)
		if rules, err := torn.Rules(); err != nil || len(rules) != 1 {
			t.Errorf("cut at %d: %v, %v", cut, rules, err)
		}
		if _, err := torn.Add(Rule{Prefix: "http://b.example/", Level: Blocked, Reason: "letter"}, "eva", Admin, now); err != nil {
			t.Fatal(err)
		}
		if rules, err := OpenDecisions(dir, nil).Rules(); err != nil || len(rules) != 2 {
			t.Errorf("cut at %d, and one added: %v, %v", cut, rules, err)
		}
	}
}

// A line that cannot be read may have been a takedown of anything: nothing is shown, to nobody, until it is mended. The lines are
// named, and those that can be read are listed and can be lifted.
func TestBadLinesOpenNothing(t *testing.T) {
	dir := t.TempDir()
	d := OpenDecisions(dir, nil)
	kept, err := d.Add(Rule{Prefix: "http://a.example/", Level: Curators, Reason: "letter"}, "eva", Admin, now)
	if err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(d.path)
	if err != nil {
		t.Fatal(err)
	}
	for name, line := range map[string]string{
		"no JSON":          `{"do":"add","rule":{"prefix":"http://secret.exa`,
		"bytes":            "\x00\xff\x00",
		"another decision": `{"do":"hide","id":"x"}`,
		"no rule":          `{"do":"add"}`,
		"no level":         `{"do":"add","rule":{"id":"x","prefix":"http://secret.example/","reason":"letter"}}`,
		"another level":    `{"do":"add","rule":{"id":"x","prefix":"http://secret.example/","level":"blocjed","reason":"letter"}}`,
		"a bad embargo":    `{"do":"add","rule":{"id":"x","prefix":"http://secret.example/","embargoDays":-1,"reason":"letter"}}`,
		"a word of others": `{"do":"add","rule":{"id":"x","prefix":"http://secret.example/","levell":"blocked","embargoDays":1,"reason":"letter"}}`,
		"a bad time":       `{"do":"add","rule":{"id":"x","level":"blocked","from":"yesterday","reason":"letter"}}`,
		"lifted nothing":   `{"do":"lift"}`,
	} {
		text := string(sound) + line + "\n" + regexp.MustCompile(`,"sum":"[0-9a-f]*"`).ReplaceAllString(strings.Replace(string(sound), kept.ID, "behind", 1), "")
		if err := os.WriteFile(d.path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		d := OpenDecisions(dir, nil)
		set, err := d.InForce()
		if err == nil {
			t.Errorf("%s: rules are in force: %v", name, set)
			continue
		}
		if strings.Contains(err.Error()+varve.HintOf(err), "secret") || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: visitors are told %q", name, err)
		}
		if _, err := d.May(t.Context(), "c", now); err == nil {
			t.Errorf("%s: somebody may see something", name)
		}
		if err := d.Unread(); err == nil || !strings.Contains(err.Error(), "line 2: ") {
			t.Errorf("%s: the line is not named: %v", name, err)
		}
		rules, err := d.Rules()
		if err != nil || len(rules) != 2 || rules[0].ID != kept.ID || rules[1].ID != "behind" {
			t.Errorf("%s: the others are %v, %v", name, rules, err)
		}
		if err := d.Lift("behind", "eva", "agreed", now); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := d.InForce(); err == nil {
			t.Errorf("%s: a decision behind it opened everything", name)
		}
		if err := os.WriteFile(d.path, sound, 0o600); err != nil {
			t.Fatal(err)
		}
		if set, err := d.InForce(); err != nil || set.Empty() || d.Unread() != nil {
			t.Errorf("%s: mended, and still %v", name, err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	var rules []Rule
	for i := range 1000 {
		rules = append(rules, rule(b, Rule{Prefix: fmt.Sprintf("http://h%d.example/", i), Level: ReadingRoom}))
	}
	set := NewRuleSet(rules)
	for b.Loop() {
		set.Check(Visitor{Role: Viewer}, "c", "example,h500)/x", now, now)
	}
}

// What was made of a page is withheld with it.
func TestRulesHoldForWhatWasMadeOfPages(t *testing.T) {
	set := NewRuleSet([]Rule{rule(t, Rule{ID: "1", Prefix: "http://a.example/secret/", Level: Blocked})})
	for uri, allowed := range map[string]bool{
		"urn:media:http://a.example/secret/film": false, "urn:view:https://www.a.example/secret/": false, "urn:vod:http://a.example/secret/list.m3u8": false,
		"urn:media:http://a.example/open": true, "urn:uuid:0": true, "urn:media:": true,
	} {
		if got := set.Check(Visitor{Role: Viewer}, "c", canon.SURT(uri), now, now).Allowed; got != allowed {
			t.Errorf("%s: allowed %v", uri, got)
		}
	}
}

// A bit that flips anywhere in the rules opens nothing: either the rule still means what it did, or nothing is shown. Of lines from
// before there were sums that holds once another decision was made.
func TestFlippedRulesOpenNothing(t *testing.T) {
	tally := attack.Count(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "rules.jsonl")
	older := `{"do":"add","rule":{"id":"aaaaaa","prefix":"http://old.example/p/","level":"blocked","reason":"letter","by":"eva","at":"2026-01-01T00:00:00Z"}}` + "\n" +
		`{"do":"add","rule":{"id":"bbbbbb","prefix":"http://was.example/","level":"blocked","reason":"x","by":"eva","at":"2026-01-01T00:00:00Z"}}` + "\n" + `{"do":"lift","id":"bbbbbb","by":"eva"}` + "\n"
	if err := os.WriteFile(path, []byte(older), 0o600); err != nil {
		t.Fatal(err)
	}
	d := OpenDecisions(dir, nil)
	if _, err := d.Add(Rule{Collection: "c", Prefix: "http://new.example/q/", Level: Curators, Reason: "letter"}, "eva", Admin, now); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Add(Rule{Collection: "s", Level: Blocked, Reason: "<all>", To: now}, "eva", Admin, now); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(whole), older+`{"do":"seal","sum":"`) || strings.Count(string(whole), "seal") != 1 {
		t.Fatalf("%s", whole)
	}
	withheld := func(d *Decisions) (int, error) {
		set, err := d.InForce()
		if err != nil {
			return 3, err
		}
		n := 0
		for _, c := range [][2]string{{"c", "http://old.example/p/x"}, {"c", "http://new.example/q/x"}, {"s", "http://any.example/"}} {
			if !set.Check(Visitor{Role: Viewer}, c[0], canon.SURT(c[1]), now.Add(-time.Hour), now).Allowed {
				n++
			}
		}
		return n, nil
	}
	if n, err := withheld(OpenDecisions(dir, nil)); n != 3 || err != nil {
		t.Fatalf("%d withheld, %v", n, err)
	}
	for i := range whole {
		for _, bit := range []int{0, 1, 5} { // a neighbour, a comma or quote, upper and lower case
			flipped := slices.Clone(whole)
			flipped[i] ^= 1 << bit
			if err := os.WriteFile(path, flipped, 0o600); err != nil {
				t.Fatal(err)
			}
			tally.Try(1)
			if n, err := withheld(OpenDecisions(dir, nil)); n != 3 {
				tally.Through(1)
				t.Errorf("byte %d, bit %d (%q): %d of 3 withheld, %v", i, bit, flipped[max(0, i-10):min(len(flipped), i+10)], n, err)
			}
		}
	}
	// A last line whose end is damaged is not cut off by the next decision.
	if err := os.WriteFile(path, append(slices.Clone(whole[:len(whole)-1]), '*'), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenDecisions(dir, nil).Add(Rule{Level: Curators, Reason: "x"}, "eva", Admin, now); err == nil {
		t.Error("a decision was written over the damaged end of another")
	}
}
