package tool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"varve/archive/warc"
)

type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func repair(t testing.TB, file []byte, opts RepairOptions) ([]byte, RepairReport, error) {
	t.Helper()
	opts.TempDir, opts.Random = os.TempDir(), zeroes{}
	var out bytes.Buffer
	rep, err := Repair(context.Background(), input(t, "in", file), opts, &out)
	return out.Bytes(), rep, err
}

// recordsOf gives header and block of all records, and fails on damage.
func recordsOf(t testing.TB, file []byte) []string {
	t.Helper()
	p := warc.Silent()
	p.Damage, p.Framing = warc.Fail, warc.Fail
	r, err := warc.NewReader(bytes.NewReader(file), warc.Options{Policy: p})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out []string
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("record %d: %v", len(out), err)
		}
		block, err := io.ReadAll(rec.Block)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, rec.Raw+string(block))
	}
}

// Bytes broken at random places: every record that was not hit comes through byte for byte, and
// what is written has no damage.
func TestRepairKeepsWhatWasNotHit(t *testing.T) {
	var entries []*warc.Entry
	for i := range 30 {
		entries = append(entries, testResponse(i, fmt.Sprintf("http://example.com/%d", i), noise(uint64(i), 500)))
	}
	for _, packing := range []warc.Packing{{Kind: warc.Gzip}, {Kind: warc.Zstd}} {
		whole, ends := packed(t, packing, entries...)
		originals := recordsOf(t, whole)
		for seed := range uint64(40) {
			rng := rand.New(rand.NewPCG(seed, 7))
			file := bytes.Clone(whole)
			hit := map[int]bool{}
			for range 3 {
				k := rng.IntN(len(ends) - 1) // the first record tells the packing
				from, to := ends[k], ends[k+1]
				for at, n := from+rng.Int64N(to-from), 0; n < 20 && at < to; at, n = at+1, n+1 {
					file[at] ^= byte(1 + rng.IntN(255))
				}
				hit[k+1] = true
			}
			out, rep, err := repair(t, file, RepairOptions{Packing: packing})
			if err != nil {
				t.Fatal(err)
			}
			got := recordsOf(t, out)
			if int64(len(got)) != rep.Records {
				t.Fatalf("%d records written, %d read", rep.Records, len(got))
			}
			text := strings.Join(got, "")
			for i, o := range originals {
				if !hit[i] && !strings.Contains(text, o) {
					t.Fatalf("%s, seed %d: record %d was not hit and is lost", packing.Kind, seed, i)
				}
			}
		}
	}
}

func TestRepairShortBlock(t *testing.T) {
	e := testResponse(1, "http://example.com/", bytes.Repeat([]byte("x"), 100))
	file, _ := packed(t, warc.Packing{Kind: warc.Plain}, e, testResponse(2, "http://example.com/2", []byte("second")))
	cut := strings.Index(string(file), strings.Repeat("x", 100)) + 60
	next := strings.LastIndex(string(file), "WARC/1.1")
	file = append(bytes.Clone(file[:cut]), "\r\n\r\n"+string(file[next:])...)
	var mends []Mend
	out, rep, err := repair(t, file, RepairOptions{Packing: warc.Packing{Kind: warc.Plain}, OnMend: func(m Mend) { mends = append(mends, m) }})
	if err != nil || rep.Records != 2 || rep.Mended != 1 || len(mends) != 1 {
		t.Fatalf("%+v, %v, %v", rep, mends, err)
	}
	if _, found := checkAll(t, CheckOptions{}, input(t, "x.warc", out)); len(found) != 0 {
		t.Errorf("the new file has findings: %v", found)
	}
}

// Blocks that do not fit in memory go through a file, byte for byte.
func TestRepairLargeBlock(t *testing.T) {
	body := noise(1, spoolMemory+12345)
	file, _ := packed(t, warc.Packing{Kind: warc.Plain}, testResponse(1, "http://example.com/big", body), testResponse(2, "http://example.com/small", nil))
	out, rep, err := repair(t, file, RepairOptions{Packing: warc.Packing{Kind: warc.Plain}})
	if err != nil || rep.Unchanged != 2 || !bytes.Equal(out, file) {
		t.Errorf("%+v, %v, the same: %v", rep, err, bytes.Equal(out, file))
	}
}

// Whatever the input, what repair writes is free of damage and has the records it says.
func FuzzRepair(f *testing.F) {
	plain, _ := packed(f, warc.Packing{Kind: warc.Plain}, testResponse(1, "http://example.com/", []byte("hello")), testResponse(2, "<http://example.com/ 2>", nil))
	gz, _ := packed(f, warc.Packing{}, testResponse(1, "http://example.com/", []byte("hello")))
	f.Add(plain)
	f.Add(gz)
	f.Add(plain[:len(plain)-10])
	f.Add([]byte("filedesc://x 0.0.0.0 20080102030405 text/plain 3\nabc\nhttp://a b/ 1.2.3.4 20080102030405 text/html 5\nhello\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		out, rep, err := repair(t, file, RepairOptions{FixURIs: true, ArcToWarc: true, Packing: warc.Packing{Kind: warc.Plain}})
		if err != nil {
			return
		}
		var n, damage int64
		r, err := warc.NewReader(bytes.NewReader(out), warc.Options{Policy: warc.Lenient(), OnFinding: func(f warc.Finding) {
			if f.Class == warc.Damage {
				damage++
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := r.Next(); err != nil {
				break
			}
			n++
		}
		if n != rep.Records || damage > 0 {
			t.Fatalf("%d records written, %d read, %d times damage in %q", rep.Records, n, damage, out)
		}
	})
}
