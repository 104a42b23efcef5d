package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"varve/clock"
	"varve/crawl/collect"
	"varve/web/wire"
)

// directNet asks a handler, and counts.
type directNet struct {
	h     http.Handler
	asked []string
}

func (n *directNet) Fetch(_ context.Context, r *collect.Request) (*collect.Response, error) {
	method := r.Method
	if method == "" {
		method = "GET"
	}
	req := httptest.NewRequest(method, r.URL, bytes.NewReader(r.Body))
	for _, f := range r.Header {
		req.Header.Add(f.Name, f.Value)
	}
	n.asked = append(n.asked, strings.TrimPrefix(method+" "+req.URL.RequestURI()+" "+string(r.Body), "GET "))
	if strings.Contains(r.URL, "/forbidden") {
		return nil, fmt.Errorf("robots.txt: %w", collect.ErrRefused)
	}
	rec := httptest.NewRecorder()
	n.h.ServeHTTP(rec, req)
	var raw bytes.Buffer
	fmt.Fprintf(&raw, "HTTP/1.1 %d OK\r\n", rec.Code)
	_ = rec.Header().Write(&raw)
	raw.WriteString("\r\n")
	raw.Write(rec.Body.Bytes())
	head, err := wire.ParseHead(raw.Bytes())
	return &collect.Response{Status: rec.Code, Header: head.Header, Raw: io.NopCloser(&raw), Size: int64(raw.Len())}, err
}

// collectFrom lets a collector work on a page of a fake site.
func collectFrom(t *testing.T, rules *Rules, h http.Handler, url, mime, content string) (*directNet, *collect.Result) {
	t.Helper()
	net := &directNet{h: h}
	c := New(Config{Rules: rules, Clock: clock.Real()})
	a := &collect.Answer{URL: url, Status: 200, MIME: mime, Content: []byte(content)}
	why, ok := c.Find(&collect.Evidence{Answer: *a})
	if !ok {
		t.Fatalf("not found: %s", why)
	}
	res, err := c.Collect(context.Background(), a, net)
	if err != nil {
		t.Fatal(err)
	}
	if _, again := c.Find(&collect.Evidence{Answer: *a}); again {
		t.Error("found again")
	}
	return net, res
}

func urls(res *collect.Result) (out []string) {
	for _, l := range res.Links {
		out = append(out, l.Kind.String()+" "+strings.TrimPrefix(l.URL, "http://e.example"))
	}
	return out
}

func expect(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%s: %q is missing in\n%s", what, w, strings.Join(got, "\n"))
		}
	}
}

// wordpress has 250 posts and 3 files.
func wordpress(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	page, _ := strconv.Atoi(q.Get("page"))
	route := strings.TrimPrefix(r.URL.Path, "/blog/wp-json/")
	total := map[string]int{"wp/v2/posts": 250, "wp/v2/media": 3}[route]
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-WP-TotalPages", strconv.Itoa((total+99)/100))
	if page > 1 && (page-1)*100 >= total {
		w.WriteHeader(400)
		fmt.Fprint(w, `{"code":"rest_post_invalid_page_number"}`)
		return
	}
	var items []string
	for id := (page-1)*100 + 1; id <= min(total, page*100); id++ {
		if route == "wp/v2/media" {
			items = append(items, fmt.Sprintf(`{"id":%d,"link":"http://e.example/blog/?attachment_id=%d","source_url":"http://e.example/up/%d.jpg","media_details":{"sizes":{"thumb":{"source_url":"http://e.example/up/%d-t.jpg"}}}}`, id, id, id, id))
		} else {
			items = append(items, fmt.Sprintf(`{"id":%d,"link":"http://e.example/blog/p/%d","guid":{"rendered":"http://e.example/blog/?p=%d"}}`, id, id, id))
		}
	}
	fmt.Fprintf(w, "[%s]", strings.Join(items, ","))
}

func TestWordPress(t *testing.T) {
	net, res := collectFrom(t, nil, http.HandlerFunc(wordpress), "http://e.example/blog/hello", "text/html",
		`<head><link rel="https://api.w.org/" href="http://e.example/blog/wp-json/" /></head>`)
	expect(t, "links", urls(res), "api-item /blog/p/1", "api-item /blog/p/250", "api-item /blog/?p=77", "api-item /blog/wp-json/wp/v2/posts/250",
		"dom-embed /up/3.jpg", "dom-embed /up/2-t.jpg")
	if n := len(net.asked); n != 8 { // 3 of posts, one each of five
		t.Errorf("%d requests:\n%s", n, strings.Join(net.asked, "\n"))
	}
	if len(res.Fields) != 1 || !strings.HasPrefix(res.Fields[0].Value, "wordpress http://e.example/blog/wp-json/ requests=8 items=253") {
		t.Errorf("%+v", res.Fields)
	}
}

// A WordPress without pretty addresses has its interface in the query.
func TestWordPressByQuery(t *testing.T) {
	net, _ := collectFrom(t, nil, http.NotFoundHandler(), "http://e.example/", "text/html",
		`<link rel='https://api.w.org/' href='http://e.example/index.php?rest_route=/'>`)
	expect(t, "requests", net.asked, "/index.php?rest_route=/wp/v2/posts&per_page=100&page=1 ")
}

func mediawiki(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case q.Get("list") == "allimages":
		fmt.Fprint(w, `{"query":{"allimages":[{"url":"http://e.example/images/a.png","descriptionurl":"http://e.example/wiki/File:A.png"}]}}`)
	case q.Get("gapcontinue") == "":
		fmt.Fprint(w, `{"continue":{"gapcontinue":"B & C","continue":"gapcontinue||"},"query":{"pages":{"1":{"title":"A","fullurl":"http://e.example/wiki/A"}}}}`)
	case q.Get("gapcontinue") == "B & C":
		fmt.Fprint(w, `{"batchcomplete":"","query":{"pages":{"2":{"title":"B & C","fullurl":"http://e.example/wiki/B_%26_C"}}}}`)
	default:
		w.WriteHeader(500)
	}
}

func TestMediaWiki(t *testing.T) {
	net, res := collectFrom(t, nil, http.HandlerFunc(mediawiki), "http://e.example/wiki/Main_Page", "text/html",
		`<link rel="EditURI" type="application/rsd+xml" href="//e.example/w/api.php?action=rsd">`)
	expect(t, "links", urls(res), "api-item /wiki/A", "api-item /wiki/B_%26_C", "dom-embed /images/a.png", "api-item /wiki/File:A.png")
	if len(net.asked) != 3 {
		t.Errorf("%s", strings.Join(net.asked, "\n"))
	}
}

// mastodon gives posts in three parts, with a rate limit on the second.
func mastodon(limited *int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		q := r.URL.Query()
		switch {
		case r.URL.Path == "/api/v1/accounts/lookup" && q.Get("acct") == "anna":
			fmt.Fprint(w, `{"id":"109","url":"http://e.example/@anna","avatar":"http://e.example/a.png"}`)
		case r.URL.Path == "/api/v1/accounts/109/statuses":
			max, _ := strconv.Atoi(q.Get("max_id"))
			if max == 80 && *limited == 0 {
				*limited++
				w.Header().Set("X-RateLimit-Remaining", "0")
				w.Header().Set("X-RateLimit-Reset", time.Now().Format(time.RFC3339))
				w.WriteHeader(429)
				return
			}
			if max == 0 {
				max = 120
			}
			if max > 40 {
				w.Header().Set("Link", fmt.Sprintf(`<http://e.example/api/v1/accounts/109/statuses?limit=40&max_id=%d>; rel="next", <http://e.example/x>; rel="prev"`, max-40))
			}
			var items []string
			for id := max - 1; id >= max-40 && id > 0; id-- {
				items = append(items, fmt.Sprintf(`{"id":"%d","url":"http://e.example/@anna/%d","media_attachments":[{"url":"http://e.example/m/%d.jpg"}]}`, id, id, id))
			}
			fmt.Fprintf(w, "[%s]", strings.Join(items, ","))
		default:
			w.WriteHeader(404)
		}
	}
}

func TestMastodon(t *testing.T) {
	limited := 0
	net, res := collectFrom(t, nil, mastodon(&limited), "http://e.example/@anna", "text/html",
		`<meta content='Mastodon' property='og:site_name'><div id='mastodon'></div>`)
	expect(t, "links", urls(res), "api-item /@anna/119", "api-item /@anna/1", "dom-embed /m/60.jpg", "api-item /api/v1/statuses/41/context", "dom-embed /a.png")
	if limited != 1 || len(net.asked) != 5 {
		t.Errorf("%d times limited:\n%s", limited, strings.Join(net.asked, "\n"))
	}
}

func TestDiscourse(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch page := r.URL.Query().Get("page"); {
		case r.URL.Path == "/categories.json":
			fmt.Fprint(w, `{"category_list":{"categories":[{"id":4,"slug":"news"}]}}`)
		case page == "0":
			fmt.Fprint(w, `{"topic_list":{"more_topics_url":"/latest?page=1","topics":[{"id":1,"slug":"a"},{"id":2,"slug":"b"}]}}`)
		case page == "1":
			fmt.Fprint(w, `{"topic_list":{"topics":[{"id":3,"slug":"c"}]}}`)
		default:
			w.WriteHeader(500)
		}
	})
	net, res := collectFrom(t, nil, h, "http://e.example/", "text/html", `<meta name="generator" content="Discourse 3.4">`)
	expect(t, "links", urls(res), "api-item /t/a/1", "api-item /t/3.json", "api-item /c/news/4")
	if len(net.asked) != 3 {
		t.Errorf("%s", strings.Join(net.asked, "\n"))
	}
}

func TestOAI(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/xml")
		token := ""
		if r.URL.Query().Get("resumptionToken") == "" {
			token = "<resumptionToken>t/1</resumptionToken>"
		}
		fmt.Fprintf(w, `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><record><metadata><oai_dc:dc xmlns:oai_dc="x" xmlns:dc="y"><dc:identifier>http://e.example/r/%d</dc:identifier></oai_dc:dc></metadata></record>%s</ListRecords></OAI-PMH>`, len(token), token)
	})
	net, res := collectFrom(t, nil, h, "http://e.example/oai?verb=Identify", "text/xml",
		`<OAI-PMH><Identify><repositoryName>R</repositoryName></Identify></OAI-PMH>`)
	expect(t, "links", urls(res), "api-item /r/0", "api-item /r/38")
	expect(t, "requests", net.asked, "/oai?verb=ListRecords&resumptionToken=t%2F1 ")
}

// Lists by POST with a cursor in the body, by offset, and by a next address; and what ends a list.
func TestOwnRules(t *testing.T) {
	rules, err := Load("own.toml", strings.NewReader(`
version = 1
[[interface]]
name = "shop"
[[interface.find]]
url = '^(http://e\.example/)shop$'
html = 'data-shop'
[[interface.list]]
name = "items"
method = "POST"
url = "{base}graphql"
body = '{"query":"{items(after:\"{{cursor}}\"){edges{node{id}}}}"}'
items = "data.items.edges[*].node"
make = ["{base}item/{id}"]
next = { by = "cursor", path = "data.items.pageInfo.endCursor", more = "data.items.pageInfo.hasNextPage" }
[[interface.list]]
name = "rows"
url = "{base}rows?from={offset}"
items = "rows[*]"
make = ["{base}row/{id}"]
next = { by = "offset" }
[[interface.list]]
name = "chain"
url = "{base}chain/0"
items = "x[*]"
links = ["u"]
next = { by = "url", path = "next" }
[[interface.list]]
name = "barred"
url = "{base}forbidden"
items = "[*]"
[[interface.list]]
name = "loop"
url = "{base}loop"
items = "[*]"
next = { by = "header" }
`))
	if err != nil {
		t.Fatal(err)
	}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		from, _ := strconv.Atoi(r.URL.Query().Get("from"))
		switch {
		case r.URL.Path == "/graphql" && strings.Contains(string(body), `after:\"\"`):
			fmt.Fprint(w, `{"data":{"items":{"edges":[{"node":{"id":"a"}}],"pageInfo":{"endCursor":"c1","hasNextPage":true}}}}`)
		case r.URL.Path == "/graphql" && strings.Contains(string(body), `after:\"c1\"`):
			fmt.Fprint(w, `{"data":{"items":{"edges":[{"node":{"id":"b"}}],"pageInfo":{"endCursor":"c2","hasNextPage":false}}}}`)
		case r.URL.Path == "/rows" && from < 5:
			fmt.Fprintf(w, `{"rows":[{"id":%d},{"id":%d}]}`, from, from+1)
		case r.URL.Path == "/rows":
			fmt.Fprint(w, `{"rows":[]}`)
		case strings.HasPrefix(r.URL.Path, "/chain/"):
			n, _ := strconv.Atoi(r.URL.Path[7:])
			fmt.Fprintf(w, `{"x":[{"u":"/c/%d"}],"next":%q}`, n, map[bool]string{true: fmt.Sprint("../chain/", n+1)}[n < 2])
		case r.URL.Path == "/loop":
			w.Header().Set("Link", `</loop>; rel=next`)
			fmt.Fprint(w, `[1]`)
		default:
			w.WriteHeader(500)
		}
	})
	net, res := collectFrom(t, rules.Before(Default()), h, "http://e.example/shop", "text/html", `<div data-shop>`)
	expect(t, "links", urls(res), "api-item /item/a", "api-item /item/b", "api-item /row/0", "api-item /row/5", "api-item /c/0", "api-item /c/2")
	if len(net.asked) != 2+4+3+1+1 {
		t.Errorf("%d:\n%s", len(net.asked), strings.Join(net.asked, "\n"))
	}
}

func TestLoadErrors(t *testing.T) {
	head := "version = 1\n[[interface]]\nname='x'\n[[interface.find]]\nurl='x'\n[[interface.list]]\nname='l'\n"
	for _, tt := range []struct{ text, want string }{
		{"", "version 0"},
		{"version = 1\n[[interface]]\nname='x'\n", "name, find and list are needed"},
		{head, "name and url are needed"},
		{head + "url='u'\nmethod='PUT'", `method "PUT"`},
		{head + "url='u'\nbody='b'", "a body without"},
		{head + "url='u'\nnext={by='page'}", "no {page}"},
		{head + "url='u'\nnext={by='cursor'}", "needs a path"},
		{head + "url='u'\nnext={by='magic'}", `next by "magic"`},
		{head + "url='u'\nitems='a..b'", `path "a..b" at 1`},
		{head + "url='u'\nof='y'", `of "y"`},
		{head + "url='u'\nwhen='('", "when: error parsing"},
		{head + "url='u'\nitem='x'", "is not known"},
		{"version = 1\nx", "line 2"},
	} {
		if _, err := Load("f.toml", strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.want)
		}
	}
}

func TestRateLimit(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		status  int
		header  wire.Header
		wait    time.Duration
		limited bool
	}{
		{200, nil, 0, false},
		{200, wire.Header{{Name: "X-RateLimit-Remaining", Value: "5"}, {Name: "X-RateLimit-Reset", Value: "60"}}, 0, false},
		{200, wire.Header{{Name: "X-RateLimit-Remaining", Value: "0"}, {Name: "X-RateLimit-Reset", Value: "60"}}, time.Minute, false},
		{200, wire.Header{{Name: "RateLimit-Remaining", Value: "0"}, {Name: "RateLimit-Reset", Value: strconv.FormatInt(now.Unix()+30, 10)}}, 30 * time.Second, false},
		{429, wire.Header{{Name: "X-RateLimit-Reset", Value: "2026-01-01T12:00:05.000Z"}}, 5 * time.Second, true},
		{503, wire.Header{{Name: "Retry-After", Value: "7"}}, 7 * time.Second, true},
		{429, nil, 10 * time.Second, true},
	} {
		if wait, limited := rateLimit(tt.status, tt.header, now); wait != tt.wait || limited != tt.limited {
			t.Errorf("%d %v: %v %v", tt.status, tt.header, wait, limited)
		}
	}
}

// Limits on requests and on items of a list hold.
func TestLimits(t *testing.T) {
	c := New(Config{Limits: Limits{Requests: 2, Links: 10}})
	a := &collect.Answer{URL: "http://e.example/", Status: 200, MIME: "text/html", Content: []byte(`<link rel="https://api.w.org/" href="/blog/wp-json/">`)}
	net := &directNet{h: http.HandlerFunc(wordpress)}
	res, err := c.Collect(context.Background(), a, net)
	if err == nil || !strings.Contains(err.Error(), "limit reached") || len(net.asked) != 2 || len(res.Links) != 10 {
		t.Errorf("%v, %d requests, %d links", err, len(net.asked), len(res.Links))
	}
}

// TestCuts: every limit that keeps something out counts it.
func TestCuts(t *testing.T) {
	own := `[[interface]]
name = "x"
find = [{ html = '<x-list src="([^"]+)"' }]
[[interface.list]]
name = "posts"
url = "{base}?page={page}"
items = "[*]"
links = ["link"]
next = { by = "page", first = 1 }
`
	posts := func(w http.ResponseWriter, r *http.Request) {
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		if page > 3 {
			fmt.Fprint(w, "[]")
			return
		}
		fmt.Fprintf(w, `[{"link":"http://e.example/%d-1"},{"link":"http://e.example/%d-2"}]`, page, page)
	}
	for _, c := range []struct {
		name, rules string
		limits      Limits
		links, cut  int
	}{
		{"none", own, Limits{}, 6, 0},
		{"links", own, Limits{Links: 4}, 4, 2},
		{"pages", own + "pages = 2\n", Limits{}, 4, 1},
		{"all pages", own + "pages = 4\n", Limits{}, 6, 0},
		{"items", own + "most = 3\n", Limits{}, 4, 1},
	} {
		rules, err := Load("own.toml", strings.NewReader("version = 1\n"+c.rules))
		if err != nil {
			t.Fatal(err)
		}
		a := &collect.Answer{URL: "http://e.example/", Status: 200, MIME: "text/html", Content: []byte(`<x-list src="/l">`)}
		res, err := New(Config{Rules: rules, Limits: c.limits}).Collect(context.Background(), a, &directNet{h: http.HandlerFunc(posts)})
		if err != nil || len(res.Links) != c.links || res.Cut != c.cut {
			t.Errorf("%s: %d links, %d cut, want %d and %d; %v", c.name, len(res.Links), res.Cut, c.links, c.cut, err)
		}
	}
	list := make([]any, 12)
	if got, cut := (Path{{kind: stepAll}}).within(list, 10); len(got) != 10 || cut != 2 {
		t.Errorf("%d values, %d cut", len(got), cut)
	}
}
