package warc

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strings"

	"varve/web/wire"
)

// DigestValue is a labelled digest, decoded.
type DigestValue struct {
	Algorithm string // lower case: "sha1", "sha256", "md5", "sha512"
	Sum       string // raw bytes
}

// ParseDigest reads "algorithm:value" with the value in base32 or hex in any case, or base64 of
// either alphabet.
func ParseDigest(s string) (DigestValue, error) {
	label, text, ok := strings.Cut(strings.TrimSpace(s), ":")
	if !ok {
		return DigestValue{}, fmt.Errorf("digest %q has no label (sha1:...)", clip(s))
	}
	alg := strings.ToLower(strings.ReplaceAll(label, "-", ""))
	size, known := digestSizes[alg]
	if !known {
		if !wire.IsToken(label) || text == "" || strings.ContainsAny(text, " \t:;,\"\\()<>@?{}[]") {
			return DigestValue{}, fmt.Errorf("digest %q is not of the form algorithm:value", clip(s))
		}
		return DigestValue{}, fmt.Errorf("%w: %q", errAlgorithm, clip(label))
	}
	var sum [sha512.Size + 8]byte
	if len(text) == 2*size {
		if n, err := hex.Decode(sum[:], []byte(text)); err == nil {
			return DigestValue{alg, string(sum[:n])}, nil
		}
	}
	bare := strings.TrimRight(text, "=")
	if len(bare) == base32Length(size) {
		if n, err := base32Encoding.Decode(sum[:], []byte(strings.ToUpper(bare))); err == nil {
			return DigestValue{alg, string(sum[:n])}, nil
		}
	}
	if bare = toStdBase64.Replace(bare); len(bare) == base64.RawStdEncoding.EncodedLen(size) {
		if sum, err := base64.RawStdEncoding.DecodeString(bare); err == nil {
			return DigestValue{alg, string(sum)}, nil
		}
	}
	return DigestValue{}, fmt.Errorf("digest %q is neither base32, hex nor base64 of %d bytes", clip(s), size)
}

// errAlgorithm is that of a digest in the right form that cannot be compared.
var errAlgorithm = errors.New("digest algorithm is not known")

var (
	base32Encoding = base32.StdEncoding.WithPadding(base32.NoPadding)
	toStdBase64    = strings.NewReplacer("-", "+", "_", "/")
	digestSizes    = map[string]int{"md5": md5.Size, "sha1": sha1.Size, "sha256": sha256.Size, "sha512": sha512.Size}
)

func base32Length(size int) int { return (size*8 + 4) / 5 }

// FormatDigest writes a digest the way most collections hold it: sha1 in base32, others in hex.
func FormatDigest(alg string, sum []byte) string {
	if alg == "sha1" {
		return "sha1:" + base32Encoding.EncodeToString(sum)
	}
	return alg + ":" + hex.EncodeToString(sum)
}

// SameDigest tells whether two written digests are the same, whatever their form. Digests that
// cannot be read are the same only if they are written alike.
func SameDigest(a, b string) bool {
	if strings.EqualFold(a, b) {
		return a != ""
	}
	da, errA := ParseDigest(a)
	db, errB := ParseDigest(b)
	return errA == nil && errB == nil && da == db
}

func newHash(alg string) hash.Hash {
	switch alg {
	case "md5":
		return md5.New()
	case "sha1":
		return sha1.New()
	case "sha256":
		return sha256.New()
	}
	return sha512.New()
}

// hashPool keeps one hash function per algorithm for reuse from record to record.
type hashPool map[string]hash.Hash

func (p hashPool) get(alg string) hash.Hash {
	h, ok := p[alg]
	if !ok {
		h = newHash(alg)
		p[alg] = h
	}
	h.Reset()
	return h
}
