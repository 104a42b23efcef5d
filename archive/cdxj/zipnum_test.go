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

// randomLines gives n lines with few keys and many captures, seeded.
func randomLines(n int, seed uint64) []string {
	rnd := rand.New(rand.NewPCG(seed, 2))
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(`com,site%d)/page/%d %014d {"url": "http://site%d.com/page/%d", "mime": "text/html", "status": "200", "length": "%d", "offset": "%d", "filename": "a-%05d.warc.gz"}`,
			rnd.IntN(50), rnd.IntN(max(n/20, 1)), 20200101000000+rnd.IntN(1e6), i, i, rnd.IntN(1e5), rnd.IntN(1e9), rnd.IntN(100))
	}
	return out
}

func sortedLines(n int) []string {
	lines := randomLines(n, 1)
	slices.Sort(lines)
	return lines
}

// zipOf writes lines into memory and opens them.
func zipOf(t testing.TB, lines []string, o ZipOptions) *ZipNum {
	t.Helper()
	data, idx := writeZip(t, lines, o)
	return openZip(t, data, idx, o.Name)
}

func writeZip(t testing.TB, lines []string, o ZipOptions) (data, idx []byte) {
	t.Helper()
	var d, i bytes.Buffer
	w := NewZipWriter(&d, &i, o)
	for _, l := range lines {
		if err := w.WriteLine([]byte(l)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w.Lines() != int64(len(lines)) {
		t.Errorf("%d lines written, want %d", w.Lines(), len(lines))
	}
	return d.Bytes(), i.Bytes()
}

func openZip(t testing.TB, data, idx []byte, name string) *ZipNum {
	t.Helper()
	z, err := OpenZipNum(bytes.NewReader(idx), int64(len(idx)), func(shard string) (io.ReaderAt, error) {
		if shard != name {
			return nil, fmt.Errorf("no shard %q", shard)
		}
		return bytes.NewReader(data), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// between is the brute-force answer.
func between(lines []string, from, to string) []string {
	var out []string
	for _, l := range lines {
		if l >= from && (to == "" || l < to) {
			out = append(out, l)
		}
	}
	return out
}

func collect(t testing.TB, seq func(func([]byte, error) bool)) []string {
	t.Helper()
	var out []string
	for l, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(l))
	}
	return out
}

// ranges gives searches that begin and end at, between and beyond lines.
func ranges(lines []string, rnd *rand.Rand) [][2]string {
	out := [][2]string{{"", ""}, {"a", "b"}, {"~", ""}, {"", "!"}, {"com,site1)/", "com,site1*"}, {"com,site", "com,sitf"}}
	for range 40 {
		a, b := lines[rnd.IntN(len(lines))], lines[rnd.IntN(len(lines))]
		key, _, _ := strings.Cut(a, " ")
		out = append(out, [2]string{a, b}, [2]string{key, key + "!"}, [2]string{key + " ", ""}, [2]string{a, a + "!"}, [2]string{"", b})
	}
	return out
}

func TestZipNumRange(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 9, 10, 11, 500} {
		lines := sortedLines(n)
		plain := strings.Join(lines, "\n") + "\n"
		file := NewLines(strings.NewReader(plain), int64(len(plain)))
		for _, o := range []ZipOptions{{Lines: 10, Name: "cdx-00000"}, {Lines: 10, Name: "index.cdx.gz", WACZ: true}, {Name: "x"}} {
			z := zipOf(t, lines, o)
			for _, r := range ranges(lines, rnd) {
				want := between(lines, r[0], r[1])
				if got := collect(t, z.Range(r[0], r[1])); !slices.Equal(got, want) {
					t.Fatalf("%d lines, %+v, range %q: %d lines, want %d", n, o, r, len(got), len(want))
				}
				if got := collect(t, file.Range(r[0], r[1])); !slices.Equal(got, want) {
					t.Fatalf("%d lines, plain file, range %q: %d lines, want %d", n, r, len(got), len(want))
				}
			}
		}
	}
}

func TestZipNumReadsFewBlocks(t *testing.T) {
	lines := sortedLines(1000)
	z := zipOf(t, lines, ZipOptions{Lines: 10, Name: "x"})
	n := 0
	for _, err := range z.Blocks(lines[500], lines[500]+"!") {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n > 2 {
		t.Errorf("a lookup of one line reads %d blocks", n)
	}
}

func TestZipNumFiles(t *testing.T) {
	lines := []string{"com,a)/ 20200101000000 {}", "com,b)/{x} 20200101000000 {}", "com,c)/ 20200101000000 {}"}
	data, idx := writeZip(t, lines, ZipOptions{Lines: 2, Name: "cdx-00000"})
	want := regexpLike("com,a)/ 20200101000000\tcdx-00000\t0\t%d\t1\ncom,c)/ 20200101000000\tcdx-00000\t%d\t%d\t2\n")
	if !want(string(idx)) {
		t.Errorf("classic idx %q", idx)
	}
	_, idx = writeZip(t, lines, ZipOptions{Lines: 1, Name: "index.cdx.gz", WACZ: true})
	head, _, _ := strings.Cut(string(idx), "\n")
	if head != `!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}` {
		t.Errorf("WACZ header %q", head)
	}
	if !strings.Contains(string(idx), `com,b)/{x} 20200101000000 {"offset": `) || strings.Count(string(idx), `"digest": "sha256:`) != 3 {
		t.Errorf("WACZ idx %q", idx)
	}
	if data[0] != 0x1f || data[1] != 0x8b {
		t.Error("data is not gzip")
	}
	_, idx = writeZip(t, nil, ZipOptions{Name: "index.cdx.gz", WACZ: true})
	if strings.Count(string(idx), "\n") != 1 {
		t.Errorf("empty WACZ idx %q", idx)
	}
}

// regexpLike makes a check that reads a pattern with fmt.
func regexpLike(pattern string) func(string) bool {
	return func(s string) bool {
		var a, b, c int
		n, err := fmt.Sscanf(strings.NewReplacer("\t", " ", "\n", " ").Replace(s), strings.NewReplacer("\t", " ", "\n", " ").Replace(pattern), &a, &b, &c)
		return n == 3 && err == nil && a == b
	}
}

func TestZipWriterErrors(t *testing.T) {
	w := NewZipWriter(io.Discard, io.Discard, ZipOptions{})
	for _, l := range []string{"", "x", "a b", "!meta 0 {}", "a 1 {}\nb", "a\tb 1 {}"} {
		if err := w.WriteLine([]byte(l)); err == nil {
			t.Errorf("line %q: want an error", l)
		}
	}
	if err := w.WriteLine([]byte("b 1 {}")); err != nil {
		t.Fatal(err)
	}
	err := w.WriteLine([]byte("a 1 {}"))
	if le, ok := errors.AsType[*LineError](err); !ok || le.Line != 2 {
		t.Errorf("unsorted: %v", err)
	}
	if err := w.WriteLine([]byte("c 1 {}")); err != nil {
		t.Errorf("after a refused line: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteLine([]byte("d 1 {}")); err == nil {
		t.Error("write after Close: want an error")
	}
	full := NewZipWriter(failingWriter{}, io.Discard, ZipOptions{Lines: 1})
	if err := full.WriteLine([]byte("a 1 {}")); err == nil || full.Close() == nil {
		t.Error("full disk: want errors")
	}
	if err := NewZipWriter(io.Discard, io.Discard, ZipOptions{Name: "a\tb"}).Close(); err == nil {
		t.Error("name with a tab: want an error")
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestZipNumDamage(t *testing.T) {
	lines := sortedLines(30)
	data, idx := writeZip(t, lines, ZipOptions{Lines: 10, Name: "x", WACZ: true})
	broken := slices.Clone(data)
	broken[len(broken)/2] ^= 1
	for name, c := range map[string]struct {
		data, idx []byte
		want      string
	}{
		"flipped bit": {broken, idx, "digest is"},
		"cut data":    {data[:len(data)-1], idx, "unexpected EOF"},
		"cut idx":     {data, idx[:len(idx)-20], "idx line"},
		"no gzip":     {bytes.Repeat([]byte("x"), len(data)), bytes.ReplaceAll(idx, []byte("digest"), []byte("x")), "gzip"},
		"huge":        {data, []byte("com,a)/ 1\tx\t0\t99999999999\t1\n"), "at most"},
		"no shard":    {data, []byte("com,a)/ 1\ty\t0\t9\t1\n"), "no shard"},
	} {
		var err error
		for _, err = range openZip(t, c.data, c.idx, "x").Range("", "") {
			if err != nil {
				break
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := OpenZipNum(strings.NewReader("!meta 0 {\"format\":\"x\"}\n"), 23, nil); err == nil {
		t.Error("unknown format: want an error")
	}
}

func TestZipNumRecords(t *testing.T) {
	z := zipOf(t, []string{"com,a)/ 20200101000000 {\"status\": \"200\"}", "com,b)/ 20200101000000 x"}, ZipOptions{Name: "x"})
	var got []string
	for r, err := range z.Records("", "") {
		got = append(got, fmt.Sprint(r.Key, r.Status, err != nil))
	}
	if want := []string{"com,a)/200 false", "com,b)/0 true"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestShards(t *testing.T) {
	s, err := ReadShards(strings.NewReader("b\t/x/b.gz\thttp://h/b.gz\n\na\ta.gz\n"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if _, err := s.WriteTo(&b); err != nil || b.String() != "a\ta.gz\nb\t/x/b.gz\thttp://h/b.gz\n" {
		t.Errorf("wrote %q, %v", b.String(), err)
	}
	if _, err := ReadShards(strings.NewReader("a\n")); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("bad loc: %v", err)
	}
}

func FuzzZipNumIdx(f *testing.F) {
	data, idx := writeZip(f, sortedLines(30), ZipOptions{Lines: 10, Name: "x", WACZ: true})
	f.Add(idx, "com,", "com-")
	_, idx = writeZip(f, sortedLines(30), ZipOptions{Lines: 10, Name: "x"})
	f.Add(idx, "", "")
	f.Add([]byte("a b\tx\t0\t10\t1\n"), "a", "b")
	f.Fuzz(func(t *testing.T, idx []byte, from, to string) {
		z, err := OpenZipNum(bytes.NewReader(idx), int64(len(idx)), func(string) (io.ReaderAt, error) { return bytes.NewReader(data), nil })
		if err != nil {
			return
		}
		n := 0
		for b, err := range z.Blocks(from, to) {
			if err == nil {
				if again, err := parseBlock(b.classic(), ""); err == nil && again.Start != b.Start {
					t.Fatalf("block %+v is read as %+v", b, again)
				}
			}
			if n++; n > 100 {
				break
			}
		}
		for _, err := range z.Range(from, to) {
			if n++; err != nil || n > 300 {
				break
			}
		}
	})
}
