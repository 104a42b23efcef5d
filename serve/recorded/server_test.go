package recorded

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"varve/clock"
	"varve/web/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Both schemes are served on one port under any name, with the recorded header and nothing of our own, and a silent client holds up nobody.
func TestServer(t *testing.T) {
	rec, err := New([]Response{
		{"http://a.example/x?y", at("2020-01-01T00:00:00Z"), 200, wire.Header{{Name: "X-Odd-case", Value: "1"}, {Name: "Content-Type", Value: "text/plain"}}, []byte("plain")},
		{"https://b.example/", at("2020-01-01T00:00:00Z"), 404, nil, []byte("none")},
	})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	s, err := Listen(rec, Options{Addr: "127.0.0.1:0", At: at("2021-01-01T00:00:00Z"), Clock: clock.Real(), Log: &log})
	if err != nil {
		t.Fatal(err)
	}
	silent, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(s.CA())
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, s.Addr())
		},
	}
	for _, c := range []struct {
		url, body, header string
		status            int
	}{
		{"http://a.example/x?y", "plain", "text/plain", 200},
		{"https://a.example/x?y", "plain", "text/plain", 200},
		{"https://b.example/", "none", "", 404},
		{"http://c.example/", "not recorded\n", "text/plain", 404},
	} {
		r, err := (&http.Client{Transport: transport}).Get(c.url)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != c.status || string(body) != c.body || r.Header.Get("Content-Type") != c.header || r.Header.Get("Date") != "" {
			t.Errorf("%s: %s %q %v %v", c.url, r.Status, body, r.Header, err)
		}
	}
	transport.CloseIdleConnections()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if n := strings.Count(log.String(), "\n"); n != 4 || !strings.Contains(log.String(), `"target":"/x?y"`) {
		t.Errorf("log: %s", log.String())
	}
	if _, err := Listen(rec, Options{Addr: "192.0.2.1:0", Clock: clock.Real()}); err == nil {
		t.Error("served beyond loopback")
	}
	if got := strings.Join(s.Resolve(), " "); got != "a.example="+s.Addr()+" b.example="+s.Addr() {
		t.Error(got)
	}
}
