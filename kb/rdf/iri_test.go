package rdf

import (
	"testing"
)

// The examples of RFC 3986, 5.4, and a few that net/url would change on the way.
func TestResolve(t *testing.T) {
	const base = "http://a/b/c/d;p?q"
	for _, c := range [][3]string{
		{base, "g:h", "g:h"},
		{base, "g", "http://a/b/c/g"},
		{base, "./g", "http://a/b/c/g"},
		{base, "g/", "http://a/b/c/g/"},
		{base, "/g", "http://a/g"},
		{base, "//g", "http://g"},
		{base, "?y", "http://a/b/c/d;p?y"},
		{base, "g?y", "http://a/b/c/g?y"},
		{base, "#s", "http://a/b/c/d;p?q#s"},
		{base, "g#s", "http://a/b/c/g#s"},
		{base, "g?y#s", "http://a/b/c/g?y#s"},
		{base, ";x", "http://a/b/c/;x"},
		{base, "g;x", "http://a/b/c/g;x"},
		{base, "g;x?y#s", "http://a/b/c/g;x?y#s"},
		{base, "", "http://a/b/c/d;p?q"},
		{base, ".", "http://a/b/c/"},
		{base, "./", "http://a/b/c/"},
		{base, "..", "http://a/b/"},
		{base, "../", "http://a/b/"},
		{base, "../g", "http://a/b/g"},
		{base, "../..", "http://a/"},
		{base, "../../", "http://a/"},
		{base, "../../g", "http://a/g"},
		{base, "../../../g", "http://a/g"},
		{base, "../../../../g", "http://a/g"},
		{base, "/./g", "http://a/g"},
		{base, "/../g", "http://a/g"},
		{base, "g.", "http://a/b/c/g."},
		{base, ".g", "http://a/b/c/.g"},
		{base, "g..", "http://a/b/c/g.."},
		{base, "..g", "http://a/b/c/..g"},
		{base, "./../g", "http://a/b/g"},
		{base, "./g/.", "http://a/b/c/g/"},
		{base, "g/./h", "http://a/b/c/g/h"},
		{base, "g/../h", "http://a/b/c/h"},
		{base, "g;x=1/./y", "http://a/b/c/g;x=1/y"},
		{base, "g;x=1/../y", "http://a/b/c/y"},
		{base, "g?y/./x", "http://a/b/c/g?y/./x"},
		{base, "g#s/../x", "http://a/b/c/g#s/../x"},
		{base, "http:g", "http:g"}, // strict
		{"http://a", "b", "http://a/b"},
		{"http://a?q", "b", "http://a/b"},
		{"file:///x/y", "z", "file:///x/z"},
		{"urn:x:y", "#z", "urn:x:y#z"},
		{"http://a/%7e/é", "%7E/ü", "http://a/%7e/%7E/ü"},
		{"http://A:080/", "b c'(", "http://A:080/b c'("},
		{"", "relative", "relative"},
		{base, "http://x/../y", "http://x/../y"}, // an absolute one is left alone
		{base, "1a:b", "http://a/b/c/1a:b"},
	} {
		if got := Resolve(c[0], c[1]); got != c[2] {
			t.Errorf("%s against %s: %s, want %s", c[1], c[0], got, c[2])
		}
	}
}
