package recorded

import (
	"testing"
	"time"

	"varve/websim"
)

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestRecording(t *testing.T) {
	header := []websim.Field{{Name: "Content-Type", Value: "text/html"}, {Name: "Content-Length", Value: "9"}, {Name: "Transfer-Encoding", Value: "chunked"}}
	rec, err := New([]Response{
		{"http://www.example.org", at("2020-01-01T00:00:00Z"), 200, header, []byte("first")},
		{"http://www.example.org/", at("2021-01-01T00:00:00Z"), 200, header, []byte("second")},
		{"http://secure.example.org/a", at("2020-06-01T00:00:00Z"), 301, []websim.Field{{Name: "Location", Value: "https://secure.example.org/a"}}, nil},
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
	web, err := rec.Web()
	if err != nil {
		t.Fatal(err)
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
		a := web.Get(c.url, at(c.at))
		if a.Status != c.status || string(a.Body) != c.body {
			t.Errorf("%s at %s: %d %q", c.url, c.at, a.Status, a.Body)
		}
	}
	if a := web.Get("http://www.example.org/", at("2020-02-01T00:00:00Z")); a.Get("Content-Length") != "5" || a.Get("Transfer-Encoding") != "" || a.Get("Content-Type") != "text/html" {
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
		rec, err := New([]Response{{URL: address, Time: time.Unix(0, 0), Status: 200, Header: []websim.Field{{Name: target, Value: address}}}})
		if err != nil {
			return
		}
		web, err := rec.Web()
		if err != nil {
			t.Fatalf("%q cannot be served: %v", address, err)
		}
		for _, e := range rec.Entries() {
			_ = web.Get(e, time.Unix(1, 0))
		}
		_ = web.Fetch(&websim.Request{Host: address, Target: target}, time.Unix(1, 0))
	})
}
