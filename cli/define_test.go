package cli

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/curate/proposal"
	"varve/serve/access"
	"varve/serve/crawls"
)

// A reference crawl of a site on loopback proposes; what is accepted is in the next version, what is struck is not proposed again, and the crawl that follows is guided by it.
func TestDefinePropose(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said := []string{
			"The tidal mill of Eastwick stands still since the sluice gate broke in March 2024. Anna Brandt wants to mend the tidal mill.",
			"Anna Brandt told the parish that a new sluice gate costs more than the tidal mill earns in ten years of work.",
			"A miller lowered the sluice gate twice a day. The tidal mill of Eastwick ground flour for the whole parish.",
			"The parish of Eastwick voted in March 2024 on the sluice gate. The tidal mill will be mended, said Anna Brandt.",
			"Children of the parish learn at the tidal mill how the sluice gate holds back the sea.",
			"Pictures of the tidal mill and the sluice gate hang in the parish hall of Eastwick.",
		}
		n := 0
		fmt.Sscanf(r.URL.Path, "/%d", &n)
		if r.URL.Path != "/" && (n < 1 || n >= len(said)) {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `<html lang="en"><title>Mill %d</title><main><p>%s</p><p>More of it is told on the <a href="/%d">next page of this chronicle</a>, and by the <a href="http://mills.example/eastwick/%d">society of mills</a>.</p></main></html>`, n, said[n], n+1, n)
	}))
	defer site.Close()
	dir := t.TempDir()
	desk := &crawls.Desk{Archive: catalog.Open(dir), Audit: access.OpenAudit(filepath.Join(dir, "access")), Now: time.Now}
	if err := desk.Begin(crawls.NewCollection{Name: "mills", Title: "Mills"}, "eva"); err != nil {
		t.Fatal(err)
	}
	none, seed := scope.Duration(0), site.URL+"/"
	if err := desk.Save("mills", crawl.Planned{Definition: crawl.Definition{Name: "mill", Seeds: []string{seed}, Delay: &none}}, time.Time{}, "eva", ""); err != nil {
		t.Fatal(err)
	}
	of := []string{"--archive", dir, "--collection", "mills"}
	varve := func(want int, in string, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code := Run(New(), append(args, of...), strings.NewReader(in), &out, &errs); code != want {
			t.Fatalf("varve %s: exit %d: %s", strings.Join(args, " "), code, errs.String())
		}
		return out.String() + errs.String()
	}
	keys := func(p crawls.Proposals) (out []string) {
		for _, x := range p.Open {
			out = append(out, x.Key)
		}
		return out
	}

	if got := varve(0, "", "define", "propose", "mill", "--list"); !strings.Contains(got, "Nothing was proposed for mill yet") {
		t.Error(got)
	}
	var first crawls.Proposals
	varveJSON(t, &first, append(of, "define", "propose", "mill", "--max-hops", "9", "--json")...)
	if first.Pages != 6 || first.Revision != 1 || first.From != "reference crawl mill-reference" {
		t.Errorf("%+v", first)
	}
	for _, want := range []string{"term:sluice gate", "term:tidal mill", "name:Anna Brandt", "host:mills.example", "language:en", "month:2024-03", "page:" + seed} {
		if !slices.Contains(keys(first), want) {
			t.Errorf("%s is not proposed: %q", want, keys(first))
		}
	}

	if got := varve(0, "", "define", "accept", "mill", "term:sluice gate", "name:Anna Brandt", "host:mills.example"); !strings.Contains(got, "3 accepted, 0 struck") || !strings.Contains(got, "version 2 is in force") {
		t.Error(got)
	}
	varve(0, "", "define", "strike", "mill", "month:2024-03")
	if got := varve(2, "", "define", "accept", "mill", "term:tidal mill", "term:nonsense"); !strings.Contains(got, `"term:nonsense" is not proposed`) {
		t.Error(got)
	}
	if got := varve(2, "", "define", "strike", "mill", "term:sluice gate"); !strings.Contains(got, "is part of the definition") {
		t.Error(got)
	}
	shown := varve(0, "", "define", "show", "mill")
	for _, want := range []string{"accepted term:sluice gate, name:Anna Brandt, host:mills.example", `word = "sluice gate"`, `name = "Anna Brandt"`, `mills\\.example`} {
		if !strings.Contains(shown, want) {
			t.Errorf("%s is not in\n%s", want, shown)
		}
	}
	if strings.Contains(shown, "tidal mill") || strings.Contains(shown, "2024-03") {
		t.Error("what was refused, or struck, is in the definition")
	}

	// Again, from the pages that are there, by keys: the first is accepted, the second struck, then it is enough.
	var again crawls.Proposals
	varveJSON(t, &again, append(of, "define", "propose", "mill", "--from", "all", "--json")...)
	for _, gone := range []string{"term:sluice gate", "name:Anna Brandt", "host:mills.example", "month:2024-03"} {
		if slices.Contains(keys(again), gone) {
			t.Errorf("%s is proposed again", gone)
		}
	}
	asked := varve(0, "a\ns\n\nq\n", "define", "propose", "mill", "--list", "--ask")
	if !strings.Contains(asked, "1 accepted, 1 struck") || !strings.Contains(asked, "version 3 is in force") || strings.Count(asked, "a accept") != 4 {
		t.Error(asked)
	}
	var left crawls.Proposals
	varveJSON(t, &left, append(of, "define", "propose", "mill", "--list", "--json")...)
	if len(left.Open) != len(again.Open)-2 || slices.Contains(keys(left), again.Open[1].Key) || !slices.Contains(left.Struck, again.Open[1].Key) {
		t.Errorf("%q after %q", keys(left), keys(again))
	}
	varveJSON(t, &left, append(of, "define", "propose", "mill", "--from", "all", "--url", site.URL+"/3", "--json")...)
	if left.Pages != 1 {
		t.Errorf("%d pages below one address", left.Pages)
	}
	if got := varve(2, "", "define", "propose", "mill", "--from", "all", "--url", "http://nowhere.example/"); !strings.Contains(got, "no pages with text") {
		t.Error(got)
	}
	if got := varve(2, "", "define", "propose", "nobody"); !strings.Contains(got, "no such crawl") {
		t.Error(got)
	}
	if got := why(proposal.Proposal{Kind: proposal.Host, Pages: 3, Hosts: 2, Addresses: 5}, 9); got != "3 pages of 2 hosts link to 5 addresses there" {
		t.Error(got)
	}
}

// Whoever has nothing yet begins the collection by giving seeds, as with a crawl; without seeds it is said how.
func TestDefineBegins(t *testing.T) {
	dir := t.TempDir()
	of := []string{"--archive", dir, "--collection", "new"}
	set := func(want int, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		about := "purpose = \"mills\"\n[[keyword]]\nword = \"mill\"\n"
		if code := Run(New(), append(append([]string{"define", "set", "mill", "-"}, args...), of...), strings.NewReader(about), &out, &errs); code != want {
			t.Fatalf("exit %d: %s", code, errs.String())
		}
		return out.String() + errs.String()
	}
	if got := set(2); !strings.Contains(got, "no such collection") || !strings.Contains(got, "--seed URL") {
		t.Error(got)
	}
	col, err := catalog.Open(dir).Collection("new")
	if err != nil {
		t.Fatal(err)
	}
	if set(2, "--seed", "nonsense://"); col.Exists() {
		t.Error("a seed that is none begins a collection")
	}
	if got := set(0, "--seed", "http://127.0.0.1:9/"); !strings.Contains(got, "Collection new is begun") || !strings.Contains(got, "version 1 is in force") || !col.Exists() {
		t.Error(got)
	}
	if got := set(0); strings.Contains(got, "begun") || !strings.Contains(got, "version 2 is in force") {
		t.Error(got)
	}
}
