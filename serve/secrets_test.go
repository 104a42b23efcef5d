package serve_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"image/png"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/crawl/collect"
	"varve/lab/attack"
	"varve/serve"
	"varve/serve/access"
	"varve/serve/thumb"
)

// role is who asks, and from where.
type role struct {
	name, token   string
	from          string // the first half of the address; empty: this machine
	curator, room bool
}

// ruling is a rule and what it withholds.
type ruling struct {
	name  string
	rule  access.Rule
	pages []string // whose words are secret
	loose bool     // visitors in the reading room may see them
}

// rulings are rules of each kind: by level, by embargo; for a folder, a host, a time, a collection.
func rulings(full bool) (out []ruling) {
	day := 24 * time.Hour
	younger := int(time.Since(firstCrawl)/day) - 10 // the first crawl is older, the second is not
	everything := []string{prefixed, hosted, timed, linked}
	reaches := []ruling{
		{"folder", access.Rule{Prefix: "http://open.test/hush/"}, []string{prefixed, linked}, false},
		{"host", access.Rule{Prefix: secret(hosted, "name") + ".test"}, []string{hosted}, false},
		{"time", access.Rule{From: secondCrawl.Add(-day), To: secondCrawl.Add(day)}, []string{timed}, false},
		{"collection", access.Rule{Collection: "site"}, everything, false},
	}
	for _, r := range reaches {
		for _, level := range []access.Level{access.Blocked, access.Curators, access.ReadingRoom} {
			x := r
			x.name, x.rule.Level, x.loose = string(level)+" "+r.name, level, level == access.ReadingRoom
			if full || level == access.Blocked || level == access.Curators && r.name == "folder" {
				out = append(out, x)
			}
		}
		x := r
		switch x.name, x.rule.Embargo = "embargo "+r.name, younger; r.name {
		case "time":
			continue
		case "collection":
			x.pages = []string{timed}
		default:
			x.rule.Embargo = 10 * 365
		}
		if full || r.name == "collection" {
			out = append(out, x)
		}
	}
	return out
}

// asking asks one server as one visitor.
type asking struct {
	t            *testing.T
	main, replay http.Handler
	ui, content  string // origins
	requests     int
}

func (a *asking) ask(who role, method, target, body string) (int, string, http.Header) {
	h := a.main
	if strings.HasPrefix(target, a.content) {
		h = a.replay
	}
	ctx, cancel := context.WithTimeout(a.t.Context(), time.Minute)
	defer cancel()
	if strings.HasSuffix(target, "/events") || strings.HasSuffix(target, "/fetched") { // a stream without an end
		ctx, cancel = context.WithTimeout(ctx, 300*time.Millisecond)
		defer cancel()
	}
	r := httptest.NewRequest(method, target, strings.NewReader(body)).WithContext(ctx)
	r.RemoteAddr = "127.0.0.1:999"
	if who.from != "" { // one address would ask too often
		r.RemoteAddr = fmt.Sprintf("%s.%d.%d:999", who.from, a.requests/250%250, a.requests%250+1)
	}
	if who.token != "" {
		r.Header.Set("Authorization", "Bearer "+who.token)
	}
	switch {
	case strings.HasPrefix(body, "{"), strings.HasPrefix(body, "["):
		r.Header.Set("Content-Type", "application/json")
	case body != "":
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	a.requests++
	return w.Code, w.Body.String(), w.Header()
}

// unpacked gives all that an answer holds, also what is packed in it.
func unpacked(body string) string {
	var out strings.Builder
	out.WriteString(body)
	unzip := func(b []byte) {
		if z, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
			_, _ = io.Copy(&out, io.LimitReader(z, 64<<20)) // all members, as far as they can be read
		}
	}
	unzip([]byte(body))
	if z, err := zip.NewReader(strings.NewReader(body), int64(len(body))); err == nil {
		for _, f := range z.File {
			out.WriteString(f.Name)
			r, err := f.Open()
			if err != nil {
				continue
			}
			b, _ := io.ReadAll(r)
			out.Write(b)
			unzip(b)
		}
	}
	return out.String() + html.UnescapeString(body)
}

// door is a route with the requests that a visitor would make of it.
type door struct {
	pattern string // method and path
	asks    []query
}

type query struct {
	method, target, body string
	tells                string // what the visitor said, and may get back
	raw                  bool   // the bytes of open pages: what they say is open
	changes              bool   // only curators and those above them could do it, and it would change the archive
	said                 bool   // curators see there what people wrote
}

// values are what parts of paths and parameters of the interface are filled with.
func (h *hushed) values() map[string][]string {
	addresses := []string{place(""), place("one"), place("changing"), place(prefixed), place(hosted), place(linked)}
	return map[string][]string{
		"collection": {"site"}, "crawl": h.crawls, "id": h.crawls, "definition": {"regular"}, "name": {"regular"}, "token": {"abcdefgh"}, "note": {h.note}, "hold": {h.hold}, "selection": {"town"}, "search": {"none"}, "rule": {"none"}, "alert": {"none"},
		"taxonomy": {"wordnet", "figer"}, "term": {"council", "river"}, "called": {"Angela Merkel"}, "least": {"0"}, "entity": {"x:merkel", "x:john"}, "prefix": {"Angela Merkel", "John"}, "asof": {"2026-02"}, "bucket": {"year"}, "node": {"0", "1", "2", "3", "4", "5", "6", "7", "8"}, "command": {"none"},
		"url": addresses, "a": {"20260110"}, "b": {"20260610"}, "path": {"/site/2026/" + place("one")}, "at": {"2026-06-11T00:00:00Z"}, "near": {"yes"}, "relation": {"intersects"}, "from": {"2026"}, "to": {"2027"},
		"format": {"csv", "jsonl", "warc", "wacz"}, "terms": {"council,river"}, "host": {"open.test", secret(hosted, "name") + ".test"}, "facets": {"host,year,mime,lang,collection", "person,figure,term,opinion,mood", "entity,called"}, "facet": {"figure:Mary Mayor", "-figure:Mary Mayor", "person:Angela Merkel", "mood:nothing"}, "trend": {"month"},
		"query": {
			"SELECT * { ?s ?p ?o }", "SELECT * { GRAPH ?g { ?s ?p ?o } }", "SELECT * { GRAPH ?g {} }", "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }", "DESCRIBE ?s { ?s a ?class }",
			"SELECT * { ?s (!<urn:none>/!<urn:none>)+ ?o }", "SELECT * { ?s !<urn:none>* ?o FILTER(ISLITERAL(?o)) }", "SELECT (GROUP_CONCAT(STR(?o)) AS ?all) (SAMPLE(?s) AS ?one) { ?s ?p ?o }",
		},
		"graph": {"urn:varve:collection:site", "urn:varve:crawl:site:" + h.crawls[0]},
		"year":  {"2026"}, "reason": {"none"}, "q": {"council"}, "queue": {"worst"}, "skip": {"0"},
		"match": {"domain", "prefix"}, "matchType": {"domain"}, "limit": {"2", "1000"}, "undecided": {"take"}, "list": {"recrawl"}, "names": {"rising"}, "split": {"2026-03"}, "about": {"Mary Mayor", "Angela Merkel"}, "by": {"person", "figure"}, "of": {"figure", "term", "Angela Merkel"}, "with": {"Berlin"}, "when": {"2005"}, "subject": {"Angela Merkel"}, "object": {"John " + person, "John"}, "n": {"300"}, "text": {"report"}, "hops": {"L"}, "type": {"page"}, "state": {""},
	}
}

// doors lists every route with its requests. A route that has none is an error: whoever adds one says how it is asked.
func (h *hushed) doors(t *testing.T, s *serve.Server, a *asking) (out []door) {
	t.Helper()
	values := h.values()
	_, text, _ := a.ask(role{}, "GET", a.ui+"/api/openapi.json", "")
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name, In string
				Required bool
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil || len(doc.Paths) < 20 {
		t.Fatal(len(doc.Paths), err)
	}
	for path, methods := range doc.Paths {
		for method, d := range methods {
			var must, may []string
			for _, p := range d.Parameters {
				switch {
				case p.In == "query" && p.Required:
					must = append(must, p.Name)
				case p.In == "query":
					may = append(may, p.Name)
				}
			}
			out = append(out, h.door(t, strings.ToUpper(method)+" "+path, must, may, values, a.ui))
		}
	}
	optional := map[string][]string{
		"GET /{$}": {"collection"}, "GET /collections/{collection}/pages": {"url"}, "GET /collections/{collection}/page": {"url"}, "GET /collections/{collection}/calendar": {"url"}, "GET /collections/{collection}/map": {"url"},
		"GET /collections/{collection}/assess": {"host", "queue"}, "GET /media": {"collection", "text", "url"}, "GET /find": {}, "GET /suggest": {}, "GET /collections/{collection}/crawls/{id}/review": {"list"}, "GET /collections/{collection}/notes": {"url"}, "GET /collections/{collection}/crawls/{id}/about": {"url"},
		"GET /selections/{collection}/{selection}": {"state"}, "GET /crawls": {}, "GET /cloud": {"from", "to", "split", "of"}, "GET /open": {"path"}, "GET /opinions": {"about", "split", "by", "format", "facet"}, "GET /search": {"names", "facet", "facets"}, "/graphs": {"graph"}, "GET /knowledge": {"query"},
		"GET /facts": {"of", "when"}, "GET /collections/{collection}/terms": {"term", "year", "format"}, "GET /collections/{collection}/names": {"name", "format"}, "GET /collections/{collection}/phrases": {"from", "format"}, "GET /beside": {"a", "b", "of"}, "GET /entity/{entity}": {"collection", "asof", "q", "bucket"},
	}
	required := map[string][]string{"GET /collections/{collection}/compare": {"url", "a", "b"}, "GET /document": {"url"}, "GET /collections/{collection}/picture": {"url", "at"}, "GET /collections/{collection}/thumb": {"url", "at", "near"}, "GET /textextracted": {"m"}, "/sparql": {"query"}, "GET /trends": {"terms"}, "GET /fact": {"subject", "relation", "object"}}
	values["m"] = []string{a.content + "/site/20260610/" + place(prefixed)}
	for _, pattern := range s.Patterns() {
		out = append(out, h.door(t, pattern, required[pattern], optional[pattern], values, a.ui))
	}
	// What changes nothing, though it is sent, curators may ask as well.
	out = append(out, door{"sent", []query{
		{method: "POST", target: a.ui + "/api/collections/site/selections", body: fmt.Sprintf(`{"name":"again","examples":[%q,%q],"threshold":0.02}`, place(prefixed), place("one"))},
		{method: "POST", target: a.ui + "/api/collections/site/proposals/regular", body: "{}"},
		{method: "POST", target: a.ui + "/api/collections/site/crawls/" + h.crawls[2] + "/steer?preview=1", body: `{"do":"exclude","lines":"http://open.test/"}`},
		{method: "POST", target: a.ui + "/api/collections/site/crawls/" + h.crawls[1] + "/coherence"},
		{method: "POST", target: a.ui + "/selections", body: "collection=site&name=form&topic=council&threshold=0.02"},
	}})
	// A relation of facts is none of times.
	told := "subject=Angela+Merkel&object=" + url.QueryEscape("John "+person)
	out = append(out, door{"facts", []query{
		{method: "GET", target: a.ui + "/fact?relation=spouse&" + told, tells: person},
		{method: "GET", target: a.ui + "/api/facts/spouse?" + told, tells: person},
		{method: "GET", target: a.ui + "/fact?relation=spouse&subject=Angela+Merkel&object=John"},
		{method: "GET", target: a.ui + "/facts?of=Angela+Merkel&relation=spouse"},
	}})
	// The host of archived content has no table: its addresses are those of the web.
	var asks []query
	for _, u := range values["url"] {
		for _, form := range []string{"/site/%s", "/site/2026/%s", "/site/20260110120000id_/%s", "/site/20260610120000id_/%s", "/site/20260610mp_/%s", "/site/20260110if_/%s", "/site/2026im_/%s", "/site/*/%s", "/site/*/%s*", "/site/timemap/link/%s", "/site/timemap/json/%s", "/site/timemap/cdxj/%s", "/site/timegate/%s"} {
			asks = append(asks, query{method: "GET", target: a.content + fmt.Sprintf(form, u), tells: u, raw: true})
		}
		for _, q := range []string{"", "&output=json", "&matchType=domain", "&matchType=prefix&fl=urlkey,original,redirect", "&matchType=host&output=link", "&matchType=domain&limit=1&showResumeKey=true", "&matchType=domain&limit=3&showResumeKey=true&output=json", "&matchType=domain&collapse=urlkey", "&matchType=domain&showNumPages=true"} {
			for _, cdx := range []string{"/site/cdx?url=", "/site-cdx?url="} {
				asks = append(asks, query{method: "GET", target: a.content + cdx + url.QueryEscape(u) + q, tells: u})
			}
		}
	}
	for _, p := range []string{"/", "/site", "/site/", "/robots.txt", "/site/cdx?url=*.test", "/site/cdx?url=open.test/*&output=json"} {
		asks = append(asks, query{method: "GET", target: a.content + p})
	}
	return append(out, door{"replay", asks})
}

// people are routes on which curators see what people wrote: plans, rules, notes and the audit log.
func people(pattern string) bool {
	for _, part := range []string{"/plan", "/definitions", "/notes", "/access", "/new", "/retention"} {
		if strings.Contains(pattern, part) {
			return true
		}
	}
	return false
}

// door fills a pattern: each value of each part of the path and each parameter that must be there; and one more with each that may.
func (h *hushed) door(t *testing.T, pattern string, must, may []string, values map[string][]string, origin string) door {
	d := door{pattern: pattern}
	method, path, ok := strings.Cut(pattern, " ")
	if !ok {
		method, path = "GET", pattern
	}
	paths := []string{strings.TrimSuffix(path, "{$}")}
	for {
		i := slices.IndexFunc(paths, func(p string) bool { return strings.Contains(p, "{") })
		if i < 0 {
			break
		}
		var next []string
		for _, p := range paths {
			before, rest, _ := strings.Cut(p, "{")
			name, after, _ := strings.Cut(rest, "}")
			for _, v := range values[name] {
				next = append(next, before+url.PathEscape(v)+after)
			}
			if len(values[name]) == 0 {
				t.Fatalf("%s: nobody says what to ask for {%s}", pattern, name)
			}
		}
		paths = next
	}
	queries := []url.Values{{}}
	for _, name := range must {
		if len(values[name]) == 0 {
			t.Fatalf("%s: nobody says what to ask with as %s", pattern, name)
		}
		var next []url.Values
		for _, q := range queries {
			for _, v := range values[name] {
				x := maps.Clone(q)
				x[name] = []string{v}
				next = append(next, x)
			}
		}
		queries = next
	}
	for _, name := range may {
		for _, v := range values[name] {
			x := maps.Clone(queries[0])
			x[name] = []string{v}
			queries = append(queries, x)
		}
	}
	if words := map[string]string{
		"GET /api/search": "q", "GET /search": "q", "GET /api/search/export": "q", "GET /textsearch": "q", "GET /api/cloud": "q", "GET /cloud": "q", "GET /api/rising": "q", "GET /api/opinions": "q", "GET /opinions": "q", "GET /api/trends": "terms", "GET /trends": "terms", "GET /api/pulse": "", "GET /find": "q", "GET /suggest": "q", "GET /searches": "",
	}[pattern]; words != "" {
		for _, q := range slices.Clone(queries) {
			for _, v := range []string{"council", "report OR host OR change", `anchor:see OR anchor:first OR anchor:one`, "reprot", "open.test", "figure:jo*", "person:qz*", "mood:<0 about:* OR opinion:<0 OR -figure:mary*"} {
				x := maps.Clone(q)
				x[words] = []string{v}
				queries = append(queries, x)
			}
		}
		for w := range secrets {
			x := maps.Clone(queries[0])
			x[words] = []string{w}
			queries = append(queries, x)
		}
	}
	for _, p := range paths {
		for _, q := range queries {
			target := origin + p
			var told []string
			for _, list := range q {
				told = append(told, list...)
			}
			if len(q) > 0 {
				target += "?" + q.Encode()
			}
			x := query{method: method, target: target, tells: strings.Join(told, " "), said: people(pattern)}
			x.raw = strings.HasSuffix(p, "/wacz") || strings.Contains(target, "format=w") // whole records of pages that may be seen
			if method != "GET" {
				x.body, x.changes = "{}", true
			}
			d.asks = append(d.asks, x)
		}
	}
	return d
}

// leaks are the words that an answer tells and must not.
func leaks(answer string, q query, pages []string) (out []string) {
	for word, page := range secrets {
		if slices.Contains(pages, page) && strings.Contains(answer, word) && !strings.Contains(q.tells, word) && !(q.raw && page == linked) {
			out = append(out, word)
		}
	}
	return out
}

// follow asks, and goes on with the pages behind the first one.
func (a *asking) follow(who role, q query) (answer string, status int) {
	var all strings.Builder
	target := q.target
	for range 6 {
		code, body, head := a.ask(who, q.method, target, q.body)
		status = code
		fmt.Fprintln(&all, head)
		all.WriteString(unpacked(body))
		var page struct{ Next, Cursor string }
		if q.method != "GET" || json.Unmarshal([]byte(body), &page) != nil || page.Next+page.Cursor == "" {
			break
		}
		u, err := url.Parse(q.target)
		if err != nil {
			break
		}
		v := u.Query()
		v.Set("cursor", page.Next+page.Cursor)
		u.RawQuery = v.Encode()
		target = u.String()
	}
	return all.String(), status
}

// What rules withhold shows by no way: a page has a word of its own in each of its fields, every route is asked as every role under every
// kind of rule, and no word may come back that the visitor did not say.
func TestSecrets(t *testing.T) { askForSecrets(t, false) }

// The same with all rules and roles.
func TestDrillSecrets(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("a drill: VARVE_DRILL=1 runs it")
	}
	askForSecrets(t, true)
}

// blank is a browser that gets a page, and draws nothing: the file of its picture tells the addresses of what it got.
type blank struct{}

func (blank) Collect(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
	resp, err := net.Fetch(ctx, &collect.Request{URL: a.URL})
	if err != nil {
		return nil, err
	}
	var shot bytes.Buffer
	if err := png.Encode(&shot, image.NewRGBA(image.Rect(0, 0, 64, 40))); err != nil {
		return nil, err
	}
	return &collect.Result{Resources: []collect.Resource{{ContentType: "image/png", Body: bytes.NewReader(shot.Bytes())}}}, resp.Close()
}

func (blank) Close() error { return nil }

func askForSecrets(t *testing.T, full bool) {
	tally := attack.Count(t)
	h := buildHushed(t)
	ctx, cancel := context.WithCancel(t.Context())
	srv, err := serve.Listen(ctx, serve.Config{
		Archive: h.dir, Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", Version: "test", ReadingRoom: []netip.Prefix{netip.MustParsePrefix("10.9.0.0/16")},
		Draw: func() (thumb.Browser, error) { return blank{}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	a := &asking{t: t, ui: srv.URL(), content: srv.ReplayURL()}
	a.main, a.replay = srv.Handlers()
	users, rules := access.OpenUsers(filepath.Join(h.dir, "access")), access.OpenDecisions(filepath.Join(h.dir, "access"), nil)
	token := func(name string, r access.Role) string {
		if err := users.Put(name, r, "", time.Now()); err != nil {
			t.Fatal(err)
		}
		s, _, err := users.NewToken(name, "", time.Now(), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	const far = "203.0"
	roles := []role{
		{name: "nobody", from: far},
		{name: "viewer", token: token("vera", access.Viewer), from: far},
		{name: "viewer in the reading room", token: token("rita", access.Viewer), from: "10.9", room: true},
		{name: "curator", token: token("carl", access.Curator), from: far, curator: true},
		{name: "admin", token: token("ada", access.Admin), from: far, curator: true},
		{name: "this machine", curator: true},
	}
	owner := roles[len(roles)-1]
	for _, body := range []struct{ path, body string }{
		{"/api/collections/site/selections", fmt.Sprintf(`{"name":"town","examples":[%q,%q],"threshold":0.02}`, place(prefixed), place("one"))},
		{"/api/collections/site/proposals/regular", "{}"},
		{"/api/collections/site/crawls/" + h.crawls[0] + "/coherence", ""},
		{"/api/collections/site/crawls/" + h.crawls[1] + "/coherence", ""},
	} {
		if status, text, _ := a.ask(owner, "POST", a.ui+body.path, body.body); status != 200 {
			t.Fatalf("%s: %d %s", body.path, status, text)
		}
	}
	doors := h.doors(t, srv, a)

	// Without rules, every word shows somewhere: a test that cannot fail would prove nothing.
	shown := map[string]bool{}
	for _, d := range doors {
		for _, q := range d.asks {
			if q.changes || strings.Contains(q.target, a.content) {
				continue
			}
			text, _ := a.follow(owner, q)
			for _, w := range leaks(text, q, []string{prefixed, hosted, timed, linked}) {
				shown[w] = true
			}
		}
	}
	for w := range secrets {
		if !shown[w] {
			t.Errorf("%s shows nowhere, though no rule withholds it", w)
		}
	}
	before, found := a.requests, 0
	list := rulings(full)
	for _, x := range list {
		x.rule.Reason = "test"
		made, err := rules.Add(x.rule, "test", access.Admin, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		for _, who := range roles {
			if who.curator && x.rule.Level != access.Blocked || who.room && x.loose {
				continue // they may see it
			}
			if !full && x.name != "blocked folder" && who.name != "viewer" {
				continue
			}
			for _, d := range doors {
				for _, q := range d.asks {
					if q.changes && who.curator || q.said && who.curator {
						continue
					}
					text, status := a.follow(who, q)
					if status == http.StatusTooManyRequests {
						t.Fatal("the server would not answer so many requests")
					}
					if w := leaks(text, q, x.pages); len(w) > 0 {
						if found++; found < 60 {
							i := strings.Index(text, w[0])
							t.Errorf("%s, %s: %s %s tells %v: ...%s", x.name, who.name, q.method, q.target, w, text[max(0, i-60):min(len(text), i+40)])
						}
					}
				}
			}
		}
		if err := rules.Lift(made.ID, "test", "test", time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d routes, %d roles, %d rules, %d words: %d requests, %d answers told a secret", len(doors), len(roles), len(list), len(secrets), a.requests-before, found)
	tally.Try(a.requests - before)
	tally.Through(found)
}
