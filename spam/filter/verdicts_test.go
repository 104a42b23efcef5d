package filter_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/crawl/gate"
	"varve/spam/filter"
)

const days = 24 * time.Hour

// A verdict is firm for the same model while it is not too old, and known to others as a prior.
func TestVerdicts(t *testing.T) {
	dir, at := t.TempDir(), time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	v, err := filter.OpenVerdicts(dir, "sha256:aa", 90*days)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, known := v.Of("a.example", at); known {
		t.Error("a host is known before the first verdict")
	}
	for _, list := range [][]gate.Verdict{
		{{Host: "a.example", Spam: true, Spamicity: 0.97, Content: 0.99, Pages: 4, Why: "words", At: at}, {Host: "b.example:8080", Spamicity: 0.1, Content: 0.3, Pages: 10, At: at}},
		{{Host: "a.example", Spamicity: 0.4, Content: 0.99, Pages: 4, At: at.Add(time.Hour)}},
	} {
		if err := v.Keep(list); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		model string
		after time.Duration
		firm  bool
	}{
		{"sha256:aa", 2 * time.Hour, true},
		{"sha256:aa", 90 * days, true},
		{"sha256:aa", 91 * days, false},
		{"sha256:bb", 2 * time.Hour, false},
		{"sha256:aa", -time.Hour, false}, // of the future: a clock was wrong
	} {
		again, err := filter.OpenVerdicts(dir, c.model, 90*days)
		if err != nil || again.Unread() != nil {
			t.Fatal(err, again.Unread())
		}
		got, firm, known := again.Of("a.example", at.Add(c.after))
		if !known || firm != c.firm || got.Spam || got.Spamicity != 0.4 || got.Content != 0.99 || got.Pages != 4 {
			t.Errorf("%+v: %+v, firm %v, known %v", c, got, firm, known)
		}
		if got, _, known := again.Of("b.example:8080", at); !known || got.Pages != 10 || got.Spam {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// Damaged lines lose only themselves and are named; files of others are refused.
func TestDamagedVerdicts(t *testing.T) {
	dir := t.TempDir()
	path := filter.VerdictsPath(dir)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	head, good := `{"format":"varve-spam-verdicts","version":1}`+"\n", `{"host":"%s","verdict":"spam","score":0.97,"content":0.97,"model":"sha256:aa","at":"2026-11-01T12:00:00Z","pages":4}`+"\n"
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(head + fmt.Sprintf(good, "a.example") + "{\"host\":\n" + `{"host":"c.example","verdict":"ham","score":0,"content":0}` + "\n" + fmt.Sprintf(good, "b.example") + `{"host":"torn`)
	v, err := filter.OpenVerdicts(dir, "sha256:aa", 90*days)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	for host, want := range map[string]bool{"a.example": true, "b.example": true, "c.example": false} {
		if _, firm, known := v.Of(host, at); firm != want || known != want {
			t.Errorf("%s: %v, %v", host, firm, known)
		}
	}
	if err := v.Unread(); err == nil || !strings.Contains(err.Error(), "line 3") || !strings.Contains(err.Error(), "line 4") || strings.Contains(err.Error(), "line 6") {
		t.Errorf("unread: %v", err)
	}
	if err := v.Keep([]gate.Verdict{{Host: "d.example", At: at}}); err != nil {
		t.Fatal(err)
	}
	if again, err := filter.OpenVerdicts(dir, "sha256:aa", 90*days); err != nil {
		t.Error(err)
	} else if _, firm, _ := again.Of("d.example", at); !firm {
		t.Error("what follows a torn line is lost")
	}
	write(`{"format":"varve-spam-verdicts","version":2}` + "\n" + fmt.Sprintf(good, "a.example"))
	if _, err := filter.OpenVerdicts(dir, "sha256:aa", 90*days); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("a later version: %v", err)
	}
}

// Crawls that run side by side write whole lines into one file.
func TestVerdictsOfSeveral(t *testing.T) {
	dir, at := t.TempDir(), time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			v, err := filter.OpenVerdicts(dir, "sha256:aa", days)
			for i := range 10 {
				if err == nil {
					err = v.Keep([]gate.Verdict{{Host: fmt.Sprintf("w%d-%d.example", w, i), At: at}})
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	v, err := filter.OpenVerdicts(dir, "sha256:aa", days)
	if err != nil || v.Unread() != nil {
		t.Fatal(err, v.Unread())
	}
	for w := range 4 {
		for i := range 10 {
			if _, firm, _ := v.Of(fmt.Sprintf("w%d-%d.example", w, i), at); !firm {
				t.Errorf("w%d-%d is not there", w, i)
			}
		}
	}
}

// Whatever a file holds, it is read to its end or refused, and what is read can be asked.
func FuzzVerdicts(f *testing.F) {
	f.Add([]byte(`{"format":"varve-spam-verdicts","version":1}` + "\n" + `{"host":"a","verdict":"spam","score":1,"content":1,"model":"m","at":"2026-11-01T12:00:00Z"}` + "\n"))
	f.Add([]byte("{\n[]\n\"x\"\n{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		path := filter.VerdictsPath(dir)
		if os.MkdirAll(filepath.Dir(path), 0o755) != nil || os.WriteFile(path, b, 0o644) != nil {
			t.Fatal("cannot write")
		}
		v, err := filter.OpenVerdicts(dir, "m", days)
		if err != nil {
			return
		}
		if got, _, known := v.Of("a", time.Time{}); known && !(got.Spamicity >= 0 && got.Spamicity <= 1) {
			t.Fatalf("%+v", got)
		}
	})
}
