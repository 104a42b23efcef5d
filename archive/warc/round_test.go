package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"

	"github.com/klauspost/compress/dict"
	"github.com/klauspost/compress/gzip"
)

var testDate = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// randomEntries makes records of all kinds of sizes, with odd headers.
func randomEntries(rng *rand.Rand, n int) []*Entry {
	types := []string{TypeResponse, TypeResource, TypeRequest, TypeMetadata, TypeConversion}
	out := make([]*Entry, n)
	for i := range out {
		size := rng.IntN(300)
		if rng.IntN(10) == 0 {
			size = rng.IntN(200_000)
		}
		block := make([]byte, size)
		for j := range block {
			block[j] = byte(rng.IntN(1 + rng.IntN(256)))
		}
		id, _ := NewID(source{rng})
		e := New(types[rng.IntN(len(types))], id, testDate.Add(time.Duration(i)*time.Second), Bytes(block))
		e.With(FieldTargetURI, fmt.Sprintf("ftp://example.org/%d?q=%%C3%%A4", i)).With(FieldContentType, "application/octet-stream")
		e.With("X-Odd", strings.Repeat("z", rng.IntN(50))+"ä")
		if e.Header.Get(FieldType) != TypeConversion {
			e.With("WARC-Concurrent-To", "<urn:a>").With("warc-concurrent-to", "<urn:b>")
		}
		sums, _ := Sum(e.Block, 0, false)
		e.With(FieldBlockDigest, sums.Block)
		if e.Header.Get(FieldType) != TypeMetadata {
			e.With(FieldPayloadDigest, sums.PayloadSHA256)
		}
		out[i] = e
	}
	return out
}

type source struct{ rng *rand.Rand }

func (s source) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(s.rng.Uint32())
	}
	return len(p), nil
}

// pack writes entries in one packing and gives the bytes with the offset of each record.
func pack(t testing.TB, p Packing, entries []*Entry) (file []byte, offsets []int64) {
	t.Helper()
	enc, err := NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	buf.Write(enc.Preamble())
	for _, e := range entries {
		offsets = append(offsets, int64(buf.Len()))
		if err := enc.Encode(&buf, e); err != nil {
			t.Fatal(err)
		}
	}
	return buf.Bytes(), offsets
}

// got is a record as it was read.
type got struct {
	header       Header
	block        string
	offset, size int64
	raw          string
}

// readAll reads a file; findings are collected.
func readAll(t testing.TB, src io.Reader, opts Options) (records []got, findings []Finding) {
	t.Helper()
	if opts.OnFinding == nil {
		opts.OnFinding = func(f Finding) { findings = append(findings, f) }
	}
	r, err := NewReader(src, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return records, findings
		}
		if err != nil {
			t.Fatalf("record %d: %v", len(records), err)
		}
		block, _ := io.ReadAll(rec.Block)
		g := got{rec.Header.Clone(), string(block), rec.Offset, 0, rec.Raw}
		if g.size, err = rec.Finish(); err != nil {
			t.Fatalf("finish record %d: %v", len(records), err)
		}
		records = append(records, g)
	}
}

// packings are all ways to write, with a dictionary trained on such records.
func packings(t testing.TB) map[string]Packing {
	t.Helper()
	var samples [][]byte
	for i := range 60 {
		samples = append(samples, fmt.Appendf(nil, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%d>\r\nWARC-Date: 2026-03-04T05:06:07Z\r\n", i*7919))
	}
	d, err := dict.BuildZstdDict(samples, dict.Options{MaxDictSize: 4 << 10, HashBytes: 6, ZstdDictID: 7, ZstdLevel: 1})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]Packing{"none": {Kind: Plain}, "gzip": {Kind: Gzip}, "zstd": {Kind: Zstd}, "zstd with dictionary": {Kind: Zstd, Dictionary: d}}
}

func TestRoundTrip(t *testing.T) {
	for name, p := range packings(t) {
		t.Run(name, func(t *testing.T) {
			entries := randomEntries(rand.New(rand.NewPCG(1, 2)), 200)
			file, offsets := pack(t, p, entries)
			for _, src := range []io.Reader{bytes.NewReader(file), onlyReader{bytes.NewReader(file)}} {
				records, findings := readAll(t, src, Options{Policy: Lenient(), Verify: true})
				if len(findings) > 0 {
					t.Fatalf("findings in a sound file: %v", findings)
				}
				checkSame(t, entries, offsets, records, int64(len(file)))
			}
		})
	}
}

type onlyReader struct{ io.Reader }

func checkSame(t *testing.T, entries []*Entry, offsets []int64, records []got, size int64) {
	t.Helper()
	if len(records) != len(entries) {
		t.Fatalf("%d records, wrote %d", len(records), len(entries))
	}
	for i, g := range records {
		end := size
		if i+1 < len(offsets) {
			end = offsets[i+1]
		}
		if g.offset != offsets[i] || g.size != end-offsets[i] {
			t.Errorf("record %d lies at %d+%d, wrote %d+%d", i, g.offset, g.size, offsets[i], end-offsets[i])
		}
		if !reflect.DeepEqual(g.header, entries[i].Header) || g.block != string(entries[i].Block.(Bytes)) {
			t.Errorf("record %d differs", i)
		}
	}
}

// Decoding and encoding a valid file without compression gives its bytes back, odd spacing,
// folded lines and field case included.
func TestDecodeEncodeIsByteIdentical(t *testing.T) {
	file := "WARC/1.0\r\nWARC-Type:resource\r\nwarc-record-id:   <urn:x:1>\r\nWARC-Date: 2026-03-04T05:06:07Z\r\n" +
		"WARC-Target-URI: http://a/\r\nContent-Type: text/plain\r\nX-Folded: one\r\n\ttwo\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n" +
		"WARC/1.1\r\nContent-Length: 0\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:x:2>\r\nWARC-Date: 2026\r\n\r\n\r\n\r\n"
	for name, p := range packings(t) {
		enc, err := NewEncoder(p)
		if err != nil {
			t.Fatal(err)
		}
		records, findings := readAll(t, strings.NewReader(file), Options{Policy: Lenient()})
		if len(findings) > 0 {
			t.Fatalf("findings: %v", findings)
		}
		var packed bytes.Buffer
		packed.Write(enc.Preamble())
		for _, g := range records {
			if err := enc.Encode(&packed, &Entry{Raw: g.raw, Block: Bytes(g.block)}); err != nil {
				t.Fatal(err)
			}
		}
		again, _ := readAll(t, &packed, Options{Policy: Lenient()})
		var out strings.Builder
		for _, g := range again {
			out.WriteString(g.raw + g.block + "\r\n\r\n")
		}
		if out.String() != file {
			t.Errorf("%s: got\n%q\nwant\n%q", name, out.String(), file)
		}
	}
}

func TestRandomAccess(t *testing.T) {
	for name, p := range packings(t) {
		entries := randomEntries(rand.New(rand.NewPCG(3, 4)), 50)
		file, offsets := pack(t, p, entries)
		f, err := NewFile(name, bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range rand.New(rand.NewPCG(5, 6)).Perm(len(entries)) {
			r, err := f.ReaderAt(offsets[i], Options{Verify: true})
			if err != nil {
				t.Fatal(err)
			}
			rec, err := r.Next()
			if err != nil {
				t.Fatalf("%s: record %d at %d: %v", name, i, offsets[i], err)
			}
			if want := entries[i].Header.Get(FieldRecordID); rec.ID() != want || rec.Offset != offsets[i] {
				t.Errorf("%s: at %d found %s, want %s", name, offsets[i], rec.ID(), want)
			}
			r.Close()
		}
	}
}

// Whole-file gzip, and members that do not follow records, are read in full and told.
func TestOtherFraming(t *testing.T) {
	entries := randomEntries(rand.New(rand.NewPCG(7, 8)), 30)
	plain, _ := pack(t, Packing{Kind: Plain}, entries)
	tests := map[string]struct {
		cut  []int // lengths of the gzip members
		rule Rule
	}{
		"whole file":      {[]int{len(plain)}, RuleSharedMember},
		"misaligned":      {[]int{10, 1000, 33, 5000}, RuleSplitRecord},
		"tiny members":    {slicesOf(17, 300), RuleSplitRecord},
		"two per member":  {[]int{len(plain) / 2}, RuleSharedMember},
		"with an empty 1": {[]int{0, 100}, RuleEmptyMember},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			file := gzipPieces(t, plain, tt.cut)
			records, findings := readAll(t, bytes.NewReader(file), Options{Policy: Lenient(), Verify: true})
			if len(records) != len(entries) {
				t.Fatalf("%d records of %d: %v", len(records), len(entries), findings)
			}
			for i, g := range records {
				if g.block != string(entries[i].Block.(Bytes)) {
					t.Errorf("record %d differs", i)
				}
			}
			if len(findings) == 0 || findings[0].Rule != tt.rule {
				t.Errorf("findings %v, want %s", findings, tt.rule)
			}
		})
	}
}

func slicesOf(v, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// gzipPieces packs b as members of the given unpacked lengths; the rest is one more member.
func gzipPieces(t *testing.T, b []byte, lengths []int) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, n := range append(lengths, len(b)) {
		n = min(n, len(b))
		z := gzip.NewWriter(&out)
		if _, err := z.Write(b[:n]); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if b = b[n:]; len(b) == 0 {
			break
		}
	}
	return out.Bytes()
}

func TestHeaderInjectionIsRefused(t *testing.T) {
	tally := attack.Count(t)
	for _, end := range []string{"\r\n", "\n", "\r", "\n\n", "\r\n\r\n", "\r\n ", "\n\t", "\x00\r\n", "x\r\nWARC/1.1\r\n"} {
		for _, name := range []string{FieldTargetURI, FieldPayloadDigest, FieldIPAddress, "X-Of-Ours"} {
			tally.Try(1)
			e := New(TypeResource, "<urn:x:1>", testDate, Bytes("x")).With(name, "http://a/"+end+"WARC-Type: warcinfo")
			enc, _ := NewEncoder(Packing{Kind: Plain})
			if err := enc.Encode(io.Discard, e); err == nil {
				t.Errorf("%q in the value of %s was written", end, name)
			}
		}
		tally.Try(1)
		e := New(TypeResource, "<urn:x:1>", testDate, Bytes("x")).With("X"+end+"WARC-Type", "warcinfo")
		enc, _ := NewEncoder(Packing{Kind: Plain})
		if err := enc.Encode(io.Discard, e); err == nil {
			t.Errorf("%q in a name was written", end)
		}
	}
}
