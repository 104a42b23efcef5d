package wacz

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"
)

// authority is a little certificate authority that signs domains and time stamps.
type authority struct {
	t    testing.TB
	key  *rsa.PrivateKey
	cert *x509.Certificate
}

func newAuthority(t testing.TB) *authority {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{t: t, key: key}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Test Root"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: testTime.AddDate(-1, 0, 0), NotAfter: testTime.AddDate(1, 0, 0), KeyUsage: x509.KeyUsageCertSign,
	}
	a.cert = a.issue(template, template, key.Public())
	return a
}

func (a *authority) issue(template, parent *x509.Certificate, key crypto.PublicKey) *x509.Certificate {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return cert
}

// chain issues a certificate and gives it with the root as PEM.
func (a *authority) chain(name string, key crypto.PublicKey, usage x509.ExtKeyUsage) string {
	leaf := a.issue(&x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, ExtKeyUsage: []x509.ExtKeyUsage{usage},
		NotBefore: testTime.AddDate(0, -1, 0), NotAfter: testTime.AddDate(0, 1, 0),
	}, a.cert, key)
	var b strings.Builder
	for _, c := range []*x509.Certificate{leaf, a.cert} {
		_ = pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
	}
	return b.String()
}

var oidSHA256 = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}

// makeStamp makes a TimeStampResp for a text, as RFC 3161 has it.
func makeStamp(t testing.TB, key *rsa.PrivateKey, text string, at time.Time) []byte {
	enc := func(v any, params string) []byte {
		b, err := asn1.MarshalWithParams(v, params)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	wrap := func(class, tag int, parts ...[]byte) []byte {
		var all []byte
		for _, p := range parts {
			all = append(all, p...)
		}
		return enc(asn1.RawValue{Class: class, Tag: tag, IsCompound: true, Bytes: all}, "")
	}
	seq := func(parts ...[]byte) []byte { return wrap(0, asn1.TagSequence, parts...) }
	set := func(parts ...[]byte) []byte { return wrap(0, asn1.TagSet, parts...) }
	alg := seq(enc(oidSHA256, ""), enc(asn1.NullRawValue, ""))
	info := seq(enc(1, ""), enc(asn1.ObjectIdentifier{1, 2, 3}, ""), seq(alg, enc(sumWith(crypto.SHA256, []byte(text)), "")),
		enc(big.NewInt(7), ""), enc(at, "generalized"), enc(true, ""))
	attrs := [][]byte{
		seq(enc(oidContentType, ""), set(enc(oidTSTInfo, ""))),
		seq(enc(oidMessageDigest, ""), set(enc(sumWith(crypto.SHA256, info), ""))),
	}
	signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, sumWith(crypto.SHA256, set(attrs...)))
	if err != nil {
		t.Fatal(err)
	}
	signer := seq(enc(1, ""), seq(), alg, wrap(2, 0, attrs...), seq(enc(asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}, ""), enc(asn1.NullRawValue, "")), enc(signature, ""))
	signed := seq(enc(3, ""), set(alg), seq(enc(oidTSTInfo, ""), wrap(2, 0, enc(info, ""))), set(signer))
	return seq(seq(enc(0, "")), seq(enc(oidSigned, ""), wrap(2, 0, signed)))
}

// A signature with domain and time stamp is proven step by step, and each lie is found at its step.
func TestDomainSignature(t *testing.T) {
	a := newAuthority(t)
	domainKey := newKey(t, p384())
	stampKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(a.cert)
	trusting := Trust{Domains: roots, Timestamps: roots}
	manifest := []byte(`{"created":"2026-03-04T05:06:08Z"}`)
	base, err := Sign(nil, domainKey, sumOf(manifest), testTime, "test")
	if err != nil {
		t.Fatal(err)
	}
	base.PublicKey = ""
	base.Domain = "sign.example.com"
	base.DomainCert = a.chain("sign.example.com", domainKey.Public(), x509.ExtKeyUsageServerAuth)
	base.TimestampCert = a.chain("stamps", stampKey.Public(), x509.ExtKeyUsageTimeStamping)
	stampAt := func(text string, at time.Time) string {
		return base64.StdEncoding.EncodeToString(makeStamp(t, stampKey, text, at))
	}
	base.TimeSignature = stampAt(base.Signature, testTime.Add(time.Minute))
	cases := []struct {
		name, step string
		trust      Trust
		want       Outcome
		change     func(*SignedData)
	}{
		{"as signed", "", trusting, Verified, func(*SignedData) {}},
		{"no roots", "domain-root", Trust{}, Unproven, func(*SignedData) {}},
		{"other roots", "timestamp-root", Trust{Timestamps: x509.NewCertPool()}, Unproven, func(*SignedData) {}},
		{"cross-signed", "cross-signed", trusting, Verified, func(d *SignedData) { d.CrossSignedCert = d.DomainCert }},
		{"cross-signed by another", "cross-signed", trusting, Failed, func(d *SignedData) { d.CrossSignedCert = d.TimestampCert }},
		{"other domain", "domain", trusting, Failed, func(d *SignedData) { d.Domain = "example.org" }},
		{"other key", "signature", trusting, Failed, func(d *SignedData) {
			d.DomainCert = a.chain("sign.example.com", newKey(t, p384()).Public(), x509.ExtKeyUsageServerAuth)
		}},
		{"broken chain", "domain-chain", trusting, Failed, func(d *SignedData) { d.DomainCert += a.chain("x", domainKey.Public(), x509.ExtKeyUsageServerAuth) }},
		{"expired", "domain-validity", trusting, Failed, func(d *SignedData) { d.Created = formatTime(testTime.AddDate(0, 2, 0)) }},
		{"no stamp", "timestamp", trusting, Failed, func(d *SignedData) { d.TimeSignature = "" }},
		{"late stamp", "timestamp-time", trusting, Failed, func(d *SignedData) { d.TimeSignature = stampAt(d.Signature, testTime.Add(11*time.Minute)) }},
		{"stamp of something else", "timestamp-imprint", trusting, Failed, func(d *SignedData) { d.TimeSignature = stampAt("x", testTime) }},
		{"stamp by another", "timestamp-signature", trusting, Failed, func(d *SignedData) { d.TimestampCert = a.chain("s", a.key.Public(), x509.ExtKeyUsageTimeStamping) }},
		{"no authority for stamps", "timestamp-usage", trusting, Failed, func(d *SignedData) { d.TimestampCert = a.chain("s", stampKey.Public(), x509.ExtKeyUsageServerAuth) }},
	}
	for _, c := range cases {
		d := *base
		c.change(&d)
		s := VerifySignature(manifest, &DigestFile{Hash: d.Hash, Signed: &d}, c.trust)
		if s.Kind != Domain {
			t.Errorf("%s: kind %s", c.name, s.Kind)
		}
		if c.step == "" {
			if s.Outcome() != c.want {
				t.Errorf("%s: %+v", c.name, s.Proofs)
			}
			continue
		}
		if got := outcome(s, c.step); got != c.want {
			t.Errorf("%s: %s is %s, want %s; %+v", c.name, c.step, got, c.want, s.Proofs)
		}
	}
}
