package ui

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"varve/language"
	"varve/serve/holdings"
	"varve/serve/search"
)

// What is marked stands where it is in the text, each kind can be turned off, and a mark leads to its passage in replay.
func TestMarks(t *testing.T) {
	const text = "Angela Merkel met Barack Obama in Berlin on 3 May 2017.\nMerkel, who is well-known, said: \"We stay, for two years.\"\n"
	doc, err := language.New().Analyse(t.Context(), language.Text{Text: text, Language: "en", Date: time.Date(2017, 5, 4, 0, 0, 0, 0, time.UTC)}, language.Mentions, language.Times)
	if err != nil {
		t.Fatal(err)
	}
	found := marksOf(doc)
	for _, c := range []struct{ hide, want string }{
		{"", "[person:Angela Merkel] met [person:Barack Obama] in [place:Berlin] on [time:3 May 2017].|[person:Merkel], who is well-known, said: \"We stay, for [time:two years].\"|"},
		{"person,time", "Angela Merkel met Barack Obama in [place:Berlin] on 3 May 2017.|Merkel, who is well-known, said: \"We stay, for two years.\"|"},
	} {
		d := &documentData{Document: &search.Document{Collection: "news", URL: "http://a.example/x", From: time.Date(2017, 5, 4, 10, 0, 0, 0, time.UTC)}, Home: &holdings.Collection{}, shown: text}
		u := &UI{cfg: Config{Replay: "http://localhost:1"}}
		q := url.Values{"hide": {c.hide}}
		d.addMarks(u, q, found)
		d.listMarks(q, found)
		var got strings.Builder
		for _, line := range d.Lines {
			for _, p := range line {
				if p.Kind == "" {
					got.WriteString(strings.TrimSuffix(p.Text, "\n"))
					continue
				}
				got.WriteString("[" + string(p.Kind) + ":" + p.Text + "]")
				if p.Text == "Berlin" && (p.Open != "http://localhost:1/news/20170504100000if_/http://a.example/x#:~:text=met%20Barack%20Obama%20in-,Berlin" && p.Open != "http://localhost:1/news/20170504100000if_/http://a.example/x#:~:text=Barack%20Obama%20in-,Berlin") {
					t.Error(p.Open)
				}
			}
			got.WriteString("|")
		}
		if got.String() != c.want {
			t.Errorf("hide=%s\n got %s\nwant %s", c.hide, got.String(), c.want)
		}
		if len(d.Marks.Choices) != 3 || d.Marks.Choices[0].Count != 3 || d.Marks.Lists[0].Names[0].Text != "Angela Merkel" || d.Marks.Choices[0].Off != (c.hide != "") {
			t.Errorf("%+v", d.Marks)
		}
	}
	table, err := marksTable(found)
	if err != nil || !strings.Contains(string(table), "time,date,3 May 2017,44,54,1.000,2017-05-03T00:00:00Z,2017-05-04T00:00:00Z") {
		t.Errorf("%s %v", table, err)
	}
	if cell("=1+1") != "'=1+1" || cell("") != "" || cell("a") != "a" {
		t.Error("a formula")
	}
}
