package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"varve"
	"varve/archive/catalog"
	"varve/archive/wacz"
	"varve/index/cdx"
	"varve/lab/attack"
	"varve/lab/servetest"
	"varve/serve"
	"varve/serve/access"
	"varve/serve/pulse"
)

var archive string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "crawl" { // the server of a test starts crawls with this program
		os.Exit(crawlProgram(os.Args[2:]))
	}
	dir, err := os.MkdirTemp("", "varve-serve-*")
	if err == nil {
		err = servetest.Small(context.Background(), dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	archive = dir
	code := m.Run()
	os.RemoveAll(dir)
	if code == 0 {
		if err := goleak.Find(goleak.IgnoreTopFunction("github.com/cockroachdb/pebble/v2/internal/manifest.init.0.func1"),
			goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// indexer is what 'varve serve' hands in, in short.
func indexer(ctx context.Context, c *catalog.Collection) (done serve.Indexed, err error) {
	lock, err := c.Lock("test")
	if err != nil {
		return done, err
	}
	defer lock.Unlock()
	b, err := cdx.NewBuilder(c.IndexDir("cdx"), cdx.Config{NoMerge: true})
	if err != nil {
		return done, err
	}
	defer b.Close()
	files, err := c.Files()
	if err != nil {
		return done, err
	}
	var all []cdx.File
	for _, f := range files {
		all = append(all, cdx.File{Name: f.Name, Path: f.Path, Kind: cdx.Kind(f.Kind)})
	}
	rep, err := b.Refresh(ctx, all)
	return serve.Indexed{Files: rep.Added, Captures: rep.Lines}, err
}

// site is a running server.
type site struct {
	t           testing.TB
	ui, replay  string
	dir         string
	screens     []string // patterns of the screens
	header      []string // of every request
	client      *http.Client
	transport   *http.Transport
	stop        func()
	waitForStop chan error
}

func start(t testing.TB, dir string, change func(*serve.Config)) *site {
	t.Helper()
	cfg := serve.Config{Archive: dir, Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", Index: indexer, Every: 20 * time.Millisecond, Version: "test"}
	if change != nil {
		change(&cfg)
	}
	ctx, cancel := context.WithCancel(context.Background())
	srv, err := serve.Listen(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, ui: srv.URL(), replay: srv.ReplayURL(), dir: dir, screens: srv.Screens(), stop: cancel, waitForStop: make(chan error, 1), transport: &http.Transport{}}
	s.client = &http.Client{Transport: s.transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	go func() { s.waitForStop <- srv.Run(ctx) }()
	t.Cleanup(func() {
		s.transport.CloseIdleConnections()
		cancel()
		if err := <-s.waitForStop; err != nil {
			t.Errorf("the server ended with %v", err)
		}
		s.waitForStop <- nil
	})
	return s
}

func (s *site) do(method, target, body string, header ...string) (*http.Response, string) {
	s.t.Helper()
	r, err := http.NewRequest(method, target, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	header = append(slices.Clone(s.header), header...)
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := s.client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp, string(b)
}

func (s *site) get(target string, header ...string) (int, string) {
	s.t.Helper()
	resp, b := s.do("GET", target, "", header...)
	return resp.StatusCode, b
}

// captures counts what the API knows of a URL.
func (s *site) captures(target string, header ...string) int {
	s.t.Helper()
	status, b := s.get(s.ui+"/api/collections/aachen/captures?limit=1000&url="+url.QueryEscape(target), header...)
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal([]byte(b), &list); err != nil || status != 200 {
		s.t.Fatalf("%d, %v: %.200s", status, err, b)
	}
	return len(list.Items)
}

// indexed waits until the background has indexed the collection.
func (s *site) indexed() {
	s.t.Helper()
	for range 1000 {
		if s.captures(home) > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Fatal("nothing was indexed")
}

const home = "http://aachen.sim.test/"

// copied is a copy of the archive, for tests that change it.
func copied(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	copyArchive(t, dir)
	return dir
}

func TestTwoHosts(t *testing.T) {
	s := start(t, copied(t), nil)
	s.indexed()
	resp, body := s.do("GET", s.ui+"/", "")
	if resp.StatusCode != 200 || !strings.Contains(body, "City of Aachen") {
		t.Fatalf("screens: %d", resp.StatusCode)
	}
	csp := resp.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "frame-src 'self' " + s.replay} {
		if !strings.Contains(csp, want) {
			t.Errorf("CSP lacks %s: %s", want, csp)
		}
	}
	if strings.Contains(csp, "unsafe") || resp.Header.Get("X-Content-Type-Options") != "nosniff" || resp.Header.Get("X-Frame-Options") != "DENY" {
		t.Errorf("headers %v", resp.Header)
	}
	at := s.replay + "/aachen/20260108mp_/" + home
	for range 3 { // to the exact time
		resp, body = s.do("GET", at, "")
		if resp.StatusCode != http.StatusFound {
			break
		}
		if at = resp.Header.Get("Location"); strings.HasPrefix(at, "/") {
			at = s.replay + at
		}
	}
	if resp.StatusCode != 200 || resp.Header.Get("Memento-Datetime") == "" || !strings.Contains(body, "<h1") {
		t.Errorf("replay of %s: %d %v", at, resp.StatusCode, resp.Header)
	}
	if status, b := s.get(s.replay + "/aachen/cdx?url=" + url.QueryEscape(home)); status != 200 || !strings.Contains(b, "test,sim,aachen)/") {
		t.Errorf("cdx: %d %.100s", status, b)
	}
	if status, b := s.get(s.replay + "/aachen/timemap/link/" + home); status != 200 || !strings.Contains(b, `rel="first memento"`) {
		t.Errorf("time map: %d %.100s", status, b)
	}
	// Neither host does the other's work.
	if status, _ := s.get(s.replay + "/api/collections"); status == 200 {
		t.Errorf("the API on the replay host: %d", status)
	}
	if status, b := s.get(s.ui + "/aachen/20260108mp_/" + home); status == 200 || strings.Contains(b, "<h1>Chie") {
		t.Errorf("archived content on the host of the screens: %d", status)
	}
	if status, b := s.get(s.ui + "/metrics"); status != 200 || !strings.Contains(b, `varve_http_requests_total{host="replay"`) || !strings.Contains(b, "varve_indexed_captures_total") {
		t.Errorf("metrics: %d %.200s", status, b)
	}
}

func TestNamesThatAreNotOurs(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(5)
	s := start(t, archive, func(c *serve.Config) { c.Index = nil })
	if resp, _ := s.do("GET", s.ui+"/", "", "Host", "evil.example"); resp.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("a rebound name: %d", resp.StatusCode)
	}
	if resp, _ := s.do("POST", s.ui+"/collections/aachen/measure", "", "Host", "localhost:1"); resp.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("the other spelling, to change something: %d", resp.StatusCode)
	}
	resp, _ := s.do("GET", s.ui+"/crawls?state=running", "", "Host", "localhost:1")
	if resp.StatusCode != http.StatusTemporaryRedirect || resp.Header.Get("Location") != s.ui+"/crawls?state=running" {
		t.Errorf("the other spelling: %d %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	// Archived scripts live on the replay host: its pages cannot act on the screens.
	resp, _ = s.do("POST", s.ui+"/collections/aachen/measure", "", "Origin", s.replay, "Sec-Fetch-Site", "cross-site")
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("a request of an archived page: %d", resp.StatusCode)
	}
	resp, _ = s.do("POST", s.ui+"/api/collections/aachen/wacz", "x", "Origin", s.replay, "Sec-Fetch-Site", "cross-site")
	if resp.StatusCode != http.StatusForbidden || resp.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("the same to the API: %d %v", resp.StatusCode, resp.Header)
	}
	for _, cfg := range []serve.Config{
		{Addr: "127.0.0.1:0", ReplayAddr: "127.0.0.1:0"},
		{Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", PublicURL: "https://a.example", PublicReplayURL: "https://a.example:8443"},
		{Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", PublicURL: "a.example"},
	} {
		tally.Try(1)
		cfg.Archive = archive
		if srv, err := serve.Listen(context.Background(), cfg); err == nil {
			t.Errorf("%+v was taken: %s", cfg, srv.URL())
		} else if varve.KindOf(err) != varve.Invalid {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// pulse gives what the first page tells, once what may be seen is counted.
func (s *site) pulse(token string) (p pulse.Pulse) {
	s.t.Helper()
	for range 500 {
		status, body := s.get(s.ui+"/api/pulse", "Authorization", token)
		p = pulse.Pulse{}
		if err := json.Unmarshal([]byte(body), &p); err != nil || status != 200 || len(p.Collections) == 0 {
			s.t.Fatalf("pulse: %d, %v, %s", status, err, body)
		}
		if p.Collections[0].Source != pulse.Counting {
			return p
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Fatal("what may be seen is never counted")
	return p
}

// A takedown holds everywhere at once, a rule for curators for everybody else, an embargo for a time.
func TestRulesHoldEverywhere(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(2)
	dir := copied(t)
	s := start(t, dir, func(c *serve.Config) { c.RequireLogin = true })
	users := access.OpenUsers(filepath.Join(dir, "access"))
	tokens := map[access.Role]string{}
	for _, role := range []access.Role{access.Viewer, access.Curator} {
		if err := users.Put(string(role), role, "", time.Now()); err != nil {
			t.Fatal(err)
		}
		secret, _, err := users.NewToken(string(role), "", time.Now(), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		tokens[role] = "Bearer " + secret
	}
	for range 1000 {
		if s.captures(home, "Authorization", tokens[access.Viewer]) > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if status, _ := s.get(s.ui + "/api/collections"); status != http.StatusUnauthorized {
		t.Errorf("the API without login: %d", status)
	}
	if status, _ := s.get(s.replay + "/aachen/cdx?url=" + home); status != http.StatusUnauthorized {
		t.Errorf("replay without login: %d", status)
	}
	crawls, err := os.ReadDir(filepath.Join(dir, "collections", "aachen", "crawls"))
	if err != nil {
		t.Fatal(err)
	}
	rules := access.OpenDecisions(filepath.Join(dir, "access"), nil)
	see := func(role access.Role) (api, cdx, replay int) {
		api = s.captures(home, "Authorization", tokens[role])
		_, lines := s.get(s.replay+"/aachen/cdx?url="+url.QueryEscape(home), "Authorization", tokens[role])
		resp, _ := s.do("GET", s.replay+"/aachen/20260108030000mp_/"+home, "", "Authorization", tokens[role])
		return api, strings.Count(lines, "test,sim,aachen)/ "), resp.StatusCode
	}
	for _, tt := range []struct {
		rule access.Rule
		role access.Role
		sees bool
	}{
		{access.Rule{Prefix: home, Level: access.Curators, Reason: "x"}, access.Viewer, false},
		{access.Rule{Prefix: home, Level: access.Curators, Reason: "x"}, access.Curator, true},
		{access.Rule{Collection: "aachen", Level: access.ReadingRoom, Reason: "x"}, access.Viewer, false},
		{access.Rule{Collection: "other", Level: access.Blocked, Reason: "x"}, access.Viewer, true},
		{access.Rule{Embargo: 365 * 50, Reason: "x"}, access.Viewer, false},
		{access.Rule{Embargo: 1, Reason: "x"}, access.Viewer, true},
		{access.Rule{Prefix: "aachen.sim.test", Level: access.Blocked, Reason: "x"}, access.Curator, false},
	} {
		if !tt.sees {
			tally.Try(4)
		}
		made, err := rules.Add(tt.rule, "test", access.Admin, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		api, cdx, replay := see(tt.role)
		if (api > 0) != tt.sees || (cdx > 0) != tt.sees || (replay < 400) != tt.sees {
			t.Errorf("%+v for a %s: API %d captures, CDX %d, replay %d; want seen: %v", tt.rule, tt.role, api, cdx, replay, tt.sees)
		}
		if p := s.pulse(tokens[tt.role]); (p.Totals.Captures > 0) != tt.sees || !tt.sees && (p.Totals.Tally.Total() > 0 || len(p.Changes) > 0 || p.Last[0].Pages > 0 || p.Last[0].Coherence != nil) {
			t.Errorf("%+v for a %s: the first page counts %+v, newest crawl %+v", tt.rule, tt.role, p.Totals, p.Last[0].Crawl)
		}
		if status, _ := s.get(s.ui+"/api/collections/aachen/wacz", "Authorization", tokens[access.Viewer]); (status == 200) != (tt.rule.Collection == "other") {
			t.Errorf("%+v: a whole package for a viewer: %d", tt.rule, status)
		}
		for _, part := range []string{"coherence", "coherence/graph", "coherence/worst.csv"} { // they list addresses
			status, _ := s.get(s.ui+"/api/collections/aachen/crawls/"+crawls[0].Name()+"/"+part, "Authorization", tokens[access.Viewer])
			if (status == http.StatusForbidden) != (tt.rule.Collection != "other") {
				t.Errorf("%+v: %s for a viewer: %d", tt.rule, part, status)
			}
		}
		if err := rules.Lift(made.ID, "test", "x", time.Now()); err != nil {
			t.Fatal(err)
		}
	}
}

// What is packed can be unpacked by another server, and is indexed and shown there.
func TestPackagesTravel(t *testing.T) {
	s := start(t, copied(t), nil)
	s.indexed()
	crawls, err := os.ReadDir(filepath.Join(s.dir, "collections", "aachen", "crawls"))
	if err != nil {
		t.Fatal(err)
	}
	resp, whole := s.do("GET", s.ui+"/api/collections/aachen/wacz", "")
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "application/wacz" {
		t.Fatalf("package: %d %v", resp.StatusCode, resp.Header)
	}
	_, one := s.do("GET", s.ui+"/api/collections/aachen/wacz?crawl="+crawls[0].Name(), "")
	resp, part := s.do("GET", s.ui+"/api/collections/aachen/wacz?url="+url.QueryEscape(home+"culture/"), "")
	if resp.StatusCode != 200 || len(part) >= len(whole) || len(one) >= len(whole) {
		t.Errorf("sizes: whole %d, one crawl %d, selection %d (%d)", len(whole), len(one), len(part), resp.StatusCode)
	}
	for name, text := range map[string]string{"whole": whole, "one": one, "part": part} {
		p, err := wacz.Open(name, bytes.NewReader([]byte(text)), int64(len(text)), wacz.DefaultLimits())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		rep, err := wacz.Check(context.Background(), p, wacz.CheckOptions{})
		if err != nil || len(rep.Findings) > 0 {
			t.Errorf("%s: %+v, %v", name, rep, err)
		}
	}
	if status, _ := s.get(s.ui + "/api/collections/aachen/wacz?url=http://nowhere.example/"); status != http.StatusNotFound {
		t.Errorf("a package of nothing: %d", status)
	}
	other := start(t, t.TempDir(), nil)
	if resp, b := other.do("POST", other.ui+"/api/collections/aachen/wacz", part); resp.StatusCode != 200 {
		t.Fatalf("import: %d %s", resp.StatusCode, b)
	}
	for range 1000 {
		if other.captures(home+"culture/") > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if a, b := s.captures(home+"culture/"), other.captures(home+"culture/"); a != b || a == 0 {
		t.Errorf("%d captures here, %d there", a, b)
	}
	if resp, b := other.do("POST", other.ui+"/api/collections/aachen/wacz", "no package"); resp.StatusCode != http.StatusBadRequest {
		t.Errorf("rubbish: %d %s", resp.StatusCode, b)
	}
}

// New collections appear without a restart.
func TestNewFilesAppear(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir, nil)
	if _, b := s.get(s.ui + "/"); !strings.Contains(b, "Nothing is archived yet") {
		t.Error("an empty archive")
	}
	copyArchive(t, dir)
	s.indexed()
	shown := false
	for range 500 { // the catalogue of lists looks at the folders now and then
		if _, b := s.get(s.ui + "/"); strings.Contains(b, "City of Aachen") {
			shown = true
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if !shown {
		t.Error("the new collection is not shown")
	}
}

// copyArchive copies the collections of the archive that tests share. What servers keep beside them is theirs.
func copyArchive(t testing.TB, dir string) {
	t.Helper()
	if err := os.CopyFS(filepath.Join(dir, "collections"), os.DirFS(filepath.Join(archive, "collections"))); err != nil {
		t.Fatal(err)
	}
}

// The server ends while a stream is open, and leaves nothing behind.
func TestShutdown(t *testing.T) {
	s := start(t, archive, func(c *serve.Config) { c.Index = nil })
	if status, _ := s.get(s.ui + "/healthz"); status != 200 {
		t.Fatalf("healthz: %d", status)
	}
	s.stop()
	select {
	case err := <-s.waitForStop:
		if err != nil {
			t.Error(err)
		}
		s.waitForStop <- nil
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
	if _, err := s.client.Get(s.ui + "/healthz"); err == nil {
		t.Error("it still answers")
	}
}

// When the server has ended, nothing of it runs on: what goes on after its request is told to end and waited for.
func TestNothingRunsOn(t *testing.T) {
	dir := t.TempDir()
	copyArchive(t, dir)
	col, err := catalog.Open(dir).Collection("aachen")
	if err != nil {
		t.Fatal(err)
	}
	ids, err := col.Crawls()
	if err != nil || len(ids) == 0 {
		t.Fatal(ids, err)
	}
	for range 5 {
		s := start(t, dir, nil)
		s.indexed()
		page := s.ui + "/collections/aachen/crawls/" + ids[0] + "/coherence"
		_, body := s.get(page)
		token := regexp.MustCompile(`name="csrf" value="([^"]+)"`).FindStringSubmatch(body)
		if token == nil {
			t.Fatalf("no form: %s", body)
		}
		resp, body := s.do("POST", page, url.Values{"csrf": {token[1]}}.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Origin", s.ui)
		if resp.StatusCode >= 400 {
			t.Fatalf("%s: %.300s", resp.Status, body)
		}
		s.transport.CloseIdleConnections()
		s.stop()
		err := <-s.waitForStop
		all := make([]byte, 1<<20)
		for g := range strings.SplitSeq(string(all[:runtime.Stack(all, true)]), "\n\n") {
			if strings.Contains(g, "varve/serve/") && !strings.Contains(g, "testing.tRunner") && !strings.Contains(g, "created by varve/serve_test.start") { // which has told it
				t.Errorf("it runs on:\n%s", g)
			}
		}
		s.waitForStop <- err
	}
}
