package ca

import (
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// The files of an authority in its folder, as the first version of replay named them.
const (
	certFile = "replay-ca.pem"
	keyFile  = "replay-ca-key.pem"
)

// Open reads the authority of a folder, or makes one of that name there.
func Open(dir, name string, now func() time.Time) (*Authority, error) {
	a := &Authority{now: now, hosts: map[string]*tls.Certificate{}}
	err := a.read(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err = a.create(name); err == nil {
			err = a.write(dir)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("authority in %s: %w", dir, err)
	}
	return a, nil
}

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

// write keeps key and certificate in a folder.
func (a *Authority) write(dir string) error {
	secret, err := x509.MarshalECPrivateKey(a.key)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, keyFile), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, certFile), a.pem, 0o644)
}
