package statement

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/coherence/evidence"
	"varve/coherence/evidence/fixture"
	"varve/lab/attack"
)

const software = "varve test"

// newKey makes the same key every time.
func newKey(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))
}

// crawl writes the files of a crawl that visits n pages and revisits them, and an older file that holds
// the content of some; it gives their paths.
func crawl(t testing.TB, n int) (dir string, paths []string) {
	t.Helper()
	dir = t.TempDir()
	old, first, second := fixture.New(t, "old.warc.gz"), fixture.New(t, "first.warc.gz"), fixture.New(t, "second.warc.gz")
	old.Info("20260101T000000Z")
	first.Info("20260301T120000Z")
	second.Info("20260301T120000Z")
	for i := range n {
		url := fmt.Sprintf("http://a.test/%d", i)
		body := fmt.Sprintf("<title>Page %d</title><p>This is the text of page %d, as it was.</p>", i, i)
		at, later := fixture.At(float64(i)), fixture.At(float64(3*n-i))
		var id string
		if i%4 == 0 {
			old.Response(fixture.Answer{URL: url, At: fixture.At(float64(i) - 1e6), Body: body})
			id = first.Revisit(fixture.Answer{URL: url, At: at}, fixture.Refers{Digest: fixture.Digest(body)})
		} else {
			id = first.Response(fixture.Answer{URL: url, At: at, Body: body, Header: []string{`ETag: "` + fmt.Sprint(i) + `"`, "Date: Sun, 01 Mar 2026 12:00:00 GMT"}})
		}
		first.Request(id, url, at, "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
		first.Metadata(id, url, at, "fetchTimeMs: 1", "pass: visit")
		switch i % 5 {
		case 0, 1:
			id = second.Response(fixture.Answer{URL: url, At: later, Body: body})
		case 2:
			id = second.Response(fixture.Answer{URL: url, At: later, Body: body + "<!-- noise -->"})
		case 3:
			id = second.Response(fixture.Answer{URL: url, At: later, Body: body + "<p>and more</p>"})
		case 4:
			id = second.Revisit(fixture.Answer{URL: url, At: later, Status: 304}, fixture.Refers{})
		}
		second.Metadata(id, url, later, "fetchTimeMs: 1", "pass: revisit")
	}
	for _, f := range []*fixture.File{old, first, second} {
		paths = append(paths, f.Write(dir))
	}
	return dir, paths
}

func state(t testing.TB, paths []string, key ed25519.PrivateKey) []byte {
	t.Helper()
	return stateWith(t, paths, key, nil, func() {})
}

// stateWith makes a statement; between is called when the evidence was read.
func stateWith(t testing.TB, paths []string, key ed25519.PrivateKey, chains *Chains, between func()) []byte {
	t.Helper()
	var sources []evidence.Source
	for _, p := range paths {
		sources = append(sources, evidence.Source{Path: p})
	}
	o := evidence.Options{Dir: t.TempDir(), Workers: 2}
	if chains != nil {
		o.Beside = chains.Open
	}
	set, err := evidence.Read(context.Background(), sources, o)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	between()
	var out bytes.Buffer
	cfg := Config{Capture: Subject{Collection: "news", Crawl: "20260301T120000Z"}, By: software, Made: fixture.At(1e5), Key: key, Dir: t.TempDir(), Workers: 2, Chains: chains}
	if _, err := Make(context.Background(), set, cfg, &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func verify(t testing.TB, doc []byte, paths []string) *Verified {
	t.Helper()
	key := newKey(1).Public().(ed25519.PublicKey)
	var files []evidence.Source
	for _, p := range paths {
		files = append(files, evidence.Source{Path: p})
	}
	v, err := Verify(context.Background(), bytes.NewReader(doc), int64(len(doc)), Check{
		Files: files, Known: map[string]ed25519.PublicKey{KeyID(key): key}, By: software, Dir: t.TempDir(), Workers: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestStatementHolds(t *testing.T) {
	_, paths := crawl(t, 40)
	doc := state(t, paths, newKey(1))
	if again := state(t, paths, newKey(1)); !bytes.Equal(doc, again) {
		t.Error("the same files give two statements")
	}
	v := verify(t, doc, paths)
	if !v.OK || !v.KeyKnown || v.Pages != 40 || v.Files != 2 {
		t.Errorf("%+v", v)
	}
	// 40 visits of three records, 40 revisits of two, two warcinfo, and ten originals in the old file.
	if want := int64(40*3 + 40*2 + 2 + 10); v.Records != want {
		t.Errorf("%d records were checked, want %d", v.Records, want)
	}
	canon, err := Canonical(doc)
	if err != nil || !bytes.Equal(canon, bytes.TrimSpace(doc)) {
		t.Errorf("the statement is not in canonical form: %v", err)
	}
	var body struct {
		Metrics Metrics
		Pages   []Claim
		Clock   Clock
	}
	if err := json.Unmarshal(doc, &body); err != nil {
		t.Fatal(err)
	}
	// 304 to a strong ETag is asserted, without one nothing; the last page was visited at the reference point.
	tally := body.Metrics.Layers["bytes"]
	if tally.Witnessed != 17 || tally.Changed != 16 || tally.Asserted != 5 || tally.Unknown != 2 {
		t.Errorf("bytes: %+v", tally)
	}
	if tally := body.Metrics.Layers["text"]; tally.Witnessed != 25 || tally.Changed != 8 {
		t.Errorf("text: %+v", tally)
	}
	if body.Clock.Samples == 0 {
		t.Error("no clock offset")
	}
	if body.Pages[0].Visit.From == "" || body.Pages[0].Layers["bytes"] != "witnessed" {
		t.Errorf("first page: %+v", body.Pages[0])
	}
}

// The chains come of the scan that reads the evidence: files are not read for them again, so what becomes of them then does not matter.
func TestStatementInOneScan(t *testing.T) {
	_, paths := crawl(t, 40)
	doc := state(t, paths, newKey(1))
	chains := NewChains(t.Context(), t.TempDir(), func(path string) bool { return path != paths[0] }) // the first is of an earlier crawl
	got := stateWith(t, paths, newKey(1), chains, func() {
		for _, p := range paths[1:] {
			f, err := os.OpenFile(p, os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteAt([]byte{1, 2, 3, 4}, 4) // the time of the first gzip member, which nothing else depends on
			}
			if err = errors.Join(err, f.Close()); err != nil {
				t.Fatal(err)
			}
		}
	})
	if !bytes.Equal(got, doc) {
		t.Errorf("the statement is another:\n%.2000s\nwant\n%.2000s", got, doc)
	}
	if err := chains.Close(); err != nil {
		t.Error(err)
	}
}

// One flipped bit anywhere in a file is found, and the record it is in is named and no other.
func TestFlippedByteNamesTheRecord(t *testing.T) {
	_, paths := crawl(t, 12)
	doc := state(t, paths, newKey(1))
	r := rand.New(rand.NewPCG(11, 12))
	for _, path := range paths[1:] {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		chain, err := ReadChain(t.Context(), evidence.Source{Path: path}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			at := r.IntN(len(whole))
			bad := bytes.Clone(whole)
			bad[at] ^= 1 << r.IntN(8)
			if err := os.WriteFile(path, bad, 0o644); err != nil {
				t.Fatal(err)
			}
			var want Record
			for _, rec := range chain.Records {
				if int64(at) >= rec.Offset && int64(at) < rec.Offset+rec.Length {
					want = rec
				}
			}
			v := verify(t, doc, paths)
			if v.OK || v.Count != 1 || v.Findings[0].Kind != RecordDiffers || v.Findings[0].Record != want.ID || v.Findings[0].Offset != want.Offset {
				t.Fatalf("byte %d of %s, record %s: %+v", at, path, want.ID, v)
			}
		}
		if err := os.WriteFile(path, whole, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The same for the records of another file that the capture rests on.
func TestFlippedByteOfAnOriginal(t *testing.T) {
	_, paths := crawl(t, 12)
	doc := state(t, paths, newKey(1))
	whole, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	chain, err := ReadChain(t.Context(), evidence.Source{Path: paths[0]}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range chain.Records[1:] { // the first is warcinfo, on which nothing rests
		bad := bytes.Clone(whole)
		bad[rec.Offset+rec.Length/2] ^= 1
		if err := os.WriteFile(paths[0], bad, 0o644); err != nil {
			t.Fatal(err)
		}
		v := verify(t, doc, paths)
		if v.Count != 1 || v.Findings[0].Kind != RecordDiffers || v.Findings[0].Record != rec.ID {
			t.Errorf("record %s: %+v", rec.ID, v.Findings)
		}
	}
}

func TestDamage(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(1)
	dir, paths := crawl(t, 12)
	doc := state(t, paths, newKey(1))
	whole, err := os.ReadFile(paths[2])
	if err != nil {
		t.Fatal(err)
	}
	chain, err := ReadChain(t.Context(), evidence.Source{Path: paths[2]}, 1)
	if err != nil {
		t.Fatal(err)
	}
	cut := chain.Records[5]
	for _, c := range []struct {
		name string
		file []byte
		want map[Kind]int
	}{
		{"cut off", whole[:chain.Records[20].Offset], map[Kind]int{RecordMissing: len(chain.Records) - 20}},
		{"a record taken out", append(bytes.Clone(whole[:cut.Offset]), whole[cut.Offset+cut.Length:]...), map[Kind]int{RecordMissing: 1}},
		{"a record twice", append(bytes.Clone(whole), whole[:chain.Records[1].Offset]...), map[Kind]int{BadChain: 1}},
		{"no WARC at all", []byte("nothing"), map[Kind]int{RecordMissing: len(chain.Records), RecordExtra: 1}},
	} {
		tally.Try(1)
		if err := os.WriteFile(paths[2], c.file, 0o644); err != nil {
			t.Fatal(err)
		}
		got := map[Kind]int{}
		for _, f := range verify(t, doc, paths).Findings {
			got[f.Kind]++
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if err := os.Remove(paths[2]); err != nil {
		t.Fatal(err)
	}
	v := verify(t, doc, []string{paths[0], paths[1], filepath.Join(dir, "other")})
	if v.Count != 1 || v.Findings[0].Kind != MissingFile || v.Findings[0].File != "second.warc.gz" {
		t.Errorf("file not given: %+v", v)
	}
}

// What somebody changes in a statement breaks its signature; what somebody signs anew with another key
// has an unknown key, and figures that the files do not bear out.
func TestForgery(t *testing.T) {
	_, paths := crawl(t, 12)
	doc := state(t, paths, newKey(1))
	for _, c := range []struct {
		name, from, to string
		want           []Kind
	}{
		{"metrics", `"revisited":12`, `"revisited":11`, []Kind{BadMetrics}},
		{"verdict", `"bytes":"changed"`, `"bytes":"witnessed"`, []Kind{PageDiffers}},
		{"digest", `"digest":"sha256:`, `"digest":"sha256:ff`, []Kind{PageDiffers}},
		{"time", `"time":"2026-03-01T12:00:07Z"`, `"time":"2026-03-01T12:00:08Z"`, []Kind{PageDiffers}},
		{"page", `http://a.test/3"`, `http://a.test/33"`, []Kind{PageDiffers, PageDiffers}},
		{"clock", `"samples":`, `"samples":1`, []Kind{BadMetrics}},
	} {
		forged := bytes.Replace(doc, []byte(c.from), []byte(c.to), 1)
		if bytes.Equal(forged, doc) {
			t.Fatalf("%s: %s is not in the statement", c.name, c.from)
		}
		kinds(t, c.name, verify(t, forged, paths), append([]Kind{BadSignature}, c.want...))
		kinds(t, c.name+", signed anew", verify(t, resign(t, forged, newKey(2)), paths), append([]Kind{UnknownKey}, c.want...))
		kinds(t, c.name+", with the right key", verify(t, resign(t, forged, newKey(1)), paths), c.want)
	}
}

// A statement says of each page whether it stood together with its parts, and which of them broke it; one of before that was done is verified as it is.
func TestStatementOfParts(t *testing.T) {
	f := fixture.New(t, "a.warc.gz")
	f.Info("20260301T120000Z")
	for _, c := range []struct {
		path, mime, body string
		at               float64
	}{
		{"/p.png", "image/png", "old", 0},
		{"/", "text/html", "<p>Words</p><img src=/p.png>", 5},
		{"/p.png", "image/png", "new", 9},
	} {
		f.Response(fixture.Answer{URL: "http://a.test" + c.path, At: fixture.At(c.at), MIME: c.mime, Body: c.body})
	}
	paths := []string{f.Write(t.TempDir())}
	doc := state(t, paths, newKey(1))
	together := `"together":{"amiss":1,"at":"2026-03-01T12:00:05Z","broken":[{"level":"witnessed","reason":"changed between visit and revisit","url":"http://a.test/p.png","verdict":"violated"}],"level":"witnessed","parts":1,"reason":"changed between visit and revisit","verdict":"violated"},`
	metrics := `"composite":{"coherent":0,"pages":1,"parts":1,"possible":0,"unknown":0,"violated":1},`
	for _, part := range []string{together, metrics} {
		if !bytes.Contains(doc, []byte(part)) {
			t.Fatalf("not in the statement: %s\n%s", part, doc)
		}
	}
	kinds(t, "as it is", verify(t, doc, paths), nil)
	better := bytes.Replace(doc, []byte(together), []byte(strings.ReplaceAll(together, "violated", "coherent")), 1)
	kinds(t, "a better verdict", verify(t, resign(t, better, newKey(1)), paths), []Kind{PageDiffers})
	none := bytes.Replace(doc, []byte(together), nil, 1)
	kinds(t, "no verdict", verify(t, resign(t, none, newKey(1)), paths), []Kind{PageDiffers})
	old := bytes.Replace(none, []byte(metrics), nil, 1)
	kinds(t, "of older software", verify(t, resign(t, old, newKey(1)), paths), nil)
}

func TestFirstDifference(t *testing.T) {
	got, err := firstDifference([]byte(`{"a":1,"b":{"c":[1],"d":2}}`), []byte(`{"b":{"d":3,"c":[1]},"a":1.0}`))
	if want := ".b.d: stated 2, the files say 3"; err != nil || got != want {
		t.Errorf("%q %v, want %q", got, err, want)
	}
}

func kinds(t *testing.T, name string, v *Verified, want []Kind) {
	t.Helper()
	var got []Kind
	for _, f := range v.Findings {
		got = append(got, f.Kind)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %v, want %v", name, v.Findings, want)
	}
}

func resign(t *testing.T, doc []byte, key ed25519.PrivateKey) []byte {
	t.Helper()
	sum, err := bodySum(bytes.NewReader(doc), int64(len(doc)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := canonical(sign(key, sum))
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(doc, []byte(`,"signature":`))
	return append(append(bytes.Clone(doc[:at]), `,"signature":`...), append(s, '}')...)
}

// A statement that went through a pretty-printer is still the same statement.
func TestReformatted(t *testing.T) {
	_, paths := crawl(t, 12)
	doc := state(t, paths, newKey(1))
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, doc, "", "  "); err != nil {
		t.Fatal(err)
	}
	if v := verify(t, pretty.Bytes(), paths); !v.OK {
		t.Errorf("%+v", v.Findings)
	}
}

func TestNoStatement(t *testing.T) {
	for _, text := range []string{"", "{}", "[]", `{"format":"else"}`, `{"files":7}`, `{"format":"varve-coherence-statement/1","files":[{"name":"x","size":3,"records":["1 x y"]}]}`, strings.Repeat("[", 100000)} {
		if _, err := Verify(t.Context(), strings.NewReader(text), int64(len(text)), Check{Dir: t.TempDir()}); err == nil {
			t.Errorf("%.40q is no statement", text)
		}
	}
}

func TestCanonical(t *testing.T) {
	for in, want := range map[string]string{ // among them the examples of RFC 8785
		`{"b":1, "a":[true,null,"x"]}`: `{"a":[true,null,"x"],"b":1}`,
		`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,-0]}`:                              `{"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0]}`,
		`"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/"`:                                                               `"€$\u000f\nA'B\"\\\\\"/"`,
		`{"\u20ac":"Euro","\r":"CR","\ufb33":"Dalet","1":"One","\ud83d\ude00":"Emoji","\u0080":"Control","\u00f6":"o"}`: "{\"\\r\":\"CR\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"o\",\"€\":\"Euro\",\"😀\":\"Emoji\",\"\ufb33\":\"Dalet\"}",
	} {
		got, err := Canonical([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("%s gives\n%s, want\n%s (%v)", in, got, want, err)
		}
	}
}

func TestKeys(t *testing.T) {
	k := Keys{Dir: filepath.Join(t.TempDir(), "keys"), Random: rand.NewChaCha8([32]byte{1})}
	first, err := k.Signing()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := k.Signing(); err != nil || !again.Equal(first) {
		t.Errorf("second call gives another key: %v", err)
	}
	second, err := k.Rotate()
	if err != nil || second.Equal(first) {
		t.Fatalf("rotate: %v", err)
	}
	public, err := k.Public()
	if err != nil || len(public) != 2 {
		t.Fatalf("%d public keys, %v", len(public), err)
	}
	for _, key := range []ed25519.PrivateKey{first, second} {
		p := key.Public().(ed25519.PublicKey)
		if !p.Equal(public[KeyID(p)]) {
			t.Errorf("public key %s was not kept", KeyID(p))
		}
	}
	info, err := os.Stat(filepath.Join(k.Dir, privateFile))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("private key: %v %v", info.Mode(), err)
	}
}

// FuzzRead reads arbitrary text as a statement: no panic, and the body of what can be read does not
// depend on how it is formatted.
func FuzzRead(f *testing.F) {
	_, paths := crawl(f, 3)
	f.Add(state(f, paths, newKey(1)))
	f.Add([]byte(`{"format":"varve-coherence-statement/1","files":[],"pages": [{"url":"x"}],"originals":[{"file":"first.warc.gz","offset":-1,"length":9}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		src, size := bytes.NewReader(text), int64(len(text))
		file := func(e fileEntry) error {
			var at int64
			for _, text := range e.Records {
				r, err := parseRecord(text, at)
				if err != nil {
					return err
				}
				if r.text() != text {
					t.Errorf("record %q is written as %q", text, r.text())
				}
				at += r.Length
			}
			return nil
		}
		h, err := read(src, size, parts{file: file})
		if err != nil {
			return
		}
		if pages, err := h.pages(src, size); err == nil {
			for {
				if p, err := pages.next(); err != nil || p == nil {
					break
				}
			}
		}
		if _, err := bodySum(src, size); err != nil {
			return
		}
		canon, err := Canonical(text)
		if err != nil {
			return // a number without bounds has no canonical form
		}
		again, err := Canonical(canon)
		if err != nil || !bytes.Equal(canon, again) {
			t.Errorf("canonical form is not its own: %v", err)
		}
	})
}

// The statement of 10,000 pages: time and size of making and checking it.
func BenchmarkTenThousandPages(b *testing.B) {
	_, paths := crawl(b, 10_000)
	var doc []byte
	b.Run("make", func(b *testing.B) {
		for b.Loop() {
			doc = state(b, paths, newKey(1))
		}
		b.ReportMetric(float64(len(doc)), "bytes/statement")
	})
	b.Run("verify", func(b *testing.B) {
		for b.Loop() {
			if v := verify(b, doc, paths); !v.OK {
				b.Fatalf("%+v", v.Findings)
			}
		}
	})
}

// Files whose records share gzip members give the same judgement, and a change of an original in them is found.
func TestStatementOfSharedMembers(t *testing.T) {
	_, paths := crawl(t, 40)
	metrics := func(doc []byte) (m struct{ Metrics json.RawMessage }) {
		if err := json.Unmarshal(doc, &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	want := metrics(state(t, paths, newKey(1)))
	repack := func(path string, size int, change func([]byte) []byte) {
		t.Helper()
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		all = change(all)
		var out bytes.Buffer
		for len(all) > 0 {
			n := min(size, len(all))
			w := gzip.NewWriter(&out)
			if _, err := w.Write(all[:n]); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			all = all[n:]
		}
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	same := func(b []byte) []byte { return b }
	for _, size := range []int{1 << 30, 3000} {
		for _, p := range paths {
			repack(p, size, same)
		}
		doc := state(t, paths, newKey(1))
		if got := metrics(doc); !bytes.Equal(got.Metrics, want.Metrics) {
			t.Errorf("members of %d: %s, one a record: %s", size, got.Metrics, want.Metrics)
		}
		if v := verify(t, doc, paths); !v.OK {
			t.Errorf("members of %d: %+v", size, v)
		}
		changed := false
		repack(paths[0], size, func(b []byte) []byte {
			i := bytes.LastIndex(b, []byte("<p>"))
			changed = i >= 0
			b[max(i, 0)+1] = 'b'
			return b
		})
		if v := verify(t, doc, paths); !changed || v.OK {
			t.Errorf("members of %d: an original was changed (%v), and the statement holds", size, changed)
		}
		repack(paths[0], size, func(b []byte) []byte { return bytes.Replace(b, []byte("<b>"), []byte("<p>"), 1) })
	}
}
