package wacz

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"varve/archive/warc"
	"varve/lab/attack"
)

// rezip copies a package, changing entries on the way: change gets the header and the content and
// gives the new content; nil drops the entry.
func rezip(t testing.TB, data []byte, change func(h *zip.FileHeader, b []byte) []byte, more ...packed) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	write := func(h *zip.FileHeader, b []byte) {
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write(b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		h := &zip.FileHeader{Name: f.Name, Method: f.Method}
		if b = change(h, b); b != nil {
			write(h, b)
		}
	}
	for _, m := range more {
		write(&zip.FileHeader{Name: m.name, Method: zip.Store}, m.data)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func replace(path, old, with string) func(*zip.FileHeader, []byte) []byte {
	return func(h *zip.FileHeader, b []byte) []byte {
		if h.Name == path {
			return bytes.Replace(b, []byte(old), []byte(with), 1)
		}
		return b
	}
}

func rulesOf(t testing.TB, data []byte) []Rule {
	t.Helper()
	rep, err := Check(context.Background(), open(t, data), CheckOptions{Records: -1, Deep: true, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var out []Rule
	for _, f := range rep.Findings {
		if !slices.Contains(out, f.Rule) {
			out = append(out, f.Rule)
		}
	}
	return out
}

// Each way to spoil a package is found, by its rule.
func TestCheckFinds(t *testing.T) {
	good, _ := build(t, Config{Title: "x", BlockLines: 4}, packed{"a.warc.gz", site(t, warc.Packing{})})
	keep := func(_ *zip.FileHeader, b []byte) []byte { return b }
	drop := func(path string) func(*zip.FileHeader, []byte) []byte {
		return func(h *zip.FileHeader, b []byte) []byte {
			if h.Name == path {
				return nil
			}
			return b
		}
	}
	cases := []struct {
		name   string
		want   []Rule // all must be among the findings
		change func(*zip.FileHeader, []byte) []byte
		more   []packed
	}{
		{"nothing", nil, keep, nil},
		{"no manifest", []Rule{RuleMissingPart}, drop(ManifestPath), nil},
		{"no pages", []Rule{RuleMissingPart, RuleMissing}, drop(PagesPath), nil},
		{"no index", []Rule{RuleMissing, RuleUnindexed}, drop(IndexPath), nil},
		{"no WARC", []Rule{RuleMissingPart, RuleMissing, RuleRecord}, drop("archive/a.warc.gz"), nil},
		{"manifest no JSON", []Rule{RuleManifest}, replace(ManifestPath, `"profile"`, `profile`), nil},
		{"profile", []Rule{RuleProfile, RuleHash}, replace(ManifestPath, "data-package", "other"), nil},
		{"version", []Rule{RuleVersion}, replace(ManifestPath, "1.1.1", "9.0"), nil},
		{"date", []Rule{RuleDate}, replace(ManifestPath, "2026-03-04T", "4 March "), nil},
		{"hash form", []Rule{RuleHashForm}, replace(ManifestPath, "sha256:", "sha256:zz"), nil},
		{"hash", []Rule{RuleHash}, replace(PagesPath, "Café", "Tea!!"), nil},
		{"size", []Rule{RuleHash, RuleSize}, replace(PagesPath, "Café", "Coffee and cake"), nil},
		{"page line", []Rule{RulePage}, replace(PagesPath, `"ts":"2026`, `"ts":"X026`), nil},
		{"digest file", []Rule{RuleDigestFile}, replace(DigestPath, "{", "["), nil},
		{"digest path", []Rule{RuleDigestFile}, replace(DigestPath, `"datapackage.json"`, `"other.json"`), nil},
		{"idx digest", []Rule{RuleUnreadable, RuleUnindexed}, replace(IdxPath, "sha256:", "sha256:0"), nil},
		{"unlisted", []Rule{RuleUnlisted}, keep, []packed{{"logs/x.log", []byte("x")}}},
		{"reserved", []Rule{RuleReserved, RuleUnlisted}, keep, []packed{{"archive/readme.txt", []byte("x")}}},
		{"traversal", []Rule{RuleEntryName}, keep, []packed{{"../evil", []byte("x")}}},
		{"absolute", []Rule{RuleEntryName}, keep, []packed{{"/etc/evil", []byte("x")}}},
		{"windows", []Rule{RuleEntryName}, keep, []packed{{`C:\evil`, []byte("x")}}},
		{"twice", []Rule{RuleEntryName}, keep, []packed{{PagesPath, []byte("{}")}}},
		{"compressed", []Rule{RuleStored}, func(h *zip.FileHeader, b []byte) []byte {
			h.Method = zip.Deflate
			return b
		}, nil},
		{"misnamed", []Rule{RuleArchiveName}, func(h *zip.FileHeader, b []byte) []byte {
			h.Name = strings.TrimSuffix(h.Name, "a.warc.gz") + map[bool]string{true: "a.warc"}[strings.HasSuffix(h.Name, "a.warc.gz")]
			return b
		}, nil},
		{"other record", []Rule{RuleRecord, RuleHash}, func(h *zip.FileHeader, b []byte) []byte {
			if h.Name == "archive/a.warc.gz" {
				return append(slices.Clone(b[100:]), b[:100]...)
			}
			return b
		}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := rulesOf(t, rezip(t, good, c.change, c.more...))
			for _, r := range c.want {
				if !slices.Contains(got, r) {
					t.Errorf("found %v, want %v among them", got, c.want)
				}
			}
			if c.want == nil && got != nil {
				t.Errorf("found %v in a good package", got)
			}
		})
	}
}

// An index may come without an idx, in one piece, not compressed, or in several files.
func TestOtherIndexes(t *testing.T) {
	good, _ := build(t, Config{}, packed{"a.warc.gz", site(t, warc.Packing{})})
	var lines []byte
	for _, ix := range must(open(t, good).allIndexes()) {
		for l, err := range ix.lines.Range("", "") {
			if err != nil {
				t.Fatal(err)
			}
			lines = append(append(lines, l...), '\n')
		}
	}
	half := bytes.IndexByte(lines[len(lines)/2:], '\n') + len(lines)/2 + 1
	noIndex := func(h *zip.FileHeader, b []byte) []byte {
		if strings.HasPrefix(h.Name, indexDir) {
			return nil
		}
		return b
	}
	cases := map[string][]byte{
		"no idx": rezip(t, good, func(h *zip.FileHeader, b []byte) []byte {
			if h.Name == IdxPath {
				return nil
			}
			return b
		}),
		"plain": rezip(t, good, noIndex, packed{"indexes/index.cdx", lines}),
		"two":   rezip(t, good, noIndex, packed{"indexes/a.cdx", lines[:half]}, packed{"indexes/b.cdxj", lines[half:]}),
	}
	for name, data := range cases {
		p := open(t, data)
		var got []byte
		for r, err := range p.Range("", "") {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got = append(append(got, r.Key...), '\n')
		}
		if n := bytes.Count(got, []byte("\n")); n != bytes.Count(lines, []byte("\n")) {
			t.Errorf("%s: %d captures", name, n)
		}
		n := 0
		for _, err := range p.Lookup("https://www.example.com/start") {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			n++
		}
		if n != 2 {
			t.Errorf("%s: %d captures of the start page", name, n)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A package of packages is recognised, and its members are checked.
func TestMulti(t *testing.T) {
	inner, _ := build(t, Config{}, packed{"a.warc.gz", site(t, warc.Packing{})})
	bad := rezip(t, inner, replace(PagesPath, "Café", "Tea!!"))
	manifest := fmt.Sprintf(`{"profile":"multi-wacz-package","resources":[
		{"name":"a","path":"a.wacz","hash":%q,"bytes":%d},{"name":"b","path":"b.wacz","hash":%q,"bytes":%d},
		{"name":"far","path":"https://example.com/c.wacz"}]}`, sumOf(inner), len(inner), sumOf(bad), len(bad))
	outer := rezip(t, emptyZip(t), nil, packed{ManifestPath, []byte(manifest)}, packed{"a.wacz", inner}, packed{"b.wacz", bad})
	rep, err := Check(context.Background(), open(t, outer), CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Findings) != 0 || len(rep.Members) != 2 || rep.Members[0].Total() != 0 || rep.Members[1].Total() != 1 || rep.Total() != 1 {
		t.Errorf("%+v, %d members", rep.Findings, len(rep.Members))
	}
}

func emptyZip(t testing.TB) []byte {
	var b bytes.Buffer
	if err := zip.NewWriter(&b).Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Unsafe paths and wrong hashes never reach the disk.
func TestUnpackHostile(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(3)
	good, _ := build(t, Config{}, packed{"a.warc.gz", site(t, warc.Packing{})})
	bad := rezip(t, good, func(h *zip.FileHeader, b []byte) []byte {
		if h.Name == "archive/a.warc.gz" {
			return append(b, 0)
		}
		return b
	}, packed{"archive/../../evil.warc.gz", []byte("x")}, packed{"archive/C:evil.warc", []byte("x")})
	dir := t.TempDir()
	root := must(os.OpenRoot(dir))
	defer root.Close()
	got := map[string]string{}
	err := open(t, bad).Unpack(context.Background(), root, UnpackOptions{OnFile: func(u Unpacked) { got[u.Path] = u.Outcome }})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"archive/a.warc.gz": UnpackBad, "archive/../../evil.warc.gz": UnpackUnsafe, "archive/C:evil.warc": UnpackUnsafe,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%v was written", left)
	}
}

// A directory that is larger than the limit is refused before it is held in memory.
func TestDirectoryLimit(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(1)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range 2000 {
		must(w.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("logs/%d", i)}))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open("x", bytes.NewReader(b.Bytes()), int64(b.Len()), Limits{Directory: 10_000}); err == nil {
		t.Error("opened")
	}
	if _, err := Open("x", bytes.NewReader(b.Bytes()), int64(b.Len()), Limits{}); err != nil {
		t.Error(err)
	}
}

// A bomb is told by its sizes, not by unpacking it.
func TestBomb(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(1)
	good, _ := build(t, Config{}, packed{"a.warc.gz", site(t, warc.Packing{})})
	bomb := rezip(t, good, func(h *zip.FileHeader, b []byte) []byte {
		if h.Name == PagesPath {
			return bytes.Repeat([]byte("x"), 300<<10)
		}
		return b
	})
	p, err := Open("x", bytes.NewReader(bomb), int64(len(bomb)), Limits{Unpacked: 200 << 10})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.OpenEntry(PagesPath); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("got %v", err)
	}
}
