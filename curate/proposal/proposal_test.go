package proposal

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/crawl/relevance"
)

// harbour is six pages about one thing, on one host, with a frame that links to the same page everywhere.
func harbour() (pages []Page) {
	said := []string{
		"The harbour wall of Sandport broke in July 2021, when the storm surge came. Maria Lenz, the harbour master, had warned the council of the storm surge for years.",
		"Maria Lenz spoke to the council about the harbour wall. On 14 July 2021 the storm surge took forty metres of the harbour wall, and Lenz closed the harbour.",
		"Engineers looked at the harbour wall in Sandport and found that the storm surge had washed out its foundation. The council will pay for a new harbour wall.",
		"A new harbour wall costs eleven million. The council of Sandport asked Maria Lenz how high a storm surge the harbour wall should stand.",
		"Fishermen of Sandport cannot land their catch until the harbour wall is mended. The storm surge of July 2021 sank nine boats, Lenz said.",
		"Volunteers collect pictures of the storm surge and of the harbour wall as it stood before July 2021 for the museum of Sandport.",
	}
	for i, s := range said {
		body := fmt.Sprintf(`<html lang="en"><title>Harbour news %d</title><body><nav><a href="https://frame.example/">Made with care</a></nav><main><h1>Harbour news</h1>
<p>%s</p><p>More is in <a href="https://archive.sandport.example/wall/%d">the town's archive</a> and in <a href="https://archive.sandport.example/surge/%d">its pictures</a>, which everybody can look at for as long as they like.</p></main></body></html>`, i, s, i, i)
		pages = append(pages, Page{URL: fmt.Sprintf("https://news.sandport.example/%d", i), Time: time.Date(2026, 11, 16, 12, i, 0, 0, time.UTC), MIME: "text/html", Body: []byte(body), Seed: i == 0})
	}
	return pages
}

func listOf(t *testing.T, about relevance.About, pages ...Page) List {
	t.Helper()
	g := New()
	for _, p := range pages {
		if err := g.Add(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	return g.List("a test", about)
}

// A term that pages of two languages have is proposed once, so that all proposals can be accepted together.
func TestOneTermOfTwoLanguages(t *testing.T) {
	var pages []Page
	for i, text := range []string{
		"The Kubernetes cluster of the town was moved on Monday. A Kubernetes cluster needs care, and nobody in the town hall had time for a cluster.",
		"People asked who pays for the Kubernetes cluster. The mayor said that the cluster is cheap, and that a second cluster would come.",
		"The old cluster was sold in the spring of the year, and the new cluster of the town stands in the cellar of the school.",
		"Der Cluster der Stadt wurde am Montag umgezogen. Ein Cluster braucht Pflege, und niemand im Rathaus hatte Zeit für den Cluster.",
		"Die Leute fragten, wer den Cluster bezahlt. Der Bürgermeister sagte, dass der Cluster billig ist und ein zweiter Cluster kommt.",
		"Der alte Cluster wurde im Frühling verkauft, und der neue Cluster der Stadt steht nun im Keller der alten Schule am Markt.",
	} {
		pages = append(pages, Page{URL: fmt.Sprintf("http://town.example/%d", i), MIME: "text/html; charset=utf-8", Body: []byte("<html><body><article><p>" + text + "</p></article>")})
	}
	about := relevance.About{}
	found := 0
	for _, p := range listOf(t, about, pages...).Items {
		if p.Kind != Term {
			continue
		}
		if strings.EqualFold(p.Text, "cluster") {
			if found++; p.Pages != 6 {
				t.Errorf("%+v: want it of 6 pages", p)
			}
		}
		if err := p.Add(&about); err != nil {
			t.Error(err)
		}
	}
	if found != 1 {
		t.Errorf("the cluster is proposed %d times", found)
	}
}

// What people searched for more than once is proposed where a page has it, and becomes a keyword.
func TestSearches(t *testing.T) {
	const log = `127.0.0.1 - - [16/Nov/2026:12:00:00 +0000] "GET /search?collection=x&q=Storm+%22Surge%22 HTTP/1.1" 200 12
127.0.0.1 - - [16/Nov/2026:12:00:01 +0000] "GET /api/search?q=storm+surge HTTP/1.1" 200 12
127.0.0.1 - - [16/Nov/2026:12:00:01 +0000] "GET /collections?q=council HTTP/1.1" 200 12
museum	7
harbour	1
unicorn	9
useum	5
`
	asked, err := ReadSearches(strings.NewReader(log))
	if err != nil || asked["storm surge"] != 2 || asked["museum"] != 7 || asked["council"] != 0 {
		t.Fatalf("%v, %v", asked, err)
	}
	if _, err := ReadSearches(strings.NewReader("a\tmany\n")); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Error(err)
	}
	g := New()
	g.Ask(asked)
	for _, p := range harbour() {
		if err := g.Add(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	var found []string
	about := relevance.About{}
	for _, p := range g.List("a test", about).Items {
		if p.Kind == Search {
			found = append(found, fmt.Sprint(p.Text, " ", p.Count, " ", p.Pages))
			if err := p.Add(&about); err != nil || p.URL == "" || !strings.Contains(strings.ToLower(p.Passage), p.Text) {
				t.Errorf("%+v: %v", p, err)
			}
		}
	}
	if fmt.Sprint(found) != "[storm surge 2 6 museum 7 1]" || len(about.Keywords) != 2 {
		t.Errorf("%v, keywords %v", found, about.Keywords)
	}
}

// Hosts beyond the domains of a nation are proposed by what their pages say, at the foot of the page too, with the reasons; accepted, they are national.
func TestNationalHosts(t *testing.T) {
	about := relevance.About{Nation: relevance.Nation{Domains: []string{"at"}, Phones: []string{"+43"}, Postcodes: `[1-9]\d{3}`, Places: []string{"Graz"}, Languages: []string{"de"}}}
	page := func(url, foot string) Page {
		return Page{URL: url, Time: time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC), MIME: "text/html", Body: []byte(`<html><title>Verein</title><body><main><p>Der Verein trifft sich jeden Montag im Gasthaus und singt dort alte und neue Lieder, und alle, die gern singen, sind herzlich willkommen.</p></main><footer>` + foot + `</footer></body></html>`)}
	}
	g := New()
	g.Seek(about.Nation)
	for _, p := range []Page{
		page("https://graz-chor.example/", "8010 Graz, Tel. +43 316 123456"), page("https://berlin-chor.example/", "10115 Berlin, Tel. +49 30 1234567"), page("https://www.chor.at/", "8010 Graz"),
	} {
		if err := g.Add(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	var found []Proposal
	for _, p := range g.List("a test", about).Items {
		if p.Kind == National {
			found = append(found, p)
		}
	}
	if len(found) != 1 || found[0].Text != "graz-chor.example" || !strings.Contains(found[0].Passage, "+43 316 123456") || !strings.Contains(found[0].Passage, "8010 Graz") {
		t.Fatalf("%+v", found)
	}
	if err := found[0].Add(&about); err != nil || !found[0].In(about) || about.Check() != nil || !relevance.NewNationJudge(about.Nation).National("graz-chor.example") {
		t.Errorf("accepted: %v %v", about.Nation.Hosts, err)
	}
}

func TestProposals(t *testing.T) {
	l := listOf(t, relevance.About{}, harbour()...)
	found := map[string]Proposal{}
	for _, p := range l.Items {
		found[p.Key] = p
		if p.URL == "" || p.Time.IsZero() || p.Score <= 0 || p.Score > 1 {
			t.Errorf("%+v: no page, or no score", p)
		}
	}
	if l.Pages != 6 {
		t.Errorf("%d pages", l.Pages)
	}
	for key, want := range map[string]func(Proposal) bool{
		"term:storm surge":  func(p Proposal) bool { return p.Pages == 6 && strings.Contains(p.Passage, "storm surge") },
		"term:harbour wall": func(p Proposal) bool { return p.Pages == 6 && p.Count >= 8 },
		"name:Maria Lenz": func(p Proposal) bool {
			return p.Type == "PER" && slices.Equal(p.Other, []string{"Lenz"}) && p.Pages == 4
		},
		"name:Sandport":                        func(p Proposal) bool { return p.Pages >= 2 && p.Type == "LOC" },
		"host:archive.sandport.example":        func(p Proposal) bool { return p.Score == 1 && p.Pages == 6 && p.Addresses == 12 },
		"host:frame.example":                   func(p Proposal) bool { return p.Score < 0.5 && p.Addresses == 1 }, // in the frame of all pages
		"language:en":                          func(p Proposal) bool { return p.Pages == 6 },
		"month:2021-07":                        func(p Proposal) bool { return p.Pages == 3 }, // "before July 2021" is no month
		"page:https://news.sandport.example/0": func(p Proposal) bool { return strings.Contains(p.Body, "harbour master") },
	} {
		if p, ok := found[key]; !ok || !want(p) {
			t.Errorf("%s: %+v", key, p)
		}
	}
	for _, nested := range []string{"term:storm", "term:surge", "term:Maria"} { // never met but in longer ones
		if _, ok := found[nested]; ok {
			t.Errorf("%s is proposed", nested)
		}
	}
	if t.Failed() {
		for _, p := range l.Items {
			t.Logf("%.2f %s %d %d", p.Score, p.Key, p.Pages, p.Count)
		}
	}
}

// What is frequent in a site is not yet near what a crawl is about: with a keyword, terms and names that keep company with it are proposed, with how
// often they do, and others are not; without one, or where all pages or none have it, all are.
func TestTermsKeepCompany(t *testing.T) {
	var pages []Page
	for i := range 24 {
		text := "The home team won by a late goal, and the late goal of the away team did not count. Late goal or not, the corner kick of Peter Stone was good, said Peter Stone."
		if i%4 == 0 {
			text = "The flood came over the sluice gate in the night. The sluice gate broke, said Anna Brandt, and Anna Brandt saw how the flood took the mill."
		}
		pages = append(pages, Page{
			URL: fmt.Sprintf("https://valley.example/%d", i), Time: time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC), MIME: "text/html; charset=utf-8",
			Body: fmt.Appendf(nil, `<html lang="en"><title>Valley %d</title><main><p>%s</p></main></html>`, i, text),
		})
	}
	keys := func(about relevance.About) map[string]Proposal {
		out := map[string]Proposal{}
		for _, p := range listOf(t, about, pages...).Items {
			out[p.Key] = p
		}
		return out
	}
	of := func(word string) relevance.About {
		return relevance.About{Keywords: []relevance.Keyword{{Word: word}}}
	}
	for _, about := range []relevance.About{{}, of("nowhere"), of("the")} {
		got := keys(about)
		for _, want := range []string{"term:late goal", "term:sluice gate", "name:Peter Stone", "name:Anna Brandt"} {
			if got[want].Score == 0 || got[want].Near != 0 {
				t.Errorf("%+v: %s is %+v", about.Keywords, want, got[want])
			}
		}
	}
	got := keys(of("flood"))
	if p := got["term:sluice gate"]; p.Score != 1 || p.Near != 6 {
		t.Errorf("beside flood: %+v", p)
	}
	if p := got["name:Anna Brandt"]; p.Score != 1 || p.Near != 6 {
		t.Errorf("beside flood: %+v", p)
	}
	for _, gone := range []string{"term:late goal", "term:corner kick", "name:Peter Stone"} {
		if p, there := got[gone]; there {
			t.Errorf("not beside flood: %+v", p)
		}
	}
}

// The example of company.weigh.
func TestCompany(t *testing.T) {
	c := company{g: &Gatherer{texts: make([]text, 200)}, has: make([]bool, 200), n: 40}
	for i := range 40 {
		c.has[i] = true
	}
	for i := 28; i < 48; i++ { // 12 of 20 are near
		c.g.texts[i].lower = "a sluice gate."
	}
	c.g.texts[199].lower = "sluice gates"
	got := c.weigh([]Proposal{{Text: "Sluice gate", Score: 1}, {Text: "elsewhere", Score: 1}})
	if len(got) != 1 || got[0].Near != 12 || math.Abs(got[0].Score-(12.4/22-0.2)/0.8) > 1e-9 {
		t.Errorf("%+v", got)
	}
}

// What is accepted is part of a definition that can be taken, is not proposed again, and is not added twice.
func TestAdd(t *testing.T) {
	var about relevance.About
	for _, p := range listOf(t, about, harbour()...).Items {
		if err := p.Add(&about); err != nil {
			t.Fatal(err)
		}
		if err := p.Add(&about); err == nil {
			t.Errorf("%s was added twice", p.Key)
		}
	}
	if err := about.Check(); err != nil {
		t.Error(err)
	}
	if !about.Says("Harbour WALL") || !about.Says("lenz") || about.Says("harbour museum wall") {
		t.Errorf("%+v", about)
	}
	if l := listOf(t, about, harbour()...); len(l.Items) != 0 {
		for _, p := range l.Items {
			if !slices.Contains([]Kind{Term, Name}, p.Kind) { // further terms and names come behind those that were accepted
				t.Errorf("%s is proposed again", p.Key)
			}
			if p.In(about) {
				t.Errorf("%s is in the definition", p.Key)
			}
		}
	}
}

// What cannot be looked for is told, and what is no page says nothing.
func TestMissing(t *testing.T) {
	page := func(url, mime, body string) Page {
		return Page{URL: url, Time: time.Now(), MIME: mime, Body: []byte(body)}
	}
	l := listOf(
		t, relevance.About{},
		page("https://a.example/", "text/html", "<p>Vandstanden i havnen steg natten til mandag, og byens borgmester sagde, at dæmningen ikke længere kan holde vandet ude, når stormen kommer.</p>"),
		page("https://a.example/x.png", "image/png", "\x89PNG\r\n\x1a\n"), page("https://a.example/empty", "text/html", ""), page("no address", "text/html", "<p>words</p>"),
	)
	if l.Pages != 1 || len(l.Missing) == 0 || !strings.Contains(strings.Join(l.Missing, "\n"), "(1 pages)") {
		t.Errorf("%+v", l)
	}
	if len(l.Items) != 1 || l.Items[0].Key != "language:da" {
		t.Errorf("%+v", l.Items)
	}
}

// The last list counts, whatever was struck stays struck, and a line that cannot be read hides nothing else.
func TestJournal(t *testing.T) {
	col, err := catalog.Open(t.TempDir()).Collection("news")
	if err != nil {
		t.Fatal(err)
	}
	list := func(keys ...string) *List {
		l := &List{From: "test"}
		for _, k := range keys {
			l.Items = append(l.Items, Proposal{Key: k, Kind: Term, Text: k})
		}
		return l
	}
	at := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	for _, l := range []Line{{Name: "a", List: list("term:old")}, {Name: "a", Struck: []string{"term:x"}}, {Name: "b", List: list("term:other")}, {Name: "a", List: list("term:x", "term:y", "term:z")}} {
		l.By, l.At = "eva", at
		if err := Keep(col, l); err != nil {
			t.Fatal(err)
		}
	}
	if err := Keep(col, Line{Name: "a"}); err == nil {
		t.Error("an empty line was kept")
	}
	f, err := os.OpenFile(File(col), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("{broken}\n{\"version\":9,\"name\":\"a\",\"struck\":[\"term:y\"]}\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Read(col, "a")
	if err == nil || s.By != "eva" || !s.At.Equal(at) {
		t.Errorf("%+v, %v", s, err)
	}
	open := s.Open(func(p Proposal) bool { return p.Key == "term:z" })
	if len(open) != 1 || open[0].Key != "term:y" {
		t.Errorf("%+v", open)
	}
	if _, ok := s.Find("term:old"); ok {
		t.Error("a list of before is still in force")
	}
}
