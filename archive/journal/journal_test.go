package journal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

type note struct {
	Who string `json:"who"`
	N   int    `json:"n"`
}

func read(t *testing.T, path string) (good []note, bad []string) {
	t.Helper()
	for v, err := range Read[note](path) {
		if err != nil {
			bad = append(bad, err.Error())
			continue
		}
		good = append(good, v)
	}
	return good, bad
}

func TestAppendAndRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels", "a.jsonl")
	if good, bad := read(t, path); len(good)+len(bad) > 0 {
		t.Fatal("a file that is not there has lines")
	}
	for n := range 3 {
		if err := Append(path, note{"a<b", n}, note{"c", n}); err != nil {
			t.Fatal(err)
		}
	}
	good, bad := read(t, path)
	if len(good) != 6 || len(bad) != 0 || good[4] != (note{"a<b", 2}) {
		t.Fatalf("%v %v", good, bad)
	}
}

// A crash in the middle of a line costs that line only.
func TestTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	whole := `{"who":"a","n":1}` + "\n"
	for cut := range len(whole) {
		if err := os.WriteFile(path, []byte(whole+whole[:cut]), 0o644); err != nil {
			t.Fatal(err)
		}
		if good, bad := read(t, path); cut > 0 && cut < len(whole)-1 && (len(good) != 1 || len(bad) != 1 || !strings.Contains(bad[0], ErrTorn.Error())) {
			t.Fatalf("cut at %d: %v %v", cut, good, bad)
		}
		if err := Append(path, note{"b", 2}); err != nil {
			t.Fatal(err)
		}
		good, bad := read(t, path)
		if want := 2 + (cut+1)/len(whole); len(bad) > 0 || len(good) != want {
			t.Fatalf("cut at %d: %v %v, want %d", cut, good, bad, want)
		}
		if first, last := good[0], good[len(good)-1]; first != (note{"a", 1}) || last != (note{"b", 2}) {
			t.Fatalf("cut at %d: %v", cut, good)
		}
	}
}

// What is added may depend on what is there, and a file for few stays one.
func TestUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "private", "a.jsonl")
	for want := range 3 {
		err := Update(path, 0o600, func(size int64) ([]byte, error) {
			if good, _ := read(t, path); len(good) != want || (size == 0) != (want == 0) {
				t.Errorf("%d lines, %d bytes", len(good), size)
			}
			return []byte("{}\n"), nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := Update(path, 0o600, func(int64) ([]byte, error) { return nil, os.ErrInvalid }); !errors.Is(err, os.ErrInvalid) {
		t.Error(err)
	}
	for name, perm := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != perm {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

// A long torn line is found, one that is longer than any line of ours is not touched.
func TestLongTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	for _, c := range []struct {
		torn int
		ok   bool
	}{{5000, true}, {MaxLine - 100, true}, {10 * MaxLine, false}} {
		if err := os.WriteFile(path, []byte("{\"n\":1}\n\""+strings.Repeat("x", c.torn)), 0o644); err != nil {
			t.Fatal(err)
		}
		err := Append(path, note{"b", 2})
		good, bad := read(t, path)
		if c.ok && (err != nil || len(good) != 2 || len(bad) != 0) || !c.ok && (err == nil || len(good) != 1) {
			t.Errorf("%d bytes: %v, %v %v", c.torn, err, good, bad)
		}
	}
}

func TestBadLines(t *testing.T) {
	text := "{\"n\":1}\n\nno\n" + `{"who":"` + strings.Repeat("x", MaxLine) + "\"}\n{\"n\":4}"
	var got []string
	n := 0
	for v, err := range Parse[note](strings.NewReader(text), "f") {
		if err != nil {
			got = append(got, err.Error())
		} else {
			n += v.N
		}
	}
	if n != 5 || len(got) != 2 || !strings.Contains(got[0], "f, line 3") || !strings.Contains(got[1], "f, line 4: longer") {
		t.Fatal(n, got)
	}
}

// A bad line loses only itself, whoever finds it bad, and is named by its number; many are counted. A torn one is none.
func TestEach(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	text := "{\"n\":1}\n\nno\n{\"n\":-1}\n{\"n\":2}\n" + strings.Repeat("?\n", 30) + "{\"n\":4}\n{\"n\":"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	sum := 0
	bad, err := Lost(Each(path, func(v note) error {
		if v.N < 0 {
			return errors.New("less than none")
		}
		sum += v.N
		return nil
	}))
	if err != nil || sum != 7 || bad == nil || bad.N != 32 || len(bad.Lines) != namedLines {
		t.Fatal(sum, bad, err)
	}
	for _, want := range []string{"line 3: invalid", "line 4: less than none", "\nand 12 more"} {
		if !strings.Contains(bad.Error(), want) {
			t.Errorf("%q is missing: %s", want, bad)
		}
	}
	if bad, err := Lost(Each(path+"x", func(note) error { return nil })); bad != nil || err != nil {
		t.Error("no file:", bad, err)
	}
}

// What the disk does not give ends the reading: it would be asked for the same again, for ever.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir() // opens, and gives an error at each read
	bad, err := Lost(Each(dir, func(note) error { return nil }))
	if bad != nil || err == nil {
		t.Errorf("%v, %v", bad, err)
	}
	if good, told := read(t, dir); len(good) != 0 || len(told) != 1 {
		t.Errorf("%v, %q", good, told)
	}
}

func TestManyWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for range 5 {
				if err := Append(path, note{strings.Repeat("w", 9000), i}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if good, bad := read(t, path); len(good) != 20 || len(bad) > 0 {
		t.Fatal(len(good), bad)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("{\"n\":1}\n{\"n\":"))
	f.Fuzz(func(t *testing.T, b []byte) {
		n := 0
		for range Parse[note](strings.NewReader(string(b)), "f") {
			n++
		}
		if n > strings.Count(string(b), "\n")+1 {
			t.Fatal("more values than lines")
		}
	})
}
