package capture

import (
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/difficult"
	"varve/serve/replay"
	"varve/serve/replay/replaytest"
)

// perfect writes an archive in which nothing of the sites' difficult parts is missing.
func perfect(t testing.TB, sites []*difficult.Site) *replaytest.Index {
	t.Helper()
	web, err := difficult.Web(1, sites...)
	if err != nil {
		t.Fatal(err)
	}
	var pages []replaytest.Answer
	start := time.Now().Add(-time.Hour).UTC()
	for _, s := range sites {
		for i, e := range s.All() {
			u, err := url.Parse(e.URL)
			if err != nil {
				t.Fatal(err)
			}
			a := web.Fetch(&websim.Request{Method: e.Method, Host: u.Host, Target: u.RequestURI(), Body: []byte(e.Body)}, web.Epoch())
			p := replaytest.Answer{URL: e.URL, Status: a.Status, Body: string(a.Body), Time: start.Add(time.Duration(i) * time.Second).Format(time.RFC3339)}
			for _, f := range a.Header {
				p.Header += f.Name + ": " + f.Value + "\n"
			}
			if e.Method != "GET" {
				p.Method, p.Sent = e.Method, e.Body
				if strings.HasPrefix(e.Body, "{") {
					p.Type = "application/json"
				}
			}
			pages = append(pages, p)
		}
	}
	return replaytest.Write(t, pages...)
}

// With a perfect archive and no server, replay shows the words of every view: routes, lists that grow, answers to POST.
func TestReplayPerfect(t *testing.T) {
	names := []string{"router", "more", "json", "post", "graphql"}
	if os.Getenv("VARVE_DRILL") != "" {
		names = nil // all
	}
	sites, err := difficult.Load(1, 1, names...)
	if err != nil {
		t.Fatal(err)
	}
	eye := openEye(t, "MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost")
	srv := httptest.NewUnstartedServer(nil)
	base := "http://localhost" + srv.Listener.Addr().String()[len("127.0.0.1"):]
	h := replaytest.Handler(t, perfect(t, sites), func(c *replay.Config) { c.Base, c.Now = base, time.Now })
	srv.Config.Handler = h
	srv.Start()
	t.Cleanup(srv.Close)
	for _, s := range sites {
		t.Run(s.Name, func(t *testing.T) {
			for _, v := range s.Views {
				if sight, err := eye.Look(base+"/n/"+v.URL, v); err != nil || len(sight.Missing) > 0 {
					t.Errorf("%s (%s): unseen %q, %v", v.URL, v.Do, sight.Missing, err)
				}
			}
		})
	}
	if n, list := h.Leaks(); n != 0 {
		t.Errorf("%d attempts to leave were stopped by the policy: %+v", n, list)
	}
}
