package wacz

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"slices"
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
		Time   time.Time     `asn1:"generalized"`
		Rest   asn1.RawValue `asn1:"optional"`
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

// timestamp proves steps 6, 7 and 9 of wacz-auth.
func (v *verification) timestamp() {
	der, err := base64.StdEncoding.DecodeString(v.data.TimeSignature)
	var s *stamp
	if err == nil {
		s, err = parseStamp(der)
	}
	if err != nil {
		v.prove("timestamp", Failed, "the time stamp cannot be read: %v", err)
		return
	}
	v.sig.Time = formatTime(s.info.Time)
	v.prove("timestamp", Verified, "a time stamp token of %s was read", v.sig.Time)
	v.imprint(s)
	v.stampSigner(s)
	if created, err := parseTime(v.data.Created); err == nil {
		delay := s.info.Time.Sub(created)
		v.decide("timestamp-time", delay.Abs() <= maxStampDelay, fmt.Sprintf("%s after the signature", delay),
			fmt.Sprintf("%s apart from the signature, at most %s are allowed", delay, maxStampDelay))
	}
}

// imprint checks that the stamp is for this signature: for its base64 text, as authsign has it, or
// for its bytes.
func (v *verification) imprint(s *stamp) {
	h, known := digestAlgorithms[s.info.Imprint.Algorithm.Algorithm.String()]
	if !known {
		v.prove("timestamp-imprint", Unproven, "unknown digest %v", s.info.Imprint.Algorithm.Algorithm)
		return
	}
	texts := [][]byte{[]byte(v.data.Signature)}
	if raw, err := base64.StdEncoding.DecodeString(v.data.Signature); err == nil {
		texts = append(texts, raw)
	}
	matches := slices.ContainsFunc(texts, func(t []byte) bool { return bytes.Equal(sumWith(h, t), s.info.Imprint.Hash) })
	v.decide("timestamp-imprint", matches, "the stamp is for this signature", "the stamp is for something else")
}

func sumWith(h crypto.Hash, b []byte) []byte {
	d := h.New()
	d.Write(b)
	return d.Sum(nil)
}

// stampSigner checks who stamped.
func (v *verification) stampSigner(s *stamp) {
	chain, err := parseChain(v.data.TimestampCert)
	if err != nil && len(s.certs) > 0 {
		chain, err = s.certs, nil
	}
	if err != nil {
		v.prove("timestamp-signature", Failed, "the certificate of the authority cannot be read: %v", err)
		return
	}
	holds, err := s.signedBy(chain[0])
	if err != nil {
		v.prove("timestamp-signature", Unproven, "%v", err)
		return
	}
	v.decide("timestamp-signature", holds, "stamped by "+first(chain[0].Subject.CommonName, "the authority"),
		"the stamp was not made with the key of its certificate")
	v.decide("timestamp-usage", slices.Contains(chain[0].ExtKeyUsage, x509.ExtKeyUsageTimeStamping),
		"the certificate is for time stamping", "the certificate is not for time stamping")
	v.validity("timestamp-validity", chain[0], s.info.Time)
	v.links("timestamp-chain", chain)
	v.anchor("timestamp-root", chain, v.trust.Timestamps, s.info.Time, x509.ExtKeyUsageTimeStamping)
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
