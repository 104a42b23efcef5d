package fetch

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"math/big"
	"net"
	"testing"
	"time"
)

// authority is a certificate authority of our own.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pool *x509.CertPool
}

func newAuthority(t testing.TB) *authority {
	t.Helper()
	a := &authority{pool: x509.NewCertPool()}
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Test CA"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	a.key = newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	a.pool.AddCert(a.cert)
	return a
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// issue makes a certificate for names, valid until then.
func (a *authority) issue(t testing.TB, until time.Time, names ...string) tls.Certificate {
	t.Helper()
	key := newKey(t)
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: names[0]}, DNSNames: names,
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: until, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der, a.cert.Raw}, PrivateKey: key}
}

// simTest sends all names below sim.test to an address.
func simTest(t testing.TB, addr string) []Override {
	t.Helper()
	o, err := ParseOverride("*.sim.test=" + addr)
	if err != nil {
		t.Fatal(err)
	}
	return []Override{o}
}

func TestTLS(t *testing.T) {
	a := newAuthority(t)
	cert := a.issue(t, time.Now().Add(time.Hour), "www.sim.test")
	addr := listen(t, func(_ int, c net.Conn) {
		s := tls.Server(c, &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"h2", "http/1.1"}})
		play(s, plain)
	})
	cfg := quick()
	cfg.TLS.Roots, cfg.Overrides = a.pool, simTest(t, addr.String())
	c := newClient(t, cfg)
	for i := range 3 {
		x, err := get(t, c, &Request{URL: "https://www.sim.test/"})
		if err != nil {
			t.Fatal(err)
		}
		if x.TLS == nil || x.TLS.Version != "tls/1.3" || x.TLS.ALPN != "http/1.1" || x.TLS.Fault != "" || len(x.TLS.Chain) != 2 || x.Protocol != "http/1.1" {
			t.Errorf("%+v", x.TLS)
		}
		sum := sha256.Sum256(cert.Certificate[0])
		if got := x.TLS.Chain[0].SHA256; got != hex.EncodeToString(sum[:]) {
			t.Errorf("fingerprint %s", got)
		}
		if x.Reused != (i > 0) || response(t, x) != plain {
			t.Errorf("fetch %d: reused %v, %q", i, x.Reused, response(t, x))
		}
	}
}

func TestTLSFaults(t *testing.T) {
	a := newAuthority(t)
	good, other := time.Now().Add(time.Hour), newAuthority(t)
	for name, cert := range map[string]tls.Certificate{
		"wrong name":        a.issue(t, good, "other.sim.test"),
		"expired":           a.issue(t, time.Now().Add(-time.Hour), "www.sim.test"),
		"unknown authority": other.issue(t, good, "www.sim.test"),
	} {
		t.Run(name, func(t *testing.T) {
			addr := listen(t, func(_ int, c net.Conn) {
				play(tls.Server(c, &tls.Config{Certificates: []tls.Certificate{cert}}), plain)
			})
			cfg := quick()
			cfg.TLS.Roots, cfg.Overrides = a.pool, simTest(t, addr.String())
			strict := newClient(t, cfg)
			if x, err := get(t, strict, &Request{URL: "https://www.sim.test/"}); ClassOf(err) != BadTLS || x.Response.Size() > 0 {
				t.Errorf("%v", err)
			}
			cfg.TLS.AcceptBad = true
			lax := newClient(t, cfg)
			x, err := get(t, lax, &Request{URL: "https://www.sim.test/"})
			if err != nil {
				t.Fatal(err)
			}
			if x.TLS.Fault == "" || len(x.TLS.Chain) == 0 {
				t.Errorf("fault not recorded: %+v", x.TLS)
			}
		})
	}
}

func TestTLSLegacy(t *testing.T) {
	a := newAuthority(t)
	cert := a.issue(t, time.Now().Add(time.Hour), "www.sim.test")
	old := &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS10}
	addr := listen(t, func(_ int, c net.Conn) { play(tls.Server(c, old), plain) })
	cfg := quick()
	cfg.TLS.Roots, cfg.Overrides = a.pool, simTest(t, addr.String())
	if _, err := get(t, newClient(t, cfg), &Request{URL: "https://www.sim.test/"}); ClassOf(err) != BadTLS {
		t.Error(err)
	}
	cfg.TLS.Legacy = true
	if x, err := get(t, newClient(t, cfg), &Request{URL: "https://www.sim.test/"}); err != nil || x.TLS.Version != "tls/1.0" {
		t.Errorf("%v %+v", err, x.TLS)
	}
}

func TestTLSTroubles(t *testing.T) {
	for name, tt := range map[string]struct {
		serve func(net.Conn)
		class Class
	}{
		"no TLS":  {func(c net.Conn) { _, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n")) }, BadTLS},
		"silence": {func(c net.Conn) { _, _ = c.Read(make([]byte, 1<<16)); _, _ = c.Read(make([]byte, 1)) }, TLSTimeout},
		"closed":  {func(net.Conn) {}, BadTLS},
		"reset":   {func(c net.Conn) { _, _ = c.Read(make([]byte, 1)); reset(c) }, Reset},
	} {
		t.Run(name, func(t *testing.T) {
			addr := listen(t, func(_ int, c net.Conn) { tt.serve(c) })
			cfg := quick()
			cfg.Timeouts.TLS = 50 * time.Millisecond
			if tt.class != TLSTimeout {
				cfg.Timeouts.TLS = 10 * time.Second
			}
			c := newClient(t, cfg)
			_, err := get(t, c, &Request{URL: "https://" + addr.String() + "/"})
			if got := ClassOf(err); got != tt.class && !(name == "closed" && got == Reset) {
				t.Error(err)
			}
		})
	}
}
