package fetch

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
)

const cookiesTxt = `# Netscape HTTP Cookie File
# comment

.sim.test	TRUE	/	FALSE	0	session	one
#HttpOnly_www.sim.test	FALSE	/	FALSE	4102444800	login	"quoted value"
www.sim.test	FALSE	/private	FALSE	4102444800.5	deep	2
.sim.test	TRUE	/	TRUE	4102444800	secure	3
www.sim.test	FALSE	/	FALSE	100	old	gone
www.sim.test	FALSE	/	FALSE	0	empty
`

func TestNetscape(t *testing.T) {
	jar, err := NewJar()
	if err != nil {
		t.Fatal(err)
	}
	if got := jar.appendCookies(nil, "http://www.sim.test/"); len(got) > 0 {
		t.Errorf("empty jar gives %q", got)
	}
	n, err := jar.ReadNetscape(strings.NewReader(strings.ReplaceAll(cookiesTxt, "\n", "\r\n")))
	if err != nil || n != 6 {
		t.Fatalf("%d cookies, %v", n, err)
	}
	for url, want := range map[string]string{
		"http://www.sim.test/":          "Cookie: session=one; login=\"quoted value\"; empty=\r\n",
		"http://www.sim.test/private/x": "Cookie: deep=2; session=one; login=\"quoted value\"; empty=\r\n",
		"https://a.sim.test/":           "Cookie: session=one; secure=3\r\n",
		"http://other.test/":            "",
	} {
		if got := string(jar.appendCookies(nil, url)); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	for text, want := range map[string]string{
		"a.test\tTRUE\t/\tFALSE\t0":                "line 1: 5 fields",
		"# ok\na.test\tTRUE\t/\tFALSE\tsoon\tn\tv": "line 2: expiry",
		"\tTRUE\t/\tFALSE\t0\tn\tv":                "line 1: domain",
		"a.test\tTRUE\t/\tFALSE\t0\tn\tv\x01":      "line 1: domain",
	} {
		if _, err := jar.ReadNetscape(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Cookies that a server sets come back to it, and only to it.
func TestCookies(t *testing.T) {
	addr := listen(t, func(_ int, c net.Conn) {
		for n := 0; ; n++ {
			req, err := takeRequest(c)
			if err != nil {
				return
			}
			cookie := ""
			for line := range strings.SplitSeq(req, "\r\n") {
				if v, ok := strings.CutPrefix(line, "Cookie: "); ok {
					cookie = v
				}
			}
			_, _ = io.WriteString(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nSet-Cookie: n%d=\"v\"; Path=/\r\nSet-Cookie: all=x; Domain=test\r\nSet-Cookie: %s\r\nContent-Length: %d\r\n\r\n%s",
				n, "=;bad", len(cookie), cookie))
		}
	})
	cfg := quick()
	cfg.Overrides = simTest(t, addr.String())
	c := newClient(t, cfg)
	jar, err := NewJar()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", `n0="v"`, `n0="v"; n1="v"`} {
		x, err := get(t, c, &Request{URL: "http://a.sim.test/", Jar: jar})
		if b, _ := x.PayloadBytes(); err != nil || string(b) != want {
			t.Errorf("%d: server saw %q, %v; want %q", i, b, err, want)
		}
	}
	x, err := get(t, c, &Request{URL: "http://b.sim.test/", Jar: jar})
	if b, _ := x.PayloadBytes(); err != nil || len(b) > 0 {
		t.Errorf("another host saw %q, %v", b, err)
	}
}

func FuzzNetscape(f *testing.F) {
	f.Add(cookiesTxt)
	f.Fuzz(func(t *testing.T, text string) {
		jar, err := NewJar()
		if err != nil {
			t.Fatal(err)
		}
		_, _ = jar.ReadNetscape(strings.NewReader(text))
		got := jar.appendCookies(nil, "http://www.sim.test/")
		if n := strings.Count(string(got), "\n"); n > 1 || n == 1 && !strings.HasSuffix(string(got), "\r\n") {
			t.Errorf("field %q", got)
		}
	})
}
