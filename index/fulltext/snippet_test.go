package fulltext

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/derive"
	"varve/text/near"
)

// A result shows a passage with the words that were looked for, or says where they are.
func TestPassages(t *testing.T) {
	filler := strings.Repeat("Lorem ipsum dolor sit amet. ", 40)
	list := []derive.VersionRow{
		{SURT: "a", Text: filler + "Pi is 3.14159 here. " + filler, Title: "Numbers"},
		{SURT: "b", Text: filler, Title: "Budget of the town", Anchors: "read\nthe treasurer speaks\nmore", URL: "http://x.test/finance/plan"},
		{SURT: "c", Text: "prime time. prime rate. prime. " + filler + "The prime minister spoke of the minister. " + filler + " minister minister"},
		{SURT: "d", Text: filler + "東京都の天気 " + filler},
		{SURT: "e", Text: filler + "L'ÉTÉ était chaud à Besançon. " + filler},
	}
	for i := range list {
		list[i].From, list[i].Last, list[i].Captures = origin, origin, 1
		if list[i].URL == "" {
			list[i].URL = "http://x.test/" + list[i].SURT
		}
	}
	slices.SortFunc(list, func(a, b derive.VersionRow) int { return strings.Compare(a.SURT, b.SURT) })
	ix := build(t, list)
	for _, c := range []struct{ query, where, marked, around string }{
		{"3.14159", "text", "3.14159", "Pi is"},
		{"budget", "title", "", "Lorem"},
		{"treasurer", "anchor", "treasurer", "speaks"},
		{"finance", "url", "", "Lorem"},
		{`"prime minister"`, "text", "prime", "spoke of"},
		{"天", "text", "天", "気"},
		{"besanç*", "text", "Besançon", "chaud"},
		{"title:budget ipsum", "text title", "ipsum", "dolor"},
	} {
		a, err := ix.Search(t.Context(), Query{Text: c.query, Limit: 1})
		if err != nil || len(a.Hits) == 0 {
			t.Errorf("%s: %+v, %v", c.query, a, err)
			continue
		}
		h, marked, all := a.Hits[0], "", ""
		for _, p := range h.Snippet {
			all += p.Text
			if p.Hit && marked == "" {
				marked = p.Text
			}
		}
		if got := strings.Join(h.Where, " "); got != c.where || marked != c.marked || !strings.Contains(all, c.around) {
			t.Errorf("%s: found in %q, marked %q, shown %q", c.query, got, marked, all)
		}
	}
}

// Better known pages, and pages that others call so, come first; results that repeat a better one stand under it.
func TestRanking(t *testing.T) {
	text := strings.Repeat("about the weather in the north and its people ", 8)
	day := func(n int) time.Time { return origin.AddDate(0, 0, n) }
	page := func(surt string, links int32, anchors, title, body string) derive.VersionRow {
		return derive.VersionRow{SURT: surt, URL: "http://x.test/" + surt, From: day(1), Last: day(2), Captures: 1, Inlinks: links, Anchors: anchors, Title: title, Text: body, Words: 80, Minhash: prints(body)}
	}
	ix := build(t, []derive.VersionRow{
		page("a", 0, "", "", text+"storm one two three"),
		page("b", 200, "", "", text+"storm one two three"), // the same text, linked to
		page("c", 3, "storm\nstorm warning", "", strings.Repeat("other words that say it differently and at length ", 9)),
		page("d", 0, "", "Storm", strings.Repeat("and again something else with many words of its own ", 9)),
		page("e", 0, "", "", strings.Repeat("nothing at all ", 20)),
	})
	order := func(q Query) (out []string) {
		t.Helper()
		a, err := ix.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range a.Hits {
			out = append(out, h.SURT)
			for _, other := range h.Alike {
				out = append(out, ">"+other.SURT)
			}
		}
		return out
	}
	plain := order(Query{Text: "storm"})
	if slices.Index(plain, "b") > slices.Index(plain, "a") {
		t.Errorf("the page with 200 links is behind its copy: %v", plain)
	}
	if i := slices.Index(plain, "c"); i < 0 || i > slices.Index(plain, "a") {
		t.Errorf("the page that others call so is behind one that only says it once: %v", plain)
	}
	if slices.Index(plain, "d") > slices.Index(plain, "a") {
		t.Errorf("a title is worth less than a text: %v", plain)
	}
	grouped := order(Query{Text: "storm", Group: true})
	if i := slices.Index(grouped, "b"); i < 0 || i+1 >= len(grouped) || grouped[i+1] != ">a" {
		t.Errorf("the copy is not under the better one: %v", grouped)
	}
}

func prints(text string) []byte {
	var out []byte
	for _, x := range near.Of(text).Minhash {
		out = binary.LittleEndian.AppendUint32(out, x)
	}
	return out
}
