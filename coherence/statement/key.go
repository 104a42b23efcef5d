package statement

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"varve"
)

// Keys is the directory of an archive's signing keys:
//
//	signing.pem        the private key in use (PKCS #8); readable by its owner alone
//	KEYID.pub.pem      the public half of every key that was ever in use
//
// A key's id is the first 16 hexadecimal digits of the SHA-256 of the public key's 32 bytes.
type Keys struct {
	Dir    string
	Random io.Reader
}

// privateFile is the name of the private key in use.
const privateFile = "signing.pem"

// publicSuffix ends the names of public keys.
const publicSuffix = ".pub.pem"

// KeyID names a public key.
func KeyID(key ed25519.PublicKey) string {
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:8])
}

// Signing gives the private key in use, and makes one at the first call. A key that does not fit the public half that was kept
// when it was made is damaged: what it signed nobody could check, so it is an error, and so is one that is gone.
func (k Keys) Signing() (ed25519.PrivateKey, error) {
	name := filepath.Join(k.Dir, privateFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if old, _ := filepath.Glob(filepath.Join(k.Dir, "*"+publicSuffix)); len(old) > 0 {
			return nil, &varve.Error{
				Kind: varve.NotFound, Op: "signing key " + name, Msg: "it is gone, and there were keys before: " + filepath.Base(old[0]), Hint: keyHint,
			}
		}
		return k.create()
	}
	if err != nil {
		return nil, fmt.Errorf("signing key: %w", err)
	}
	private, err := k.parse(b)
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "signing key " + name, Msg: "it is damaged", Err: err, Hint: keyHint}
	}
	return private, nil
}

const keyHint = "bring the file back from a copy; or make a new key with --new-key: old statements can still be checked with the public keys beside it"

// parse reads a private key and holds it against its public half.
func (k Keys) parse(b []byte) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode(b)
	if block == nil {
		return nil, errors.New("no PEM in it")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%T is no Ed25519 key", key)
	}
	public := private.Public().(ed25519.PublicKey)
	kept, err := ReadPublic(filepath.Join(k.Dir, KeyID(public)+publicSuffix))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("it is not a key that was made here: there is no %s%s", KeyID(public), publicSuffix)
	}
	if err == nil && !kept.Equal(public) {
		err = fmt.Errorf("%s%s is the public half of another key", KeyID(public), publicSuffix)
	}
	return private, err
}

// Rotate puts a new key in the place of the one in use. Old public keys stay, so that what was signed
// with them can be checked; the old private key is gone.
func (k Keys) Rotate() (ed25519.PrivateKey, error) {
	if err := os.Remove(filepath.Join(k.Dir, privateFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("rotate signing key: %w", err)
	}
	return k.create()
}

// create makes a key. The public half is written first: no statement is signed by a key that was not
// kept. A key that another process made meanwhile is taken instead.
func (k Keys) create() (ed25519.PrivateKey, error) {
	public, private, err := ed25519.GenerateKey(k.Random)
	if err != nil {
		return nil, fmt.Errorf("make signing key: %w", err)
	}
	publicDER, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return nil, fmt.Errorf("make signing key: %w", err)
	}
	privateDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, fmt.Errorf("make signing key: %w", err)
	}
	if err := os.MkdirAll(k.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("make signing key: %w", err)
	}
	if err := writeNew(filepath.Join(k.Dir, KeyID(public)+publicSuffix), "PUBLIC KEY", publicDER, 0o644); err != nil {
		return nil, err
	}
	err = writeNew(filepath.Join(k.Dir, privateFile), "PRIVATE KEY", privateDER, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return k.Signing()
	}
	return private, err
}

// writeNew writes a PEM file that must not be there yet, durably.
func writeNew(name, kind string, der []byte, mode fs.FileMode) (err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("write key: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := pem.Encode(f, &pem.Block{Type: kind, Bytes: der}); err != nil {
		return fmt.Errorf("write key: %w", err)
	}
	return f.Sync()
}

// Public lists the public keys that were ever in use, by id.
func (k Keys) Public() (map[string]ed25519.PublicKey, error) {
	entries, err := os.ReadDir(k.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := map[string]ed25519.PublicKey{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), publicSuffix) {
			continue
		}
		key, err := ReadPublic(filepath.Join(k.Dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if id := KeyID(key); e.Name() != id+publicSuffix {
			return nil, fmt.Errorf("public key %s is damaged: what is in it would be called %s", e.Name(), id+publicSuffix)
		}
		out[KeyID(key)] = key
	}
	return out, nil
}

// ReadPublic reads a public key from a PEM file.
func ReadPublic(name string) (ed25519.PublicKey, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(b)
	if block == nil {
		return nil, fmt.Errorf("public key %s: no PEM in it", name)
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("public key %s: %w", name, err)
	}
	public, ok := key.(ed25519.PublicKey)
	if !ok {
		return nil, fmt.Errorf("public key %s: %T is no Ed25519 key", name, key)
	}
	return slices.Clone(public), nil
}
