package wacz

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// Outcome is what came of one step of a verification.
type Outcome string

// The outcomes.
const (
	Verified Outcome = "verified" // proven with what is in the package
	Failed   Outcome = "failed"   // proven wrong, or not readable
	Unproven Outcome = "unproven" // cannot be told offline, or with the roots at hand
)

// Proof is one step of a verification: what was asked, what came out, and why.
type Proof struct {
	Step    string  `json:"step"`
	Outcome Outcome `json:"outcome"`
	Detail  string  `json:"detail"`
}

// SignatureKind says who signed.
type SignatureKind string

// The kinds of signatures.
const (
	Unsigned  SignatureKind = "none"
	Anonymous SignatureKind = "anonymous" // by a key that somebody must know
	Domain    SignatureKind = "domain"    // by the key of a TLS certificate
)

// Signature says precisely what the signature of a package proves.
type Signature struct {
	Kind   SignatureKind `json:"kind"`
	Signer string        `json:"signer,omitempty"` // domain, or SHA-256 of the public key
	Time   string        `json:"time,omitempty"`   // of the time stamp, else as the signer says
	Proofs []Proof       `json:"proofs,omitempty"`
}

// Outcome sums up: Failed if a step failed, Unproven if one could not be told, else Verified.
func (s *Signature) Outcome() Outcome {
	out := Verified
	for _, p := range s.Proofs {
		if p.Outcome == Failed {
			return Failed
		}
		if p.Outcome == Unproven {
			out = Unproven
		}
	}
	if s.Kind == Unsigned {
		return Unproven
	}
	return out
}

// Trust is whom a verifier believes. Without roots, chains are checked link by link and their ends
// are told as unproven.
type Trust struct {
	Domains    *x509.CertPool // roots of TLS certificates
	Timestamps *x509.CertPool // roots of time stamp authorities
	Keys       []string       // SHA-256 of public keys (hex) whose owners are known
}

// maxStampDelay is how far a time stamp may be from the signature by wacz-auth.
const maxStampDelay = 10 * time.Minute

// verification gathers the proofs.
type verification struct {
	trust Trust
	data  *SignedData
	sig   *Signature
}

func (v *verification) prove(step string, outcome Outcome, format string, args ...any) {
	v.sig.Proofs = append(v.sig.Proofs, Proof{step, outcome, fmt.Sprintf(format, args...)})
}

// decide is prove for a step that either holds or not.
func (v *verification) decide(step string, holds bool, yes, no string) bool {
	if holds {
		v.prove(step, Verified, "%s", yes)
	} else {
		v.prove(step, Failed, "%s", no)
	}
	return holds
}

// VerifySignature proves what can be proven offline about a signed manifest: manifest is the text
// of datapackage.json.
func VerifySignature(manifest []byte, d *DigestFile, trust Trust) *Signature {
	v := &verification{trust: trust, data: d.Signed, sig: &Signature{Kind: Unsigned}}
	if d.Signed == nil {
		return v.sig
	}
	v.sig.Time = d.Signed.Created
	sum := sumOf(manifest)
	v.decide("hash", d.Signed.Hash == sum, "the signed hash is that of datapackage.json",
		fmt.Sprintf("the signed hash is %s, that of datapackage.json is %s", clip(d.Signed.Hash), sum))
	v.created(manifest)
	switch {
	case d.Signed.DomainCert != "":
		v.sig.Kind, v.sig.Signer = Domain, d.Signed.Domain
		v.domain()
	case d.Signed.PublicKey != "":
		v.sig.Kind = Anonymous
		v.anonymous()
	default:
		v.prove("signature", Failed, "neither publicKey nor domainCert")
	}
	if d.Signed.TimeSignature != "" {
		v.timestamp()
	} else if v.sig.Kind == Domain {
		v.prove("timestamp", Failed, "a signature with a domain needs a timeSignature")
	}
	return v.sig
}

// created compares the dates of signature and manifest.
func (v *verification) created(manifest []byte) {
	m, err := ParseManifest(manifest)
	if err != nil || m.Created == "" || v.data.Created == "" {
		v.prove("created", Unproven, "no date to compare in signature or manifest")
		return
	}
	v.decide("created", m.Created == v.data.Created, "signature and manifest have the same date",
		fmt.Sprintf("signed %s, the manifest says %s", clip(v.data.Created), clip(m.Created)))
}

func (v *verification) anonymous() {
	der, err := base64.StdEncoding.DecodeString(v.data.PublicKey)
	var key crypto.PublicKey
	if err == nil {
		key, err = x509.ParsePKIXPublicKey(der)
	}
	if err != nil {
		v.prove("signature", Failed, "the public key cannot be read: %v", err)
		return
	}
	sum := sha256.Sum256(der)
	v.sig.Signer = hex.EncodeToString(sum[:])
	v.signature(key, "the public key")
	for _, known := range v.trust.Keys {
		if known == v.sig.Signer {
			v.prove("identity", Verified, "the public key is known")
			return
		}
	}
	v.prove("identity", Unproven, "anonymous: whose key it is must be known from elsewhere")
}

// signature checks the signature of the hash text.
func (v *verification) signature(key crypto.PublicKey, whose string) {
	raw, err := base64.StdEncoding.DecodeString(v.data.Signature)
	if err != nil {
		v.prove("signature", Failed, "no base64: %v", err)
		return
	}
	holds, err := verifyText(key, []byte(v.data.Hash), raw)
	if err != nil {
		v.prove("signature", Unproven, "%v", err)
		return
	}
	v.decide("signature", holds, "the hash was signed with "+whose, "the hash was not signed with "+whose)
}

func verifyText(key crypto.PublicKey, text, signature []byte) (bool, error) {
	switch k := key.(type) {
	case *ecdsa.PublicKey:
		return verifyECDSA(k, text, signature), nil
	case ed25519.PublicKey:
		return len(k) == ed25519.PublicKeySize && ed25519.Verify(k, text, signature), nil
	}
	return false, fmt.Errorf("a key of type %T is not known to wacz-auth", key)
}

// errNoCertificate is told of text without certificates.
var errNoCertificate = errors.New("no certificate in it")
