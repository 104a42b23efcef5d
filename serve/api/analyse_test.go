package api_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"varve/derive/annotate"
	"varve/serve/access"
)

const posted = "Chancellor Angela Merkel met Barack Obama in Berlin on Monday. Merkel said that Germany does not want to leave."

// A text that is sent is analysed for anybody; what is wrong with the question is said.
func TestAnalysePosted(t *testing.T) {
	w := newWorld(t)
	resp := w.do(t, access.Nobody, "POST", "/api/text/analyse?date=20240102", posted)
	var out annotate.Analysis
	b, _ := io.ReadAll(resp.Body)
	if err := json.Unmarshal(b, &out); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s %s, %v", resp.Status, b, err)
	}
	if len(out.Sentences) != 2 || len(out.Mentions) != 5 || out.Text[out.Mentions[0].Start:out.Mentions[0].End] != "Angela Merkel" || out.Date.Year() != 2024 {
		t.Errorf("%s", b)
	}
	for _, c := range []struct {
		query, body string
		status      int
		want        string
	}{
		{"?units=sentences", posted, 200, `"sentences"`},
		{"?lang=pl", posted, 200, `"why":"mentions are known for de, en, es, fr only"`},
		{"?lang=de", posted, 200, `"listed":["mentions"]`},
		{"?units=smells", posted, 400, "there is no unit"},
		{"?date=soon", posted, 400, "date"},
		{"", "", 400, "there is no text"},
		{"", strings.Repeat("a ", 200_000), 400, "more than 256 KiB"},
	} {
		resp := w.do(t, access.Nobody, "POST", "/api/text/analyse"+c.query, c.body)
		if b, _ := io.ReadAll(resp.Body); resp.StatusCode != c.status || !strings.Contains(string(b), c.want) {
			t.Errorf("%s %.20q: %s %.300s", c.query, c.body, resp.Status, b)
		}
	}
}

// From one network only so many texts; others, and this machine, have their own turn.
func TestAnalyseRate(t *testing.T) {
	w := newWorld(t)
	ask := func(network string) *http.Response {
		r := httptest.NewRequest("POST", "/api/text/analyse?units=sentences", strings.NewReader("A text."))
		rec := httptest.NewRecorder()
		w.ServeHTTP(rec, r.WithContext(access.With(r.Context(), access.Visitor{Network: network})))
		return rec.Result()
	}
	statuses := map[int]int{}
	begun := time.Now()
	for range 50 {
		resp := ask("192.0.2.1")
		statuses[resp.StatusCode]++
		if resp.StatusCode == http.StatusTooManyRequests && resp.Header.Get("Retry-After") == "" {
			t.Error("nobody says when to try again")
		}
	}
	if most := 11 + int(time.Since(begun).Seconds()); statuses[200] < 10 || statuses[200] > most || statuses[200]+statuses[429] != 50 {
		t.Errorf("%v, at most %d", statuses, most)
	}
	for _, network := range []string{"192.0.2.2", ""} {
		if resp := ask(network); resp.StatusCode != 200 {
			t.Errorf("%q: %s", network, resp.Status)
		}
	}
}

// Of an address the capture that the visitor may see.
func TestAnalyseCapture(t *testing.T) {
	w := newWorld(t)
	var pages struct{ Items []struct{ URL string } }
	w.get(t, "/api/collections/aachen/pages?type=page&limit=1", &pages)
	if len(pages.Items) == 0 {
		t.Fatal("no page")
	}
	target := "/api/collections/aachen/analyse?url=" + url.QueryEscape(pages.Items[0].URL)
	var out annotate.Analysis
	w.get(t, target, &out)
	if out.URL == "" || out.Time.IsZero() || out.Text == "" || len(out.Sentences) == 0 {
		t.Errorf("%+v", out)
	}
	for _, s := range out.Sentences {
		for _, k := range s.Tokens {
			if out.Text[k.Start:k.End] != k.Text {
				t.Fatalf("%+v is elsewhere", k)
			}
		}
	}
	if resp := w.do(t, access.Nobody, "GET", target, ""); resp.StatusCode != http.StatusUnauthorized {
		t.Error(resp.Status)
	}
	if resp := w.do(t, access.Viewer, "GET", "/api/collections/aachen/analyse?url=http://nowhere.test/", ""); resp.StatusCode != http.StatusNotFound {
		t.Error(resp.Status)
	}
}
