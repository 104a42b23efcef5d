package wacz

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"slices"
)

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
