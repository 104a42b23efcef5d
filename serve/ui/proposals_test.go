package ui_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"varve/curate/proposal"
	"varve/serve/access"
)

// What is proposed is shown and decided by curators; a word that is known from a withheld page alone is neither shown nor can it be guessed at.
func TestProposalsOnScreen(t *testing.T) {
	p := newPlanning(t)
	if status, _ := p.post(t, access.Curator, draft, form()); status != 303 {
		t.Fatal(status)
	}
	const here = "/collections/news/proposals/daily"
	if _, body, _ := p.get(t, access.Curator, here); !strings.Contains(body, "Nothing was proposed yet") || !strings.Contains(body, "Start a reference crawl") {
		t.Error("the empty screen does not show the way")
	}
	col, err := p.desk.Archive.Collection("news")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	item := func(text, url string) proposal.Proposal {
		return proposal.Proposal{Key: "term:" + text, Kind: proposal.Term, Text: text, Score: 1, Pages: 2, Count: 3, URL: url, Time: at, Passage: text + " <b>stands</b> here"}
	}
	list := proposal.List{From: "a <test>", Pages: 3, Items: []proposal.Proposal{item("sluice <i>gate</i>", "https://a.example/"), item("mill", "https://a.example/mill"), item("hushed", "https://a.example/secret/1")}}
	if err := proposal.Keep(col, proposal.Line{Name: "daily", List: &list, By: "eva", At: at}); err != nil {
		t.Fatal(err)
	}
	_, body, _ := p.get(t, access.Curator, here)
	if !strings.Contains(body, "sluice &lt;i&gt;gate") || !strings.Contains(body, "on 2 of 3 pages, 3 times in all") || !strings.Contains(body, "hushed") {
		t.Errorf("it is not shown: %.3000s", body)
	}
	harmless(t, here, body)
	if _, err := p.rules.Add(access.Rule{Prefix: "https://a.example/secret/", Level: access.Blocked, Reason: "asked for"}, "ada", access.Admin, time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, body, _ := p.get(t, access.Curator, here); strings.Contains(body, "hushed") || !strings.Contains(body, "1 are known from pages alone that you may not see") {
		t.Error("a word of a withheld page is shown")
	}
	act := func(role access.Role, do, key string) int {
		status, _ := p.post(t, role, here, url.Values{"do": {do}, "key": {key}})
		return status
	}
	for _, c := range []struct {
		role     access.Role
		do, key  string
		want     int
		revision int
	}{
		{access.Viewer, "accept", "term:mill", 403, 1},
		{access.Curator, "accept", "term:hushed", 404, 1},
		{access.Curator, "accept", "term:none", 404, 1},
		{access.Curator, "dance", "term:mill", 400, 1},
		{access.Curator, "strike", "term:mill", 303, 1},
		{access.Curator, "accept", "term:sluice <i>gate</i>", 303, 2},
		{access.Curator, "refer", "", 303, 2},
		{access.Curator, "read", "", 503, 2}, // these screens read no contents
	} {
		if got := act(c.role, c.do, c.key); got != c.want {
			t.Errorf("%s %s %s: %d, want %d", c.role, c.do, c.key, got, c.want)
		}
		if history, err := p.desk.History("news", "daily"); err != nil || len(history) != c.revision {
			t.Errorf("%s %s: %d versions, %v", c.do, c.key, len(history), err)
		}
	}
	_, body, _ = p.get(t, access.Curator, here)
	if !strings.Contains(body, "All proposals are decided") || !strings.Contains(body, "1 struck") {
		t.Errorf("not all is decided: %.3000s", body)
	}
	if e, err := p.desk.Entry("news", "daily"); err != nil || len(e.Definition.About.Keywords) != 1 || e.Note != "accepted term:sluice <i>gate</i>" {
		t.Errorf("%+v, %v", e, err)
	}
}
