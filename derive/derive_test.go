package derive_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/derive"
	"varve/derive/job"
)

// at is when page i was captured.
func at(i int) time.Time { return time.Date(2024, 1, 1, 0, i, 0, 123_000, time.UTC) }

const html = `<!doctype html><html lang="en"><head><title>Page %d</title><meta name="generator" content="varve test">
<meta property="article:modified_time" content="2023-05-06T07:08:09Z"></head><body><nav><a href="/">home</a></nav>
<article><h1>About the number %d</h1><p>%s</p><p>See <a href="http://other.test/x%d">the other side</a> and <img src="/i.png">.</p></article></body></html>`

// dots is a small picture.
func dots(t *testing.T) string {
	t.Helper()
	m := image.NewPaletted(image.Rect(0, 0, 16, 16), color.Palette{color.Black, color.White})
	for i := range m.Pix {
		m.Pix[i] = uint8(i * i / 7 % 2)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil || b.Len() >= 300 {
		t.Fatal(b.Len(), err)
	}
	return b.String()
}

// collection writes WARC files with pages, a picture, an error, a revisit, rubbish.
func collection(t *testing.T, files, pages int) []catalog.File {
	t.Helper()
	dir := t.TempDir()
	var out []catalog.File
	n := 0
	for f := range files {
		path := filepath.Join(dir, fmt.Sprintf("f%d.warc.gz", f))
		w, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		enc, err := warc.NewEncoder(warc.Packing{})
		if err != nil {
			t.Fatal(err)
		}
		put := func(e *warc.Entry) {
			if err := enc.Encode(w, e); err != nil {
				t.Fatal(err)
			}
		}
		put(warc.New(warc.TypeWarcinfo, "<urn:info>", at(0), warc.Bytes("isPartOf: crawl-"+fmt.Sprint(f)+"\r\n")).With(warc.FieldContentType, warc.ContentTypeFields))
		answer := func(url, status, mime, body string) {
			text := fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: %s\r\nDate: %s\r\n\r\n%s", status, mime, at(n).Format(time.RFC1123), body)
			put(warc.New(warc.TypeResponse, fmt.Sprintf("<urn:%d>", n), at(n), warc.Bytes(text)).
				With(warc.FieldTargetURI, url).With(warc.FieldContentType, warc.ContentTypeResponse))
			n++
		}
		for p := range pages {
			words := strings.Repeat(fmt.Sprintf("This is a sentence with many words about page %d of the archive. ", p), 8) + "Angela Merkel read it in Berlin."
			answer(fmt.Sprintf("http://h%d.test/p%d", f, p), "200 OK", "text/html", fmt.Sprintf(html, p, p, words, p))
		}
		answer(fmt.Sprintf("http://h%d.test/i.png", f), "200 OK", "image/png", dots(t))
		answer(fmt.Sprintf("http://h%d.test/none", f), "404 Not Found", "text/html", "<p>no</p>")
		answer(fmt.Sprintf("http://h%d.test/bad", f), "200 OK", "text/html; charset=utf-16", strings.Repeat("<a href=", 3000))
		put(warc.New(warc.TypeRevisit, "<urn:r>", at(n), warc.Bytes("HTTP/1.1 200 OK\r\n\r\n")).
			With(warc.FieldTargetURI, fmt.Sprintf("http://h%d.test/p0", f)).With(warc.FieldContentType, warc.ContentTypeResponse).
			With(warc.FieldProfile, "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest").With(warc.FieldPayloadDigest, "sha1:ABC"))
		n++
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		out = append(out, catalog.File{Name: filepath.Base(path), Path: path, Kind: catalog.KindWARC})
	}
	return out
}

func tables(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".parquet" {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func all[T any](t *testing.T, path string) (out []T) {
	t.Helper()
	if err := derive.Rows(path, func(r *T) (bool, error) { out = append(out, *r); return true, nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTables(t *testing.T) {
	files := collection(t, 2, 5)
	dir := t.TempDir()
	sum, err := derive.Run(t.Context(), job.Config{Dir: dir}, files, derive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Jobs[0].Failed != 0 {
		t.Errorf("%+v", sum)
	}
	pages := all[derive.PageRow](t, filepath.Join(dir, "pages", "f1.warc.gz.parquet"))
	if len(pages) != 9 {
		t.Fatalf("%d rows", len(pages))
	}
	p := pages[3]
	if p.URL != "http://h1.test/p3" || p.SURT != "test,h1)/p3" || p.Status != 200 || p.Record != "response" || p.Host != "h1.test" || p.Crawl != "crawl-1" ||
		!p.Time.Equal(at(12)) || p.MIME != "text/html" || p.Detected != "text/html" || p.Title != "Page 3" || p.Language != "en" || p.Generator != "varve test" ||
		!strings.Contains(p.Text, "about page 3 of the archive") || strings.Contains(p.Text, "home") || p.Words < 80 || p.DateSource != "meta" || p.Dated.Year() != 2023 ||
		p.DigestBytes == "" || p.DigestDOM == "" || p.DigestMain == "" || p.DigestLinks == "" || p.Simhash == 0 || len(p.Minhash) != 256 || p.Links != 2 || p.Embeds != 1 ||
		p.File != "f1.warc.gz" || p.Offset == 0 || p.Length == 0 || p.Error != "" || p.Size == 0 {
		t.Errorf("%+v", p)
	}
	if png := pages[5]; png.Detected != "image/png" || png.Text != "" || png.DigestBytes == "" || png.DigestDOM != "" || png.Language != "" {
		t.Errorf("%+v", png)
	}
	if rev := pages[8]; rev.Record != "revisit" || rev.Digest != "sha1:ABC" || rev.Text != "" {
		t.Errorf("%+v", rev)
	}
	links := all[derive.Link](t, filepath.Join(dir, "links", "f1.warc.gz.parquet"))
	found := false
	for _, l := range links {
		found = found || l.Source == "http://h1.test/p2" && l.Target == "http://other.test/x2" && l.Kind == "a-href" && l.Hop == "link" && l.Anchor == "the other side" && l.Time.Equal(at(11))
	}
	if !found {
		t.Errorf("%+v", links)
	}
	hosts := map[string]derive.Host{}
	for _, h := range all[derive.Host](t, filepath.Join(dir, "hosts.parquet")) {
		hosts[h.Host] = h
	}
	if h := hosts["h0.test"]; len(hosts) != 3 || h.Captures != 9 || h.Pages != 6 || h.Errors != 1 || h.Revisits != 1 || h.Out != 5 || h.Inside != 5 || !h.First.Equal(at(0)) || !h.Last.Equal(at(8)) {
		t.Errorf("%+v", hosts)
	}
	if h := hosts["other.test"]; h.In != 10 || h.Captures != 0 {
		t.Errorf("%+v", h)
	}
	versions := all[derive.VersionRow](t, filepath.Join(dir, "versions.parquet"))
	if v := versions[len(versions)-2]; len(versions) != 12 || v.Captures < 1 || v.Text == "" || v.Language != "en" || v.From.IsZero() || !v.Until.IsZero() || v.SURT <= versions[0].SURT {
		t.Errorf("%d versions, %+v", len(versions), v)
	}
	days := all[derive.CrawlDay](t, filepath.Join(dir, "crawls.parquet"))
	if len(days) != 2 || days[0].Crawl != "crawl-0" || days[0].Captures != 9 || days[1].Pages != 6 {
		t.Errorf("%+v", days)
	}
}

// Ended again and again, the tables come out the same, to the byte; and so they do on one core and on four.
func TestSameBytes(t *testing.T) {
	files := collection(t, 6, 12)
	whole := t.TempDir()
	if _, err := derive.Run(t.Context(), job.Config{Dir: whole, Cores: 4}, files, derive.Options{}); err != nil {
		t.Fatal(err)
	}
	want := tables(t, whole)
	if len(want) != 18 {
		t.Fatalf("%d tables", len(want))
	}
	rng := rand.New(rand.NewPCG(5, 6))
	dir := t.TempDir()
	for ends := 0; ; ends++ {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+rng.IntN(40*(ends+1)))*time.Millisecond)
		_, err := derive.Run(ctx, job.Config{Dir: dir, Cores: 1}, files, derive.Options{})
		cancel()
		if err == nil {
			t.Logf("ended %d times", ends)
			break
		}
		if ends > 500 {
			t.Fatal(err)
		}
	}
	got := tables(t, dir)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %d bytes, want %d", name, len(got[name]), len(want[name]))
		}
	}
}

// TestContentCut: content beyond the limit is told, and damage beside it.
func TestContentCut(t *testing.T) {
	dir := t.TempDir()
	if _, err := derive.Run(t.Context(), job.Config{Dir: dir}, collection(t, 1, 1), derive.Options{MaxBody: 300}); err != nil {
		t.Fatal(err)
	}
	cut := 0
	for _, p := range all[derive.PageRow](t, filepath.Join(dir, "pages", "f0.warc.gz.parquet")) {
		if long := p.Size == 300; long != strings.Contains(p.Error, "content is read up to 300 bytes") {
			t.Errorf("%s: %d bytes, %q", p.URL, p.Size, p.Error)
		} else if long {
			cut++
		}
	}
	if cut != 2 {
		t.Errorf("%d rows are cut", cut)
	}
}

// A page with more films than are listed has those that are, and the others are told of as long as the tables lack them.
func TestMediaBeyondTheLimitAreTold(t *testing.T) {
	var page strings.Builder
	for n := range 230 {
		fmt.Fprintf(&page, "<video src=\"/film%d.mp4\"></video>", n)
	}
	path, dir := filepath.Join(t.TempDir(), "films.warc.gz"), t.TempDir()
	w, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	if err := enc.Encode(w, warc.New(warc.TypeResponse, "<urn:films>", at(0), warc.Bytes("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+page.String())).
		With(warc.FieldTargetURI, "http://films.test/").With(warc.FieldContentType, warc.ContentTypeResponse)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	files := []catalog.File{{Name: "films.warc.gz", Path: path, Kind: catalog.KindWARC}}
	for range 2 { // the second finds all done
		sum, err := derive.Run(t.Context(), job.Config{Dir: dir}, files, derive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range sum.Jobs {
			if want := map[string]int64{"media": 1}[j.Job]; j.Partial != want || j.Failed != 0 {
				t.Errorf("%s: %d in part and %d failed, want %d and 0", j.Job, j.Partial, j.Failed, want)
			}
		}
		if rows := all[derive.Medium](t, filepath.Join(dir, "media.parquet")); len(rows) != 200 {
			t.Errorf("%d films", len(rows))
		}
		left, err := job.Standing(dir)
		if err != nil || len(left) != 1 || !left[0].Partial || left[0].Job != "media" || !strings.Contains(left[0].Cause, "30") {
			t.Errorf("%+v, %v", left, err)
		}
	}
	// Tried again it is read again: it is still more than is listed.
	sum, err := derive.Run(t.Context(), job.Config{Dir: dir, Retry: true}, files, derive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	left, err := job.Standing(dir)
	if i := slices.IndexFunc(sum.Jobs, func(j job.Result) bool { return j.Job == "media" }); err != nil || len(left) != 1 || sum.Jobs[i].Done != 1 {
		t.Errorf("%+v, %+v, %v", left, sum.Jobs[i], err)
	}
}
