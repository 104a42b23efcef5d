package versions

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"varve"
	"varve/archive/cdxj"
	"varve/index/temporal"
	"varve/web/canon"
)

// testIndex has two versions of a page, a picture, and a page that is gone.
func testIndex(t testing.TB) *temporal.Index {
	t.Helper()
	dir := t.TempDir()
	lines := []struct {
		url, ts, mime, digest string
		status                int
	}{
		{"http://e.example/", "20200101000000", "text/html", "A", 200},
		{"http://e.example/", "20200301000000", "text/html", "A", 200},
		{"http://e.example/", "20200501000000", "text/html", "B", 200},
		{"http://e.example/gone", "20200101000000", "text/html", "G", 200},
		{"http://e.example/gone", "20200201000000", "text/html", "N", 404},
		{"http://e.example/pic", "20200101000000", "image/png", "P", 200},
		{"http://f.example/", "20200101000000", "text/html", "F", 301},
	}
	captures := func(yield func(cdxj.Record, error) bool) {
		for _, l := range lines {
			r := cdxj.Record{Key: canon.SURT(l.url), Timestamp: l.ts, URL: l.url, MIME: l.mime, Digest: l.digest, Status: l.status}
			if !yield(r, nil) {
				return
			}
		}
	}
	if _, err := temporal.Build(t.Context(), dir, captures, temporal.Config{}); err != nil {
		t.Fatal(err)
	}
	ix, err := temporal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}

func handler(t testing.TB) *Handler {
	ix := testIndex(t)
	return &Handler{Open: func(r *http.Request) (*temporal.Index, func(), error) {
		if strings.HasPrefix(r.URL.Path, "/none") {
			return nil, nil, &varve.Error{Kind: varve.NotFound, Op: "open", Msg: "no such collection"}
		}
		return ix, func() {}, nil
	}}
}

func ask(h http.Handler, target string) (int, *Answer, string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
	a := &Answer{}
	_ = json.Unmarshal(w.Body.Bytes(), a) // of an error nothing is read
	return w.Code, a, w.Header().Get("Content-Type")
}

func TestQuestions(t *testing.T) {
	h := handler(t)
	for _, c := range []struct{ query, want string }{
		{"at=2020-01-15", "A G P redirect:F"},
		{"at=2020-03-15T12:00:00Z", "A P redirect:F"},
		{"at=20200601", "B P redirect:F"},
		{"at=2020-06&url=e.example&matchType=host", "B P"},
		{"url=http://e.example/", "A B"},
		{"url=*.example", "A B G P redirect:F"},
		{"relation=inside&from=2020-01-01&to=2020-06-01", "A G"},
		{"relation=contains&from=2020-01-05&to=2020-04-01", "A P redirect:F"},
		{"from=2020-04-01&to=2020-05-02", "A B P redirect:F"},
		{"to=2020-01-02", "A G P redirect:F"},
		{"validity=inferred&at=2020-02-01", "A"},
		{"validity=proven&at=2020-03-01", "A:witnessed"},
		{"at=2020-01-15&mime=image/", "P"},
		{"at=2020-01-15&mime=text/html&status=200", "A G"},
		{"at=2020-01-15&status=3", "redirect:F"},
		{"at=2020-01-15&limit=2", "A G next=3"},
		{"at=2020-01-15&start=3", "P redirect:F"},
		{"at=1990", ""},
	} {
		code, a, kind := ask(h, "/?"+c.query)
		var got []string
		for _, v := range a.Versions {
			s := v.Digest
			if v.Evidence != "" {
				s += ":" + v.Evidence
			}
			got = append(got, s)
		}
		if a.Next != "" {
			got = append(got, "next="+a.Next)
		}
		if code != 200 || kind != "application/json" || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %d %s %v, want %s", c.query, code, kind, got, c.want)
		}
	}
	if _, a, _ := ask(h, "/?at=2020-01-15&count=true"); a.Count != 4 || a.Versions != nil || a.Validity != temporal.Nominal {
		t.Errorf("counted %+v", a)
	}
	_, a, _ := ask(h, "/?url=http://e.example/")
	if v := a.Versions[1]; !v.Valid.To.IsZero() || v.Captures != 1 || v.First.Format("20060102") != "20200501" || v.Key != "example,e)/" {
		t.Errorf("%+v", v)
	}
}

func TestWrongQuestions(t *testing.T) {
	h := handler(t)
	for query, want := range map[string]int{
		"/?": 400, "/?at=soon": 400, "/?at=2020&from=2019": 400, "/?relation=inside&at=2020": 400, "/?relation=alive": 400, "/?relation=beside&from=2019": 400,
		"/?at=2020&validity=sure": 400, "/?from=2021&to=2020": 400, "/?at=2020&limit=0": 400, "/?at=2020&limit=99999": 400, "/?at=2020&start=x": 400,
		"/?at=2020&status=4xx": 400, "/?at=2020&count=maybe": 400, "/?at=2020&url=x&matchType=odd": 400, "/none?at=2020": 404,
	} {
		if code, _, kind := ask(h, query); code != want || kind != "application/problem+json" {
			t.Errorf("%s: %d %s", query, code, kind)
		}
	}
}

func FuzzQuestion(f *testing.F) {
	f.Add("at=2020-01-15&mime=text/&status=2")
	f.Add("relation=contains&from=2020&to=2021&validity=proven&url=*.example&limit=1&start=2")
	h := handler(f)
	f.Fuzz(func(t *testing.T, query string) {
		if _, err := url.ParseQuery(query); err != nil {
			return
		}
		r := httptest.NewRequest("GET", "/", nil)
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != 200 && w.Code != 400 || !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	})
}
