package wacz

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/big"
	"time"
)

// SignedData is the signature of a manifest (wacz-auth 0.1.0). An anonymous one has a PublicKey, one
// with a domain has certificates and a time stamp.
type SignedData struct {
	Hash      string `json:"hash"`
	Created   string `json:"created,omitempty"`
	Software  string `json:"software,omitempty"`
	Version   string `json:"version,omitempty"`
	Signature string `json:"signature"`           // base64, over the text of Hash
	PublicKey string `json:"publicKey,omitempty"` // base64 of SubjectPublicKeyInfo

	Domain          string `json:"domain,omitempty"`
	DomainCert      string `json:"domainCert,omitempty"` // PEM, from leaf to root
	TimeSignature   string `json:"timeSignature,omitempty"`
	TimestampCert   string `json:"timestampCert,omitempty"`
	CrossSignedCert string `json:"crossSignedCert,omitempty"`
}

// authVersion is the version of the signing specification.
const authVersion = "0.1.0"

// Sign makes an anonymous signature of a manifest's hash.
//
// ECDSA signs the SHA-256 of the text and writes r and s one behind the other, as the WebCrypto of
// ArchiveWeb.page does; Ed25519 signs the text. With random nil, keys of the standard library give
// the same signature each time.
func Sign(random io.Reader, key crypto.Signer, hash string, created time.Time, software string) (*SignedData, error) {
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, fmt.Errorf("sign package: %w", err)
	}
	signature, err := signText(random, key, []byte(hash))
	if err != nil {
		return nil, fmt.Errorf("sign package: %w", err)
	}
	return &SignedData{
		Hash: hash, Created: formatTime(created), Software: software, Version: authVersion,
		Signature: base64.StdEncoding.EncodeToString(signature),
		PublicKey: base64.StdEncoding.EncodeToString(public),
	}, nil
}

func signText(random io.Reader, key crypto.Signer, text []byte) ([]byte, error) {
	switch public := key.Public().(type) {
	case ed25519.PublicKey:
		return key.Sign(random, text, crypto.Hash(0))
	case *ecdsa.PublicKey:
		sum := sha256.Sum256(text)
		der, err := key.Sign(random, sum[:], crypto.SHA256)
		if err != nil {
			return nil, err
		}
		return flatSignature(der, (public.Params().BitSize+7)/8)
	default:
		return nil, fmt.Errorf("a key of type %T: want ECDSA or Ed25519", public)
	}
}

// ecdsaValue is the ASN.1 form of an ECDSA signature.
type ecdsaValue struct{ R, S *big.Int }

// flatSignature turns the ASN.1 form into r and s of fixed width.
func flatSignature(der []byte, width int) ([]byte, error) {
	var v ecdsaValue
	if rest, err := asn1.Unmarshal(der, &v); err != nil || len(rest) > 0 || v.R.Sign() <= 0 || v.S.Sign() <= 0 {
		return nil, errors.New("the key gave no ECDSA signature")
	}
	if v.R.BitLen() > 8*width || v.S.BitLen() > 8*width {
		return nil, errors.New("the key gave a signature of another curve")
	}
	out := make([]byte, 2*width)
	v.R.FillBytes(out[:width])
	v.S.FillBytes(out[width:])
	return out, nil
}

// verifyECDSA takes both forms: ASN.1, as authsign writes it, and r and s one behind the other.
func verifyECDSA(public *ecdsa.PublicKey, text, signature []byte) bool {
	sum := sha256.Sum256(text)
	if ecdsa.VerifyASN1(public, sum[:], signature) {
		return true
	}
	width := (public.Params().BitSize + 7) / 8
	if len(signature) != 2*width {
		return false
	}
	r, s := new(big.Int).SetBytes(signature[:width]), new(big.Int).SetBytes(signature[width:])
	return ecdsa.Verify(public, sum[:], r, s)
}
