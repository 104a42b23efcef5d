package ui

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"varve/language"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/search"
)

// What is marked stands where it is in the text, each kind can be turned off, and a mark leads to its passage in replay.
func TestMarks(t *testing.T) {
	const text = "Angela Merkel met Barack Obama in Berlin on 3 May 2017.\nMerkel, who is well-known, said: \"We stay, for two years.\"\nMerkel was a terrible disaster for the economy! Berlin is a wonderful, beautiful city.\n"
	doc, err := language.New().Analyse(t.Context(), language.Text{Text: text, Language: "en", Date: time.Date(2017, 5, 4, 0, 0, 0, 0, time.UTC)}, language.Mentions, language.Times, language.Terms, language.Opinions)
	if err != nil {
		t.Fatal(err)
	}
	found := marksOf(doc, text)
	const all = "all"
	for _, c := range []struct{ hide, want string }{
		{"", `[person:Angela Merkel] met [person:Barack Obama] in [place:Berlin] on [time:3 May 2017].|<+0 [person:Merkel], who is well-known, said: "We stay, for [time:two years].">|<−0 [person:Merkel] was a terrible disaster for the economy!> <+0 [place:Berlin] is a wonderful, beautiful city.>|`},
		{all, `[person:Angela Merkel] met [person:Barack Obama] in [place:Berlin] on [time:3 May 2017].|<+0 [person:Merkel], who is well-known, said: "We stay, for [time:two years].">|<−0 [person:Merkel] was a [term:terrible disaster] for the [term:economy]!> <+0 [place:Berlin] is a [term:wonderful], [term:beautiful city].>|`},
		{"person,time,term,opinion", `Angela Merkel met Barack Obama in [place:Berlin] on 3 May 2017.|Merkel, who is well-known, said: "We stay, for two years."|Merkel was a terrible disaster for the economy! [place:Berlin] is a wonderful, beautiful city.|`},
	} {
		d := &documentData{say: message.English(), Document: &search.Document{Collection: "news", URL: "http://a.example/x", From: time.Date(2017, 5, 4, 10, 0, 0, 0, time.UTC)}, Home: &holdings.Collection{}, shown: text}
		u := &UI{cfg: Config{Replay: "http://localhost:1"}}
		q := url.Values{}
		if c.hide != "" {
			q.Set("hide", strings.TrimPrefix(c.hide, all))
		}
		d.addMarks(u, q, found)
		d.listMarks(u, q, found)
		var got strings.Builder
		for _, line := range d.Lines {
			for _, r := range line {
				if r.Sign != "" {
					got.WriteString("<" + strings.TrimRight(r.Sign, ".0123456789") + "0 ")
				}
				for _, p := range r.Pieces {
					if p.Kind == "" {
						got.WriteString(strings.TrimSuffix(p.Text, "\n"))
						continue
					}
					got.WriteString("[" + string(p.Kind) + ":" + p.Text + "]")
					if p.Text == "Berlin" && !strings.Contains(p.About, "place") {
						t.Error(p.About)
					}
					if p.Text == "Berlin" && strings.Contains(p.Open, "Obama") && p.Open != "http://localhost:1/news/20170504100000if_/http://a.example/x#:~:text=Barack%20Obama%20in-,Berlin" {
						t.Error(p.Open)
					}
				}
				if r.Sign != "" {
					got.WriteString(">")
					if r.For == strings.HasPrefix(r.Sign, "−") || !strings.Contains(r.Open, "#:~:text=") {
						t.Errorf("%+v", r)
					}
				}
			}
			got.WriteString("|")
		}
		if got.String() != c.want {
			t.Errorf("hide=%s\n got %s\nwant %s", c.hide, got.String(), c.want)
		}
		hides := strings.HasPrefix(c.hide, "person")
		if len(d.Marks.Choices) != 5 || d.Marks.Choices[0].Count != 4 || d.Marks.Lists[0].Names[0].Text != "Merkel" || d.Marks.Choices[0].Off != hides || d.Marks.Choices[3].Off != (c.hide != all) {
			t.Errorf("%+v", d.Marks)
		}
		if judged := d.Marks.Lists[5]; judged.Title != "Judged here" || judged.Names[0].Text != "Angela Merkel" || judged.Names[1].About != "in favour" || judged.Names[1].Href != "/opinions?about=Berlin" {
			t.Errorf("%+v", judged)
		}
	}
	table, err := marksTable(found)
	if err != nil || !strings.Contains(string(table), "time,date,3 May 2017,44,54,1.000,2017-05-03T00:00:00Z,2017-05-04T00:00:00Z,,\n") || !strings.Contains(string(table), "opinion,sentence,Merkel was a terrible disaster") {
		t.Errorf("%s %v", table, err)
	}
	if cell("=1+1") != "'=1+1" || cell("") != "" || cell("a") != "a" {
		t.Error("a formula")
	}
}
