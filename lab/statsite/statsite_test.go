package statsite_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/derive/annotate"
	"varve/entity/statistics"
	"varve/lab/statsite"
	"varve/serve/search"
)

// one is a site that is held.
type one struct {
	site    *statistics.Site
	aligned statistics.Alignment
}

func (o one) Site() (*statistics.Site, statistics.Alignment, error) { return o.site, o.aligned, nil }

// The site is crawled as people would: its dump is got from a real server, imported, and texts are linked to its articles, whose pages are there. What comes first by each method is printed: it is a demonstration, the texts and the
// articles are by one hand.
func TestDemonstration(t *testing.T) {
	h, err := statsite.Handler()
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	get := func(path string) string {
		t.Helper()
		resp, err := http.Get(path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d, %v", path, resp.StatusCode, err)
		}
		return string(b)
	}
	site, err := statistics.ReadMediaWiki(strings.NewReader(get(srv.URL + "/statistics-shown/index.php/Special:Export")))
	if err != nil || len(site.Articles) != 24 || len(site.Themes) != 20 {
		t.Fatalf("%d articles, %d themes, %v", len(site.Articles), len(site.Themes), err)
	}
	for _, a := range site.Articles {
		if page := get(a.URL); !strings.Contains(page, "A demonstration.") {
			t.Errorf("%s: %.100s", a.URL, page)
		}
	}
	aligned, err := site.Alignment()
	if err != nil {
		t.Fatal(err)
	}
	first := map[statistics.Method]int{}
	texts := []struct{ want, text string }{
		{"Renewable energy statistics", "Germans grow wary of the switch to renewables. Energy prices rise: the power company RWE and the wind parks in the North Sea need subsidies, and the Ministry of Finance in Berlin wants to cut them. Electricity from wind and sun is to cover most of the consumption by 2030."},
		{"Tertiary education statistics", "The University of Vienna and the Charles University in Prague take in more students from abroad. Rector Heinz Engl said on Monday that law and engineering are sought after by graduates of other universities."},
		{"Statistics on European cities", "Rents rise in Berlin, Hamburg and Munich. The mayor of Munich said that housing is what people of the city worry about most, and that green areas of Hamburg are to be built on."},
		{"Air transport statistics", "Heathrow Airport counted more passengers than ever, British Airways said, and flights between London and New York were full. Freight by air fell at Frankfurt Airport."},
		{"Research and development expenditure", "The physicist Marie Curie and the chemist Irène Joliot-Curie worked at laboratories of the University of Paris. Research and its patents were paid for by the government and by business."},
	}
	for _, x := range texts {
		for _, m := range []statistics.Method{statistics.Words, statistics.Voting, statistics.Both} {
			r, err := search.LinkStatistics(t.Context(), one{site, aligned}, nil, annotate.Content{MIME: "text/plain; charset=utf-8", Body: []byte(x.text), Language: "en", Time: time.Unix(1.7e9, 0)}, m)
			if err != nil {
				t.Fatal(err)
			}
			place := slices.IndexFunc(r.Ranked, func(a statistics.Ranked) bool { return a.Title == x.want })
			if place == 0 {
				first[m]++
			}
			t.Logf("%-40s by %-6s at %d of %d", x.want, m, place+1, len(r.Ranked))
			if m == statistics.Both && x.want == "Renewable energy statistics" && place != 0 {
				t.Errorf("%+v\n%+v", r.Classes, r.Ranked)
			}
		}
	}
	t.Logf("first of %d texts: %v", len(texts), first)
}
