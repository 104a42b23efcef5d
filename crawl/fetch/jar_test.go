package fetch

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/publicsuffix"
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
	jar := NewJar(time.Now)
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
	jar := NewJar(time.Now)
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
		jar := NewJar(time.Now)
		_, _ = jar.ReadNetscape(strings.NewReader(text))
		got := jar.appendCookies(nil, "http://www.sim.test/")
		if n := strings.Count(string(got), "\n"); n > 1 || n == 1 && !strings.HasSuffix(string(got), "\r\n") {
			t.Errorf("field %q", got)
		}
	})
}

// The jar against that of the standard library, which has no bounds and cannot be kept: the same cookies in the same order.
func TestJarAgainstStandard(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	pick := func(of ...string) string { return of[rnd.IntN(len(of))] }
	hosts := []string{"example.com", "www.example.com", "a.b.example.com", "example.co.uk", "www.example.co.uk", "127.0.0.1", "localhost", "com"}
	domains := append([]string{"", "", ".example.com", "b.example.com", "co.uk", ".co.uk", "EXAMPLE.co.uk", "other.com", "0.0.1"}, hosts...)
	paths := []string{"", "/", "/a", "/a/", "/a/b", "/ab", "a"}
	for range 300 {
		std, err := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
		if err != nil {
			t.Fatal(err)
		}
		jar := NewJar(time.Now)
		for range 30 {
			u := &url.URL{Scheme: pick("http", "https"), Host: pick(hosts...), Path: pick("/", "/a", "/a/b", "/a/b/c", "/ab/x")}
			c := &http.Cookie{Name: pick("x", "y", "z"), Value: fmt.Sprint(rnd.IntN(1000)), Domain: pick(domains...), Path: pick(paths...), Secure: rnd.IntN(4) == 0}
			switch rnd.IntN(6) {
			case 0:
				c.MaxAge = -1
			case 1:
				c.MaxAge = 1000
			case 2:
				c.Expires = time.Now().Add(time.Duration(rnd.IntN(2)*2-1) * time.Hour)
			}
			std.SetCookies(u, []*http.Cookie{c})
			jar.Set(u, []*http.Cookie{c})
			for _, host := range hosts {
				ask := &url.URL{Scheme: u.Scheme, Host: host, Path: pick("/", "/a", "/a/b", "/abc")}
				var want []string
				for _, c := range std.Cookies(ask) {
					want = append(want, c.Name+"="+c.Value)
				}
				got := strings.TrimSuffix(strings.TrimPrefix(string(jar.appendCookies(nil, ask.String())), "Cookie: "), "\r\n")
				if got != strings.Join(want, "; ") {
					t.Fatalf("%s after %+v of %s: %q, want %q", ask, c, u, got, want)
				}
			}
		}
	}
}

// A jar that is kept and restored gives the same cookies; what it has already is newer.
func TestJarIsKept(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	jar := NewJar(func() time.Time { return now })
	if _, err := jar.ReadNetscape(strings.NewReader(cookiesTxt)); err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse("https://[::1]/x")
	jar.Set(u, []*http.Cookie{{Name: "six", Value: "6"}})
	kept := jar.Changes()
	if again := jar.Changes(); len(kept) != 2 || len(again) != 0 {
		t.Fatalf("%d sites, then %d", len(kept), len(again))
	}
	other := NewJar(func() time.Time { return now })
	www, _ := url.Parse("http://www.sim.test/")
	other.Set(www, []*http.Cookie{{Name: "empty", Value: "not any more"}})
	other.Changes()
	for _, lines := range kept {
		if err := other.Restore(lines); err != nil {
			t.Fatal(err)
		}
	}
	if len(other.Changes()) != 0 {
		t.Error("what was restored counts as a change")
	}
	for url, want := range map[string]string{
		"http://www.sim.test/private": "Cookie: deep=2; empty=not any more; session=one; login=\"quoted value\"\r\n",
		"https://[::1]/":              "Cookie: six=6\r\n",
	} {
		if got := string(other.appendCookies(nil, url)); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	jar.Set(www, []*http.Cookie{{Name: "login", MaxAge: -1}, {Name: "deep", Path: "/private", MaxAge: -1}, {Name: "empty", MaxAge: -1}})
	if got := jar.Changes(); len(got) != 1 || strings.Count(string(got["sim.test"]), "\n") != 2 {
		t.Errorf("after some were removed: %q", got)
	}
}

// Cookies that are withheld are not sent to their host, but those that the operator gave are, also when a server has set them anew, or
// after they were kept.
func TestWithheldCookies(t *testing.T) {
	jar := NewJar(time.Now)
	if _, err := jar.ReadNetscape(strings.NewReader("www.sim.test\tFALSE\t/\tFALSE\t0\tlogin\tmine\n")); err != nil {
		t.Fatal(err)
	}
	u := &url.URL{Scheme: "http", Host: "www.sim.test:81", Path: "/"}
	jar.Set(u, []*http.Cookie{{Name: "trail", Value: "1"}, {Name: "login", Value: "renewed"}, {Name: "lang", Value: "de"}, {Name: "wide", Value: "1", Domain: "sim.test"}})
	kept := NewJar(time.Now)
	if err := kept.Restore(jar.Changes()["sim.test"]); err != nil {
		t.Fatal(err)
	}
	for name, j := range map[string]*Jar{"set": jar, "restored": kept} {
		j.Withhold("www.sim.test:81", func(name string) bool { return name != "lang" })
		for at, want := range map[string]string{"http://www.sim.test/": "login=renewed; lang=de", "http://other.sim.test/": "wide=1"} {
			if got := j.Merge(at, ""); got != want {
				t.Errorf("%s, %s: %q, want %q", name, at, got, want)
			}
		}
	}
}

// Servers that set cookies without end fill neither memory nor requests.
func TestJarIsBounded(t *testing.T) {
	jar := NewJar(time.Now)
	for i := range 1000 {
		u := &url.URL{Scheme: "http", Host: fmt.Sprintf("h%d.example.com", i%3), Path: "/"}
		jar.Set(u, []*http.Cookie{{Name: fmt.Sprint("n", i), Value: strings.Repeat("v", i), Domain: "example.com"}, {Name: "huge", Value: strings.Repeat("v", maxCookie)}})
	}
	s := jar.sites["example.com"]
	if len(s.cookies) > maxSiteCookies || s.bytes > maxSiteBytes || s.cookies[len(s.cookies)-1].name != "n999" {
		t.Errorf("%d cookies of %d bytes", len(s.cookies), s.bytes)
	}
	if got := jar.appendCookies(nil, "http://h1.example.com/"); len(got) > maxSiteBytes || strings.Contains(string(got), "huge") {
		t.Errorf("a field of %d bytes", len(got))
	}
	for i := range maxSites + 10 {
		jar.Set(&url.URL{Scheme: "http", Host: fmt.Sprintf("example%d.com", i)}, []*http.Cookie{{Name: "a", Value: "b"}})
	}
	if len(jar.sites) > maxSites || jar.sites["example.com"] != nil || jar.sites[fmt.Sprintf("example%d.com", maxSites)] == nil {
		t.Errorf("%d sites", len(jar.sites))
	}
}
