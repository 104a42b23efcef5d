package relevance

import (
	"strings"
	"testing"

	"varve/crawl/priority"
)

func austria() Nation {
	return Nation{
		Name: "Austria", Domains: []string{"at", "wien"}, Hosts: []string{"heimat.example"}, Languages: []string{"de"}, Phones: []string{"+43"},
		Postcodes: `(?:A-)?[1-9]\d{3}`, Places: []string{"Graz", "Wien", "Bad Ischl"},
	}
}

func linksTo(urls ...string) (out []priority.Link) {
	for _, u := range urls {
		out = append(out, priority.Link{URL: u})
	}
	return out
}

// Pages belong to a nation by what they say and where they link, each with its reason; what says nothing is left out.
func TestNation(t *testing.T) {
	j := NewNationJudge(austria())
	j.Learn(&Page{URL: "https://orf.at/", Links: linksTo("https://verein.example/")})
	j.Learn(&Page{URL: "https://news.example/", Links: linksTo("https://other.example/")}) // not national: teaches nothing
	for name, tt := range map[string]struct {
		page  Page
		least float64
		most  float64
		by    string // reasons, with their value
	}{
		"domain":        {Page{URL: "https://www.uni.ac.at/", Text: "nothing"}, 1, 1, "domain 1.00 (www.uni.ac.at)"},
		"port":          {Page{URL: "http://uni.at:8080/"}, 1, 1, "domain 1.00 (uni.at:8080)"},
		"like it":       {Page{URL: "https://hat.example/"}, -1, -1, ""},
		"known":         {Page{URL: "https://www.heimat.example/"}, 1, 1, "domain 1.00 (www.heimat.example)"},
		"telephone":     {Page{URL: "https://a.example/", Text: "Tel. +43 316 123456 oder 0043 1 5550100"}, 0.6, 0.7, "phone 1.00 (0043 1 5550100), places 0.00"},
		"other country": {Page{URL: "https://a.example/", Text: "Tel. +49 30 1234567", Language: "de"}, 0.2, 0.3, "phone 0.00, places 0.00, language 1.00 (de)"},
		"both":          {Page{URL: "https://a.example/", Text: "+49 30 1234567, +43 316 123456"}, 0.3, 0.4, "phone 0.50 (+43 316 123456), places 0.00"},
		"address":       {Page{URL: "https://a.example/", Text: "Hauptplatz 1, 8010 Graz"}, 0.7, 0.8, "address 1.00 (8010 Graz), places 0.33 (Graz)"},
		"two words":     {Page{URL: "https://a.example/", Text: "A-4820 Bad Ischl, Kurpark"}, 0.7, 0.8, "address 1.00 (A-4820 Bad Ischl, Kurpark), places 0.33 (Bad Ischl)"},
		"a year":        {Page{URL: "https://a.example/", Text: "im Jahr 1914 begann 180100 der Krieg"}, 0, 0, "places 0.00"},
		"links":         {Page{URL: "https://a.example/", Links: linksTo("https://a.example/2", "https://orf.at/", "https://orf.at/x", "https://b.example/")}, 0.5, 0.5, "links-to 0.50 (orf.at)"},
		"linked":        {Page{URL: "https://verein.example/"}, 0.3, 0.4, "links-from 0.33 (1 of at most 3 that are counted)"},
		"not linked":    {Page{URL: "https://other.example/"}, -1, -1, ""},
	} {
		o, list := j.Judge(&tt.page)
		if tt.least < 0 {
			if o.Set {
				t.Errorf("%s: %v %s, want no opinion", name, o, ReasonsText(list))
			}
			continue
		}
		if got := ReasonsText(list); !o.Set || o.Value < tt.least || o.Value > tt.most || got != tt.by {
			t.Errorf("%s: %.3f, want %g to %g: %s, want %s", name, o.Value, tt.least, tt.most, got, tt.by)
		}
	}
}

// The module takes part in the mean, knows national links by their hosts, and keeps what it learned when the definition changes.
func TestNationModule(t *testing.T) {
	about := About{Nation: austria()}
	j, err := New(about, nil)
	if err != nil || !about.Guides() {
		t.Fatal(err)
	}
	p := &Page{URL: "https://verein.example/", Text: "Tel. +43 316 123456", Links: linksTo("https://orf.at/", "https://b.example/")}
	r := j.Rate(p)
	if !r.Page.Set || r.Links[0].Value != 1 || r.Links[1].Value != r.Page.Value {
		t.Errorf("%+v", r)
	}
	j.Learn(&Page{URL: "https://orf.at/", Links: linksTo("https://verein.example/")}, r.Page)
	if j, err = j.Redefine(about); err != nil {
		t.Fatal(err)
	}
	_, said := j.Explain(p, -1)
	why := ""
	for _, s := range said {
		why += s.Why
	}
	if !strings.Contains(why, "links-from 0.33 (1 of at most 3 that are counted)") {
		t.Errorf("why: %s", why)
	}
}

func TestBadNation(t *testing.T) {
	for text, want := range map[string]string{
		"[nation]\ndomains = [\"https://at/\"]\n": `no name of a domain`,
		"[nation]\nphones = [\"43\"]\n":           `no code such as +43`,
		"[nation]\npostcodes = \"(\"\n":           `no regular expression`,
		"[nation]\nplaces = [\"--\"]\n":           `no name`,
		"[nation]\nlanguages = [\"german!\"]\n":   `no language`,
		"[nation]\nplace = [\"Graz\"]\n":          `no such key`,
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", text, err, want)
		}
	}
}
