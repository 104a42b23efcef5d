package wacz

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"time"
)

// maxChain is how many certificates are read.
const maxChain = 16

// parseChain reads PEM certificates, from leaf to root.
func parseChain(text string) ([]*x509.Certificate, error) {
	var chain []*x509.Certificate
	rest := []byte(text)
	for {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if len(chain) == maxChain {
			return nil, fmt.Errorf("more than %d certificates", maxChain)
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("certificate %d: %w", len(chain)+1, err)
		}
		chain = append(chain, cert)
	}
	if len(chain) == 0 {
		return nil, errNoCertificate
	}
	return chain, nil
}

// domain proves the signature of a TLS key: steps 4, 5, 8 and 10 of wacz-auth.
func (v *verification) domain() {
	chain, err := parseChain(v.data.DomainCert)
	if err != nil {
		v.prove("signature", Failed, "the domain certificate cannot be read: %v", err)
		return
	}
	v.signature(chain[0].PublicKey, "the key of the domain certificate")
	v.decide("domain", names(chain[0], v.data.Domain), "the certificate is for "+clip(v.data.Domain),
		fmt.Sprintf("the certificate is for %q, not for %q", chain[0].Subject.CommonName, clip(v.data.Domain)))
	at, err := parseTime(v.data.Created)
	if err != nil {
		v.prove("domain-validity", Unproven, "the signature has no readable date")
	} else {
		v.validity("domain-validity", chain[0], at)
	}
	v.links("domain-chain", chain)
	v.anchor("domain-root", chain, v.trust.Domains, at, x509.ExtKeyUsageServerAuth)
	v.crossSigned(chain[0])
}

// names tells whether a certificate is for a domain, by its alternative names or, as wacz-auth has
// it, by its subject.
func names(cert *x509.Certificate, domain string) bool {
	return domain != "" && (cert.VerifyHostname(domain) == nil || cert.Subject.CommonName == domain)
}

func (v *verification) validity(step string, cert *x509.Certificate, at time.Time) {
	from, to := formatTime(cert.NotBefore), formatTime(cert.NotAfter)
	v.decide(step, !at.Before(cert.NotBefore) && !at.After(cert.NotAfter),
		fmt.Sprintf("valid from %s to %s, which holds %s", from, to, formatTime(at)),
		fmt.Sprintf("valid from %s to %s only, not at %s", from, to, formatTime(at)))
}

// links checks that each certificate was signed by the next one.
func (v *verification) links(step string, chain []*x509.Certificate) {
	for i := range len(chain) - 1 {
		if err := chain[i].CheckSignatureFrom(chain[i+1]); err != nil {
			v.prove(step, Failed, "certificate %d was not signed by the next one: %v", i+1, err)
			return
		}
	}
	last := chain[len(chain)-1]
	v.prove(step, Verified, "each of %d certificates was signed by the next; the last was issued by %q", len(chain), issuer(last))
}

func issuer(c *x509.Certificate) string {
	return first(c.Issuer.CommonName, c.Issuer.String())
}

// anchor checks that a chain ends at a root that the verifier trusts.
func (v *verification) anchor(step string, chain []*x509.Certificate, roots *x509.CertPool, at time.Time, usage x509.ExtKeyUsage) {
	if roots == nil {
		v.prove(step, Unproven, "no trusted roots were given")
		return
	}
	between := x509.NewCertPool()
	for _, c := range chain[1:] {
		between.AddCert(c)
	}
	paths, err := chain[0].Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: between, CurrentTime: at, KeyUsages: []x509.ExtKeyUsage{usage},
	})
	if err != nil {
		v.prove(step, Unproven, "not anchored in the trusted roots: %v", err)
		return
	}
	root := paths[0][len(paths[0])-1]
	v.prove(step, Verified, "anchored in %q, as of %s; revocation is not checked offline", issuer(root), formatTime(at))
}

// crossSigned checks the optional second chain.
func (v *verification) crossSigned(leaf *x509.Certificate) {
	if v.data.CrossSignedCert == "" {
		return
	}
	chain, err := parseChain(v.data.CrossSignedCert)
	if err != nil {
		v.prove("cross-signed", Failed, "the certificate cannot be read: %v", err)
		return
	}
	if v.decide("cross-signed", bytes.Equal(chain[0].RawSubjectPublicKeyInfo, leaf.RawSubjectPublicKeyInfo),
		"the cross-signed certificate has the key of the domain certificate",
		"the cross-signed certificate has another key than the domain certificate") {
		v.links("cross-signed-chain", chain)
	}
}
