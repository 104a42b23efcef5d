package access

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"varve"
)

// Token lets a program act as a user. Only its hash is kept: it has 256 random bits, so it needs no
// slow hash.
type Token struct {
	ID      string    `json:"id"`
	Note    string    `json:"note,omitempty"`
	Hash    string    `json:"hash"` // sha256, hex
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires,omitzero"`
}

const tokenPrefix = "varve_"

func randomText(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails, see its comment
	return base64.RawURLEncoding.EncodeToString(b)
}

// randomID makes a short name that is easy to type: eight letters and digits.
func randomID() string {
	b := make([]byte, 5)
	_, _ = rand.Read(b) // never fails, see its comment
	return strings.ToLower(base32.StdEncoding.EncodeToString(b))
}

func hashToken(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// NewToken gives a user a token; the secret is told once and kept nowhere.
func (u *Users) NewToken(name, note string, now, expires time.Time) (secret string, t Token, err error) {
	id := randomID()
	secret = tokenPrefix + id + "_" + randomText(32)
	t = Token{ID: id, Note: note, Hash: hashToken(secret), Created: now.UTC().Truncate(time.Second), Expires: expires}
	err = u.change(func(list []User) ([]User, error) {
		for i := range list {
			if list[i].Name == name {
				list[i].Tokens = append(list[i].Tokens, t)
				return list, nil
			}
		}
		return nil, noUser(name)
	})
	return secret, t, err
}

// RemoveToken takes a token away.
func (u *Users) RemoveToken(name, id string) error {
	return u.change(func(list []User) ([]User, error) {
		for i := range list {
			if list[i].Name != name {
				continue
			}
			n := len(list[i].Tokens)
			list[i].Tokens = slices.DeleteFunc(list[i].Tokens, func(t Token) bool { return t.ID == id })
			if len(list[i].Tokens) < n {
				return list, nil
			}
		}
		return nil, &varve.Error{Kind: varve.NotFound, Op: fmt.Sprintf("token %s of %s", id, name), Msg: "there is no such token", Hint: "'varve user list' shows them"}
	})
}

// ByToken gives the user whose token it is.
func (u *Users) ByToken(secret string, now time.Time) (User, bool, error) {
	if !strings.HasPrefix(secret, tokenPrefix) || len(secret) > 200 {
		return User{}, false, nil
	}
	list, err := u.List()
	if err != nil {
		return User{}, false, err
	}
	hash := []byte(hashToken(secret))
	for _, x := range list {
		for _, t := range x.Tokens {
			if subtle.ConstantTimeCompare([]byte(t.Hash), hash) == 1 && (t.Expires.IsZero() || now.Before(t.Expires)) {
				return x, true, nil
			}
		}
	}
	return User{}, false, nil
}

func compareNames(a, b string) int { return cmp.Compare(a, b) }
