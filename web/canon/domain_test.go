package canon

import (
	"testing"

	"github.com/weppos/publicsuffix-go/publicsuffix"
)

func TestPayLevelDomain(t *testing.T) {
	for _, c := range [][2]string{
		{"www.example.com", "example.com"},
		{"example.com", "example.com"},
		{"a.b.example.co.uk", "example.co.uk"},
		{"co.uk", "co.uk"},
		{"com", "com"},
		{"alice.blogspot.com", "alice.blogspot.com"},
		{"www.alice.blogspot.com", "alice.blogspot.com"},
		{"blogspot.com", "blogspot.com"},
		{"user.github.io", "user.github.io"},
		{"www.city.kobe.jp", "city.kobe.jp"},
		{"x.y.kobe.jp", "x.y.kobe.jp"},
		{"a.x.y.kobe.jp", "x.y.kobe.jp"},
		{"www.ck", "www.ck"},
		{"a.b.ck", "a.b.ck"},
		{"localhost", "localhost"},
		{"host.unknown", "host.unknown"},
		{"a.host.unknown", "host.unknown"},
		{"127.0.0.1", "127.0.0.1"},
		{"[::1]", "[::1]"},
		{"[::ffff:1.2.3.4]", "[::ffff:1.2.3.4]"},
		{"www.example.com.", "example.com"},
		{"www.xn--bcher-kva.example", "xn--bcher-kva.example"},
		{"", ""},
		{".", ""},
	} {
		if got := PayLevelDomain(c[0]); got != c[1] {
			t.Errorf("PayLevelDomain(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

// TestPayLevelDomainLibrary compares with the library's own, slower, answer.
func TestPayLevelDomainLibrary(t *testing.T) {
	for _, rule := range publicsuffix.DefaultRules() {
		for _, head := range []string{"a.", "b.a.", "c.b.a."} {
			host := head + rule.Value
			want, err := publicsuffix.DomainFromListWithOptions(publicsuffix.DefaultList, host, &suffixes)
			if err != nil {
				want = host
			}
			if got := PayLevelDomain(host); got != want {
				t.Fatalf("PayLevelDomain(%q) = %q, library %q (%v)", host, got, want, err)
			}
		}
	}
}
