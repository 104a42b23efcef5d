package cdxj

import (
	"encoding/base32"
	"encoding/hex"
	"strings"
)

// NormalDigest brings the spellings of a digest into one: "sha1:" with upper-case base32, and
// "sha256:" with lower-case hex. A bare digest is taken for what its length says. What is not
// understood stays as it is.
func NormalDigest(s string) string {
	name, value, ok := strings.Cut(s, ":")
	if !ok {
		name, value = "", s
	}
	name = strings.ReplaceAll(strings.ToLower(name), "-", "")
	raw, ok := digestBytes(value)
	if !ok {
		return s
	}
	switch {
	case len(raw) == 20 && (name == "" || name == "sha1"):
		return "sha1:" + base32.StdEncoding.EncodeToString(raw)
	case len(raw) == 32 && (name == "" || name == "sha256"):
		return "sha256:" + hex.EncodeToString(raw)
	}
	return s
}

// SameDigest tells whether two digests are the same, however written. Empty and "-" are unknown,
// and equal to nothing.
func SameDigest(a, b string) bool {
	return a != "" && a != "-" && NormalDigest(a) == NormalDigest(b)
}

// digestBytes decodes base32 of SHA-1 or SHA-256, or hex of either.
func digestBytes(s string) ([]byte, bool) {
	var raw []byte
	var err error
	switch trimmed := strings.TrimRight(s, "="); len(trimmed) {
	case 32, 52:
		raw, err = base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(trimmed))
	case 40, 64:
		raw, err = hex.DecodeString(trimmed)
	default:
		return nil, false
	}
	return raw, err == nil
}

// EmptyPayload reports whether a digest is that of nothing. Redirects have such a payload, and so have the records that other crawlers write
// for a 304: these stand for what was at their address before.
func EmptyPayload(digest string) bool {
	switch NormalDigest(digest) {
	case "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855":
		return true
	}
	return false
}
