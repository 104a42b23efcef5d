package capture

import (
	"errors"
	"net"
	"os"
	"strings"
	"testing"

	"varve/clock"
	"varve/lab/websim"
	"varve/lab/websim/difficult"
	"varve/lab/websim/server"
)

// serveSites serves difficult sites and gives the rules by which a browser finds them.
func serveSites(t testing.TB, sites []*difficult.Site) (*server.Server, string) {
	t.Helper()
	web, err := difficult.Web(1, sites...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	_, port, _ := net.SplitHostPort(s.Addr())
	return s, "MAP *." + difficult.Domain + ":80 127.0.0.1:" + port + ", MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
}

func openEye(t testing.TB, rules string) *Eye {
	t.Helper()
	if testing.Short() {
		t.Skip("short: Chromium is not started")
	}
	eye, err := OpenEye(t.Context(), rules)
	if errors.Is(err, ErrNoBrowser) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(eye.Close)
	return eye
}

// The sites do what they say: a visitor in a real browser sees the words of every view, and meets every key element, as
// a request or as a reference in what was sent or made. Nobody who executes the pages asks for a decoy.
func TestSitesLive(t *testing.T) {
	names := []string{"router", "shadow", "post"}
	if os.Getenv("VARVE_DRILL") != "" {
		names = nil // all
	}
	sites, err := difficult.Load(1, 4, names...)
	if err != nil {
		t.Fatal(err)
	}
	srv, rules := serveSites(t, sites)
	eye := openEye(t, rules)
	for _, s := range sites {
		t.Run(s.Name, func(t *testing.T) {
			before := srv.Log().Len()
			var met strings.Builder
			for _, v := range s.Views {
				sight, err := eye.Look(v.URL, v)
				if err != nil || len(sight.Missing) > 0 {
					t.Errorf("%s: unseen %q, %v", v.URL, sight.Missing, err)
					continue
				}
				met.WriteString(strings.Join(sight.Markup, "\n"))
			}
			checkMet(t, s, srv, before, &met)
		})
	}
}

// checkMet compares what was asked since an entry of the log with what is known of a site.
func checkMet(t *testing.T, s *difficult.Site, srv *server.Server, since int64, met *strings.Builder) {
	t.Helper()
	asked := map[string]bool{}
	for _, e := range srv.Log().Since(since) {
		url := e.URL()
		asked[e.Method+" "+url] = true
		if e.Status == 404 {
			t.Errorf("%s gave 404", url)
		}
		for _, d := range s.Decoys {
			if d == url {
				t.Errorf("decoy %s was asked for", url)
			}
		}
		if a := s.Answer(requestOf(e), e.At); a != nil {
			met.Write(a.Body)
		}
	}
	for _, e := range s.Elements {
		found := asked[e.Method+" "+e.URL] || strings.Contains(met.String(), strings.TrimPrefix(e.URL, "http://"+s.Host))
		for url := range asked {
			found = found || strings.HasSuffix(e.URL, "*") && strings.HasPrefix(url, e.Method+" "+strings.TrimSuffix(e.URL, "*"))
		}
		if !found {
			t.Errorf("no view meets %s %s %s", e.Method, e.URL, e.Body)
		}
	}
}

func requestOf(e websim.Entry) *websim.Request {
	return &websim.Request{Method: e.Method, Host: e.Host, Target: e.Target}
}
