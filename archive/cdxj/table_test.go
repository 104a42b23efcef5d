package cdxj

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

// tableOf writes lines as a table with blocks of n lines.
func tableOf(t testing.TB, lines []string, n int) (data, idx, fences bytes.Buffer) {
	t.Helper()
	w := NewTableWriter(&data, &idx, &fences, ZipOptions{Lines: n, Name: "cdx.gz", Level: 1})
	for _, l := range lines {
		if err := w.WriteLine([]byte(l)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return data, idx, fences
}

func openTable(t testing.TB, data, idx, fences *bytes.Buffer) *Table {
	t.Helper()
	tab, err := OpenTable(bytes.NewReader(data.Bytes()), bytes.NewReader(idx.Bytes()), fences.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// tableLines makes sorted lines with runs of equal keys and equal timestamps.
func tableLines(rng *rand.Rand, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("com,example)/%02d 202601010000%02d {\"n\": %d}", rng.IntN(40), rng.IntN(4), i)
	}
	slices.Sort(out)
	return out
}

func walk(c *Cursor) (out []string, err error) {
	for {
		l, err := c.Next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, string(l))
	}
}

func inRange(lines []string, from, to string) []string {
	var out []string
	for _, l := range lines {
		if l >= from && (to == "" || l < to) {
			out = append(out, l)
		}
	}
	return out
}

func TestTableAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 12 {
		lines := tableLines(rng, rng.IntN(900))
		data, idx, fences := tableOf(t, lines, 1+rng.IntN(5))
		tab := openTable(t, &data, &idx, &fences)
		if tab.Lines() != int64(len(lines)) {
			t.Fatalf("%d lines, want %d", tab.Lines(), len(lines))
		}
		for range 30 {
			from := fmt.Sprintf("com,example)/%02d", rng.IntN(42))
			to := fmt.Sprintf("com,example)/%02d 2026010100000%d", rng.IntN(42), rng.IntN(4))
			if rng.IntN(8) == 0 {
				from, to = "", ""
			}
			want := inRange(lines, from, to)
			got, err := walk(tab.Forward(from, to))
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("round %d: forward %q %q: %d lines, want %d, %v", round, from, to, len(got), len(want), err)
			}
			slices.Reverse(want)
			got, err = walk(tab.Reverse(from, to))
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("round %d: reverse %q %q: %d lines, want %d, %v", round, from, to, len(got), len(want), err)
			}
			checkAround(t, tab, lines, from, fmt.Sprintf("com,example)/%02d 2026", rng.IntN(42)), to)
		}
	}
}

func checkAround(t *testing.T, tab *Table, lines []string, from, at, to string) {
	t.Helper()
	if at < from || to != "" && at > to {
		return
	}
	back, ahead := tab.Around(from, at, to)
	before, err1 := walk(back)
	after, err2 := walk(ahead)
	slices.Reverse(before)
	if err := errors.Join(err1, err2); err != nil || !slices.Equal(before, inRange(lines, from, at)) || !slices.Equal(after, inRange(lines, at, to)) {
		t.Fatalf("around %q %q %q: %d and %d lines, %v", from, at, to, len(before), len(after), err)
	}
}

func TestTableLookupReadsTwoBlocksAtMost(t *testing.T) {
	var lines []string
	for i := range 20_000 {
		lines = append(lines, fmt.Sprintf("com,example)/%06d 20260101000000 {}", i))
	}
	data, idx, fences := tableOf(t, lines, 10)
	tab := openTable(t, &data, &idx, &fences)
	for i := range 20_000 {
		key := fmt.Sprintf("com,example)/%06d", i)
		before := tab.Reads()
		if got, err := walk(tab.Forward(key+" ", key+"!")); err != nil || len(got) != 1 {
			t.Fatal(key, got, err)
		}
		if n := tab.Reads() - before; n > 2 {
			t.Fatalf("%s: %d blocks", key, n)
		}
	}
}

// Every flipped bit of every file is an error or changes nothing; it never gives other lines.
func TestTableDamageIsNeverAWrongAnswer(t *testing.T) {
	lines := tableLines(rand.New(rand.NewPCG(3, 4)), 300)
	data, idx, fences := tableOf(t, lines, 4)
	files := [][]byte{data.Bytes(), idx.Bytes()}
	found := 0
	for f, file := range files {
		for at := 0; at < len(file); at += 7 {
			file[at] ^= 4
			tab, err := OpenTable(bytes.NewReader(files[0]), bytes.NewReader(files[1]), fences.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			got, err := walk(tab.Forward("", ""))
			if err == nil && !slices.Equal(got, lines) {
				t.Fatalf("file %d byte %d: other lines without an error", f, at)
			}
			if err != nil {
				found++
				if !errors.Is(err, ErrDamaged) {
					t.Fatalf("file %d byte %d: %v", f, at, err)
				}
			}
			file[at] ^= 4
		}
	}
	if found == 0 {
		t.Error("no damage was noticed")
	}
	for cut := range fences.Len() {
		if _, err := OpenTable(nil, nil, fences.Bytes()[:cut]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("fences cut at %d: %v", cut, err)
		}
	}
}

func FuzzFences(f *testing.F) {
	_, _, fences := tableOf(f, tableLines(rand.New(rand.NewPCG(5, 6)), 300), 2)
	f.Add(fences.String())
	f.Add("a 2026\t0\t10\t00000000\n!varve-fences 1 1 1\n")
	f.Add("!varve-fences 1 0 0\n")
	f.Fuzz(func(t *testing.T, s string) {
		fs, blocks, lines, err := readFences([]byte(s))
		if err != nil {
			return
		}
		if int64(len(fs)) != (blocks+PageBlocks-1)/PageBlocks || lines < blocks {
			t.Fatalf("%d fences, %d blocks, %d lines", len(fs), blocks, lines)
		}
		tab := &Table{data: strings.NewReader(s), idx: strings.NewReader(s), fences: fs, blocks: blocks, lines: lines}
		_, _ = walk(tab.Forward("a", ""))
		_, _ = walk(tab.Reverse("", "z"))
	})
}
