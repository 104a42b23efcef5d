package search_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"varve"
	"varve/derive"
	"varve/index/fulltext"
	"varve/lab/servetest"
	"varve/serve/search"
	"varve/web/canon"
)

// crowd is a collection of many persons: in 2020 versions with one each, and Quiet twice; in 2021 Loud in ten of twenty, Quiet in three. Nobody judges
// in 2020; in 2021 five praise Loud, three blame him, two neither.
func crowd(t *testing.T) search.Texts {
	t.Helper()
	dir := t.TempDir()
	var list []derive.VersionRow
	names := map[string][]derive.FacetValue{}
	add := func(at time.Time, host, lang string, values ...derive.FacetValue) {
		url := fmt.Sprintf("http://%s/%d", host, len(list))
		list = append(list, derive.VersionRow{URL: url, SURT: canon.SURT(url), Host: host, Domain: host, From: at, Last: at, Captures: 1, MIME: "text/html", Language: lang, Text: "council", Words: 1, File: "f"})
		names[url] = values
	}
	person := func(name string) derive.FacetValue { return derive.FacetValue{Facet: "person", Value: name, Count: 1} }
	opinion := func(of string, x float64) derive.FacetValue {
		return derive.FacetValue{Facet: "opinion", Value: of, Number: x, Count: 1}
	}
	old := time.Date(2020, 5, 1, 0, 0, 0, 0, time.UTC)
	for i := range 600 {
		add(old, "a.test", "en", person(fmt.Sprintf("P%03d", i)))
		add(old, "a.test", "en", person(fmt.Sprintf("P%03d", i)))
	}
	add(old, "a.test", "en", person("Quiet"))
	for i := range 20 {
		at := old.AddDate(1, i%2, 0)
		switch {
		case i < 5:
			add(at, "b.test", "en", person("Loud"), opinion("", 0.4), opinion("Loud", 0.5))
		case i < 8:
			add(at, "c.de", "de", person("Loud"), opinion("", -0.4), opinion("Loud", -0.5))
		case i < 10:
			add(at, "c.de", "en", person("Loud"), opinion("", 0), opinion("Loud", 0.05))
		case i < 13:
			add(at, "b.test", "en", person("Quiet"))
		default:
			add(at, "b.test", "en")
		}
	}
	facets := derive.FacetTable{Job: "crowd", Facets: []derive.Facet{{Name: "person", Title: "Persons", Kind: derive.FacetNames}, {Name: "opinion", Title: "Opinion", Kind: derive.FacetNumbers}}}
	if err := servetest.WriteTexts(context.Background(), dir, "crowd", "Crowd", list, facets, func(v *derive.VersionRow) []derive.FacetValue { return names[v.URL] }); err != nil {
		t.Fatal(err)
	}
	texts, err := servetest.OpenTexts(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = texts.Close() })
	return texts
}

// What rises is counted exactly, also where the time before has more values than are looked at.
func TestRising(t *testing.T) {
	texts := crowd(t)
	q := fulltext.Query{From: time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC), Facets: []string{"person"}, Limit: 5}
	got, err := search.AskRising(t.Context(), texts, "", q)
	if err != nil {
		t.Fatal(err)
	}
	loud, _ := fulltext.NewRise("Loud", 10, 0, 20, 1201)
	quiet, _ := fulltext.NewRise("Quiet", 3, 1, 20, 1201)
	if f := got.Facets[0]; len(got.Facets) != 1 || f.In != 20 || f.Before != 1201 || len(f.Values) != 2 || f.Values[0] != loud || f.Values[1] != quiet {
		t.Errorf("%+v", got)
	}
	// A condition on the facet itself does not hide the others.
	q.Filters = map[string][]string{"person": {"Quiet"}}
	if got, err = search.AskRising(t.Context(), texts, "", q); err != nil || got.Facets[0].Values[0] != loud {
		t.Errorf("%+v, %v", got, err)
	}
	// Without names all that analyses brought are weighed, and numbers by what they are about.
	q.Facets, q.Filters = nil, nil
	if got, err = search.AskRising(t.Context(), texts, "", q); err != nil || len(got.Facets) != 2 || got.Facets[1].Facet != "opinion" || got.Facets[1].Values[0].Term != "Loud" || got.Facets[1].Values[0].Hits != 10 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := search.ParseRising(map[string][]string{"q": {"x"}}); err == nil {
		t.Error("a time is missing")
	}
}

// Opinions are counted by side, over time, by name, language and country; a name of which nobody says anything has none.
func TestOpinions(t *testing.T) {
	texts := crowd(t)
	ask := func(v map[string][]string) *search.Opinions {
		t.Helper()
		q, err := search.ParseOpinions(v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := search.AskOpinions(t.Context(), texts, "", q)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got := ask(map[string][]string{"about": {"Loud"}, "q": {"council OR nothing"}, "split": {"2021-06"}})
	if got.Fit != 1221 || got.Sides != (search.Sides{Judged: 10, For: 5, Against: 3}) || got.Neither() != 2 {
		t.Errorf("%+v", got)
	}
	if len(got.Points) != 3 || got.Points[0].Judged != 0 || got.Points[0].Of != 1201 || got.Points[1].Sides != (search.Sides{Judged: 5, For: 3, Against: 1}) || got.Points[2].Sides != (search.Sides{Judged: 5, For: 2, Against: 2}) {
		t.Errorf("%+v", got.Points)
	}
	if n := got.Names; len(n) != 1 || n[0].Name != "Loud" || n[0].Facet != "person" || len(got.Kinds) != 1 || got.Kinds[0] != "person" || n[0].Sides != got.Sides || *n[0].Before != got.Points[1].Sides || *n[0].After != got.Points[2].Sides {
		t.Errorf("%+v", n)
	}
	if l := got.Languages; len(l) != 2 || l[0] != (search.OpinionOf{Name: "en", Sides: search.Sides{Judged: 7, For: 5}}) || l[1] != (search.OpinionOf{Name: "de", Sides: search.Sides{Judged: 3, Against: 3}}) {
		t.Errorf("%+v", l)
	}
	if c := got.Countries; len(c) != 2 || c[0] != (search.OpinionOf{Name: "", Sides: search.Sides{Judged: 5, For: 5}}) || c[1] != (search.OpinionOf{Name: "de", Sides: search.Sides{Judged: 5, Against: 3}}) {
		t.Errorf("%+v", c)
	}
	if got = ask(map[string][]string{"from": {"2021-06"}, "by": {"person"}, "bucket": {"year"}}); got.Fit != 10 || got.Sides != (search.Sides{Judged: 5, For: 2, Against: 2}) || len(got.Points) != 1 {
		t.Errorf("%+v", got)
	}
	if got = ask(map[string][]string{"about": {"Nobody"}}); got.Judged != 0 || len(got.Languages) != 0 {
		t.Errorf("%+v", got)
	}
	for _, bad := range []map[string][]string{{"about": {`a "b"`}}, {"bucket": {"week"}}, {"split": {"soon"}}} {
		if _, err := search.ParseOpinions(bad); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
	if _, err := search.AskOpinions(t.Context(), texts, "", search.OpinionQuery{By: "topic"}); err == nil {
		t.Error("there is no such facet")
	}
	bare, err := servetest.OpenTexts(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := search.AskOpinions(t.Context(), bare, "", search.OpinionQuery{}); varve.KindOf(err) != varve.Unavailable || varve.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
}
