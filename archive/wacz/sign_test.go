package wacz

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"strings"
	"testing"

	"varve/archive/warc"
)

func newKey(t *testing.T, curve elliptic.Curve) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// What we sign we can verify, and any change is noticed.
func TestSign(t *testing.T) {
	_, edwards, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]crypto.Signer{
		"P-256": newKey(t, elliptic.P256()), "P-384": newKey(t, elliptic.P384()), "P-521": newKey(t, elliptic.P521()), "Ed25519": edwards,
	}
	for name, key := range keys {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Key: key, Software: "test"}
			pkg, sum := build(t, cfg, packed{"a.warc.gz", site(t, warc.Packing{})})
			again, _ := build(t, cfg, packed{"a.warc.gz", site(t, warc.Packing{})})
			if !sum.Signed || !bytes.Equal(pkg, again) {
				t.Error("not signed, or not the same signature each time")
			}
			s := mustBeValid(t, pkg).Signature
			if s.Kind != Anonymous || s.Outcome() != Unproven || outcome(s, "signature") != Verified || outcome(s, "identity") != Unproven {
				t.Errorf("%+v", s)
			}
			known, err := open(t, pkg).Signature(Trust{Keys: []string{s.Signer}})
			if err != nil || known.Outcome() != Verified {
				t.Errorf("with a known key: %+v, %v", known, err)
			}
		})
	}
}

func outcome(s *Signature, step string) Outcome {
	for _, p := range s.Proofs {
		if p.Step == step {
			return p.Outcome
		}
	}
	return "absent"
}

func TestSignedByAnother(t *testing.T) {
	key := newKey(t, elliptic.P384())
	manifest := []byte(`{"created":"2026-03-04T05:06:08Z"}`)
	sign := func() *DigestFile {
		d, err := Sign(nil, key, sumOf(manifest), testTime, "test")
		if err != nil {
			t.Fatal(err)
		}
		return &DigestFile{Path: ManifestPath, Hash: d.Hash, Signed: d}
	}
	if s := VerifySignature(manifest, sign(), Trust{}); s.Outcome() != Unproven {
		t.Fatalf("untouched: %+v", s)
	}
	cases := []struct {
		name, step string
		change     func(*SignedData)
	}{
		{"other manifest", "hash", func(d *SignedData) { d.Hash = sumOf(nil) }},
		{"other date", "created", func(d *SignedData) { d.Created = "2026-03-04T05:06:09Z" }},
		{"no base64", "signature", func(d *SignedData) { d.Signature = "%" }},
		{"empty", "signature", func(d *SignedData) { d.Signature = "" }},
		{"zeros", "signature", func(d *SignedData) { d.Signature = base64.StdEncoding.EncodeToString(make([]byte, 96)) }},
		{"flipped bit", "signature", func(d *SignedData) {
			b, _ := base64.StdEncoding.DecodeString(d.Signature)
			b[7] ^= 1
			d.Signature = base64.StdEncoding.EncodeToString(b)
		}},
		{"other key", "signature", func(d *SignedData) {
			b, _ := x509.MarshalPKIXPublicKey(newKey(t, elliptic.P384()).Public())
			d.PublicKey = base64.StdEncoding.EncodeToString(b)
		}},
		{"no key", "signature", func(d *SignedData) { d.PublicKey = "AAAA" }},
		{"nobody", "signature", func(d *SignedData) { d.PublicKey = "" }},
		{"bad stamp", "timestamp", func(d *SignedData) { d.TimeSignature = "AAAA" }},
		{"bad certificate", "signature", func(d *SignedData) { d.DomainCert = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" }},
	}
	for _, c := range cases {
		d := sign()
		c.change(d.Signed)
		if s := VerifySignature(manifest, d, Trust{}); outcome(s, c.step) != Failed || s.Outcome() != Failed {
			t.Errorf("%s: %+v", c.name, s.Proofs)
		}
	}
}

// The ASN.1 form of authsign is taken too.
func TestVerifyASN1(t *testing.T) {
	key := newKey(t, elliptic.P256())
	text := []byte("sha256:0")
	sum := sumWith(crypto.SHA256, text)
	der, err := key.Sign(rand.Reader, sum, crypto.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	if !verifyECDSA(&key.PublicKey, text, der) || verifyECDSA(&key.PublicKey, []byte("sha256:1"), der) {
		t.Error("ASN.1 signatures are not told apart")
	}
}

func TestSignRefusesRSA(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Sign(nil, key, "x", testTime, ""); err == nil || !strings.Contains(err.Error(), "ECDSA") {
		t.Errorf("got %v", err)
	}
}

func p384() elliptic.Curve { return elliptic.P384() }
