package access

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Parameters of new hashes, as OWASP recommends them: 19 MiB, two passes. Older hashes keep theirs.
const (
	hashMemory  = 19 << 10 // KiB
	hashPasses  = 2
	hashThreads = 1
	hashSalt    = 16
	hashSize    = 32

	minPassword = 10
	maxPassword = 1024
)

// ErrPassword says that a password cannot be used.
var ErrPassword = fmt.Errorf("a password has %d to %d bytes", minPassword, maxPassword)

// HashPassword makes the argon2id hash of a password in the usual form:
//
//	$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH
func HashPassword(password string) (string, error) {
	if len(password) < minPassword || len(password) > maxPassword {
		return "", ErrPassword
	}
	salt := make([]byte, hashSalt)
	if _, err := rand.Read(salt); err != nil {
		return "", fmt.Errorf("salt: %w", err)
	}
	sum := argon2.IDKey([]byte(password), salt, hashPasses, hashMemory, hashThreads, hashSize)
	enc := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashPasses, hashThreads,
		enc.EncodeToString(salt), enc.EncodeToString(sum)), nil
}

var errHash = errors.New("not an argon2id hash that this program reads")

// CheckPassword tells whether the password has that hash.
func CheckPassword(hash, password string) (bool, error) {
	if len(password) > maxPassword {
		return false, nil
	}
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return false, errHash
	}
	var version int
	var memory, passes uint32
	var threads uint8
	if _, err := fmt.Sscanf(parts[2], "v=%d", &version); err != nil || version != argon2.Version {
		return false, errHash
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &passes, &threads); err != nil {
		return false, errHash
	}
	// A damaged file must not make us take all memory.
	if memory > 1<<20 || passes == 0 || passes > 64 || threads == 0 {
		return false, errHash
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, errHash
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || len(want) < 16 || len(want) > 128 {
		return false, errHash
	}
	got := argon2.IDKey([]byte(password), salt, passes, memory, threads, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}
