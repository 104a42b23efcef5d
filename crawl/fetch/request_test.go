package fetch

import (
	"net/netip"
	"strings"
	"testing"

	"varve/web/wire"
)

func TestRequestBytes(t *testing.T) {
	cfg := Config{
		UserAgent: "varve/1 (+https://archive.example.org/bot)", From: "crawl@archive.example.org",
		Header: wire.Header{{Name: "accept-language", Value: "de, en;q=0.5"}},
	}.withDefaults()
	b := newBasics(&cfg)
	const common = "User-Agent: varve/1 (+https://archive.example.org/bot)\r\nFrom: crawl@archive.example.org\r\n" +
		"Accept: */*\r\nAccept-Encoding: gzip, deflate, br\r\naccept-language: de, en;q=0.5\r\n"
	for _, tt := range []struct {
		name     string
		r        Request
		absolute bool
		want     string
	}{
		{"plain", Request{URL: "http://a.test/x?y=%20z#frag"}, false, "GET /x?y=%20z HTTP/1.1\r\nHost: a.test\r\n" + common + "Connection: keep-alive\r\n\r\n"},
		{"port and no path", Request{URL: "https://A.test:8443?q"}, false, "GET /?q HTTP/1.1\r\nHost: a.test:8443\r\n" + common + "Connection: keep-alive\r\n\r\n"},
		{"IPv6", Request{URL: "http://[2606:4700::1]:80/"}, false, "GET / HTTP/1.1\r\nHost: [2606:4700::1]\r\n" + common + "Connection: keep-alive\r\n\r\n"},
		{"absolute", Request{URL: "http://a.test:81/x"}, true, "GET http://a.test:81/x HTTP/1.1\r\nHost: a.test:81\r\n" + common + "Connection: keep-alive\r\n\r\n"},
		{
			"conditional",
			Request{URL: "http://a.test/", ETag: `W/"1"`, LastModified: "Mon, 02 Jan 2006 15:04:05 GMT"},
			false,
			"GET / HTTP/1.1\r\nHost: a.test\r\n" + common + "If-None-Match: W/\"1\"\r\nIf-Modified-Since: Mon, 02 Jan 2006 15:04:05 GMT\r\nConnection: keep-alive\r\n\r\n",
		},
		{"user info", Request{URL: "http://us%65r:p%40ss@a.test/"}, false, "GET / HTTP/1.1\r\nHost: a.test\r\n" + common + "Authorization: Basic dXNlcjpwQHNz\r\nConnection: keep-alive\r\n\r\n"},
		{"credentials", Request{URL: "http://x:y@a.test/", Auth: &Credentials{"user", "p@ss"}}, false, "GET / HTTP/1.1\r\nHost: a.test\r\n" + common + "Authorization: Basic dXNlcjpwQHNz\r\nConnection: keep-alive\r\n\r\n"},
		{"body", Request{Method: "POST", URL: "http://a.test/", Body: []byte("a=b")}, false, "POST / HTTP/1.1\r\nHost: a.test\r\n" + common + "Content-Length: 3\r\nConnection: keep-alive\r\n\r\na=b"},
		{"empty body", Request{Method: "POST", URL: "http://a.test/"}, false, "POST / HTTP/1.1\r\nHost: a.test\r\n" + common + "Content-Length: 0\r\nConnection: keep-alive\r\n\r\n"},
		{"extra fields", Request{URL: "http://a.test/", Header: wire.Header{
			{Name: "Referer", Value: "http://b.test/"}, {Name: "ACCEPT", Value: "text/html"}, {Name: "Accept-Encoding"}, {Name: "From"}, {Name: "Accept-Language", Value: "fr"}, {Name: "Referer", Value: "2"},
		}}, false, "GET / HTTP/1.1\r\nHost: a.test\r\nUser-Agent: varve/1 (+https://archive.example.org/bot)\r\n" +
			"Referer: http://b.test/\r\nACCEPT: text/html\r\nAccept-Language: fr\r\nReferer: 2\r\nConnection: keep-alive\r\n\r\n"},
	} {
		target, err := ParseTarget(tt.r.URL)
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.appendRequest(nil, &tt.r, &target, tt.absolute, true)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %v\n got %q\nwant %q", tt.name, err, got, tt.want)
		}
	}
}

func TestBadRequests(t *testing.T) {
	p := &pipes{}
	c := newClient(t, Config{Dialer: p})
	for name, r := range map[string]Request{
		"no URL":         {},
		"scheme":         {URL: "ftp://a.test/"},
		"no host":        {URL: "http:///x"},
		"space":          {URL: "http://a.test/a b"},
		"line break":     {URL: "http://a.test/a\r\nX: y"},
		"not ASCII":      {URL: "http://a.test/ä"},
		"host":           {URL: "http://a b.test/"},
		"host with CRLF": {URL: "http://a\r\nX: y/"},
		"port":           {URL: "http://a.test:99999/"},
		"port letters":   {URL: "http://a.test:8x/"},
		"bracket":        {URL: "http://[::1/"},
		"zone":           {URL: "http://[fe80::1%25eth0]/"},
		"method":         {URL: "http://a.test/", Method: "GET /x"},
		"connect":        {URL: "http://a.test/", Method: "CONNECT"},
		"etag":           {URL: "http://a.test/", ETag: "x\r\ny"},
		"field value":    {URL: "http://a.test/", Header: wire.Header{{Name: "X", Value: "a\nb"}}},
		"field name":     {URL: "http://a.test/", Header: wire.Header{{Name: "X:", Value: "a"}}},
		"framing field":  {URL: "http://a.test/", Header: wire.Header{{Name: "transfer-encoding", Value: "chunked"}}},
	} {
		x, err := c.Fetch(t.Context(), &r)
		if ClassOf(err) != BadRequest {
			t.Errorf("%s: %v", name, err)
		}
		_ = x.Release()
	}
	if p.count > 0 {
		t.Errorf("dialled %v", p.addrs)
	}
}

func TestBadConfig(t *testing.T) {
	for name, cfg := range map[string]Config{
		"user agent": {UserAgent: "a\nb"},
		"header":     {Header: wire.Header{{Name: "Host", Value: "x"}}},
		"head":       {Limits: Limits{Head: 1 << 20}},
		"memory":     {Memory: 10},
		"timeout":    {Timeouts: Timeouts{Idle: -1}},
		"body":       {Limits: Limits{Body: -1}},
		"dns":        {DNS: DNS{Servers: []string{"name"}}},
		"ttl":        {DNS: DNS{MinTTL: 1 << 60}},
	} {
		if c, err := New(cfg); err == nil {
			t.Errorf("%s: accepted", name)
			c.Close()
		}
	}
}

func FuzzParseTarget(f *testing.F) {
	for _, s := range []string{"http://a.test/", "https://u:p@[::1]:8/x?y#z", "http://1.2.3.4:80", "http://@/", "http://a:/"} {
		f.Add(s)
	}
	cfg := Config{}.withDefaults()
	b := newBasics(&cfg)
	f.Fuzz(func(t *testing.T, url string) {
		target, err := ParseTarget(url)
		if err != nil {
			return
		}
		got, err := b.appendRequest(nil, &Request{URL: url}, &target, false, true)
		if err != nil {
			t.Fatal(err)
		}
		head, err := wire.ParseHead(got)
		if err != nil || len(head.Problems) > 0 || head.Target != target.Path || head.Size != len(got) {
			t.Errorf("%q gives %q: %v %v", url, got, err, head.Problems)
		}
		host := head.Header.Get("Host")
		if strings.ContainsAny(host, " /@") || head.Header[0].Name != "Host" {
			t.Errorf("%q gives host %q", url, host)
		}
		if _, err := netip.ParseAddr(target.Host); (err == nil) != target.Addr.IsValid() {
			t.Errorf("%q: address %v", url, target.Addr)
		}
	})
}
