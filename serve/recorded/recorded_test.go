package recorded

import (
	"net/url"
	"testing"
	"time"

	"varve/web/wire"
)

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestRecording(t *testing.T) {
	header := wire.Header{{Name: "Content-Type", Value: "text/html"}, {Name: "Content-Length", Value: "9"}, {Name: "Transfer-Encoding", Value: "chunked"}}
	rec, err := New([]Response{
		{"http://www.example.org", at("2020-01-01T00:00:00Z"), 200, header, []byte("first")},
		{"http://www.example.org/", at("2021-01-01T00:00:00Z"), 200, header, []byte("second")},
		{"http://secure.example.org/a", at("2020-06-01T00:00:00Z"), 301, wire.Header{{Name: "Location", Value: "https://secure.example.org/a"}}, nil},
		{"http://192.0.2.1/", at("2020-06-01T00:00:00Z"), 200, nil, nil},
		{"dns:example.org", at("2020-06-01T00:00:00Z"), 200, nil, nil},
		{"http://odd.example.org/x", at("2020-06-01T00:00:00Z"), 0, nil, []byte("no status")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if rec.Hosts() != 3 || rec.Skipped() != 2 || rec.Addresses() != 3 || len(rec.Entries()) != 3 {
		t.Errorf("%d hosts, %d skipped, %d addresses, %v", rec.Hosts(), rec.Skipped(), rec.Addresses(), rec.Entries())
	}
	get := func(address, when string) *Response {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return rec.Answer(u.Scheme, u.Host, u.RequestURI(), at(when))
	}
	for _, c := range []struct {
		url, at string
		status  int
		body    string
	}{
		{"http://www.example.org/", "2019-01-01T00:00:00Z", 200, "first"},
		{"http://www.example.org/", "2020-12-31T00:00:00Z", 200, "first"},
		{"https://www.example.org/", "2022-01-01T00:00:00Z", 200, "second"},
		{"http://www.example.org/other", "2022-01-01T00:00:00Z", 404, "not recorded\n"},
		{"http://secure.example.org/a", "2022-01-01T00:00:00Z", 301, ""},
		{"https://secure.example.org/a", "2022-01-01T00:00:00Z", 404, "not recorded\n"},
		{"http://odd.example.org/x", "2022-01-01T00:00:00Z", 502, "no status"},
		{"http://odd.example.org/robots.txt", "2022-01-01T00:00:00Z", 200, "User-agent: *\nDisallow:\n"},
	} {
		a := get(c.url, c.at)
		if a.Status != c.status || string(a.Body) != c.body {
			t.Errorf("%s at %s: %d %q", c.url, c.at, a.Status, a.Body)
		}
	}
	if a := get("http://www.example.org/", "2020-02-01T00:00:00Z"); len(a.Header) != 1 || a.Header.Get("Content-Type") != "text/html" {
		t.Errorf("header: %v", a.Header)
	}
	if _, err := New([]Response{{URL: "mailto:a@b"}}); err == nil {
		t.Error("a recording of nothing")
	}
}

func FuzzAddress(f *testing.F) {
	f.Add("http://www.example.org/a?b#c", "/x")
	f.Add("https://[::1]/", "*")
	f.Fuzz(func(t *testing.T, address, target string) {
		rec, err := New([]Response{{URL: address, Time: time.Unix(0, 0), Status: 200, Header: wire.Header{{Name: target, Value: address}}}})
		if err != nil {
			return
		}
		for _, e := range rec.Entries() {
			if u, err := url.Parse(e); err != nil || rec.Answer(u.Scheme, u.Host, u.RequestURI(), time.Unix(1, 0)).Status != 200 {
				t.Fatalf("%q cannot be asked for (%v)", e, err)
			}
		}
		_ = rec.Answer("http", address, target, time.Unix(1, 0))
	})
}
