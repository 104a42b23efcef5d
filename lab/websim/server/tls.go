package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"sync"
	"time"
)

// authority signs certificates for the hosts of the web. Its key lives as long as the server.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey

	mu    sync.Mutex
	certs map[string]*tls.Certificate
}

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	t := template("websim test authority")
	t.IsCA, t.BasicConstraintsValid, t.KeyUsage = true, true, x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, t, t, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("make certificate: %w", err)
	}
	cert, err := x509.ParseCertificate(der)
	return &authority{cert: cert, key: key, certs: map[string]*tls.Certificate{}}, err
}

func template(name string) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, big.NewInt(1<<62)) // the reader does not fail
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().AddDate(10, 0, 0),
	}
}

// certificate gives the certificate for a host, made when first asked for. Only hosts of the web
// get one, so their number is bounded.
func (a *authority) certificate(host string) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.certs[host]; c != nil {
		return c, nil
	}
	t := template(host)
	t.DNSNames, t.KeyUsage = []string{host}, x509.KeyUsageDigitalSignature
	t.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	der, err := x509.CreateCertificate(rand.Reader, t, a.cert, &a.key.PublicKey, a.key)
	if err != nil {
		return nil, fmt.Errorf("make certificate for %s: %w", host, err)
	}
	c := &tls.Certificate{Certificate: [][]byte{der, a.cert.Raw}, PrivateKey: a.key}
	a.certs[host] = c
	return c, nil
}

func (s *Server) startTLS() error {
	ca, err := newAuthority()
	if err != nil {
		return err
	}
	s.ca = ca
	s.tls = &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"http/1.1"},
		GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) {
			if !s.web.Knows(h.ServerName) {
				return nil, fmt.Errorf("no host %q in this web", h.ServerName)
			}
			return ca.certificate(h.ServerName)
		},
	}
	return nil
}

// CA is the certificate of the authority in PEM form, or nil when TLS is off.
func (s *Server) CA() []byte {
	if s.ca == nil {
		return nil
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.ca.cert.Raw})
}

// Pool has the authority as its only root, for clients in tests.
func (s *Server) Pool() *x509.CertPool {
	p := x509.NewCertPool()
	if s.ca != nil {
		p.AddCert(s.ca.cert)
	}
	return p
}

// maybeTLS looks at the first byte of a connection: a TLS handshake begins with 0x16, HTTP never.
func (c *conn) maybeTLS() error {
	if err := c.read(); err != nil {
		return err
	}
	if c.in[0] != 0x16 {
		return nil
	}
	if c.s.tls == nil {
		return errors.New("TLS is off")
	}
	t := tls.Server(&replayed{Conn: c.raw, first: append([]byte(nil), c.in...)}, c.s.tls)
	c.in = c.in[:0]
	if err := t.SetDeadline(time.Now().Add(c.s.opts.Idle)); err != nil {
		return err
	}
	if err := t.HandshakeContext(c.s.ctx); err != nil {
		return err
	}
	c.Conn, c.scheme = t, "https"
	return nil
}

// replayed is a connection whose first bytes were read already.
type replayed struct {
	net.Conn
	first []byte
}

func (r *replayed) Read(b []byte) (int, error) {
	if len(r.first) > 0 {
		n := copy(b, r.first)
		r.first = r.first[n:]
		return n, nil
	}
	return r.Conn.Read(b)
}
