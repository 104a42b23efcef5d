package access

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"

	"varve"
)

func TestPasswords(t *testing.T) {
	hash, err := HashPassword("correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("hash %s", hash)
	}
	if ok, err := CheckPassword(hash, "correct horse battery"); !ok || err != nil {
		t.Errorf("right password: %v, %v", ok, err)
	}
	if ok, err := CheckPassword(hash, "correct horse batterz"); ok || err != nil {
		t.Errorf("wrong password: %v, %v", ok, err)
	}
	for _, p := range []string{"short", "", strings.Repeat("x", 2000)} {
		if _, err := HashPassword(p); !errors.Is(err, ErrPassword) {
			t.Errorf("%.10q was taken: %v", p, err)
		}
	}
	for _, h := range []string{"", "plain", "$argon2id$v=19$m=99999999999,t=2,p=1$AAAA$AAAA", "$argon2id$v=19$m=8,t=0,p=1$AAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA", "$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA"} {
		if ok, err := CheckPassword(h, "x"); ok || err == nil {
			t.Errorf("hash %q: %v, %v", h, ok, err)
		}
	}
	if _, err := CheckPassword(unknownHash, "whatever it is"); err != nil {
		t.Errorf("the hash of unknown users: %v", err)
	}
}

func TestUsersAndTokens(t *testing.T) {
	dir := t.TempDir()
	a, b := OpenUsers(dir), OpenUsers(dir)
	if list, err := a.List(); err != nil || len(list) != 0 {
		t.Fatalf("empty: %v, %v", list, err)
	}
	if err := a.Put("eva", Curator, "h", now); err != nil {
		t.Fatal(err)
	}
	if err := b.Put("adam", Viewer, "", now); err != nil {
		t.Fatal(err)
	}
	if err := b.Put("eva", Admin, "", now); err != nil {
		t.Fatal(err)
	}
	u, ok, err := a.Get("eva")
	if err != nil || !ok || u.Role != Admin || u.Hash != "h" {
		t.Errorf("eva: %+v, %v, %v", u, ok, err)
	}
	secret, tok, err := a.NewToken("adam", "report", now, now.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if u, ok, err := b.ByToken(secret, now); err != nil || !ok || u.Name != "adam" {
		t.Errorf("token: %+v, %v, %v", u, ok, err)
	}
	if _, ok, _ := b.ByToken(secret, now.Add(2*time.Hour)); ok {
		t.Error("a token outlived its time")
	}
	for _, bad := range []string{"", "varve_x", secret + "x", strings.Repeat("a", 500)} {
		if _, ok, _ := b.ByToken(bad, now); ok {
			t.Errorf("token %.20q was taken", bad)
		}
	}
	if raw, err := os.ReadFile(filepath.Join(dir, "users.json")); err != nil || strings.Contains(string(raw), secret) {
		t.Errorf("the file has the secret: %v", err)
	}
	if info, err := os.Stat(filepath.Join(dir, "users.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := a.RemoveToken("adam", tok.ID); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := b.ByToken(secret, now); ok {
		t.Error("a revoked token was taken")
	}
	if err := b.Remove("adam"); err != nil {
		t.Fatal(err)
	}
	if err := b.Remove("adam"); varve.KindOf(err) != varve.NotFound {
		t.Errorf("removed twice: %v", err)
	}
	for _, bad := range []string{"", "a b", "../x", strings.Repeat("x", 70)} {
		if err := a.Put(bad, Viewer, "", now); err == nil {
			t.Errorf("name %q was taken", bad)
		}
	}
	if err := a.Put("x", "king", "", now); varve.KindOf(err) != varve.Invalid {
		t.Errorf("role: %v", err)
	}
}

func TestDamagedUsersLetNobodyIn(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(2)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "users.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	u := OpenUsers(dir)
	if _, _, err := u.Get("eva"); err == nil {
		t.Error("a damaged file was read")
	}
	if err := u.Put("eva", Admin, "h", now); err == nil {
		t.Error("a damaged file was written over")
	}
}

func TestAuditChain(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(2)
	dir := t.TempDir()
	a := OpenAudit(dir)
	for _, did := range []string{"one", "two", "three"} {
		if err := a.Append(Entry{Time: now, By: "eva", Did: did}); err != nil {
			t.Fatal(err)
		}
	}
	broken := func() (n int) {
		for _, err := range a.Entries() {
			if err != nil {
				n++
			}
		}
		return n
	}
	if n := broken(); n != 0 {
		t.Fatalf("%d lines of a whole log do not fit", n)
	}
	path := filepath.Join(dir, "audit.jsonl")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(raw), `"two"`, `"2wo"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := broken(); n != 1 {
		t.Errorf("a changed line: %d lines do not fit, want 1", n)
	}
	// A crash in the middle of a line: the next entry begins on a line of its own.
	if err := os.WriteFile(path, raw[:len(raw)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.Append(Entry{Time: now, By: "eva", Did: "four"}); err != nil {
		t.Fatal(err)
	}
	var last Entry
	for e := range a.Entries() {
		last = e
	}
	if n := broken(); n != 1 || last.Did != "four" {
		t.Errorf("after a torn line: %d lines do not fit, last %+v", n, last)
	}
}

func TestLimiter(t *testing.T) {
	l := NewLimiter(1, 3)
	at := now
	for i := range 3 {
		if _, ok := l.Allow("a", at); !ok {
			t.Fatalf("request %d of the burst was refused", i)
		}
	}
	wait, ok := l.Allow("a", at)
	if ok || wait != time.Second {
		t.Errorf("after the burst: %v, %v", wait, ok)
	}
	if _, ok := l.Allow("b", at); !ok {
		t.Error("another key was refused")
	}
	if _, ok := l.Allow("a", at.Add(time.Second)); !ok {
		t.Error("refused after waiting")
	}
	for i := range maxBuckets + 10 {
		l.Allow(strings.Repeat("x", i%7)+time.Duration(i).String(), at)
	}
	if len(l.buckets) > maxBuckets {
		t.Errorf("%d buckets", len(l.buckets))
	}
}
