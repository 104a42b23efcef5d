package statement

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"varve"
)

// Whatever byte of the signing key is flipped: it signs as before, or it is an error with advice. It never signs as another key.
func TestDamagedSigningKey(t *testing.T) {
	k := Keys{Dir: filepath.Join(t.TempDir(), "keys"), Random: rand.NewChaCha8([32]byte{7})}
	key, err := k.Signing()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(k.Dir, "*.pem"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		sound, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		noticed := 0
		for at := range sound {
			for _, mask := range []byte{0x01, 0x02, 0x20} {
				damaged := bytes.Clone(sound)
				damaged[at] ^= mask
				if err := os.WriteFile(name, damaged, 0o600); err != nil {
					t.Fatal(err)
				}
				got, err := k.Signing()
				switch {
				case err != nil && varve.HintOf(err) == "":
					t.Fatalf("%s, byte %d: no advice: %v", filepath.Base(name), at, err)
				case err != nil:
					noticed++
				case !got.Equal(key):
					t.Fatalf("%s, byte %d flipped: signs with another key", filepath.Base(name), at)
				}
			}
		}
		if noticed < len(sound) {
			t.Errorf("%s: only %d of %d flips noticed", filepath.Base(name), noticed, 3*len(sound))
		}
		if err := os.WriteFile(name, sound, 0o600); err != nil {
			t.Fatal(err)
		}
	}

	if err := os.Remove(filepath.Join(k.Dir, privateFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Signing(); varve.KindOf(err) != varve.NotFound {
		t.Errorf("a key that is gone was replaced: %v", err)
	}
	fresh, err := k.Rotate()
	if err != nil || fresh.Equal(key) {
		t.Fatal(err)
	}
	if again, err := k.Signing(); err != nil || !again.Equal(fresh) {
		t.Errorf("after a rotation: %v", err)
	}
	if public, err := k.Public(); err != nil || len(public) != 2 {
		t.Errorf("public keys after a rotation: %v, %v", public, err)
	}
	if err := os.WriteFile(filepath.Join(k.Dir, "0123456789abcdef.pub.pem"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Public(); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty public key: %v", err)
	}
}

// A damaged private key takes nothing from the public ones: they are still listed, and after a rotation the old one stays beside the new.
func TestPublicKeysOutliveADamagedPrivateOne(t *testing.T) {
	k := Keys{Dir: filepath.Join(t.TempDir(), "keys"), Random: rand.NewChaCha8([32]byte{8})}
	old, err := k.Signing()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(k.Dir, privateFile), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Signing(); err == nil {
		t.Error("signs with a damaged key")
	}
	for want := 1; want <= 2; want++ {
		all, err := k.Public()
		if err != nil || len(all) != want || !all[KeyID(old.Public().(ed25519.PublicKey))].Equal(old.Public()) {
			t.Fatalf("%d keys, want %d: %v", len(all), want, err)
		}
		if want == 1 {
			if _, err := k.Rotate(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
