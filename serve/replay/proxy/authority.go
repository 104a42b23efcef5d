package proxy

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
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// The files of an authority in its folder.
const (
	certFile = "replay-ca.pem"
	keyFile  = "replay-ca-key.pem"
)

// Authority signs the certificates of hosts. It is safe for concurrent use.
type Authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
	now  func() time.Time

	mu    sync.Mutex
	hosts map[string]*tls.Certificate
}

// maxHosts bounds the certificates kept.
const maxHosts = 2000

// OpenAuthority reads the authority of a folder, or makes one there.
func OpenAuthority(dir string, now func() time.Time) (*Authority, error) {
	a := &Authority{now: now, hosts: map[string]*tls.Certificate{}}
	err := a.read(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = a.create(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("authority in %s: %w", dir, err)
	}
	return a, nil
}

// CA gives the certificate of the authority in PEM form.
func (a *Authority) CA() []byte { return a.pem }

func (a *Authority) read(dir string) error {
	cert, err := os.ReadFile(filepath.Join(dir, certFile))
	if err != nil {
		return err
	}
	key, err := os.ReadFile(filepath.Join(dir, keyFile))
	if err != nil {
		return err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return err
	}
	ec, ok := pair.PrivateKey.(*ecdsa.PrivateKey)
	if !ok {
		return errors.New("the key is not of the kind we make")
	}
	a.pem, a.key = cert, ec
	a.cert, err = x509.ParseCertificate(pair.Certificate[0])
	if err == nil && a.now().After(a.cert.NotAfter) {
		err = fmt.Errorf("the certificate ended on %s; remove %s and %s to get a new one", a.cert.NotAfter.Format(time.DateOnly), certFile, keyFile)
	}
	return err
}

// create makes a key and a certificate for ten years and writes them.
func (a *Authority) create(dir string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: "Varve replay", Organization: []string{"Varve archive on this machine"}}, IsCA: true, BasicConstraintsValid: true,
		MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign, NotBefore: a.now().Add(-24 * time.Hour), NotAfter: a.now().AddDate(10, 0, 0),
	}
	der, err := a.sign(template, template, key, key)
	if err != nil {
		return err
	}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		return err
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	a.key, a.pem = key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, keyFile), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, certFile), a.pem, 0o644)
}

// sign makes a certificate with a random number.
func (a *Authority) sign(template, parent *x509.Certificate, key, by *ecdsa.PrivateKey) ([]byte, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template.SerialNumber = serial
	return x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
}

// Certificate gives the certificate for a host, valid for some weeks.
func (a *Authority) Certificate(host string) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.hosts[host]; c != nil && a.now().Before(c.Leaf.NotAfter.Add(-24*time.Hour)) {
		return c, nil
	}
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: cut(host)}, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		NotBefore: a.now().Add(-24 * time.Hour), NotAfter: a.now().AddDate(0, 0, 60),
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	der, err := a.sign(template, a.cert, a.key, a.key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	if len(a.hosts) >= maxHosts {
		clear(a.hosts)
	}
	c := &tls.Certificate{Certificate: [][]byte{der, a.cert.Raw}, PrivateKey: a.key, Leaf: leaf}
	a.hosts[host] = c
	return c, nil
}

// cut shortens a name to what a certificate may hold.
func cut(host string) string { return host[:min(len(host), 64)] }
