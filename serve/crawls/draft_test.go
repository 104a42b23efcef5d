package crawls

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"varve/crawl"
	"varve/crawl/scope"
	"varve/lab/attack"
)

const model = "collections/news/models/spam-1.model"

func whole() Draft {
	return Draft{
		"name": "weekly", "seeds": "# news\nhttps://news.example/\n\n  news.example/second  \nhttps://news.example/", "contact": "https://library.example/crawler", "operator": "KB",
		"scope": "domain", "max-hops": "3", "include": "https://cdn.example/a/\nimages.example\n*.b.example\n/x\\d+/", "exclude": "/[?&]sid=/",
		"rules": "[[rule]]\nname = \"no pdf\"\ndo = \"reject\"\nmime = [\"application/pdf\"]\n\n[domain.\"news.example\"]\ndelay = \"2s\"\n",
		"every": "7 days", "max-pages": "5,000", "max-urls": "70000", "max-bytes": "10 GB", "max-time": "12h", "delay": "1.5", "revisit": "plan", "strategy": "varve",
		"revisit-time": "90 min", "capture": "browser", "screenshots": "yes", "spam-model": model, "spam-threshold": "0.95", "note": "first",
	}
}

// A draft becomes the crawl it says, and that crawl becomes the same draft again.
func TestDraft(t *testing.T) {
	p, faults := whole().Planned(crawl.Planned{}, Rights{Models: []string{model}})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if !reflect.DeepEqual(p.Seeds, []string{"https://news.example/", "news.example/second"}) || p.MaxPages != 5000 || p.MaxBytes != 10e9 || *p.Delay != scope.Duration(1500*time.Millisecond) ||
		p.Every != scope.Duration(7*24*time.Hour) || p.RevisitTime != scope.Duration(90*time.Minute) || *p.Scope.MaxHops != 3 || p.Mode != "browser" || !p.Screenshot {
		t.Errorf("%+v", p)
	}
	if n := len(p.Scope.Rules); n != 5 || p.Scope.Rules[3].Do != scope.Reject || p.Scope.Rules[4].Name != "no pdf" || len(p.Scope.Domains) != 1 {
		t.Errorf("%d rules: %+v", n, p.Scope)
	}
	tester, err := crawl.NewScopeTester(p.Scope, p.Seeds)
	if err != nil {
		t.Fatal(err)
	}
	for target, in := range map[string]bool{
		"https://www.news.example/": true, "https://cdn.example/a/b": true, "https://cdn.example/b": false, "https://x.images.example/": true,
		"https://else.example/x12": true, "https://else.example/": false, "https://news.example/?sid=1": false, "https://deep.b.example/": true,
	} {
		if got, err := tester.Test(target, "L", "", time.Now()); err != nil || got.Decision.Accepted() != in {
			t.Errorf("%s: %v, %v", target, got.Decision, err)
		}
	}
	again, err := DraftOf(p)
	if err != nil {
		t.Fatal(err)
	}
	q, faults := again.Planned(p, Rights{Models: []string{model}})
	if len(faults) > 0 || !reflect.DeepEqual(p, q) {
		t.Errorf("%v\ngot  %+v\nwant %+v", faults, q, p)
	}
}

// What the form has no field for stays; what it has a field for is gone when the field is emptied.
func TestDraftKeepsTheRest(t *testing.T) {
	base := crawl.Planned{Definition: crawl.Definition{Workers: 3, Retries: 7, MaxPages: 9, Topic: []string{"old"}}}
	base.Groups, base.GroupBy = []string{"https://a.example/"}, crawl.ByPrefix
	d := NewDraft()
	d["name"], d["seeds"], d["contact"], d["max-pages"] = "a", "https://a.example/", "eva@library.example", ""
	p, faults := d.Planned(base, Rights{})
	if len(faults) > 0 || p.Workers != 3 || p.Retries != 7 || len(p.Groups) != 1 || p.MaxPages != 0 || p.Topic != nil {
		t.Errorf("%v %+v", faults, p)
	}
}

func TestDraftFaults(t *testing.T) {
	tally := attack.Count(t)
	for _, c := range []struct{ field, value, says string }{
		{"name", "", "letters"},
		{"name", "new", "taken"},
		{"name", "<script>", "letters"},
		{"seeds", "", "at least one"},
		{"seeds", "https://ok.example/\nftp://a.example/\nhttp://[bad\nx y", "line 2: only http and https can be crawled; and 2 more"},
		{"seeds", "http://10.0.0.1/", "private address"},
		{"seeds", "http://169.254.169.254/latest/", "metadata"},
		{"seeds", "intranet", "no dot"},
		{"seeds", "http://127.0.0.1:8080/", "administrator"},
		{"seeds", "http://[::1]/", "administrator"},
		{"seeds", "http://x.localhost/", "administrator"},
		{"seeds", "http://0x7f.1/", "administrator"},
		{"seeds", "http://2130706433/", "administrator"},
		{"seeds", strings.Repeat("https://a.example/\n", 60_000), "bytes"},
		{"contact", "", "reach you"},
		{"contact", "me", "neither"},
		{"contact", "https://a.example/\r\nX-Evil: 1", "neither"},
		{"operator", "a\x00b", "one line"},
		{"scope", "planet", "planet"},
		{"max-hops", "-1", "number"},
		{"include", "a b", "line 1"},
		{"include", "/(/", "missing closing"},
		{"exclude", "a.example/path", "neither"},
		{"rules", "[[rule]]\ndo = \"maybe\"", "maybe"},
		{"rules", "scope = \"web\"", "fields of their own"},
		{"rules", "[domain.\"a.example\"]\nignore-robots = true", "collection.toml"},
		{"rules", "[domain.\"a.example\"]\nuser-agent = \"me\"", "collection.toml"},
		{"rules", "[[rul", "expected"},
		{"every", "7", "unit"},
		{"every", "often", "length of time"},
		{"every", "5 s", "minute"},
		{"every", "-3h", "between"},
		{"max-pages", "0", "from 1"},
		{"max-pages", "1e9", "number"},
		{"max-bytes", "much", "much"},
		{"max-time", "999999999999 weeks", "long"},
		{"delay", "2 days", "hour"},
		{"revisit", "sometimes", "sometimes"},
		{"strategy", "luck", "luck"},
		{"topic", strings.Repeat("word\n", 300), "at most"},
		{"about", "[[keyword]]\nword = \"a\"\nwieght = 2", "line 3: keyword.wieght: there is no such key"},
		{"about", "[[keyword]]\nword = \"a\"\n[weights]\nanker = 2", "there is no module"},
		{"capture", "film", "film"},
		{"spam-model", "/etc/passwd", "no such model"},
		{"spam-threshold", "2", "between"},
	} {
		if c.field != "about" { // a slip, not an attack
			tally.Try(1)
		}
		d := whole()
		d[c.field] = c.value
		_, faults := d.Planned(crawl.Planned{}, Rights{Models: []string{model}})
		got := faults.Of(c.field)
		if !strings.Contains(got, c.says) {
			t.Errorf("%s = %.60q: %q, in all %.200q", c.field, c.value, got, faults)
		}
	}
}

// This machine is the administrator's to crawl, and then nothing else beside it.
func TestSeedsOnThisMachine(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(2)
	d := NewDraft()
	d["name"], d["seeds"] = "a", "http://127.0.0.1:1/"
	if _, f := d.Planned(crawl.Planned{}, Rights{Admin: true}); len(f) > 0 {
		t.Error(f)
	}
	d["seeds"] += "\nhttps://a.example/"
	if _, f := d.Planned(crawl.Planned{}, Rights{Admin: true}); f.Of("seeds") == "" {
		t.Error("a crawl of this machine and of the web")
	}
}

// What only people who may write collection.toml can ask for is refused, and left out of copies.
func TestReach(t *testing.T) {
	tally := attack.Count(t)
	p, faults := whole().Planned(crawl.Planned{}, Rights{Models: []string{model}})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	p.IgnoreRobots, p.AllowPrivate, p.UserAgent, p.Routes, p.APIRules, p.Behaviours = true, true, "x", "/etc/passwd", "a", "b"
	p.SpamBlacklist, p.SpamWhitelist, p.SeedFile, p.Workers, p.MinDisk, p.MaxPages = []string{"/etc/shadow"}, []string{"x"}, "../../x", 100_000, -1, -5
	want := []string{"ignore-robots", "allow-private", "user-agent", "routes", "api-rules", "behaviours", "spam-blacklist", "spam-whitelist", "seed-file", "workers", "min-disk", "max-pages"}
	got := Check(p, Rights{Admin: true, Models: []string{model}})
	for _, f := range want {
		tally.Try(1)
		if got.Of(f) == "" {
			t.Errorf("%s is taken", f)
		}
	}
	yes := true
	p.Scope.Domains = map[string]scope.Settings{"a.example": {IgnoreRobots: &yes}}
	clean, left := Cleaned(p)
	clean.Workers, clean.MaxPages = 0, 0
	if f := Check(clean, Rights{Models: []string{model}}); len(f) > 0 || len(left) < 9 || p.Scope.Domains["a.example"].IgnoreRobots == nil {
		t.Errorf("%v, left out %q", f, left)
	}
}

func TestSpan(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"7 days": 168 * time.Hour, "1d": 24 * time.Hour, "2 weeks": 336 * time.Hour, "36h": 36 * time.Hour, "1.5 s": 1500 * time.Millisecond, "1h30m": 90 * time.Minute, "90 Minutes": 90 * time.Minute,
	} {
		if got, err := ParseSpan(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "5", "x", "-1h", "1e300 weeks", "NaN days", ". days", "1 year ago"} {
		if d, err := ParseSpan(text); err == nil {
			t.Errorf("%q: %v", text, d)
		}
	}
	for _, d := range []time.Duration{24 * time.Hour, 168 * time.Hour, time.Hour, 90 * time.Minute, 61 * time.Second, 1500 * time.Millisecond, 3661 * time.Second} {
		if got, err := ParseSpan(SpanText(d)); err != nil || got != d {
			t.Errorf("%v as %q: %v, %v", d, SpanText(d), got, err)
		}
	}
}

func FuzzDraft(f *testing.F) {
	b, err := json.Marshal(whole())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(b), "rules", "[[rule]]\ndo = \"accept\"\n")
	f.Add(string(b), "include", "/a+/\n*.x\nhttps://y/")
	f.Add(string(b), "every", "3 weeks")
	f.Fuzz(func(t *testing.T, text, field, value string) {
		d := Draft{}
		if json.Unmarshal([]byte(text), &d) != nil || d == nil {
			return
		}
		d[field] = value
		form := url.Values{}
		for k, v := range d {
			form.Set(k, v)
		}
		p, faults := ReadDraft(form).Planned(crawl.Planned{}, Rights{Models: []string{model}})
		_ = faults.String()
		if len(faults) > 0 {
			return
		}
		again, err := DraftOf(p)
		if err != nil {
			t.Fatal(err)
		}
		q, faults := again.Planned(p, Rights{Models: []string{model}})
		if len(faults) > 0 || fmt.Sprint(asJSON(t, p)) != fmt.Sprint(asJSON(t, q)) {
			t.Fatalf("%v\n%s\n%s", faults, asJSON(t, p), asJSON(t, q))
		}
	})
}

func asJSON(t *testing.T, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
