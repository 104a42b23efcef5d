package memento_test

import (
	"testing"
	"time"

	"varve/serve/memento"
)

func TestPWID(t *testing.T) {
	p := memento.PWID{Archive: "archive.example", Time: time.Date(2016, 1, 22, 10, 8, 23, 0, time.UTC), Coverage: memento.CoversPage, URL: "http://www.dr.dk/a:b"}
	const s = "urn:pwid:archive.example:2016-01-22T10:08:23Z:page:http://www.dr.dk/a:b"
	if p.String() != s {
		t.Errorf("%s", p)
	}
	got, err := memento.ParsePWID(s)
	if err != nil || got != p {
		t.Errorf("%+v %v", got, err)
	}
	for _, bad := range []string{"", "urn:pwid:", "urn:pwid:a:b", "urn:pwid:a:2016-01-22T10:08:23Z:page:", "urn:pwid:a:2016-13-22T10:08:23Z:page:x", "urn:pwid:a:2016-01-22T10:08:23Z:odd:x"} {
		if p, err := memento.ParsePWID(bad); err == nil {
			t.Errorf("%q gives %+v", bad, p)
		}
	}
}

func FuzzParsePWID(f *testing.F) {
	f.Add("urn:pwid:archive.example:2016-01-22T10:08:23Z:page:http://www.dr.dk/a:b")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := memento.ParsePWID(s)
		if err != nil {
			return
		}
		if again, err := memento.ParsePWID(p.String()); err != nil || again != p {
			t.Fatalf("%q gives %+v, and that %+v (%v)", s, p, again, err)
		}
	})
}

// Captures that are the same are named once, with all their relations.
func TestLinkJoinsRelations(t *testing.T) {
	s := memento.Site{Base: "http://r", Collection: "n"}
	at := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	const want = `<http://a/>; rel="original", <http://r/n/timegate/http://a/>; rel="timegate", <http://r/n/timemap/link/http://a/>; rel="timemap"; type="application/link-format", <http://r/n/20240101000000mp_/http://a/>; rel="first last memento"; datetime="Mon, 01 Jan 2024 00:00:00 GMT"`
	if got := s.Link(memento.Place{URL: "http://a/", First: at, This: at, Last: at}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAcceptDatetime(t *testing.T) {
	if got, err := memento.ParseAcceptDatetime(" Thu, 31 May 2007 20:35:00 GMT "); err != nil || got.Unix() != 1180643700 {
		t.Errorf("%v %v", got, err)
	}
	if _, err := memento.ParseAcceptDatetime("2007"); err == nil {
		t.Error("a year alone was read")
	}
}
