package wacz

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Files of other projects must have the outcome that they were made for.
func TestConformanceWACZ(t *testing.T) {
	dir := os.Getenv("VARVE_SAMPLES")
	if dir == "" {
		t.Skip("VARVE_SAMPLES is not set: the sample files of other projects are not here")
	}
	cases := []struct {
		file     string
		findings []Rule // all that must be found; none means valid
		version  string
		captures int64
		pages    int64
		kind     SignatureKind
		outcome  Outcome
	}{
		{file: "valid_example_1.wacz", version: "1.0.0", captures: 1, pages: 1, kind: Unsigned, outcome: Unproven},
		{file: "valid_signed_example_1.wacz", version: "1.1.1", captures: 2, pages: 1, kind: Domain, outcome: Unproven},
		{
			file: "invalid_example_1.wacz", kind: Unsigned, outcome: Unproven,
			findings: []Rule{RuleVersion, RuleMissingPart, RuleMissingPart, RuleMissingPart, RuleMissing, RuleUnlisted},
		},
	}
	fmt.Printf("%-28s %-8s %8s %6s %9s %-9s %s\n", "file", "version", "captures", "pages", "findings", "signed", "outcome")
	for _, c := range cases {
		path := filepath.Join(dir, c.file)
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s is not in VARVE_SAMPLES", c.file)
			continue
		}
		rep := checkFile(t, path)
		var rules []Rule
		for _, f := range rep.Findings {
			rules = append(rules, f.Rule)
		}
		verdict := "valid"
		if len(rules) > 0 {
			verdict = fmt.Sprint(rules)
		}
		fmt.Printf("%-28s %-8s %8d %6d %9d %-9s %s\n", c.file, rep.Version, rep.Captures, rep.Pages, rep.Total(), rep.Signature.Kind, verdict)
		slices.Sort(rules)
		slices.Sort(c.findings)
		if !slices.Equal(rules, c.findings) {
			t.Errorf("%s: findings %v, want %v", c.file, rules, c.findings)
		}
		if rep.Version != c.version || rep.Captures != c.captures || rep.Pages != c.pages || rep.Looked != c.captures {
			t.Errorf("%s: version %q, %d captures (%d looked up), %d pages", c.file, rep.Version, rep.Captures, rep.Looked, rep.Pages)
		}
		if rep.Signature.Kind != c.kind || rep.Signature.Outcome() != c.outcome {
			t.Errorf("%s: signature %s %s", c.file, rep.Signature.Kind, rep.Signature.Outcome())
		}
	}
	t.Run("signature", func(t *testing.T) { conformSignature(t, filepath.Join(dir, "valid_signed_example_1.wacz")) })
}

// The signed sample was made by authsign with a certificate of Let's Encrypt and a stamp of FreeTSA:
// all must be proven but the trust in their roots, which were not given.
func conformSignature(t *testing.T, path string) {
	rep := checkFile(t, path)
	unproven := []string{"domain-root", "timestamp-root"}
	for _, p := range rep.Signature.Proofs {
		fmt.Printf("  %-20s %-9s %s\n", p.Step, p.Outcome, p.Detail)
		want := Verified
		if slices.Contains(unproven, p.Step) {
			want = Unproven
		}
		if p.Outcome != want {
			t.Errorf("%s: %s, want %s: %s", p.Step, p.Outcome, want, p.Detail)
		}
	}
	if n := len(rep.Signature.Proofs); n != 15 {
		t.Errorf("%d steps, want 15", n)
	}
	if !strings.HasPrefix(rep.Signature.Time, "2022-01-18T19:00:12") || rep.Signature.Signer != "btrix-sign-test.webrecorder.net" {
		t.Errorf("signed by %q at %q", rep.Signature.Signer, rep.Signature.Time)
	}
}

func checkFile(t testing.TB, path string) *Report {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Open(filepath.Base(path), f, info.Size(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := Check(context.Background(), p, CheckOptions{Records: -1, Deep: true, Workers: 2, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}
