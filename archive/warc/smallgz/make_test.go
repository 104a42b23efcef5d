package smallgz

import (
	"bufio"
	"compress/gzip"
	"container/heap"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMakeTable writes table.go anew from the request and metadata records of WARC files:
//
//	SMALLGZ_FROM='/archive/collections/*/warc/*.warc.gz' go test -run TestMakeTable ./archive/warc/smallgz
func TestMakeTable(t *testing.T) {
	from := os.Getenv("SMALLGZ_FROM")
	if from == "" {
		t.Skip("SMALLGZ_FROM names no WARC files")
	}
	files, err := filepath.Glob(from)
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	var literals [286]int
	var distances [30]int
	for _, name := range files {
		countSymbols(t, name, &literals, &distances)
	}
	for c := range 256 {
		if c == '\t' || c == '\r' || c == '\n' || c >= ' ' && c < 127 {
			literals[c] = max(literals[c], 1)
		} else {
			literals[c] = 0
		}
	}
	for sym := 256; sym < len(literals); sym++ {
		literals[sym] = max(literals[sym], 1)
	}
	for sym := range 28 { // 16 KiB
		distances[sym] = max(distances[sym], 1)
	}
	ll, dl := huffman(literals[:], 15), huffman(distances[:], 15)
	head, n := blockHeader(ll, dl)
	text := "package smallgz\n\n// Made by TestMakeTable from request and metadata records. literalLength and distanceLength are the\n" +
		"// lengths of the codes, blockHead the head of a block that says so.\n\n" +
		"var literalLength = [286]uint8{" + list(ll) + "}\n\nvar distanceLength = [30]uint8{" + list(dl) + "}\n\n" +
		fmt.Sprintf("const (\n\tblockHead = %q\n\tblockHeadBits = %d\n)\n", string(head), n)
	if err := os.WriteFile("table.go", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func list(v []uint8) string {
	var b strings.Builder
	for i, x := range v {
		if i%32 == 0 {
			b.WriteString("\n\t")
		}
		fmt.Fprintf(&b, "%d, ", x)
	}
	return b.String() + "\n"
}

// countSymbols counts what packing the records of a file, one a member, would write.
func countSymbols(t *testing.T, name string, literals *[286]int, distances *[30]int) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	src := bufio.NewReader(f)
	z, err := gzip.NewReader(src)
	for ; err == nil; err = z.Reset(src) {
		z.Multistream(false)
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		kind, _, _ := strings.Cut(string(text[:min(len(text), 60)]), "\r\nWARC-Record-ID")
		if note := strings.HasSuffix(kind, "request") || strings.HasSuffix(kind, "metadata"); note && len(text) <= MaxSize/4 {
			tally(text, literals, distances)
		}
	}
	if err != io.EOF {
		t.Fatal(err)
	}
}

func tally(text []byte, literals *[286]int, distances *[30]int) {
	last := map[string]int{}
	for i := 0; i < len(text); {
		n := 0
		if i+minMatch <= len(text) {
			if at, ok := last[string(text[i:i+minMatch])]; ok {
				n = minMatch + same(text[at+minMatch:], text[i+minMatch:])
				sym, _, _ := lengthSymbol(n)
				literals[sym]++
				distances[distanceSymbol(i-at)]++
			}
		}
		if n == 0 {
			literals[text[i]]++
			n = 1
		}
		for range n {
			if i+minMatch <= len(text) {
				last[string(text[i:i+minMatch])] = i
			}
			i++
		}
	}
	literals[256]++
}

func distanceSymbol(d int) int {
	sym := 0
	for base := 1; ; sym++ {
		width := 1
		if sym >= 4 {
			width = 1 << (sym/2 - 1)
		}
		if d < base+width {
			return sym
		}
		base += width
	}
}

type node struct {
	weight int
	syms   []int
}

type nodes []node

func (n nodes) Len() int           { return len(n) }
func (n nodes) Less(i, j int) bool { return n[i].weight < n[j].weight }
func (n nodes) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }
func (n *nodes) Push(x any)        { *n = append(*n, x.(node)) }
func (n *nodes) Pop() any          { last := (*n)[len(*n)-1]; *n = (*n)[:len(*n)-1]; return last }

// huffman gives code lengths of at most most bits; counts are flattened until they fit.
func huffman(counts []int, most uint8) []uint8 {
	counts = slices.Clone(counts)
	for {
		out := make([]uint8, len(counts))
		var h nodes
		for sym, c := range counts {
			if c > 0 {
				h = append(h, node{c, []int{sym}})
			}
		}
		heap.Init(&h)
		for len(h) > 1 {
			a, b := heap.Pop(&h).(node), heap.Pop(&h).(node)
			both := append(slices.Clone(a.syms), b.syms...)
			for _, s := range both {
				out[s]++
			}
			heap.Push(&h, node{a.weight + b.weight, both})
		}
		if slices.Max(out) <= most {
			return out
		}
		for i := range counts {
			counts[i] = (counts[i] + 1) / 2
		}
	}
}

// blockHeader writes the head of a last block with dynamic codes (RFC 1951 3.2.7).
func blockHeader(ll, dl []uint8) ([]byte, int) {
	order := []int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	hdist := len(dl)
	for dl[hdist-1] == 0 {
		hdist--
	}
	all := append(slices.Clone(ll), dl[:hdist]...)
	type token struct{ sym, extra, value int }
	var tokens []token
	for i := 0; i < len(all); {
		n := 1
		for i+n < len(all) && all[i+n] == all[i] {
			n++
		}
		switch {
		case all[i] == 0 && n >= 11:
			n = min(n, 138)
			tokens = append(tokens, token{18, 7, n - 11})
		case all[i] == 0 && n >= 3:
			tokens = append(tokens, token{17, 3, n - 3})
		case n >= 4:
			n = min(n, 7)
			tokens = append(tokens, token{int(all[i]), 0, 0}, token{16, 2, n - 4})
		default:
			n = 1
			tokens = append(tokens, token{int(all[i]), 0, 0})
		}
		i += n
	}
	var counts [19]int
	for _, k := range tokens {
		counts[k.sym]++
	}
	cl := huffman(counts[:], 7)
	hclen := 19
	for cl[order[hclen-1]] == 0 {
		hclen--
	}
	buf := make([]byte, 1000)
	w := bitWriter{b: buf}
	w.put(code{1 | 2<<1, 3})
	w.put(code{uint32(len(ll) - 257), 5})
	w.put(code{uint32(hdist - 1), 5})
	w.put(code{uint32(hclen - 4), 4})
	for _, s := range order[:hclen] {
		w.put(code{uint32(cl[s]), 3})
	}
	codes := codesOf(cl)
	for _, k := range tokens {
		w.put(codes[k.sym])
		w.put(code{uint32(k.value), uint8(k.extra)})
	}
	total := w.at*8 + int(w.have)
	return buf[:w.finish()], total
}
