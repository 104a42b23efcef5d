package serve_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"varve/lab/attack"
)

// ask is one thing that the API can be asked, as its own description tells it.
type ask struct {
	method, path string
	params       []string
	body         bool
}

// asks reads the description of the interface, so that new routes are tried without a line here.
func (s *site) asks() (out []ask) {
	s.t.Helper()
	_, text := s.do("GET", s.ui+"/api/openapi.json", "")
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name, In string }
			Body       map[string]any `json:"requestBody"`
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil || len(doc.Paths) < 20 {
		s.t.Fatal(len(doc.Paths), err)
	}
	for path, methods := range doc.Paths {
		for method, d := range methods {
			a := ask{method: strings.ToUpper(method), path: path, body: d.Body != nil}
			for _, p := range d.Parameters {
				if p.In == "query" {
					a.params = append(a.params, p.Name)
				}
			}
			out = append(out, a)
		}
	}
	return out
}

// target fills the parts of a path and all parameters of a query with one value.
func (a ask) target(value string) string {
	var path strings.Builder
	for i, part := range strings.Split(a.path, "{") {
		if i == 0 {
			path.WriteString(part)
			continue
		}
		_, rest, _ := strings.Cut(part, "}")
		path.WriteString(url.PathEscape(value) + rest)
	}
	q := url.Values{}
	for _, p := range a.params {
		q.Set(p, value)
	}
	return path.String() + "?" + q.Encode()
}

// Whatever is sent to any route of the interface, the answer is one about the request: no route fails, gives away a file of the
// machine, or lets the sender write a header.
func TestHostileRequests(t *testing.T) {
	tally := attack.Count(t)
	s := start(t, archive, nil)
	hostile := map[string]string{
		"path":         "../../../../../../../../etc/passwd",
		"escaped path": "..%2f..%2f..%2f..%2fetc%2fpasswd",
		"file URL":     "file:///etc/passwd",
		"header":       "x\r\nX-Varve-Test: written\r\n\r\n<script>",
		"zero byte":    "a\x00b",
		"not UTF-8":    "\xff\xfe\xc0\x80",
		"markup":       `"><img src=x onerror=alert(1)>`,
		"long":         strings.Repeat("a", 60<<10),
		"many":         strings.Repeat("a OR ", 5000),
		"deep":         strings.Repeat("(", 20000),
		"stars":        strings.Repeat("a*", 200),
		"expression":   "(a+)+$" + strings.Repeat("a", 100),
		"number":       "99999999999999999999999999",
		"negative":     "-1",
	}
	for _, a := range s.asks() {
		if strings.Contains(a.path, "events") && a.method == "GET" {
			continue // a stream without an end
		}
		for name, value := range hostile {
			bodies := []string{""}
			if a.body {
				bodies = []string{"", "null", "[]", `{"x":1}`, strings.Repeat("[", 200000), `{"` + strings.Repeat("k", 1<<16) + `":1}`}
			}
			for _, body := range bodies {
				tally.Try(1)
				res, text := s.do(a.method, s.ui+a.target(value), body, "Content-Type", "application/json")
				switch {
				case res.StatusCode >= 500 && res.StatusCode != http.StatusServiceUnavailable && res.StatusCode != http.StatusNotImplemented:
					t.Errorf("%s %s, %s, body %.20q: %s\n%.300s", a.method, a.path, name, body, res.Status, text)
				case strings.Contains(text, "root:x:0"):
					t.Errorf("%s %s, %s: a file of the machine was given away", a.method, a.path, name)
				case res.Header.Get("X-Varve-Test") != "":
					t.Errorf("%s %s, %s: the sender wrote a header", a.method, a.path, name)
				case strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") && strings.Contains(text, "<img src=x"):
					t.Errorf("%s %s, %s: markup came back as markup", a.method, a.path, name)
				}
			}
		}
	}
}

// endless is a body that does not end by itself.
type endless struct{ given atomic.Int64 } // the transport may read on when the answer is there

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.given.Add(int64(len(p)))
	return len(p), nil
}

// A body is read up to a bound that is told, not until memory is full.
func TestEndlessBodies(t *testing.T) {
	tally := attack.Count(t)
	s := start(t, archive, nil)
	const most = 64 << 20
	for _, a := range s.asks() {
		tally.Try(1)
		if !a.body || strings.Contains(a.path, "packages") || strings.Contains(a.path, "wacz") {
			continue // packages stream to disk, with a bound of their own
		}
		body := &endless{}
		r, err := http.NewRequest(a.method, s.ui+a.target("news"), body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		res, err := s.client.Do(r)
		if err == nil {
			res.Body.Close()
			if res.StatusCode < 400 || res.StatusCode >= 500 {
				t.Errorf("%s %s: %s", a.method, a.path, res.Status)
			}
		}
		if given := body.given.Load(); given > most {
			t.Errorf("%s %s: %d bytes were taken", a.method, a.path, given)
		}
	}
}
