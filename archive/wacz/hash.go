package wacz

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
)

// hashes are the algorithms that Frictionless packages are seen with.
var hashes = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New,
	"sha384": sha512.New384, "sha512": sha512.New,
}

// parseHash reads "algorithm:hex"; a bare value is MD5, as Frictionless has it.
func parseHash(s string) (newHash func() hash.Hash, sum []byte, err error) {
	alg, value, found := strings.Cut(s, ":")
	if !found {
		alg, value = "md5", s
	}
	newHash, known := hashes[strings.ToLower(alg)]
	if !known {
		return nil, nil, fmt.Errorf("unknown hash algorithm %q", clip(alg))
	}
	sum, err = hex.DecodeString(value)
	if err != nil || len(sum) != newHash().Size() {
		return nil, nil, fmt.Errorf("%q is no %s hash in hex", clip(value), alg)
	}
	return newHash, sum, nil
}

func formatSHA256(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// sumOf gives the hash of bytes as manifests write it.
func sumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return formatSHA256(sum[:])
}

// clip keeps foreign text short in messages.
func clip(s string) string {
	if len(s) > 80 {
		return s[:77] + "..."
	}
	return s
}
