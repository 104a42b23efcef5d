package ca

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"sync"
	"time"
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

// New makes an authority of a name that lives in memory, for as long as the process needs it.
func New(name string, now func() time.Time) (*Authority, error) {
	a := &Authority{now: now, hosts: map[string]*tls.Certificate{}}
	if err := a.create(name); err != nil {
		return nil, fmt.Errorf("make an authority: %w", err)
	}
	return a, nil
}

// CA gives the certificate of the authority in PEM form.
func (a *Authority) CA() []byte { return a.pem }

// SPKI gives the base64 of the SHA-256 of the public key, by which a browser can be told to trust
// what the authority signs without an entry in its store.
func (a *Authority) SPKI() string {
	sum := sha256.Sum256(a.cert.RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// create makes a key and a certificate for ten years.
func (a *Authority) create(name string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: name, Organization: []string{"Varve archive on this machine"}}, IsCA: true, BasicConstraintsValid: true,
		MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign, NotBefore: a.now().Add(-24 * time.Hour), NotAfter: a.now().AddDate(10, 0, 0),
	}
	der, err := a.sign(template, template, key, key)
	if err != nil {
		return err
	}
	a.key, a.pem = key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	a.cert, err = x509.ParseCertificate(der)
	return err
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
