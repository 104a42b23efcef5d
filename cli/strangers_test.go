package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varve/clock"
	"varve/crawl"
	"varve/serve/recorded"
)

// strangers are files that others recorded, with pages in English, Hungarian and German, some with pictures.
var strangers = []string{"issue-493.warc", "transfer_compression_gzip_chunked.warc.gz", "example-iana.org-chunked.warc", "cc.warc.gz", "baconIpsum_chunked_httpTrailors.warc"}

// TestRulesOnStrangers crawls pages that others wrote, served as they were recorded, with each scope rule on what an answer is: what it keeps out is
// not in the archive, the rest is, and the report counts by rule and moment.
func TestRulesOnStrangers(t *testing.T) {
	var files []string
	for _, name := range strangers {
		file := filepath.Join("..", "..", "shared", "samples", name)
		if _, err := os.Stat(file); err != nil {
			t.Skipf("%v: the files of others are not here", err)
		}
		files = append(files, file)
	}
	list, _, err := readResponses(t.Context(), files, 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := recorded.New(list)
	if err != nil {
		t.Fatal(err)
	}
	_, last := rec.Span()
	web, err := recorded.Listen(rec, recorded.Options{Addr: "127.0.0.1:0", Clock: clock.Real(), At: last})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	const (
		wend  = "auer.netzliteratur.net/wendelin/wend.htm"
		hu    = "mek.oszk.hu/"
		iana  = "www.iana.org/"
		cc    = "commoncrawl.org/"
		bacon = "www.cs.odu.edu/~mkelly/semester/2017_spring/baconIpsum.html"
	)
	all := []string{wend, hu, iana, cc, bacon}
	door := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			http.NotFound(w, r)
		case "/":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>door</title>")
			for _, u := range all {
				fmt.Fprintf(w, "<p><a href=\"http://%s\">there</a></p>", u) // it says nothing of where it leads
			}
		}
	}))
	defer door.Close()
	dir := t.TempDir()
	run := func(t *testing.T, name string, guided bool, rule string) (held []string, rep crawl.Report) {
		t.Helper()
		varve := func(args ...string) {
			t.Helper()
			var out, errs bytes.Buffer
			if code := Run(New(), append(args, "--archive", dir, "--collection", name), strings.NewReader(""), &out, &errs); code > 1 {
				t.Fatalf("varve %s: exit %d: %s", strings.Join(args, " "), code, errs.String())
			}
		}
		home := filepath.Join(dir, "collections", name)
		about := ""
		if guided {
			about = "[[crawl.c.about.keyword]]\nword = \"domain names\"\nweight = 3\n[[crawl.c.about.keyword]]\nword = \"IANA\"\nweight = 3\n"
		}
		toml := fmt.Sprintf("title = %q\n[crawl.c]\nseeds = [%q]\nscope = \"web\"\nmax-hops = 1\ncontact = \"x@example.org\"\ndelay = \"0s\"\nretries = -1\ncapture = \"parser\"\nignore-robots = %v\n%s%s",
			name, "http://door.test/", strings.Contains(rule, "robots"), rule, about)
		if err := os.MkdirAll(home, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, "collection.toml"), []byte(toml), 0o644); err != nil {
			t.Fatal(err)
		}
		varve("crawl", "--definition", "c", "--quiet", "--accept-bad-certificates", "--resolve", "door.test="+strings.TrimPrefix(door.URL, "http://"), "--resolve", "*="+web.Addr()) // one page went on to https
		reports, err := filepath.Glob(filepath.Join(home, "crawls", "*", "report.json"))
		if err != nil || len(reports) != 1 {
			t.Fatal(reports, err)
		}
		b, err := os.ReadFile(reports[0])
		if err == nil {
			err = json.Unmarshal(b, &rep)
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err = os.ReadFile(filepath.Join(filepath.Dir(reports[0]), "crawl.log"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			if f := strings.Fields(line); f[1] == "200" {
				_, bare, _ := strings.Cut(f[3], "://")
				held = append(held, bare)
			}
		}
		return held, rep
	}
	plain, _ := run(t, "plain", false, "")
	for _, u := range append(all, "auer.netzliteratur.net/wendelin/note.gif") {
		if !slices.Contains(plain, u) {
			t.Fatalf("%s is not reached without rules; there are %q", u, plain)
		}
	}
	for i, c := range []struct {
		when   string
		guided bool
		gone   []string
		stays  []string
		at     func(crawl.Ruled) int64
	}{
		{`mime = ["image/gif"]`, false, []string{"auer.netzliteratur.net/wendelin/note.gif"}, all, func(r crawl.Ruled) int64 { return r.Head }},
		{`larger-than = "30KB"`, false, []string{bacon}, []string{iana, hu, wend}, func(r crawl.Ruled) int64 { return r.Head + r.Body }},
		{`smaller-than = "400"`, false, []string{wend}, []string{iana, hu, bacon}, func(r crawl.Ruled) int64 { return r.Head + r.Body }},
		{`language = ["hu"]`, false, []string{hu}, []string{iana, cc}, func(r crawl.Ruled) int64 { return r.Body }},
		{`language = ["en"]`, false, []string{iana, cc}, []string{hu}, func(r crawl.Ruled) int64 { return r.Body }},
		{`relevance-over = 0.3`, true, []string{iana}, []string{hu, bacon}, func(r crawl.Ruled) int64 { return r.Body }},
		{`relevance-under = 0.3`, true, []string{hu, bacon}, nil, func(r crawl.Ruled) int64 { return r.Links + r.Body }},
		{"robots = \"allowed\"\nhop = [\"link\"]", false, all, nil, func(r crawl.Ruled) int64 { return r.Links + r.Turn }},
	} {
		t.Run(c.when, func(t *testing.T) {
			held, rep := run(t, fmt.Sprint("c", i), c.guided, "[[crawl.c.rule]]\nname = \"it\"\ndo = \"reject\"\n"+c.when+"\n")
			for _, u := range c.gone {
				if slices.Contains(held, u) {
					t.Errorf("%s was taken", u)
				}
			}
			for _, u := range c.stays {
				if !slices.Contains(held, u) {
					t.Errorf("%s is not there", u)
				}
			}
			if got := rep.Rules["it"]; c.at(got) < int64(len(c.gone)) {
				t.Errorf("counted %+v, all rules %v", got, rep.Rules)
			}
		})
	}
}
