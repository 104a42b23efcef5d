package crawl_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/crawl"
	"varve/crawl/polite"
)

// asked counts requests by path.
type asked struct {
	mu sync.Mutex
	n  map[string]int
}

func (a *asked) again(path string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.n == nil {
		a.n = map[string]int{}
	}
	a.n[path]++
	return a.n[path]
}

// impatient crawls a site of its own, with three attempts and short waits.
func impatient(t *testing.T, place crawl.Place, answer http.HandlerFunc) *crawl.Report {
	t.Helper()
	s := httptest.NewServer(answer)
	defer s.Close()
	e, err := engineFor(nil, nil, polite.Config{BackoffFirst: 5 * time.Millisecond, BackoffMost: 10 * time.Millisecond, MaxFailing: 10})
	if err != nil {
		t.Fatal(err)
	}
	return complete(t, e, place, hostScope(s.URL+"/"))
}

// An answer whose connection ends before its body does is asked for again, as after any other fault of the network, within the
// attempts; what came of it is kept.
func TestPagesCutShortAreRetried(t *testing.T) {
	var requests asked
	place := placeIn(t.TempDir())
	rep := impatient(t, place, func(w http.ResponseWriter, r *http.Request) {
		n := requests.again(r.URL.Path)
		w.Header().Set("Content-Type", "text/html")
		switch body := "<title>t</title><a href=/once>x</a><a href=/always>x</a>" + strings.Repeat("words ", 2000) + "<a href=/last>x</a>"; {
		case r.URL.Path == "/robots.txt":
			w.WriteHeader(404)
		case r.URL.Path == "/once" && n > 1, r.URL.Path == "/", r.URL.Path == "/last":
			w.Write([]byte(body))
		default:
			w.Header().Set("Content-Length", "20000")
			w.Write([]byte(body[:5000]))
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
			panic(http.ErrAbortHandler)
		}
	})
	if requests.n["/once"] != 2 || requests.n["/always"] != 3 || requests.n["/last"] != 1 {
		t.Errorf("asked: %v", requests.n)
	}
	if g := gapOf(rep, "answer cut short: disconnect"); g.Count != 1 || rep.Complete {
		t.Errorf("gaps %+v", rep.Gaps)
	}
}

// A robots.txt that cannot be decoded is none: its rules are not known. It is asked for again, and the host is given up.
func TestRobotsThatCannotBeDecoded(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("User-agent: *\nDisallow: /secret\n" + strings.Repeat("# filling\n", 100)))
	z.Close()
	torn := slices.Clone(packed.Bytes())
	torn[len(torn)/2] ^= 0xff
	for name, body := range map[string][]byte{"turned over": torn, "cut": packed.Bytes()[:packed.Len()-12]} {
		for _, mends := range []bool{false, true} {
			var requests asked
			rep := impatient(t, placeIn(t.TempDir()), func(w http.ResponseWriter, r *http.Request) {
				n := requests.again(r.URL.Path)
				if r.URL.Path == "/robots.txt" {
					w.Header().Set("Content-Encoding", "gzip")
					if n > 1 && mends {
						w.Write(packed.Bytes())
						return
					}
					w.Write(body)
					return
				}
				w.Header().Set("Content-Type", "text/html")
				w.Write([]byte("<title>t</title><a href=/secret>x</a>"))
			})
			want := map[bool]int{false: 3, true: 2}[mends]
			if requests.n["/robots.txt"] != want || requests.n["/secret"] != 0 || (requests.n["/"] == 1) != mends || (len(rep.Unreached) == 0) != mends {
				t.Errorf("%s, mends %v: asked %v, unreached %+v", name, mends, requests.n, rep.Unreached)
			}
		}
	}
}
