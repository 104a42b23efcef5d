package crawl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/crawl/scope"
)

const planText = `
title = "News"
purpose = "What people could read."

[crawl.daily]
seeds = ["https://news.example/"]
seed-file = "more.txt"
every = "24h"
scope = "domain"
max-hops = 3
max-pages = 5000
delay = "2s"
[[crawl.daily.rule]]
do = "reject"
prefix = ["https://news.example/search"]

[crawl.weekly]
seeds = ["https://ministry.example/"]
every = "168h"

[crawl.once]
seeds = ["https://old.example/"]
`

func TestParsePlan(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "more.txt"), []byte("# more\nhttps://blog.example/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := ParsePlan(planText, dir)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := ParsePlan("clock = \"simulated\"\n"+planText, dir); err != nil || s.Clock != SimulatedClock || p.Clock != "" {
		t.Errorf("clock: %v, %v", s, err)
	}
	d := p.Crawls["daily"]
	if len(p.Crawls) != 3 || d.Name != "daily" || len(d.Seeds) != 2 || d.Scope.Mode != scope.Domain || *d.Scope.MaxHops != 3 ||
		len(d.Scope.Rules) != 1 || d.MaxPages != 5000 || time.Duration(*d.Delay) != 2*time.Second || time.Duration(d.Every) != 24*time.Hour {
		t.Errorf("daily: %+v", d)
	}
}

func TestPlanMistakesAreNamed(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"unknown key":      {"[crawl.a]\nseeds=[\"https://a/\"]\nmax-page = 3\n", "max-page"},
		"bad rule":         {"[crawl.a]\nseeds=[\"https://a/\"]\n[[crawl.a.rule]]\ndo=\"accept\"\nregex=[\"(\"]\n", "line 5"},
		"no seeds":         {"[crawl.a]\nevery=\"1h\"\n", "no seeds"},
		"no TOML":          {"[crawl", "line 1"},
		"seeds elsewhere":  {"[crawl.a]\nseed-file=\"../../etc/passwd\"\n", "no such file"},
		"unknown clock":    {"clock = \"mine\"\n", "simulated"},
		"no list of seeds": {"[crawl.a]\nseeds=3\n", "crawl.a"},
	} {
		if _, err := ParsePlan(tt.text, t.TempDir()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q in it", name, err, tt.want)
		}
	}
}

func TestDue(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "more.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := ParsePlan(planText, dir)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC)
	names := func(last map[string]time.Time) string {
		var out []string
		for _, c := range p.Due(now, last) {
			out = append(out, c.Name)
		}
		return strings.Join(out, " ")
	}
	day := 24 * time.Hour
	for want, last := range map[string]map[string]time.Time{
		"daily weekly": {},
		"weekly":       {"daily": now.Add(-23 * time.Hour), "weekly": now.Add(-8 * day)},
		"weekly daily": {"daily": now.Add(-25 * time.Hour), "weekly": now.Add(-9 * day)},
		"":             {"daily": now.Add(-time.Hour), "weekly": now.Add(-day)},
	} {
		if got := names(last); got != want {
			t.Errorf("last %v: due %q, want %q", last, got, want)
		}
	}
}
