package cdx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/cdxj"
	"varve/archive/warc"
	"varve/web/canon"
)

// site writes a WARC file with some captures of a page each, and gives its path.
func site(t testing.TB, dir, name string, pages ...string) File {
	t.Helper()
	enc, err := warc.NewEncoder(warc.Packing{Kind: warc.Gzip})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for i, page := range pages {
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page + name
		e := warc.New(warc.TypeResponse, fmt.Sprintf("<urn:uuid:%s-%d>", name, i), time.Date(2020, 1, 1, i, 0, 0, 0, time.UTC), warc.Bytes(block)).
			With(warc.FieldTargetURI, "http://example.com/"+page).With(warc.FieldContentType, warc.ContentTypeResponse)
		if err := enc.Encode(&b, e); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return File{Name: name, Path: path, Kind: KindWARC}
}

func refresh(t testing.TB, b *Builder, files ...File) Report {
	t.Helper()
	rep, err := b.Refresh(t.Context(), files)
	if err != nil || len(rep.Failed) > 0 {
		t.Fatal(rep, err)
	}
	return rep
}

// found lists what the index has: the page and the file of each capture.
func found(t testing.TB, fsys vfs.FS) string {
	t.Helper()
	ix, err := OpenIn(fsys, "ix")
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	var out []string
	for r, err := range ix.Query(context.Background(), Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.TrimPrefix(r.URL, "http://example.com/")+"@"+strings.TrimSuffix(r.Filename, ".warc.gz"))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestIncremental(t *testing.T) {
	dir, fsys := t.TempDir(), vfs.NewMem()
	one, two := site(t, dir, "1.warc.gz", "a", "b"), site(t, dir, "2.warc.gz", "a", "c")
	b := builder(t, fsys, Config{})
	defer b.Close()
	if rep := refresh(t, b, one); rep.Added != 1 || rep.Lines != 2 {
		t.Errorf("%+v", rep)
	}
	if rep := refresh(t, b, one, two); rep.Added != 1 || rep.Unchanged != 1 || rep.Lines != 2 {
		t.Errorf("%+v", rep)
	}
	if got := found(t, fsys); got != "a@1 a@2 b@1 c@2" {
		t.Error(got)
	}
	// The same bytes with another time are the same file.
	if err := os.Chtimes(one.Path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if rep := refresh(t, b, one, two); rep.Unchanged != 2 {
		t.Errorf("%+v", rep)
	}
	// Another file of the same name takes its place; a file that is gone is forgotten.
	one = site(t, dir, "1.warc.gz", "a", "d", "e")
	if rep := refresh(t, b, one, two); rep.Added != 1 || rep.Dropped != 1 || found(t, fsys) != "a@1 a@2 c@2 d@1 e@1" {
		t.Errorf("%+v %s", rep, found(t, fsys))
	}
	if rep := refresh(t, b, one); rep.Dropped != 1 || found(t, fsys) != "a@1 d@1 e@1" {
		t.Errorf("%+v %s", rep, found(t, fsys))
	}
	if err := b.Compact(t.Context()); err != nil || found(t, fsys) != "a@1 d@1 e@1" {
		t.Error(err, found(t, fsys))
	}
	// Nearest passes dropped files over, too.
	if rep := refresh(t, b, two); rep.Dropped != 1 || found(t, fsys) != "a@2 c@2" {
		t.Errorf("%+v %s", rep, found(t, fsys))
	}
}

// Whatever the order and the batches in which files were added, one run of them is the same bytes.
func TestSameFilesSameBytes(t *testing.T) {
	dir := t.TempDir()
	var files []File
	for i := range 9 {
		files = append(files, site(t, dir, fmt.Sprintf("%d.warc.gz", i), "a", fmt.Sprint("p", i), "b"))
	}
	var first map[string][]byte
	for round := range 4 {
		fsys := vfs.NewMem()
		b := builder(t, fsys, Config{BatchLines: int64(1 + round*5), Workers: 1 + round%2})
		list := slices.Clone(files)
		rng := rand.New(rand.NewPCG(uint64(round), 1))
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		refresh(t, b, list[:3]...)
		refresh(t, b, list...)
		if err := b.Compact(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.Close()
		names, _ := fsys.List("ix")
		now := map[string][]byte{}
		for _, n := range names {
			if _, ext, ok := runOf(n); ok && ext != extSources && ext != extIdx { // the idx names its data file
				now[ext], _ = readFile(fsys, "ix/"+n, 1<<20)
			}
		}
		if len(now) != 3 {
			t.Fatal(names)
		}
		for ext, text := range now {
			if ext == extFences {
				continue // it has the checksums of the idx
			}
			if first != nil && !bytes.Equal(first[ext], text) {
				t.Errorf("round %d: %s has other bytes", round, ext)
			}
		}
		if first == nil {
			first = now
		}
	}
}

// A kill at any moment, with any part of what was not synced lost, is got over.
func TestPowerCuts(t *testing.T) {
	dir := t.TempDir()
	var files []File
	var want []string
	for i := range 12 {
		name := fmt.Sprintf("%02d.warc.gz", i)
		files = append(files, site(t, dir, name, "a", fmt.Sprintf("p%02d", i)))
		want = append(want, fmt.Sprintf("a@%02d", i), fmt.Sprintf("p%02d@%02d", i, i))
	}
	rng := rand.New(rand.NewPCG(9, 9))
	slices.Sort(want)
	rounds := 12
	if os.Getenv("VARVE_DRILL") != "" {
		rounds = 500
	}
	for range rounds {
		fsys := vfs.NewCrashableMem()
		known := 0
		for known < len(files) {
			b := builder(t, fsys, Config{BatchLines: 1 + int64(rng.IntN(4))})
			n := min(len(files), known+1+rng.IntN(4))
			refresh(t, b, files[:n]...)
			if rng.IntN(2) == 0 {
				if err := b.Compact(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			known = n
			// The power goes while the builder is at work: what it acknowledged must be there.
			fsys = fsys.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng})
			b.Close()
			got := strings.Fields(found(t, fsys))
			slices.Sort(got)
			var acknowledged []string
			for _, w := range want {
				if i := slices.IndexFunc(files[:n], func(f File) bool { return strings.HasSuffix(w, "@"+strings.TrimSuffix(f.Name, ".warc.gz")) }); i >= 0 {
					acknowledged = append(acknowledged, w)
				}
			}
			if !slices.Equal(got, acknowledged) {
				t.Fatalf("after a power cut: %v\nwant %v", got, acknowledged)
			}
		}
	}
}

// A file of the index that was damaged is noticed by Check, and the sources are read again.
func TestDamageIsMended(t *testing.T) {
	dir := t.TempDir()
	files := []File{site(t, dir, "1.warc.gz", "a", "b"), site(t, dir, "2.warc.gz", "a", "c")}
	const want = "a@1 a@2 b@1 c@2"
	rng := rand.New(rand.NewPCG(4, 2))
	for round := range 80 {
		fsys := vfs.NewMem()
		b := builder(t, fsys, Config{BatchLines: 1, NoMerge: true})
		refresh(t, b, files...)
		b.Close()
		names, _ := fsys.List("ix")
		name := "ix/" + names[round%len(names)]
		text, err := readFile(fsys, name, 1<<20)
		if err != nil || len(text) == 0 {
			t.Fatal(name, err)
		}
		switch round % 3 {
		case 0:
			text = text[:rng.IntN(len(text))]
		case 1:
			text[rng.IntN(len(text))] ^= 1 << rng.IntN(8)
		case 2:
			text = nil
		}
		if err := writeFile(fsys, name, text); err != nil {
			t.Fatal(err)
		}
		if round%3 == 2 {
			_ = fsys.Remove(name)
		}
		problems := 0
		b = builder(t, fsys, Config{OnProblem: func(string) { problems++ }})
		if err := b.Check(t.Context()); err != nil {
			t.Fatal(name, err)
		}
		refresh(t, b, files...)
		b.Close()
		if got := found(t, fsys); got != want {
			t.Fatalf("%s: %q after %d problems", name, got, problems)
		}
		if problems == 0 && round%3 != 2 && !strings.HasSuffix(name, extIdx) { // its header is for other tools
			t.Errorf("%s: the damage was not told", name)
		}
	}
}

func TestRequestsAndRevisits(t *testing.T) {
	enc, _ := warc.NewEncoder(warc.Packing{Kind: warc.Gzip})
	var b bytes.Buffer
	at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	put := func(e *warc.Entry) {
		if err := enc.Encode(&b, e); err != nil {
			t.Fatal(err)
		}
	}
	put(warc.New(warc.TypeRequest, "<urn:q>", at, warc.Bytes("POST /form HTTP/1.1\r\nHost: e.example\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nq=1&r=two")).
		With(warc.FieldTargetURI, "http://e.example/form").With(warc.FieldContentType, warc.ContentTypeRequest).With(warc.FieldConcurrentTo, "<urn:a>"))
	put(warc.New(warc.TypeResponse, "<urn:a>", at, warc.Bytes("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}")).
		With(warc.FieldTargetURI, "http://e.example/form").With(warc.FieldContentType, warc.ContentTypeResponse))
	put(warc.New(warc.TypeResponse, "<urn:b>", at, warc.Bytes("HTTP/1.1 301 Moved\r\nLocation: /there\r\nLast-Modified: Tue, 31 Dec 2019 00:00:00 GMT\r\n\r\n")).
		With(warc.FieldTargetURI, "http://e.example/here").With(warc.FieldContentType, warc.ContentTypeResponse))
	put(warc.New(warc.TypeRevisit, "<urn:c>", at.AddDate(1, 0, 0), warc.Bytes("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n")).
		With(warc.FieldTargetURI, "http://e.example/here").With(warc.FieldContentType, warc.ContentTypeResponse).
		With(warc.FieldProfile, warc.ProfileNotModified).With(warc.FieldRefersToURI, "http://e.example/here").With(warc.FieldRefersToDate, warc.FormatDate(at)))
	path := filepath.Join(t.TempDir(), "x.warc.gz")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	fsys := vfs.NewMem()
	bl := builder(t, fsys, Config{})
	refresh(t, bl, File{Name: "x.warc.gz", Path: path, Kind: KindWARC})
	bl.Close()
	ix := open(t, fsys)
	key, body := canon.RequestKey("POST", "http://e.example/form", "application/x-www-form-urlencoded", []byte("q=1&r=two"))
	r, ok, err := ix.Closest(t.Context(), Query{Key: key}, at)
	if got, _ := r.Get("requestBody"); !ok || err != nil || got != body {
		t.Errorf("POST: %+v %v %v", r, ok, err)
	}
	got := gather(t, ix.Query(t.Context(), Query{URL: "http://e.example/here"}))
	if len(got) != 2 || !strings.Contains(got[0], `"redirect": "http://e.example/there"`) || !strings.Contains(got[0], `"modified": "20191231000000"`) ||
		!strings.Contains(got[1], `"notModified": "strong"`) || !strings.Contains(got[1], `"refersDate": "20200101000000"`) || !strings.Contains(got[1], "warc/revisit") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	ref, ok := ix.Originals(t.Context(), nil).ByURIDate("http://e.example/here", at)
	if !ok || ref.File != "x.warc.gz" || ref.URI != "http://e.example/here" {
		t.Errorf("%+v %v", ref, ok)
	}
}

// Lines of other tools get our keys; those of WARC files that are here are passed over, also if the
// WARC file comes later.
func TestLinesOfOthers(t *testing.T) {
	dir, fsys := t.TempDir(), vfs.NewMem()
	path := filepath.Join(dir, "old.cdx")
	text := cdxj.CDX11.Header() + "\n" +
		"example.com/x 20100101000000 http://www.example.com/X?b=1&a=2 text/html 200 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA - - 10 20 gone.warc.gz\n" +
		"not a line\n" +
		"example.com/a 20200101000000 http://example.com/a text/html 200 BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB - - 10 20 1.warc.gz\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	old := File{Name: "old.cdx", Path: path, Kind: KindCDX}
	b := builder(t, fsys, Config{})
	defer b.Close()
	if rep := refresh(t, b, old); rep.Lines != 2 || rep.Skipped != 1 {
		t.Errorf("%+v", rep)
	}
	ix := open(t, fsys)
	if got := gather(t, ix.Query(t.Context(), Query{URL: "https://example.com/x?a=2&b=1"})); len(got) != 1 || !strings.Contains(got[0], `"source": "old.cdx"`) {
		t.Errorf("%v", got)
	}
	one := site(t, dir, "1.warc.gz", "a")
	if rep := refresh(t, b, old, one); rep.Added != 2 || rep.Dropped != 1 {
		t.Errorf("%+v", rep)
	}
	if got := gather(t, ix.Query(t.Context(), Query{URL: "http://example.com/a"})); len(got) != 1 || strings.Contains(got[0], "BBBB") {
		t.Errorf("%v", got)
	}
	if rep := refresh(t, b, old, one); rep.Unchanged != 2 {
		t.Errorf("%+v", rep)
	}
}

func TestUnreadableFilesDoNotStopTheRest(t *testing.T) {
	dir, fsys := t.TempDir(), vfs.NewMem()
	good := site(t, dir, "good.warc.gz", "a")
	b := builder(t, fsys, Config{})
	defer b.Close()
	rep, err := b.Refresh(t.Context(), []File{{Name: "no.warc.gz", Path: filepath.Join(dir, "no"), Kind: KindWARC}, {Name: "dir.warc", Path: dir, Kind: KindWARC}, good})
	if err != nil || len(rep.Failed) != 2 || rep.Added != 1 || found(t, fsys) != "a@good" {
		t.Errorf("%+v %v %s", rep, err, found(t, fsys))
	}
}

func TestStoppedRefreshGoesOn(t *testing.T) {
	dir, fsys := t.TempDir(), vfs.NewMem()
	var files []File
	for i := range 8 {
		files = append(files, site(t, dir, fmt.Sprintf("%d.warc.gz", i), "a"))
	}
	ctx, cancel := context.WithCancel(t.Context())
	b := builder(t, fsys, Config{OnProgress: func(_ string, n, _ int) {
		if n == 5 {
			cancel()
		}
	}})
	rep, err := b.Refresh(ctx, files)
	if err == nil || rep.Added != 5 {
		t.Errorf("%+v %v", rep, err)
	}
	if rep := refresh(t, b, files...); rep.Unchanged != 5 || rep.Added != 3 || len(strings.Fields(found(t, fsys))) != 8 {
		t.Errorf("%+v %s", rep, found(t, fsys))
	}
	b.Close()
}

// Queries run while runs are added, dropped and merged: each sees a state that was committed.
func TestReadersWhileMerging(t *testing.T) {
	fsys := vfs.NewMem()
	b := builder(t, fsys, Config{})
	ix := open(t, fsys)
	stop := make(chan struct{})
	done := make(chan error)
	go func() {
		last := 0
		for {
			n := 0
			for _, err := range ix.Query(context.Background(), Query{}) {
				if err != nil {
					done <- err
					return
				}
				n++
			}
			if n < last || n%10 != 0 {
				done <- fmt.Errorf("%d captures after %d", n, last)
				return
			}
			last = n
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
		}
	}()
	for i := range 60 {
		var lines []string
		for k := range 10 {
			lines = append(lines, fmt.Sprintf("com,example)/%d 20200101000000 {\"n\": %d}", k, i))
		}
		addLines(t, b, fmt.Sprint("s", i), lines)
	}
	close(stop)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	// Merging goes on behind what was added, and Close gives a merge up: it is watched until it is through, which a busy machine may delay.
	s, err := ix.Stats()
	for until := time.Now().Add(time.Minute); err == nil && s.Runs > mostRuns && time.Now().Before(until); s, err = ix.Stats() {
		runtime.Gosched()
	}
	if err := errors.Join(err, b.Close()); err != nil || s.Runs > mostRuns || s.Lines != 600 {
		t.Errorf("%+v %v", s, err)
	}
}

// Adding equal runs one by one must neither pile runs up nor write lines too often.
func TestMergePlanGrowsSlowly(t *testing.T) {
	var sizes []int64
	var written, added int64
	most := 0
	for i := range 20_000 {
		n := int64(1 + i%3)
		sizes = append(sizes, n)
		added += n
		for {
			chosen := pick(sizes)
			if chosen == nil {
				break
			}
			var sum int64
			var kept []int64
			for i, s := range sizes {
				if slices.Contains(chosen, i) {
					sum += s
				} else {
					kept = append(kept, s)
				}
			}
			written += sum
			sizes = append(kept, sum)
		}
		most = max(most, len(sizes))
	}
	if factor := float64(written) / float64(added); factor > 9 || most > mostRuns {
		t.Errorf("each line was written %.1f times, with %d runs at most", factor, most)
	} else {
		t.Logf("each line was written %.1f times more, with %d runs at most", factor, most)
	}
}

func FuzzManifest(f *testing.F) {
	m := manifest{Next: 3, Runs: []runInfo{{ID: 1, Lines: 5, First: "a", Last: "b"}}}
	text, _ := m.encode()
	f.Add(text)
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := decodeManifest(b)
		if err == nil && m.Format != formatName {
			t.Fatal(m)
		}
		_, _ = decodeSources(b)
	})
}
