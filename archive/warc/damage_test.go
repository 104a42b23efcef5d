package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Damage anywhere in one record of a packed file never hides another record.
func TestDamageInOneMemberHidesNoOther(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for name, p := range packings(t) {
		if p.Kind == Plain {
			continue
		}
		entries := randomEntries(rng, 20)
		file, offsets := pack(t, p, entries)
		for trial := range 300 {
			hit := rng.IntN(len(entries))
			end := int64(len(file))
			if hit+1 < len(offsets) {
				end = offsets[hit+1]
			}
			at := offsets[hit] + rng.Int64N(end-offsets[hit])
			damaged := slices.Clone(file)
			damaged[at] ^= byte(1 + rng.IntN(255))
			records, findings := readAll(t, bytes.NewReader(damaged), Options{Policy: Lenient(), Verify: true})
			missing := missingIDs(entries, records)
			delete(missing, entries[hit].Header.Get(FieldRecordID))
			if len(missing) > 0 {
				t.Fatalf("%s, trial %d: byte %d (record %d at %d): lost %v; findings %v", name, trial, at, hit, offsets[hit], missing, findings)
			}
		}
	}
}

func missingIDs(entries []*Entry, records []got) map[string]bool {
	missing := map[string]bool{}
	for _, e := range entries {
		missing[e.Header.Get(FieldRecordID)] = true
	}
	for _, g := range records {
		delete(missing, g.header.Get(FieldRecordID))
	}
	return missing
}

// In plain files, a wrong Content-Length, a cut or foreign bytes cost one record at most.
func TestPlainDamage(t *testing.T) {
	entries := randomEntries(rand.New(rand.NewPCG(13, 14)), 10)
	file, offsets := pack(t, Packing{Kind: Plain}, entries)
	length := func(i int) string { return "Content-Length: " + entries[i].Header.Get(FieldContentLength) }
	tests := map[string]struct {
		change func(s string) string
		lost   []int
		rule   Rule
	}{
		"length too small": {func(s string) string { return replaceAt(s, offsets[4], length(4), "Content-Length: 1") }, nil, RuleWrongLength},
		"length too large": {func(s string) string { return replaceAt(s, offsets[4], length(4), "Content-Length: 999") }, nil, RuleWrongLength},
		"length beyond the end": {
			func(s string) string { return replaceAt(s, offsets[4], length(4), "Content-Length: 99999999") }, nil, RuleCutOff,
		},
		"length no number": {func(s string) string { return replaceAt(s, offsets[4], length(4), "Content-Length: x") }, []int{4}, RuleContentLength},
		"foreign bytes": {
			func(s string) string { return s[:offsets[5]] + "\x00\x01garbage\nWARC/9\n" + s[offsets[5]:] }, nil, RuleNoRecord,
		},
		"first line gone":        {func(s string) string { return replaceAt(s, offsets[3], "WARC/1.1\r\n", "") }, []int{3}, RuleNoRecord},
		"cut in the last block":  {func(s string) string { return s[:len(s)-6] }, nil, RuleCutOff},
		"cut in the last header": {func(s string) string { return s[:offsets[9]+40] }, []int{9}, RuleCutOff},
		"line ends missing": {
			func(s string) string { return s[:offsets[6]-4] + s[offsets[6]:] }, nil, RuleRecordEnd,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			records, findings := readAll(t, strings.NewReader(tt.change(string(file))), Options{Policy: Lenient()})
			missing := missingIDs(entries, records)
			for _, i := range tt.lost {
				delete(missing, entries[i].Header.Get(FieldRecordID))
			}
			if len(missing) > 0 {
				t.Errorf("lost %v", missing)
			}
			if !slices.ContainsFunc(findings, func(f Finding) bool { return f.Rule == tt.rule }) {
				t.Errorf("findings %v, want one of rule %s", findings, tt.rule)
			}
		})
	}
}

func replaceAt(s string, from int64, old, with string) string {
	return s[:from] + strings.Replace(s[from:], old, with, 1)
}

// A file cut at any byte gives all records before the cut and a finding, and never hangs.
func TestCutAnywhere(t *testing.T) {
	for name, p := range packings(t) {
		entries := randomEntries(rand.New(rand.NewPCG(15, 16)), 5)
		file, offsets := pack(t, p, entries)
		step := max(1, len(file)/400)
		for cut := 0; cut < len(file); cut += step {
			records, findings := readAll(t, bytes.NewReader(file[:cut]), Options{Policy: Lenient()})
			whole := 0
			for i := range offsets {
				if i+1 < len(offsets) && offsets[i+1] <= int64(cut) {
					whole++
				}
			}
			atBoundary := slices.Contains(offsets, int64(cut)) && cut > 0
			if len(records) < whole || len(records) > whole+1 || len(findings) == 0 && !atBoundary {
				t.Fatalf("%s cut at %d of %d: %d records, %d whole, findings %v", name, cut, len(file), len(records), whole, findings)
			}
		}
	}
}

// Strict reading returns each finding as an error and goes on behind it.
func TestFailGoesOn(t *testing.T) {
	entries := randomEntries(rand.New(rand.NewPCG(17, 18)), 6)
	file, offsets := pack(t, Packing{Kind: Gzip}, entries)
	file[offsets[2]+40] ^= 0xff
	r, err := NewReader(bytes.NewReader(file), Options{Name: "f"})
	if err != nil {
		t.Fatal(err)
	}
	var trace []string
	for range 20 {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if f, ok := errors.AsType[*Finding](err); ok {
			trace = append(trace, fmt.Sprintf("%s@%d", f.Class, f.Offset))
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		trace = append(trace, fmt.Sprint(slices.Index(offsets, rec.Offset)))
	}
	if got := strings.Join(trace, " "); !strings.Contains(got, "0 1") || !strings.Contains(got, "damage@") || !strings.HasSuffix(got, "3 4 5") {
		t.Errorf("trace %q", got)
	}
}

// A failing disk is no finding: it ends the reading with its own error.
func TestDiskErrorIsFatal(t *testing.T) {
	entries := randomEntries(rand.New(rand.NewPCG(19, 20)), 6)
	broken := errors.New("disk on fire")
	for name, p := range packings(t) {
		file, _ := pack(t, p, entries)
		src := io.MultiReader(bytes.NewReader(file[:len(file)/2]), failing{broken})
		r, err := NewReader(src, Options{Policy: Lenient()})
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = r.Next()
		}
		if !errors.Is(err, broken) {
			t.Errorf("%s: ended with %v", name, err)
		}
		r.Close()
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
