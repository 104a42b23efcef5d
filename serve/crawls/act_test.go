package crawls

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
	"varve/crawl/control"
	"varve/crawl/scope"
	"varve/serve/access"
	"varve/serve/holdings"
)

// ship is a running crawl as its control socket shows it.
type ship struct {
	scope scope.Definition
	heard []string
	by    string
	sick  string // a problem that it answers with
}

func (s *ship) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, what, _ := strings.Cut(r.URL.Path, "/api/crawls/20261115T090000Z")
	body, _ := io.ReadAll(r.Body)
	if r.Method != http.MethodGet && !strings.HasSuffix(what, "preview") {
		s.heard, s.by = append(s.heard, r.Method+" "+what+" "+string(body)), r.Header.Get("Varve-By")
		if s.sick != "" {
			w.WriteHeader(http.StatusConflict)
			_, _ = io.WriteString(w, s.sick)
			return
		}
	}
	switch {
	case what == "/scope" && r.Method == http.MethodPut:
		s.scope = scope.Definition{}
		_ = json.Unmarshal(body, &s.scope)
		fallthrough
	case what == "/scope":
		_ = json.NewEncoder(w).Encode(s.scope)
	case strings.HasSuffix(what, "preview"):
		_ = json.NewEncoder(w).Encode(control.Preview{Queued: 10, Looked: 10, Dropped: 4, Whole: true})
	default:
		_, _ = io.WriteString(w, "{}")
	}
}

func atSea(t *testing.T) (*ship, *holdings.Crawl, *Helm, *access.Audit) {
	t.Helper()
	dir, err := os.MkdirTemp("", "helm") // a short path: sockets have no long ones
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	at := filepath.Join(dir, "collections", "c", "crawls", "20261115T090000Z")
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(at, "control.sock"))
	if err != nil {
		t.Fatal(err)
	}
	s := &ship{scope: scope.Definition{Mode: scope.Host}}
	srv := &http.Server{Handler: s}
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })
	k, err := holdings.New(catalog.Open(dir), time.Now).Crawl(context.Background(), "c", "20261115T090000Z")
	if err != nil {
		t.Fatal(err)
	}
	audit := access.OpenAudit(filepath.Join(dir, "access"))
	return s, k, &Helm{Audit: audit, Now: time.Now}, audit
}

// Each act is foreseen without a change, then done, with its name in the audit log and at the crawl.
func TestActs(t *testing.T) {
	for _, c := range []struct {
		act  Act
		says string
		told string
	}{
		{Act{Do: Exclude, Lines: "https://a.example/x/\nb.example"}, "not fetched any more", `PUT /scope {"scope":"host","rules":[{"name":"not, from the screen","do":"reject","prefix":["https://a.example/x/"]},{"name":"not, from the screen","do":"reject","domain":["b.example"]}]}`},
		{Act{Do: Include, Lines: "/y+/"}, "is fetched too", `PUT /scope {"scope":"host","rules":[{"name":"also, from the screen","do":"accept","regex":["y+"]}]}`},
		{Act{Do: Bar, Host: "A.example:8080"}, "a.example and all below it", `"domain":["a.example"]`},
		{Act{Do: Rest, Host: "a.example"}, "is not asked", `"domains":{"a.example":{"paused":true}}`},
		{Act{Do: Wake, Host: "a.example"}, "fetches from a.example again", `PUT /scope`},
		{Act{Do: Delay, Host: "a.example", Delay: "2 s"}, "are 2s apart", `"delay":"2s"`},
		{Act{Do: First, Host: "a.example/news/"}, "before all else", `POST /priorities {"lift":false,"prefix":"a.example/news/","score":1}`},
		{Act{Do: Last, Host: "a.example"}, "behind all else", `"score":0`},
		{Act{Do: Usual, Host: "a.example"}, "as anything else", `"lift":true`},
		{Act{Do: Bound, Limits: &crawl.Limits{MaxPages: 7, MaxTime: scope.Duration(time.Hour)}}, "after 7 pages", `PUT /limits {"maxPages":7,"maxTime":"1h0m0s"}`},
		{Act{Do: Pause}, "until somebody", "POST /pause"},
		{Act{Do: GoOn}, "where it paused", "POST /resume"},
		{Act{Do: Stop}, "can be resumed", "POST /stop"},
	} {
		s, k, h, audit := atSea(t)
		e, err := h.Foresee(context.Background(), k, c.act)
		if err != nil || !strings.Contains(strings.Join(e.Says, " "), c.says) || e.Done || len(s.heard) > 0 {
			t.Errorf("%+v: %+v, %v, heard %q", c.act, e, err, s.heard)
		}
		if rules := c.act.Do == Exclude || c.act.Do == Include || c.act.Do == Bar; rules != (e.Preview != nil) || rules && e.Preview.Dropped != 4 {
			t.Errorf("%+v: preview %+v", c.act, e.Preview)
		}
		e, err = h.Do(context.Background(), k, c.act, "eva")
		if err != nil || !e.Done || len(s.heard) != 1 || !strings.Contains(s.heard[0], c.told) || s.by != "eva" {
			t.Errorf("%+v: %+v, %v, heard %q by %q", c.act, e, err, s.heard, s.by)
		}
		var did []string
		for e := range audit.Entries() {
			did = append(did, e.By+" "+e.Did+" "+e.What)
		}
		if want := "eva steer crawl: " + string(c.act.Do) + " 20261115T090000Z"; !slices.Equal(did, []string{want}) {
			t.Errorf("audit log %q", did)
		}
	}
}

func TestActsAreChecked(t *testing.T) {
	s, k, h, _ := atSea(t)
	for _, a := range []Act{
		{}, {Do: "sink"}, {Do: Exclude}, {Do: Exclude, Lines: "a b"}, {Do: Include, Lines: "/(/"}, {Do: Bar}, {Do: Bar, Host: "a/b"}, {Do: Delay, Host: "a", Delay: "long"}, {Do: Delay, Host: "a", Delay: "5h"}, {Do: First}, {Do: Bound},
	} {
		if _, err := h.Do(context.Background(), k, a, "eva"); varve.KindOf(err) != varve.Invalid {
			t.Errorf("%+v: %v", a, err)
		}
	}
	if len(s.heard) > 0 {
		t.Errorf("heard %q", s.heard)
	}
	s.sick = `{"title":"conflict","detail":"the order is planned","hint":"do otherwise"}`
	_, err := h.Do(context.Background(), k, Act{Do: First, Host: "a.example"}, "eva")
	if varve.KindOf(err) != varve.Conflict || !strings.Contains(err.Error(), "the order is planned") {
		t.Errorf("%v", err)
	}
	h.Audit = deaf{}
	s.heard = nil
	if _, err := h.Do(context.Background(), k, Act{Do: Pause}, "eva"); varve.KindOf(err) != varve.Unavailable || len(s.heard) > 0 {
		t.Errorf("untold: %v, heard %q", err, s.heard)
	}
}
