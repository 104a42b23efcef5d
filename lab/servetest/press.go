package servetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve/archive/catalog"
	"varve/derive"
	"varve/index/fulltext"
	"varve/text/near"
	"varve/web/canon"
)

// Hostile is what a page may call itself.
const Hostile = `</title><script>window.hacked=1</script><img src=x onerror="window.hacked=2">"'&`

// Press is a collection of texts without captures, "press", whose counts are known: 36 months from January
// 2020 on with ten versions each. "council" is in all of them, "election" in two of ten, but in eight of ten in
// May 2021, when "ballotbox" is there for the only time. Two hosts take turns; the second writes German. One page has 36
// versions, one each month. The page http://b.press.test/hostile has markup for a title, as its text and its anchors.
//
// An analysis found persons and opinions: "Mayor, Ann" in all versions of the first host, "Bob Ballot" wherever "election" is, markup in
// the hostile page; of "the vote" versions with "election" think -0.5 in German and 0.5 in English.
func Press(ctx context.Context, dir string) error {
	return WriteTexts(ctx, dir, "press", "The press", pressVersions(), pressFacets, pressValues)
}

var pressFacets = derive.FacetTable{Job: "press", Facets: []derive.Facet{
	{Name: "person", Title: "Persons", Kind: derive.FacetNames}, {Name: "opinion", Title: "Opinion", Kind: derive.FacetNumbers},
}}

func pressValues(v *derive.VersionRow) (out []derive.FacetValue) {
	if v.Host == "a.press.test" {
		out = append(out, derive.FacetValue{Facet: "person", Value: "Mayor, Ann", Count: 1})
	}
	if strings.HasSuffix(v.URL, "/hostile") {
		out = append(out, derive.FacetValue{Facet: "person", Value: `<script>alert("person")</script>`, Count: 1})
	}
	if strings.Contains(v.Text, "election") {
		out = append(out, derive.FacetValue{Facet: "person", Value: "Bob Ballot", Count: 1})
		out = append(out, derive.FacetValue{Facet: "opinion", Value: "the vote", Number: map[bool]float64{true: -0.5, false: 0.5}[v.Language == "de"], Count: 1})
	}
	return out
}

// WriteTexts makes a collection of versions without captures, and its text index.
func WriteTexts(ctx context.Context, dir, name, title string, list []derive.VersionRow, facets derive.FacetTable, values func(*derive.VersionRow) []derive.FacetValue) error {
	col, err := catalog.Open(dir).Collection(name)
	if err != nil {
		return err
	}
	if err := col.Create(); err != nil {
		return err
	}
	if err := os.WriteFile(col.DefinitionFile(), fmt.Appendf(nil, "title = %q\n", title), 0o644); err != nil {
		return err
	}
	table := filepath.Join(col.Dir(), "derived", "versions.parquet")
	if err := os.MkdirAll(filepath.Dir(table), 0o755); err != nil {
		return err
	}
	// In the order of keys and times, as derive writes them: that is how versions are found.
	slices.SortStableFunc(list, func(a, b derive.VersionRow) int {
		return cmp.Or(strings.Compare(a.SURT, b.SURT), a.From.Compare(b.From))
	})
	if err := writeVersions(table, list); err != nil {
		return err
	}
	f, err := os.Create(derive.FacetsOf(table))
	if err != nil {
		return err
	}
	w := derive.WriteFacets(f, facets)
	for i := range list {
		err = errors.Join(err, w.Add(&list[i], values(&list[i])))
	}
	if err := errors.Join(err, w.Close(), f.Close()); err != nil {
		return err
	}
	_, err = fulltext.Build(ctx, col.IndexDir("fulltext"), table, nil)
	return err
}

// OpenTexts opens the text indexes that an archive has.
func OpenTexts(dir string) (*Texts, error) {
	cols, err := catalog.Open(dir).Collections()
	if err != nil {
		return nil, err
	}
	out := &Texts{dir: dir}
	for _, c := range cols {
		ix, err := fulltext.Open(c.IndexDir("fulltext"))
		if err != nil {
			return nil, err
		}
		out.list = append(out.list, fulltext.Source{Name: c.Name, Index: ix})
	}
	return out, nil
}

func pressVersions() (out []derive.VersionRow) {
	start := time.Date(2020, 1, 5, 12, 0, 0, 0, time.UTC)
	for m := range 36 {
		at := start.AddDate(0, m, 0)
		next := start.AddDate(0, m+1, 0)
		out = append(out, pressVersion("http://a.press.test/", "Front page", fmt.Sprintf("The council met in month %d of the story and the people listened to number %d.", m, m*7), at, next))
		for i := 1; i < 10; i++ {
			host, text := "a.press.test", fmt.Sprintf("The council spoke about matter %d of issue %d for a long while before anybody answered.", i, m)
			if i%2 == 0 {
				host, text = "b.press.test", fmt.Sprintf("The council: der Rat sprach über die Sache %d der Ausgabe %d, bevor jemand etwas dazu sagte.", i, m)
			}
			if i <= 2 || m == 16 && i <= 8 {
				text += " The election was near."
			}
			if m == 16 && i <= 8 {
				text += " A ballotbox stood in every school."
			}
			out = append(out, pressVersion(fmt.Sprintf("http://%s/%d/%d", host, m, i), fmt.Sprintf("Issue %d, story %d", m, i), text, at.Add(time.Duration(i)*time.Hour), time.Time{}))
		}
	}
	evil := pressVersion("http://b.press.test/hostile", Hostile, "Before "+Hostile+" the hostileword "+Hostile+" and after.", start.Add(12*time.Hour), time.Time{})
	evil.Anchors = Hostile
	return append(out, evil)
}

func pressVersion(url, title, text string, from, until time.Time) derive.VersionRow {
	u, err := canon.Parse(url)
	if err != nil {
		panic(err) // they are written above
	}
	lang := "en"
	if u.Host() == "b.press.test" {
		lang = "de"
	}
	print := near.Of(text)
	v := derive.VersionRow{
		URL: url, SURT: canon.SURT(url), Host: u.Host(), Domain: strings.TrimPrefix(strings.TrimPrefix(u.Host(), "a."), "b."), From: from, Last: from, Until: until, Captures: 1, Crawl: from.Format("200601") + "01T000000Z",
		MIME: "text/html", Language: lang, Confidence: 0.9, Title: title, Text: text, Words: int32(len(strings.Fields(text))), Simhash: uint64(print.Simhash),
		Dated: from.AddDate(0, 0, -1), DateSource: "meta", DateConfidence: 0.8, Digest: "sha1:" + fmt.Sprintf("%032d", from.Unix()), State: text, Size: int64(len(text)), File: "press.warc.gz",
	}
	for _, x := range print.Minhash {
		v.Minhash = append(v.Minhash, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
	}
	return v
}

func writeVersions(path string, list []derive.VersionRow) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := parquet.NewGenericWriter[derive.VersionRow](f)
	if _, err := w.Write(list); err != nil {
		return err
	}
	return w.Close()
}
