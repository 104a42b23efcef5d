package proxy_test

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"varve/serve/replay/proxy"
	"varve/serve/replay/replaytest"
	"varve/web/ca"
)

// client gives a client that uses an archive as its proxy, and trusts its authority.
func client(t *testing.T, at time.Time, pages ...replaytest.Answer) *http.Client {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "keys")
	authority, err := ca.Open(dir, "Varve replay", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	p, err := proxy.New(proxy.Config{Archive: replaytest.Handler(t, replaytest.Write(t, pages...), nil), Authority: authority, Collection: "n", Time: at})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(p)
	t.Cleanup(srv.Close)
	u, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority.CA())
	tr := &http.Transport{Proxy: http.ProxyURL(u), TLSClientConfig: &tls.Config{RootCAs: roots}}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func fetch(t *testing.T, c *http.Client, url string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func TestProxy(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("packed"))
	z.Close()
	html := "Content-Type: text/html\n"
	c := client(t, time.Date(2025, 1, 2, 0, 0, 0, 0, time.UTC),
		replaytest.Answer{URL: "http://a.example/", Time: "2025-01-01T00:00:00Z", Status: 301, Header: "Location: https://a.example/\n"},
		replaytest.Answer{URL: "https://a.example/", Time: "2025-01-01T00:00:01Z", Header: html + "Strict-Transport-Security: max-age=1\nSet-Cookie: a=b\n", Body: `<a href="/x">old</a>`},
		replaytest.Answer{URL: "https://a.example/", Time: "2026-01-01T00:00:00Z", Header: html, Body: `<a href="/x">new</a>`},
		replaytest.Answer{URL: "http://a.example/z", Time: "2025-01-01T00:00:00Z", Header: html + "Content-Encoding: gzip\n", Body: packed.String()},
	)
	r, _ := fetch(t, c, "http://a.example/")
	if r.StatusCode != 301 || r.Header.Get("Location") != "https://a.example/" {
		t.Errorf("redirect: %d %v", r.StatusCode, r.Header)
	}
	r, body := fetch(t, c, "https://a.example/")
	if body != `<a href="/x">old</a>` || r.Header.Get("Memento-Datetime") != "Wed, 01 Jan 2025 00:00:01 GMT" || r.Header.Get("Set-Cookie") != "a=b" || r.Header.Get("Strict-Transport-Security") != "" {
		t.Errorf("%q %v", body, r.Header)
	}
	if _, body = fetch(t, c, "https://a.example/", "Accept-Datetime", "Fri, 01 May 2026 00:00:00 GMT"); body != `<a href="/x">new</a>` {
		t.Errorf("Accept-Datetime: %q", body)
	}
	if r, body = fetch(t, c, "http://a.example/z", "Accept-Encoding", "identity"); body != "packed" || r.Header.Get("Content-Encoding") != "" {
		t.Errorf("coding that the client cannot read: %q %v", body, r.Header)
	}
	if r, body = fetch(t, c, "http://a.example/z", "Accept-Encoding", "gzip"); body != packed.String() || r.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("coding that the client can read: %v", r.Header)
	}
	if r, _ = fetch(t, c, "https://b.example/"); r.StatusCode != 404 {
		t.Errorf("not captured: %d", r.StatusCode)
	}
	if _, body = fetch(t, c, "http://varve.proxy/ca.pem"); !bytes.Contains([]byte(body), []byte("BEGIN CERTIFICATE")) {
		t.Error("no certificate")
	}
	if r, _ = fetch(t, c, "http://a.example/", "Accept-Datetime", "soon"); r.StatusCode != 400 {
		t.Errorf("unreadable time: %d", r.StatusCode)
	}
}
