package address_test

import (
	"strings"
	"testing"
	"time"

	"varve/serve/replay/address"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		path, query string
		want        address.Address
	}{
		{"/n/", "", address.Address{Collection: "n"}},
		{"/n", "", address.Address{Collection: "n"}},
		{"/n/20260101000000mp_/http://a.example/p", "", capture("20260101000000", "mp_", "http://a.example/p")},
		{"/n/20260101000000/http://a.example/p", "x=1&y", capture("20260101000000", "", "http://a.example/p?x=1&y")},
		{"/n/mp_/http://a.example/", "", capture("", "mp_", "http://a.example/")},
		{"/n/2026id_/https:/a.example//x", "", capture("2026", "id_", "https://a.example//x")},
		{"/n/2026zz_/a.example/%2F?", "", capture("2026", "mp_", "http://a.example/%2F?")},
		{"/n/2026$br:x-1/http://a.example/", "", capture("2026", "mp_", "http://a.example/")},
		{"/n~wK/2026if_/http://a.example/~x", "", address.Address{Collection: "n", Key: "wK", Kind: address.Capture, Time: "2026", Mod: "if_", URL: "http://a.example/~x"}},
		{"/n~wK~V/2026if_/http://a.example/", "", address.Address{Collection: "n", Key: "wK", View: "V", Kind: address.Capture, Time: "2026", Mod: "if_", URL: "http://a.example/"}},
		{"/n~~V/2026if_/http://a.example/", "", address.Address{Collection: "n", View: "V", Kind: address.Capture, Time: "2026", Mod: "if_", URL: "http://a.example/"}},
		{"/n/http://a.example/", "", gate("http://a.example/")},
		{"/n/a.example:8080/x", "", gate("http://a.example:8080/x")},
		{"/n/timegate/http://a.example/", "", gate("http://a.example/")},
		{"/n/urn:x:y", "", gate("urn:x:y")},
		{"/n/timemap/link/http://a.example/", "", address.Address{Collection: "n", Kind: address.TimeMap, Format: "link", Page: 1, URL: "http://a.example/"}},
		{"/n/timemap/json/7/http://a.example/", "", address.Address{Collection: "n", Kind: address.TimeMap, Format: "json", Page: 7, URL: "http://a.example/"}},
		{"/n/*/http://a.example/", "", address.Address{Collection: "n", Kind: address.Listing, Page: 1, URL: "http://a.example/"}},
		{"/n/2009-2015*/http://a.example/p*", "", address.Address{Collection: "n", Kind: address.Listing, Page: 1, URL: "http://a.example/p", From: "2009", To: "2015", Prefix: true}},
	} {
		got, err := address.Parse(c.path, c.query)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if c.want.Page == 0 {
			c.want.Page = 1
		}
		if got != c.want {
			t.Errorf("%s\n got %+v\nwant %+v", c.path, got, c.want)
		}
	}
	for _, bad := range []string{"", "/", "/n/timemap/link/", "/n/2009-x*/http://a.example/", "/n/timemap/link/0/http://a.example/"} {
		if a, err := address.Parse(bad, ""); err == nil {
			t.Errorf("%q gives %+v", bad, a)
		}
	}
}

func capture(ts string, mod address.Mod, url string) address.Address {
	return address.Address{Collection: "n", Kind: address.Capture, Time: ts, Mod: mod, URL: url}
}

func gate(url string) address.Address {
	return address.Address{Collection: "n", Kind: address.TimeGate, URL: url}
}

func TestEscape(t *testing.T) {
	a := address.Address{Collection: "n", Kind: address.Capture, Time: "2026", Mod: "mp_", URL: "http://a.example/a b\"<x>\r\n"}
	if got, want := a.String(), "/n/2026mp_/http://a.example/a%20b%22%3Cx%3E%0D%0A"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStamps(t *testing.T) {
	for _, c := range []struct{ in, low, high string }{
		{"2009", "2009-01-01T00:00:00Z", "2009-12-31T23:59:59Z"},
		{"200902", "2009-02-01T00:00:00Z", "2009-02-28T23:59:59Z"},
		{"20090230", "2009-02-28T00:00:00Z", "2009-02-28T23:59:59Z"},
		{"20090203040506", "2009-02-03T04:05:06Z", "2009-02-03T04:05:06Z"},
		{"20090203040506789", "2009-02-03T04:05:06.789Z", "2009-02-03T04:05:06.789Z"},
	} {
		low, err1 := address.Earliest(c.in)
		high, err2 := address.Latest(c.in)
		if err1 != nil || err2 != nil || low.Format(time.RFC3339Nano) != c.low || high.Format(time.RFC3339Nano) != c.high {
			t.Errorf("%s: %v %v (%v %v)", c.in, low, high, err1, err2)
		}
	}
	if _, err := address.Latest("2009x"); err == nil {
		t.Error("letters were read as a time")
	}
}

// What is written is read back as the same address.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"/n/2026mp_/http://a.example/p", "/n/timemap/link/2/http:/a", "/n/1-2*/x*", "/n/a:8/x", "/n/urn:x"} {
		f.Add(s, "q=1")
	}
	f.Fuzz(func(t *testing.T, path, query string) {
		a, err := address.Parse(path, query)
		if err != nil {
			return
		}
		again, err := address.Parse(a.String(), "")
		if err != nil {
			t.Fatalf("%q gives %+v, and that %q: %v", path, a, a.String(), err)
		}
		if strings.ContainsFunc(a.URL, func(c rune) bool { return c <= ' ' || c == 0x7f || c == '"' || c == '<' || c == '>' }) {
			return // escaped on the way out
		}
		if again != a {
			t.Fatalf("%q gives %+v, and that %+v", path, a, again)
		}
	})
}
