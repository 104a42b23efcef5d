package ca_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"varve/web/ca"
)

func TestAuthorityIsKept(t *testing.T) {
	dir := t.TempDir()
	a, err := ca.Open(dir, "test", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	b, err := ca.Open(dir, "test", time.Now)
	if err != nil || !bytes.Equal(a.CA(), b.CA()) {
		t.Errorf("another authority on the second start (%v)", err)
	}
	info, err := os.Stat(filepath.Join(dir, "replay-ca-key.pem"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key may be read by others: %v %v", info.Mode(), err)
	}
	if _, err := ca.Open(dir, "test", func() time.Time { return time.Now().AddDate(11, 0, 0) }); err == nil {
		t.Error("an authority that has ended is used")
	}
}

func TestCertificates(t *testing.T) {
	a, err := ca.New("test", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(a.CA()) {
		t.Fatal("the certificate of the authority does not read")
	}
	for _, host := range []string{"a.example", "127.0.0.1", "::1", string(bytes.Repeat([]byte("x"), 63)) + ".example.org"} {
		c, err := a.Certificate(host)
		if err != nil {
			t.Errorf("%s: %v", host, err)
			continue
		}
		if _, err := c.Leaf.Verify(x509.VerifyOptions{DNSName: host, Roots: roots}); err != nil {
			t.Errorf("%s: %v", host, err)
		}
		again, err := a.Certificate(host)
		if err != nil || again != c {
			t.Errorf("%s: signed a second time (%v)", host, err)
		}
	}
	if len(a.SPKI()) != 44 {
		t.Errorf("SPKI %q", a.SPKI())
	}
}

func TestHandshake(t *testing.T) {
	a, err := ca.New("test", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(a.CA())
	near, far := net.Pipe()
	defer near.Close()
	go func() {
		defer far.Close()
		tls.Server(far, &tls.Config{GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) { return a.Certificate(h.ServerName) }}).Handshake()
	}()
	if err := tls.Client(near, &tls.Config{ServerName: "b.example", RootCAs: roots}).Handshake(); err != nil {
		t.Error(err)
	}
}
