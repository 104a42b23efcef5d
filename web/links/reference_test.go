package links_test

import (
	"testing"

	"varve/web/links"
)

// A name of which only the begin is one, with a semicolon, is part of an address.
func TestReferencesInAddresses(t *testing.T) {
	var got []string
	x := links.New(links.Limits{})
	_, err := x.Extract(links.Document{URL: "http://a.test/", MIME: "text/html", Body: []byte(`<a href="/x?a=1&copyright;b&sect=2&amp;c=3">`)}, func(l links.Link) { got = append(got, l.URL) })
	if err != nil || len(got) != 1 || got[0] != "http://a.test/x?a=1&copyright;b&sect=2&c=3" {
		t.Errorf("%q, %v", got, err)
	}
}
