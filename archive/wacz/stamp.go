package wacz

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// maxToken3161 is the longest time stamp token that is read.
const maxToken3161 = 1 << 20

// A time stamp (RFC 3161) is a CMS message (RFC 5652) that holds a TSTInfo:
//
//	TimeStampResp { status, ContentInfo { signedData, SignedData {
//	    version, digestAlgorithms, { id-ct-TSTInfo, OCTET STRING TSTInfo }, [0] certificates, [1] crls,
//	    SET OF SignerInfo { version, sid, digestAlgorithm, [0] signedAttrs, signatureAlgorithm, signature } } } }
//
// The signature is over the signed attributes, which hold the digest of TSTInfo, which holds the
// digest of what was stamped.
type (
	contentInfo struct {
		Type    asn1.ObjectIdentifier
		Content asn1.RawValue `asn1:"explicit,tag:0"`
	}
	cmsSigned struct {
		Version      int
		Digests      asn1.RawValue
		Content      cmsContent
		Certificates asn1.RawValue `asn1:"optional,tag:0"`
		CRLs         asn1.RawValue `asn1:"optional,tag:1"`
		Signers      []cmsSigner   `asn1:"set"`
	}
	cmsContent struct {
		Type asn1.ObjectIdentifier
		Data []byte `asn1:"explicit,optional,tag:0"`
	}
	cmsSigner struct {
		Version   int
		ID        asn1.RawValue
		Digest    pkix.AlgorithmIdentifier
		Attrs     asn1.RawValue `asn1:"optional,tag:0"`
		Algorithm pkix.AlgorithmIdentifier
		Signature []byte
		Unsigned  asn1.RawValue `asn1:"optional,tag:1"`
	}
	cmsAttribute struct {
		Type   asn1.ObjectIdentifier
		Values asn1.RawValue
	}
	tstInfo struct {
		Version int
		Policy  asn1.ObjectIdentifier
		Imprint struct {
			Algorithm pkix.AlgorithmIdentifier
			Hash      []byte
		}
		Serial *big.Int
		Time   time.Time
	}
)

var (
	oidSigned        = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 2}
	oidTSTInfo       = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 4}
	oidContentType   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 3}
	oidMessageDigest = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 4}
)

// digestAlgorithms are those that stamps are seen with.
var digestAlgorithms = map[string]crypto.Hash{
	"1.3.14.3.2.26": crypto.SHA1, "2.16.840.1.101.3.4.2.1": crypto.SHA256,
	"2.16.840.1.101.3.4.2.2": crypto.SHA384, "2.16.840.1.101.3.4.2.3": crypto.SHA512,
}

// stamp is a time stamp token, parsed and not yet believed.
type stamp struct {
	info    tstInfo
	content []byte // DER of info
	signer  cmsSigner
	certs   []*x509.Certificate // that came with it
}

// parseStamp reads a TimeStampResp or a bare token.
func parseStamp(der []byte) (*stamp, error) {
	if len(der) > maxToken3161 {
		return nil, fmt.Errorf("a token of %d bytes", len(der))
	}
	token, err := tokenOf(der)
	if err != nil {
		return nil, err
	}
	var signed cmsSigned
	if _, err := asn1.Unmarshal(token, &signed); err != nil {
		return nil, fmt.Errorf("CMS signed data: %w", err)
	}
	if !signed.Content.Type.Equal(oidTSTInfo) {
		return nil, fmt.Errorf("holds %v, not a time stamp", signed.Content.Type)
	}
	if len(signed.Signers) != 1 {
		return nil, fmt.Errorf("%d signers, want 1", len(signed.Signers))
	}
	s := &stamp{content: signed.Content.Data, signer: signed.Signers[0]}
	if err := parseInfo(s.content, &s.info); err != nil {
		return nil, err
	}
	if len(signed.Certificates.Bytes) > 0 {
		s.certs, err = x509.ParseCertificates(signed.Certificates.Bytes)
	}
	return s, err
}

// parseInfo reads a TSTInfo and leaves its optional end alone.
func parseInfo(der []byte, info *tstInfo) error {
	var seq asn1.RawValue
	if _, err := asn1.Unmarshal(der, &seq); err != nil || seq.Tag != asn1.TagSequence {
		return errors.New("no TSTInfo in it")
	}
	rest := seq.Bytes
	for _, field := range []any{&info.Version, &info.Policy, &info.Imprint, &info.Serial} {
		var err error
		if rest, err = asn1.Unmarshal(rest, field); err != nil {
			return fmt.Errorf("TSTInfo: %w", err)
		}
	}
	if _, err := asn1.UnmarshalWithParams(rest, &info.Time, "generalized"); err != nil {
		return fmt.Errorf("TSTInfo: %w", err)
	}
	return nil
}

// tokenOf gives the SignedData within a response or a token.
func tokenOf(der []byte) ([]byte, error) {
	var response struct {
		Status struct {
			Code int
			Rest asn1.RawValue `asn1:"optional"`
		}
		Token asn1.RawValue `asn1:"optional"`
	}
	if _, err := asn1.Unmarshal(der, &response); err == nil {
		if response.Status.Code > 1 {
			return nil, fmt.Errorf("the authority refused: status %d", response.Status.Code)
		}
		der = response.Token.FullBytes
	}
	var info contentInfo
	if _, err := asn1.Unmarshal(der, &info); err != nil {
		return nil, fmt.Errorf("no time stamp token: %w", err)
	}
	if !info.Type.Equal(oidSigned) {
		return nil, fmt.Errorf("no signed data: %v", info.Type)
	}
	return info.Content.Bytes, nil
}

// signedBy checks the signature of the token.
func (s *stamp) signedBy(cert *x509.Certificate) (bool, error) {
	h, known := digestAlgorithms[s.signer.Digest.Algorithm.String()]
	if !known {
		return false, fmt.Errorf("unknown digest %v", s.signer.Digest.Algorithm)
	}
	signed := s.content
	if len(s.signer.Attrs.FullBytes) > 0 {
		if !s.attributesHold(h) {
			return false, nil
		}
		signed = bytes.Clone(s.signer.Attrs.FullBytes)
		signed[0] = asn1.TagSet | 0x20 // what is signed is the SET, not its implicit tag
	}
	sum := sumWith(h, signed)
	switch key := cert.PublicKey.(type) {
	case *rsa.PublicKey:
		if s.signer.Algorithm.Algorithm.String() == "1.2.840.113549.1.1.10" {
			return rsa.VerifyPSS(key, h, sum, s.signer.Signature, nil) == nil, nil
		}
		return rsa.VerifyPKCS1v15(key, h, sum, s.signer.Signature) == nil, nil
	case *ecdsa.PublicKey:
		return ecdsa.VerifyASN1(key, sum, s.signer.Signature), nil
	}
	return false, fmt.Errorf("unknown kind of key %T", cert.PublicKey)
}

// attributesHold tells whether the signed attributes are about this content.
func (s *stamp) attributesHold(h crypto.Hash) bool {
	var isStamp, isContent bool
	rest := s.signer.Attrs.Bytes
	for len(rest) > 0 {
		var a cmsAttribute
		var err error
		if rest, err = asn1.Unmarshal(rest, &a); err != nil {
			return false
		}
		switch {
		case a.Type.Equal(oidContentType):
			var oid asn1.ObjectIdentifier
			_, err := asn1.Unmarshal(a.Values.Bytes, &oid)
			isStamp = err == nil && oid.Equal(oidTSTInfo)
		case a.Type.Equal(oidMessageDigest):
			var sum []byte
			_, err := asn1.Unmarshal(a.Values.Bytes, &sum)
			isContent = err == nil && bytes.Equal(sum, sumWith(h, s.content))
		}
	}
	return isStamp && isContent
}
