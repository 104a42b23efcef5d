package access

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// What users.json calls a person is a subject or an email in one spelling, whatever was typed.
func FuzzOIDCKey(f *testing.F) {
	for _, s := range []string{"", "kim@uni.example", "KIM@Uni.Example", "sub:1234", "sub:kim@uni.example", "email:kim@uni.example", "email:", "sub:", "a b@c", "K\u212aim@uni.example", " x ", "email:sub:x@y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key, err := OIDCKey(s)
		if err != nil || key == "" {
			return
		}
		kind, rest, _ := strings.Cut(key, ":")
		if kind != "sub" && kind != "email" || rest == "" {
			t.Fatalf("%q is %q", s, key)
		}
		if kind == "email" && (rest != strings.ToLower(rest) || strings.ContainsAny(rest, " \t\r\n\x00") || !strings.Contains(rest, "@")) {
			t.Fatalf("%q is %q", s, key)
		}
		if again, err := OIDCKey(key); err != nil || again != key {
			t.Fatalf("%q, %q, then %q, %v", s, key, again, err)
		}
	})
}

// A claim gives a role only where the whole of a value, or of one in a list, is one that has a role.
func FuzzOIDCClaims(f *testing.F) {
	for _, s := range []string{`{"groups":["varve-admins"]}`, `{"groups":"varve-admins"}`, `{"realm_access":{"roles":["varve-curators"]}}`, `{"realm_access.roles":"x"}`, `{"groups":{"varve-admins":1}}`, `{"groups":[["varve-admins"]]}`, `{"groups":null}`, `{"a":{"b":{"c":{}}}}`} {
		f.Add(s, "groups")
		f.Add(s, "realm_access.roles")
	}
	f.Fuzz(func(t *testing.T, text, claim string) {
		claims := map[string]any{}
		if json.Unmarshal([]byte(text), &claims) != nil || len(claim) > 200 {
			return
		}
		o := &OIDC{cfg: OIDCConfig{RoleClaim: claim, Roles: map[string]Role{"varve-admins": Admin, "varve-curators": Curator}}}
		role := o.roleOf(claims)
		if role != Nobody && !role.Known() {
			t.Fatalf("role %q", role)
		}
		if role != Nobody {
			whole, _ := json.Marshal(claims) // in one spelling
			if !strings.Contains(string(whole), `"varve-`) {
				t.Fatalf("%s gives %s by %q", text, role, claim)
			}
		}
	})
}

// Only what was signed for a use is read.
func FuzzNote(f *testing.F) {
	s := newSigner()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	good := s.sign(note{User: "kim", Use: "c", Till: at.Add(time.Hour), Only: []string{"c"}})
	f.Add(good)
	f.Add(strings.Replace(good, ".", "..", 1))
	f.Add("." + good)
	f.Add(good[:len(good)-1])
	f.Add("e30.e30")
	f.Fuzz(func(t *testing.T, text string) {
		if n, ok := s.read(text, "c", at); ok && (n.User != "kim" || len(n.Only) != 1 || n.Only[0] != "c") {
			t.Fatalf("%q is taken: %+v", text, n)
		}
	})
}
