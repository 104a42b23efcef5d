package difficult_test

import (
	"bytes"
	"strings"
	"testing"

	"varve/lab/websim"
	"varve/lab/websim/difficult"
)

// load makes all sites and their web.
func load(t *testing.T, seed uint64) (*websim.Web, []*difficult.Site) {
	t.Helper()
	sites, err := difficult.Load(seed, 12)
	if err != nil {
		t.Fatal(err)
	}
	web, err := difficult.Web(seed, sites...)
	if err != nil {
		t.Fatal(err)
	}
	return web, sites
}

// ask sends a request to the web.
func ask(web *websim.Web, method, url, body string) *websim.Answer {
	host, rest, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	return web.Fetch(&websim.Request{Method: method, Host: host, Target: "/" + rest, Body: []byte(body)}, web.Epoch())
}

// What a site says about itself holds: key elements answer, decoys do not, entries are linked from the home page.
func TestTruth(t *testing.T) {
	web, sites := load(t, 1)
	if len(sites) < 12 {
		t.Fatalf("%d sites", len(sites))
	}
	total := 0
	for _, s := range sites {
		total += len(s.Elements)
		if s.About == "" || len(s.Elements) == 0 || len(s.Views) == 0 || len(s.Decoys) == 0 {
			t.Errorf("%s: %d elements, %d views, %d decoys, about %q", s.Name, len(s.Elements), len(s.Views), len(s.Decoys), s.About)
		}
		seen := map[difficult.Element]bool{}
		for _, e := range s.Elements {
			some := ask(web, e.Method, strings.Replace(e.URL, "*", "1", 1), e.Body).Status
			if other := ask(web, e.Method, strings.Replace(e.URL, "*", "1.json", 1), e.Body).Status; some != 200 && other != 200 {
				t.Errorf("%s: %s %s %s: status %d", s.Name, e.Method, e.URL, e.Body, some)
			}
			if seen[e] {
				t.Errorf("%s: %s is there twice", s.Name, e.URL)
			}
			seen[e] = true
		}
		for _, d := range s.Decoys {
			if a := ask(web, "GET", d, ""); a.Status != 404 {
				t.Errorf("%s: decoy %s: status %d", s.Name, d, a.Status)
			}
		}
		home := ask(web, "GET", s.Seed, "")
		for _, e := range s.Entries {
			if !bytes.Contains(home.Body, []byte(`href="`+e+`"`)) || ask(web, "GET", "http://"+s.Host+e, "").Status != 200 {
				t.Errorf("%s: the home page does not lead to %s", s.Name, e)
			}
		}
	}
	t.Logf("%d sites, %d key elements", len(sites), total)
	if total < 300 {
		t.Errorf("%d key elements in all", total)
	}
}

// The words that views show depend on the seed and are in no source that is read without executing it.
func TestMarks(t *testing.T) {
	_, one := load(t, 1)
	web, two := load(t, 2)
	for i, s := range two {
		for k, v := range s.Views {
			for j, word := range v.Shows {
				if word == one[i].Views[k].Shows[j] {
					t.Errorf("%s: %s is the same for two seeds", s.Name, word)
				}
			}
		}
		if page := ask(web, "GET", s.Seed, ""); bytes.Contains(page.Body, []byte(s.Views[0].Shows[0])) {
			t.Errorf("%s: the home page shows %s", s.Name, s.Views[0].Shows[0])
		}
	}
}

// The same seed gives the same bytes.
func TestSame(t *testing.T) {
	a, sites := load(t, 3)
	b, _ := load(t, 3)
	for _, s := range sites {
		for _, e := range s.Elements {
			if !bytes.Equal(ask(a, e.Method, e.URL, e.Body).Body, ask(b, e.Method, e.URL, e.Body).Body) {
				t.Errorf("%s differs", e.URL)
			}
		}
	}
}

func TestMatches(t *testing.T) {
	e := difficult.Element{Kind: difficult.Opaque, Method: "POST", URL: "http://h/q", Body: "a=1"}
	open := difficult.Element{Kind: difficult.Opaque, Method: "GET", URL: "http://h/n?_=*"}
	for _, c := range []struct {
		e                 difficult.Element
		method, url, body string
		want              bool
	}{
		{e, "POST", "http://h/q", "a=1", true},
		{e, "POST", "http://h/q", "a=2", false},
		{e, "GET", "http://h/q", "a=1", false},
		{e, "POST", "http://h/q2", "a=1", false},
		{open, "GET", "http://h/n?_=17", "", true},
		{open, "GET", "http://h/n", "", false},
	} {
		if got := c.e.Matches(c.method, c.url, c.body); got != c.want {
			t.Errorf("%v matches %s %s %s: %v", c.e, c.method, c.url, c.body, got)
		}
	}
}

func TestUnknownName(t *testing.T) {
	if _, err := difficult.Load(1, 0, "easy"); err == nil || !strings.Contains(err.Error(), "router") {
		t.Errorf("%v does not name the sites", err)
	}
}
