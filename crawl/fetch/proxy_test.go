package fetch

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"
)

// relay copies both ways until both are done.
func relay(a, b net.Conn) {
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(a, b); a.Close() })
	both.Go(func() { _, _ = io.Copy(b, a); b.Close() })
	both.Wait()
}

// httpProxy serves CONNECT by dialling to, and answers plain requests itself.
func httpProxy(t *testing.T, to string, log chan<- string) netip.AddrPort {
	return listen(t, func(_ int, c net.Conn) {
		for {
			req, err := takeRequest(c)
			if err != nil {
				return
			}
			log <- req
			if !strings.HasPrefix(req, "CONNECT ") {
				_, _ = io.WriteString(c, plain)
				continue
			}
			if !strings.Contains(req, "Proxy-Authorization: Basic dTpw\r\n") {
				_, _ = io.WriteString(c, "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
				return
			}
			up, err := net.Dial("tcp", to)
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, "HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n")
			relay(c, up)
			return
		}
	})
}

func proxied(t *testing.T, cfg Config, rule string) *Client {
	t.Helper()
	r, err := ParseProxyRule(rule)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Proxies = append(cfg.Proxies, r)
	return newClient(t, cfg)
}

func TestHTTPProxy(t *testing.T) {
	a := newAuthority(t)
	cert := a.issue(t, time.Now().Add(time.Hour), "www.sim.test")
	server := listen(t, func(_ int, c net.Conn) {
		play(tls.Server(c, &tls.Config{Certificates: []tls.Certificate{cert}}), plain)
	})
	log := make(chan string, 10)
	proxy := httpProxy(t, server.String(), log)
	cfg := quick()
	cfg.TLS.Roots = a.pool
	c := proxied(t, cfg, fmt.Sprintf("http://u:p@%s#remote-dns", proxy))

	x, err := get(t, c, &Request{URL: "https://www.sim.test/x"})
	if err != nil {
		t.Fatal(err)
	}
	if got := <-log; !strings.HasPrefix(got, "CONNECT www.sim.test:443 HTTP/1.1\r\n") {
		t.Errorf("proxy was asked %q", got)
	}
	if !strings.HasPrefix(string(x.RequestBytes), "GET /x HTTP/1.1\r\n") || x.TLS == nil || x.Remote != proxy {
		t.Errorf("%q %v", x.RequestBytes, x.Remote)
	}

	x, err = get(t, c, &Request{URL: "http://www.sim.test/y"})
	if err != nil {
		t.Fatal(err)
	}
	got := <-log
	if !strings.HasPrefix(got, "GET http://www.sim.test/y HTTP/1.1\r\n") || !strings.Contains(got, "Proxy-Authorization: ") {
		t.Errorf("proxy was asked %q", got)
	}
	if recorded := string(x.RequestBytes); strings.Contains(recorded, "Proxy-Auth") || strings.Replace(got, "Proxy-Authorization: Basic dTpw\r\n", "", 1) != recorded {
		t.Errorf("recorded %q", recorded)
	}
}

func TestProxyRefuses(t *testing.T) {
	log := make(chan string, 10)
	proxy := httpProxy(t, "127.0.0.1:1", log)
	c := proxied(t, quick(), fmt.Sprintf("http://%s#remote-dns", proxy))
	_, err := get(t, c, &Request{URL: "https://www.sim.test/x"})
	if ClassOf(err) != BadProxy || !strings.Contains(err.Error(), "407") {
		t.Error(err)
	}
}

// socksProxy serves SOCKS5 with name and password, connects to to, and logs what it was asked for.
func socksProxy(t *testing.T, to string, log chan<- string) netip.AddrPort {
	read := func(c net.Conn, n int) []byte {
		b := make([]byte, n)
		_, _ = io.ReadFull(c, b)
		return b
	}
	return listen(t, func(_ int, c net.Conn) {
		read(c, int(read(c, 2)[1]))
		_, _ = c.Write([]byte{5, 2})
		read(c, 1)
		user := string(read(c, int(read(c, 1)[0])))
		pass := string(read(c, int(read(c, 1)[0])))
		if user != "u" || pass != "p" {
			_, _ = c.Write([]byte{1, 1})
			return
		}
		_, _ = c.Write([]byte{1, 0})
		asked := ""
		switch read(c, 4)[3] {
		case 1:
			asked = netip.AddrFrom4([4]byte(read(c, 4))).String()
		case 3:
			asked = string(read(c, int(read(c, 1)[0])))
		case 4:
			asked = netip.AddrFrom16([16]byte(read(c, 16))).String()
		}
		port := read(c, 2)
		log <- fmt.Sprintf("%s %d", asked, int(port[0])<<8|int(port[1]))
		if asked == "refused.sim.test" {
			_, _ = c.Write([]byte{5, 5, 0, 1, 0, 0, 0, 0, 0, 0})
			return
		}
		up, err := net.Dial("tcp", to)
		if err != nil {
			return
		}
		_, _ = c.Write([]byte{5, 0, 0, 3, 2, 'x', 'y', 0, 0})
		relay(c, up)
	})
}

func TestSOCKS(t *testing.T) {
	server := listen(t, func(_ int, c net.Conn) { play(c, plain) })
	names := startNameServer(t, &nameServer{answer: zone})
	log := make(chan string, 10)
	proxy := socksProxy(t, server.String(), log)
	for _, tt := range []struct {
		rule, url, asked string
		class            Class
	}{
		{"socks5://u:p@%s", "http://www.sim.test:81/", "192.0.32.7 81", ""},
		{"socks5h://u:p@%s", "http://www.sim.test/", "www.sim.test 80", ""},
		{"socks5h://u:p@%s", "http://refused.sim.test/", "refused.sim.test 80", BadProxy},
		{"socks5h://u:x@%s", "http://www.sim.test/", "", BadProxy},
		{"socks5h://%s", "http://www.sim.test/", "", BadProxy},
		{"socks5h://u:p@%s", "http://[2606:4700::1]/", "2606:4700::1 80", ""},
		// What is behind a proxy is guarded too.
		{"socks5://u:p@%s", "http://evil.sim.test/", "", Guarded},
		{"socks5h://u:p@%s", "http://localhost/", "", Guarded},
		{"socks5h://u:p@%s", "http://127.0.0.1/", "", Guarded},
		{"socks5h://u:p@%s", "http://169.254.169.254/", "", Guarded},
		{"*.other.test=socks5://u:p@%s", "http://evil.sim.test/", "", Guarded},
	} {
		cfg := quick()
		cfg.DNS.Servers = []string{names.addr}
		c := proxied(t, cfg, fmt.Sprintf(tt.rule, proxy))
		x, err := c.Fetch(t.Context(), &Request{URL: tt.url})
		if ClassOf(err) != tt.class {
			t.Errorf("%s %s: %v", tt.rule, tt.url, err)
		}
		_ = x.Release()
		if tt.asked == "" {
			continue
		}
		if got := <-log; got != tt.asked && !(tt.asked == "192.0.32.7 81" && got == "192.0.32.8 81") {
			t.Errorf("%s: proxy was asked for %q", tt.url, got)
		}
	}
}

func TestParseProxyRule(t *testing.T) {
	for in, want := range map[string]string{
		"http://proxy.test":                      "* http proxy.test 8080 false",
		"*.onion=socks5h://127.0.0.1:9050":       "*.onion socks5 127.0.0.1 9050 true",
		"a.test=socks5://[::1]":                  "a.test socks5 ::1 1080 false",
		"http://u:p%3D@proxy.test:99#remote-dns": "* http proxy.test 99 true",
	} {
		r, err := ParseProxyRule(in)
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got := fmt.Sprint(r.Pattern, " ", r.Proxy.Kind, " ", r.Proxy.Host, " ", r.Proxy.Port, " ", r.Proxy.RemoteDNS); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if r, err := ParseProxyRule("*.a.test=direct"); err != nil || r.Proxy != nil || r.Pattern != "*.a.test" {
		t.Errorf("%+v %v", r, err)
	}
	for _, in := range []string{"", "ftp://x", "http://", "a*=http://x", "http://x:99999", "http://%zz"} {
		if r, err := ParseProxyRule(in); err == nil {
			t.Errorf("%q: %+v", in, r)
		}
	}
}
