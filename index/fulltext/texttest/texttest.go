// Package texttest is the suite that every implementation of fulltext.Text passes, and a comparison of two of them by random questions.
package texttest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve/derive"
	"varve/index/fulltext"
)

// Open makes a text index of a table of versions.
type Open func(t *testing.T, collection, versions string, labels fulltext.Labels) fulltext.Text

// Declared are the facets of the tables that Write makes.
var Declared = derive.FacetTable{Job: "made", Facets: []derive.Facet{
	{Name: "person", Title: "Persons", Kind: derive.FacetNames},
	{Name: "opinion", Title: "Opinion", Kind: derive.FacetNumbers},
}}

// Write writes a table of versions and its facets into a folder, and returns its path. A nil function has no facets.
func Write(t testing.TB, dir string, list []derive.VersionRow, of func(*derive.VersionRow) []derive.FacetValue) string {
	t.Helper()
	path := filepath.Join(dir, "versions.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[derive.VersionRow](f)
	_, err = w.Write(list)
	if err = errors.Join(err, w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if of == nil {
		return path
	}
	if f, err = os.Create(derive.FacetsOf(path)); err != nil {
		t.Fatal(err)
	}
	facets := derive.WriteFacets(f, Declared)
	for i := range list {
		err = errors.Join(err, facets.Add(&list[i], of(&list[i])))
	}
	if err = errors.Join(err, facets.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func day(y, m, d int) time.Time {
	return time.Date(y, time.Month(m), d, 12, 0, 0, 123_456_000, time.UTC)
}

// library is a small one that can be read. The name of a document is its path.
func library() []derive.VersionRow {
	doc := func(name, host, lang, title, text, anchors string, links int32, from, until time.Time) derive.VersionRow {
		v := derive.VersionRow{
			URL: "http://" + host + "/" + name, Host: host, Domain: host, MIME: "text/html", Language: lang, Title: title, Text: text, Anchors: anchors, Inlinks: links,
			From: from, Last: from.Add(time.Hour), Until: until, Captures: 2, Crawl: "c1", Digest: "sha1:" + name, File: "a.warc.gz", Words: int32(len(strings.Fields(text))),
		}
		label, zone, _ := strings.Cut(host, ".")
		v.SURT = zone + "," + label + ")/" + name
		return v
	}
	none := time.Time{}
	return []derive.VersionRow{
		doc("one", "a.test", "en", "The rent law", "A law on rents was passed in Berlin. The rent law holds.", "rent law\nthe law", 3, day(2019, 3, 1), day(2019, 9, 1)),
		doc("one", "a.test", "en", "The rent law", "The rent law was changed, and rents rise.", "rent law", 3, day(2019, 9, 1), none),
		doc("two", "a.test", "de", "Mietgesetz", "Das Gesetz über Mieten in Berlin, Köln und München.", "", 0, day(2019, 5, 1), none),
		doc("three", "b.test", "en", "Minister resigns", "The prime minister resigns; the minister of law stays. E-mail us at 3.14 today.", "minister", 1, day(2020, 1, 15), day(2020, 2, 1)),
		doc("four", "b.test", "en", "", "law law law law", "", 0, day(2020, 2, 1), none),
		doc("five", "b.test", "", "日本語", "東京 は 日本 の 首都 です", "", 0, day(2020, 6, 30), none),
		doc("six", "c.test", "en", "Echo", "echo one echo two three four five six seven eight echo", "law of echoes", 9, day(2021, 1, 1), day(2021, 1, 2)),
	}
}

// facetsOf are the facets of the library, by the path.
func facetsOf(v *derive.VersionRow) []derive.FacetValue {
	person := func(n string) derive.FacetValue { return derive.FacetValue{Facet: "person", Value: n, Count: 1} }
	opinion := func(about string, n float64) derive.FacetValue {
		return derive.FacetValue{Facet: "opinion", Value: about, Number: n, Count: 1}
	}
	switch filepath.Base(v.URL) {
	case "one":
		return []derive.FacetValue{person("Ann Berg"), person("ann berg"), opinion("", -0.5), opinion("rent law", -0.8)}
	case "two":
		return []derive.FacetValue{person("Ann Berg"), person("Bo Lund"), opinion("", 0.25), opinion("Rent Law", 0.5), opinion("rents", -0)}
	case "three":
		return []derive.FacetValue{person("Bo Lund"), opinion("rents", 1)}
	}
	return nil
}

var labels = fulltext.Labels{
	Coherence: func(d fulltext.Labelled) string {
		if strings.HasSuffix(d.SURT, "/one") {
			return "coherent"
		}
		return ""
	},
	Spam: func(host string) string {
		return map[string]string{"b.test": "spam"}[host]
	},
}

// names are the paths of hits, with the year where a page has several versions.
func names(hits []fulltext.Hit) (out []string) {
	for _, h := range hits {
		n := filepath.Base(h.URL)
		if n == "one" && h.Until.IsZero() {
			n = "one'"
		}
		out = append(out, n)
	}
	return out
}

// Run runs the suite.
func Run(t *testing.T, open Open) {
	versions := Write(t, t.TempDir(), library(), facetsOf)
	ix := open(t, "texttest", versions, labels)
	if n := ix.Docs(); n != 7 {
		t.Fatalf("%d documents", n)
	}
	t.Run("queries", func(t *testing.T) { queries(t, ix) })
	t.Run("times", func(t *testing.T) { times(t, ix) })
	t.Run("facets", func(t *testing.T) { facets(t, ix) })
	t.Run("order", func(t *testing.T) { order(t, ix) })
	t.Run("pages", func(t *testing.T) { pages(t, ix) })
	t.Run("hits", func(t *testing.T) { hits(t, ix) })
	t.Run("views", func(t *testing.T) { view(t, ix) })
	t.Run("versions", func(t *testing.T) { versionsOf(t, ix) })
	t.Run("refused", func(t *testing.T) { refused(t, ix) })
	t.Run("spelled", func(t *testing.T) {
		var other []derive.VersionRow
		for i := range 5 { // words of few documents are not in the vocabulary of the embedded index
			d := library()[4]
			d.URL, d.SURT, d.Text = fmt.Sprint(d.URL, i), fmt.Sprint(d.SURT, i), "the parliament and its speaker"
			other = append(other, d)
		}
		second := open(t, "texttest-second", Write(t, t.TempDir(), other, nil), fulltext.Labels{})
		spelled(t, []fulltext.Source{{Name: "texttest", Index: ix}, {Name: "texttest-second", Index: second}})
	})
}

// spelled finds words that are written nearly as a word is in the texts of all sources.
func spelled(t *testing.T, sources []fulltext.Source) {
	for _, x := range [][2]string{{"parlament", "parliament"}, {"speeker", "speaker"}, {"zzzzzz", ""}, {"sp", ""}} {
		for _, list := range [][]fulltext.Source{sources, {sources[1], sources[0]}} {
			found, err := fulltext.Spelled(t.Context(), list, x[0], 5)
			if err != nil {
				t.Fatal(err)
			}
			has := slices.ContainsFunc(found, func(c fulltext.Count) bool { return c.Name == x[1] && c.Count == 5 })
			if x[1] != "" && !has || x[1] == "" && len(found) > 0 {
				t.Errorf("%s: %v, want %q", x[0], found, x[1])
			}
		}
	}
}

func ask(t *testing.T, ix fulltext.Text, view *fulltext.View, q fulltext.Query) *fulltext.Answer {
	t.Helper()
	a, err := fulltext.Search(t.Context(), []fulltext.Source{{Name: "texttest", Index: ix, View: view}}, q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return a
}

// finds asks and compares what is found, whatever its order.
func finds(t *testing.T, ix fulltext.Text, q fulltext.Query, want string) {
	t.Helper()
	q.Limit = 100
	a := ask(t, ix, nil, q)
	got := names(a.Hits)
	slices.Sort(got)
	list := strings.Fields(want)
	slices.Sort(list)
	if !slices.Equal(got, list) || a.Total != int64(len(list)) {
		t.Errorf("%+v: %d: %q, want %q", q, a.Total, got, list)
	}
}

func queries(t *testing.T, ix fulltext.Text) {
	for q, want := range map[string]string{
		"":                             "one one' two three four five six",
		"law":                          "one one' three four six",
		"LAW":                          "one one' three four six",
		"text:law":                     "one one' three four",
		"title:law":                    "one one'",
		"anchor:law":                   "one one' six",
		"url:three":                    "three",
		"laws":                         "",
		"rent*":                        "one one'",
		"köln":                         "two",
		`"rent law"`:                   "one one'",
		`"law rent"`:                   "",
		`"law law law law"`:            "four",
		`"law law law law law"`:        "",
		`"prime minister"`:             "three",
		"e-mail":                       "three",
		"3.14":                         "three",
		`"minister today"~9`:           "three",
		`"today minister"~9`:           "three",
		`"today minister"~3`:           "",
		`"echo echo"~1`:                "six",
		`"echo echo echo"~7`:           "",
		`"echo echo echo"~8`:           "six",
		`"two echo echo"~1`:            "six",
		`"six seven"~1`:                "six",
		"law minister":                 "three",
		"law AND NOT minister":         "one one' four six",
		"law -rent":                    "three four six",
		"minister OR köln":             "two three",
		"(minister OR köln) law":       "three",
		"NOT law":                      "two five",
		"-(law OR köln)":               "five",
		"law & rent":                   "one one'",
		"東京":                           "five",
		"lang:de":                      "two",
		"host:B.TEST law":              "three four",
		"host:b.*":                     "three four five",
		"year:2020":                    "three four five",
		"collection:TextTest":          "one one' two three four five six",
		"collection:other":             "",
		`person:"ann  berg"`:           "one one' two",
		`person:bo*`:                   "two three",
		`-person:"ann berg"`:           "three four five six",
		"opinion:<0":                   "one one'",
		"opinion:<=0.25":               "one one' two",
		"opinion:>0.25":                "",
		`opinion:<0 about:"rent law"`:  "one one'",
		`opinion:>-1 about:"RENT law"`: "one one' two",
		"opinion:=0 about:rents":       "two",
		"opinion:>=0 about:rent*":      "two three",
		"opinion:<1 about:*":           "one one' two",
		"coherence:coherent":           "one one'",
		"spam:spam -law":               "five",
	} {
		finds(t, ix, fulltext.Query{Text: q}, want)
	}
}

func times(t *testing.T, ix fulltext.Text) {
	micro := time.Microsecond
	for _, c := range []struct {
		q    fulltext.Query
		want string
	}{
		{fulltext.Query{AsOf: day(2019, 3, 1)}, "one"},
		{fulltext.Query{AsOf: day(2019, 3, 1).Add(-micro)}, ""},
		{fulltext.Query{AsOf: day(2019, 9, 1).Add(-micro)}, "one two"},
		{fulltext.Query{AsOf: day(2019, 9, 1)}, "one' two"},
		{fulltext.Query{AsOf: day(2030, 1, 1)}, "one' two four five"},
		{fulltext.Query{From: day(2020, 1, 20), To: day(2020, 1, 21)}, "one' two three"},
		{fulltext.Query{From: day(2020, 2, 1)}, "one' two four five six"},
		{fulltext.Query{To: day(2019, 3, 1)}, "one"},
		{fulltext.Query{From: day(2019, 1, 1), To: day(2020, 12, 31), Relation: fulltext.Inside}, "one three"},
		{fulltext.Query{From: day(2019, 1, 1), To: day(2020, 2, 1).Add(-micro), Relation: fulltext.Inside}, "one three"},
		{fulltext.Query{From: day(2019, 1, 1), To: day(2020, 2, 1).Add(-2 * micro), Relation: fulltext.Inside}, "one"},
		{fulltext.Query{From: day(2020, 1, 1), Relation: fulltext.Inside}, "three four five six"},
		{fulltext.Query{From: day(2019, 4, 1), To: day(2019, 8, 1), Relation: fulltext.Contains}, "one"},
		{fulltext.Query{From: day(2020, 7, 1), To: day(2030, 1, 1), Relation: fulltext.Contains}, "one' two four five"},
		{fulltext.Query{From: day(2020, 7, 1), Relation: fulltext.Contains}, ""},
		{fulltext.Query{From: day(2020, 1, 1), To: day(2020, 12, 31), Relation: fulltext.Begins}, "three four five"},
		{fulltext.Query{Text: "law", AsOf: day(2020, 1, 20), From: day(2020, 1, 1), Relation: fulltext.Begins}, "three"},
	} {
		finds(t, ix, c.q, c.want)
	}
	a := ask(t, ix, nil, fulltext.Query{Text: "law", Trend: fulltext.ByYear, Limit: -1})
	want := "2019 2/3 2020 2/3 2021 1/1"
	got := ""
	for _, p := range a.Trend {
		got += fmt.Sprintf(" %d %d/%d", p.At.Year(), p.Count, p.Of)
	}
	if strings.TrimSpace(got) != want || len(a.Hits) != 0 || a.Of != 7 {
		t.Errorf("trend:%s, want %s; %d hits of %d", got, want, len(a.Hits), a.Of)
	}
	first := time.Date(2019, 3, 1, 0, 0, 0, 0, time.UTC)
	for b, n := range map[fulltext.Bucket]int{fulltext.ByMonth: 7, fulltext.ByDay: 7} {
		if a := ask(t, ix, nil, fulltext.Query{Trend: b, Limit: -1}); len(a.Trend) != n || !a.Trend[0].At.Equal(first) {
			t.Errorf("%s: %v", b, a.Trend)
		}
	}
}

func counts(list []fulltext.Count) string {
	var out []string
	for _, c := range list {
		out = append(out, fmt.Sprintf("%s=%d", c.Name, c.Count))
	}
	return strings.Join(out, " ")
}

func facets(t *testing.T, ix fulltext.Text) {
	for _, c := range []struct {
		q           fulltext.Query
		facet, want string
	}{
		{fulltext.Query{}, "host", "a.test=3 b.test=3 c.test=1"},
		{fulltext.Query{Top: 1}, "host", "a.test=3"},
		{fulltext.Query{}, "lang", "en=5 =1 de=1"},
		{fulltext.Query{Text: "law"}, "year", "2019=2 2020=2 2021=1"},
		{fulltext.Query{}, "person", "Ann Berg=3 Bo Lund=2 ann berg=2"},
		{fulltext.Query{Top: 2}, "person", "Ann Berg=3 Bo Lund=2"},
		{fulltext.Query{Prefix: "ANN"}, "person", "Ann Berg=3 ann berg=2"},
		{fulltext.Query{Prefix: "b"}, "host", "b.test=3"},
		{fulltext.Query{}, "opinion", "rent law=2 rents=2 Rent Law=1"},
		{fulltext.Query{}, "collection", "texttest=7"},
		{fulltext.Query{}, "coherence", "=5 coherent=2"},
		{fulltext.Query{Filters: map[string][]string{"person": {"ann berg"}}}, "host", "a.test=2"},
		{fulltext.Query{Filters: map[string][]string{"person": {"Ann Berg", "Bo Lund"}, "host": {"b.test"}}}, "host", "b.test=1"},
		{fulltext.Query{Filters: map[string][]string{"lang": {""}}}, "host", "b.test=1"},
		{fulltext.Query{Without: map[string][]string{"lang": {"", "de"}}}, "host", "a.test=2 b.test=2 c.test=1"},
		{fulltext.Query{Without: map[string][]string{"person": {"Bo Lund"}}, AsOf: day(2020, 1, 20)}, "host", "a.test=1"},
		{fulltext.Query{Filters: map[string][]string{"collection": {"other"}}}, "host", ""},
		{fulltext.Query{Filters: map[string][]string{"person": {"nobody"}}}, "person", ""},
	} {
		c.q.Facets, c.q.Limit = []string{c.facet, "mime"}, -1
		if a := ask(t, ix, nil, c.q); counts(a.Facets[c.facet]) != c.want {
			t.Errorf("%+v: %s, want %s", c.q, counts(a.Facets[c.facet]), c.want)
		}
	}
	var have []string
	for _, d := range fulltext.Declared([]fulltext.Source{{Index: ix}}) {
		have = append(have, d.Name+" "+string(d.Kind))
	}
	if !slices.Equal(have, []string{"person names", "opinion numbers"}) {
		t.Errorf("declared: %q", have)
	}
}

func order(t *testing.T, ix fulltext.Text) {
	for _, c := range []struct {
		q    fulltext.Query
		want string
	}{
		{fulltext.Query{Sort: fulltext.ByOldest}, "one two one' three four five six"},
		{fulltext.Query{Sort: fulltext.ByNewest}, "six five four three one' two one"},
		{fulltext.Query{Sort: fulltext.ByMost("opinion", ""), Text: "-year:2021 host:a.test"}, "two one one'"},
		{fulltext.Query{Sort: fulltext.ByMost("opinion", "RENT law"), Text: "host:a.test"}, "two one one'"},
		{fulltext.Query{Sort: fulltext.ByMost("opinion", "rents"), Text: "person:bo*"}, "three two"},
		{fulltext.Query{Text: "minister", Sort: fulltext.ByScore}, "three"},
		{fulltext.Query{Text: "law -minister"}, "one one' six four"},
	} {
		if got := names(ask(t, ix, nil, c.q).Hits); strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %q, want %s", c.q, got, c.want)
		}
	}
}

func pages(t *testing.T, ix fulltext.Text) {
	for _, q := range []fulltext.Query{{Text: "law"}, {Sort: fulltext.ByOldest}, {Sort: fulltext.ByMost("opinion", "")}, {Sort: fulltext.ByMost("opinion", "rents")}, {Text: "law", Group: true}} {
		whole := q
		whole.Limit = 100
		want := all(ask(t, ix, nil, whole).Hits)
		q.Limit = 2
		var got []string
		for n := 0; n < 10; n++ {
			a := ask(t, ix, nil, q)
			got = append(got, all(a.Hits)...)
			if q.Cursor = a.Cursor; q.Cursor == "" {
				break
			}
		}
		if !q.Group && !slices.Equal(got, want) || len(got) != len(want) {
			t.Errorf("%+v: pages of two give %q, want %q", q, got, want)
		}
	}
}

// all are the names of hits and of those under them.
func all(hits []fulltext.Hit) (out []string) {
	for i := range hits {
		out = append(append(out, names(hits[i:i+1])...), names(hits[i].Alike)...)
	}
	return out
}

func hits(t *testing.T, ix fulltext.Text) {
	a := ask(t, ix, nil, fulltext.Query{Text: `"prime minister"`})
	if len(a.Hits) != 1 {
		t.Fatalf("%+v", a)
	}
	h, want := a.Hits[0], library()[3]
	marked := ""
	for _, p := range h.Snippet {
		if p.Hit {
			marked += "[" + p.Text + "]"
		}
	}
	if h.Collection != "texttest" || h.URL != want.URL || h.SURT != want.SURT || h.Title != want.Title || !h.From.Equal(want.From) || !h.Until.Equal(want.Until) || !h.Last.Equal(want.Last) ||
		h.Captures != 2 || h.Inlinks != 1 || h.Digest != want.Digest || h.File != want.File || !strings.HasPrefix(marked, "[prime][minister]") || !slices.Contains(h.Where, "text") || h.Score <= 0 {
		t.Errorf("%+v\n%s", h, marked)
	}
}

// view withholds a page, and one of the links to another.
func view(t *testing.T, ix fulltext.Text) {
	v := &fulltext.View{
		Key:   "without three, and four before it was seen last",
		May:   func(surt string, _ time.Time) bool { return !strings.HasSuffix(surt, "/three") },
		Mixed: func() func(string) bool { return func(surt string) bool { return strings.HasSuffix(surt, "/six") } },
		Links: func(string) (string, int32, error) { return "an echo", 1, nil },
	}
	a := ask(t, ix, v, fulltext.Query{Text: "minister", Facets: []string{"person"}, Trend: fulltext.ByYear})
	if a.Total != 0 || a.Of != 6 || len(a.Facets["person"]) != 0 || len(a.Trend) != 3 || a.Trend[1].Of != 2 {
		t.Errorf("a page that is withheld: %+v", a)
	}
	if a := ask(t, ix, v, fulltext.Query{Text: "law"}); a.Total != 3 { // the anchors of six are not searched
		t.Errorf("law: %q", names(a.Hits))
	}
	if a := ask(t, ix, v, fulltext.Query{Text: "-law"}); a.Total != 3 {
		t.Errorf("-law: %q", names(a.Hits))
	}
	a = ask(t, ix, v, fulltext.Query{Text: "echo"})
	if len(a.Hits) != 1 || a.Hits[0].Inlinks != 1 {
		t.Errorf("echo: %+v", a.Hits)
	}
	if a := ask(t, ix, v, fulltext.Query{Facets: []string{"host"}, Limit: -1}); counts(a.Facets["host"]) != "a.test=3 b.test=2 c.test=1" {
		t.Errorf("hosts: %v", a.Facets)
	}
	if a := ask(t, ix, nil, fulltext.Query{Text: "law"}); a.Total != 5 {
		t.Error("whoever may see everything sees less, behind one who may not")
	}
	if list, err := ix.Versions("test,b)/three", v, 10); err != nil || len(list) != 0 {
		t.Errorf("versions of a page that is withheld: %v %v", list, err)
	}
	early := &fulltext.View{Key: "only 2019", May: func(_ string, at time.Time) bool { return at.Year() == 2019 }}
	if a := ask(t, ix, early, fulltext.Query{}); a.Total != 3 || a.Of != 3 {
		t.Errorf("only 2019: %q", names(a.Hits))
	}
	nobody := &fulltext.View{Key: "nothing", May: func(string, time.Time) bool { return false }}
	if a := ask(t, ix, nobody, fulltext.Query{Facets: []string{"host", "person"}, Trend: fulltext.ByMonth}); a.Total != 0 || a.Of != 0 || len(a.Facets["host"])+len(a.Facets["person"])+len(a.Trend) != 0 {
		t.Errorf("nothing may be seen: %+v", a)
	}
}

func versionsOf(t *testing.T, ix fulltext.Text) {
	list, err := ix.Versions("test,a)/one", nil, 10)
	if err != nil || len(list) != 2 || !list[0].From.Equal(day(2019, 3, 1)) || list[1].Text != library()[1].Text {
		t.Errorf("versions: %v %v", list, err)
	}
	if list, err := ix.Versions("test,a)/one", nil, 1); err != nil || len(list) != 1 || !list[0].From.Equal(day(2019, 3, 1)) {
		t.Errorf("the first of two: %v %v", list, err)
	}
	v, ok, err := ix.Newest("test,a)/one", nil)
	if err != nil || !ok || !v.From.Equal(day(2019, 9, 1)) {
		t.Errorf("newest: %v %v %v", v, ok, err)
	}
	if _, ok, err := ix.Newest("test,a)/on", nil); ok || err != nil {
		t.Errorf("a page that is not there: %v %v", ok, err)
	}
}

func refused(t *testing.T, ix fulltext.Text) {
	for _, q := range []fulltext.Query{
		{Text: `"open`},
		{Text: "nofacet:x"},
		{Text: "person:<3"},
		{Text: "&"},
		{Facets: []string{"nofacet"}},
		{Filters: map[string][]string{"nofacet": {"x"}}},
		{Sort: "sideways"},
		{Sort: fulltext.ByMost("person", "")},
		{Trend: "week"},
		{Relation: "beside"},
		{From: day(2020, 1, 2), To: day(2020, 1, 1)},
		{Cursor: "nonsense!"},
	} {
		if a, err := fulltext.Search(t.Context(), []fulltext.Source{{Name: "texttest", Index: ix}}, q); err == nil {
			t.Errorf("%+v was answered: %+v", q, a)
		}
	}
}

// Embedded opens the embedded index of a table.
func Embedded(t *testing.T, _, versions string, l fulltext.Labels) fulltext.Text {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ix")
	if _, err := fulltext.Build(t.Context(), dir, versions, nil); err != nil {
		t.Fatal(err)
	}
	if err := fulltext.Relabel(t.Context(), dir, l); err != nil {
		t.Fatal(err)
	}
	ix, err := fulltext.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	return ix
}
