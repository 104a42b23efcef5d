package servetest

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"varve/archive/catalog"
	"varve/derive"
	"varve/evolution"
	"varve/evolution/stored"
)

// Gazettes are two collections of texts without captures, "gazette" and "herald", of 2001 to 2012, twelve texts a year of six hosts each, whose words were followed through time.
//
// In 2007 the Ministry of Welfare becomes the Ministry of Welfare and Work, and dole and rent aid, which stood in lists with pension, become basic benefit and housing grant. From 2008 on there is a job centre. Four of five texts of the
// gazette name Ann Reed, one of five of the herald. The page http://office0.gazette.test/withheld of 2012 alone has the word qzsecretum.
func Gazettes(ctx context.Context, dir string) error {
	for _, name := range []string{"gazette", "herald"} {
		var list []derive.VersionRow
		var docs []*evolution.Document
		for y := 2001; y <= 2012; y++ {
			for i := range 12 {
				text, sentences := gazetteText(name, y, i)
				url := fmt.Sprintf("http://office%d.%s.test/%d/%d", i%6, name, y, i)
				at := time.Date(y, time.Month(i+1), 5, 12, 0, 0, 0, time.UTC)
				if name == "gazette" && y == 2012 && i == 0 {
					url = "http://office0.gazette.test/withheld"
					text += " It is about qzsecretum."
					sentences = append(sentences, evolution.Sentence{{Key: "qzsecretum"}, {Key: "pension"}})
				}
				list = append(list, pressVersion(url, fmt.Sprintf("Notice %d of %d", i+1, y), text, at, time.Time{}))
				docs = append(docs, &evolution.Document{ID: url, Source: fmt.Sprintf("office%d.%s.test", i%6, name), Year: y, Time: at, Sentences: sentences})
			}
		}
		facets := derive.FacetTable{Job: "mentions", Facets: []derive.Facet{{Name: "person", Title: "Persons", Kind: derive.FacetNames}}}
		err := WriteTexts(ctx, dir, name, strings.ToUpper(name[:1])+name[1:], list, facets, func(v *derive.VersionRow) (out []derive.FacetValue) {
			for _, p := range []string{"Ann Reed", "Tom Hall", "Eve Moor"} {
				if strings.Contains(v.Text, p) {
					out = append(out, derive.FacetValue{Facet: "person", Value: p, Count: 1})
				}
			}
			return out
		})
		if err != nil {
			return err
		}
		col, err := catalog.Open(dir).Collection(name)
		if err != nil {
			return err
		}
		src := stored.Source{Documents: evolution.Of(docs), Mark: "test", Absent: func() int { return 0 }}
		if _, err := stored.Build(ctx, src, stored.Config{Dir: stored.Dir(filepath.Join(col.Dir(), "derived")), Cores: 1, Options: stored.Default()}); err != nil {
			return err
		}
	}
	return nil
}

// gazetteText is a notice and its phrases.
func gazetteText(name string, year, i int) (text string, out []evolution.Sentence) {
	ministry, money, rent := "Ministry of Welfare", "dole", "rent aid"
	if year >= 2007 {
		ministry, money, rent = "Ministry of Welfare and Work", "basic benefit", "housing grant"
	}
	called := func(s string) evolution.Phrase { return evolution.Phrase{Key: strings.ToLower(s), Name: s} }
	text = fmt.Sprintf("The %s pays %s, pension and %s to citizens in need.", ministry, money, rent)
	out = append(out, evolution.Sentence{called(ministry), {Key: money}, {Key: "pension", Listed: true}, {Key: rent, Listed: true}, {Key: "citizen"}, {Key: "need"}})
	text += fmt.Sprintf(" Offices of the %s open at eight, and each form has an answer.", ministry)
	out = append(out, evolution.Sentence{{Key: "office"}, called(ministry), {Key: "form"}, {Key: "answer"}})
	if year >= 2008 {
		text += " The job centre helps to find work."
		out = append(out, evolution.Sentence{{Key: "job centre"}, {Key: "work"}, {Key: "help"}})
	}
	often := 4
	if name == "herald" {
		often = 1
	}
	for k, p := range []string{"Ann Reed", "Tom Hall", "Eve Moor"} {
		if k == 0 && (7*i+year)%5 < often || k > 0 && (i+k+year)%3 == 0 {
			text += " " + p + " spoke about the pension."
			out = append(out, evolution.Sentence{called(p), {Key: "pension"}})
		}
	}
	return text, out
}
