package screenspeed

import (
	"context"
	"crypto/sha1"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve/archive/catalog"
	"varve/archive/cdxj"
	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/frontier"
	"varve/derive"
	"varve/index/cdx"
	"varve/index/fulltext"
	"varve/index/temporal"
	"varve/web/canon"
)

// Config says how large the archive is.
type Config struct {
	Dir      string
	Captures int // of the large collection
	Crawls   int
	Docs     int // of the text index
	Log      io.Writer
}

// name is the large collection.
const name = "nation"

// start is when the first crawl begins.
var start = time.Date(2020, 1, 1, 3, 0, 0, 0, time.UTC)

// world is what the made-up archive is of.
type world struct {
	cfg   Config
	hosts int
	pages int // of a host
	each  int // captures of a crawl
}

func newWorld(cfg Config) *world {
	w := &world{cfg: cfg, hosts: 250, pages: 200, each: cfg.Captures / cfg.Crawls}
	return w
}

func (w *world) crawlID(n int) string { return w.at(n).Format("20060102T150405Z") }

func (w *world) at(n int) time.Time { return start.Add(time.Duration(n) * 24 * time.Hour) }

func (w *world) file(n int) string { return w.crawlID(n) + "-00000-varve.warc.gz" }

// page is the address with a number; the first of a host is its front page.
func (w *world) page(a int) string {
	host, p := a%w.hosts, a/w.hosts
	if p == 0 {
		return fmt.Sprintf("https://h%03d.example/", host)
	}
	return fmt.Sprintf("https://h%03d.example/%s/%d.html", host, sections[p%len(sections)], p)
}

var sections = []string{"news", "council", "culture", "sport", "archive/2019", "people", "law"}

// real are the addresses with records that can be read.
func (w *world) real() []int { return []int{0, 1, w.hosts, w.hosts + 1} }

// visit lists the addresses of a crawl: the real ones first, then a part of the others in turn.
func (w *world) visit(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		all := w.hosts * w.pages
		for _, a := range w.real() {
			if !yield(a) {
				return
			}
		}
		for i := range w.each - len(w.real()) {
			a := (n*w.each + i) % all
			if a == 0 || a == 1 || a == w.hosts || a == w.hosts+1 {
				a = (a + 2) % all
			}
			if !yield(a) {
				return
			}
		}
	}
}

// version is which content an address has in a crawl.
func (w *world) version(a, n int) int { return (n + a%7) / 7 }

func (w *world) text(a, n int) string {
	v := w.version(a, n)
	return fmt.Sprintf("<!doctype html><html lang=en><title>Page %d of host %d</title><h1>Page %d</h1><p>The council met for the %d. time and spoke about the rent law, the harbour and the budget of the year.</p><p>Version %d. %s</p><p><a href=/news/1.html>news</a> <a href=/law/6.html>law</a></p></html>",
		a/w.hosts, a%w.hosts, a, v, v, strings.Repeat("Ships came and went; the town counted them and wrote the number down. ", 1+v%9))
}

// Make makes the archive, or leaves one that is there.
func Make(ctx context.Context, cfg Config) error {
	done := filepath.Join(cfg.Dir, "made.json")
	want, err := json.Marshal(struct{ Captures, Crawls, Docs int }{cfg.Captures, cfg.Crawls, cfg.Docs})
	if err != nil {
		return err
	}
	if have, err := os.ReadFile(done); err == nil && string(have) == string(want) {
		fmt.Fprintf(cfg.Log, "the archive in %s is used\n", cfg.Dir)
		return nil
	}
	w := newWorld(cfg)
	if w.each < 10 || cfg.Crawls < 2 {
		return fmt.Errorf("%d captures of %d crawls: at least ten a crawl, and two crawls", cfg.Captures, cfg.Crawls)
	}
	col, err := catalog.Open(cfg.Dir).Collection(name)
	if err != nil {
		return err
	}
	if err := errors.Join(col.Create(), os.MkdirAll(col.WarcDir(), 0o755)); err != nil {
		return err
	}
	toml := "title = \"The nation\"\npurpose = \"A made-up archive of many crawls.\"\n\n[crawl.daily]\nseeds = [\"https://h000.example/\"]\ncontact = \"https://library.example/\"\nevery = \"24h\"\nscope = \"host\"\n"
	if err := os.WriteFile(col.DefinitionFile(), []byte(toml), 0o644); err != nil {
		return err
	}
	places, err := w.crawls(ctx, col)
	if err != nil {
		return err
	}
	fmt.Fprintf(cfg.Log, "%d crawls made\n", cfg.Crawls)
	if err := w.index(ctx, col, places); err != nil {
		return err
	}
	if err := w.words(ctx, col); err != nil {
		return err
	}
	return os.WriteFile(done, want, 0o644)
}

// place is where a real record lies.
type place struct {
	offset, length int64
	digest         string
}

// crawls makes the folders and files of all crawls.
func (w *world) crawls(ctx context.Context, col *catalog.Collection) (map[[2]int]place, error) {
	places := map[[2]int]place{}
	for n := range w.cfg.Crawls {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := w.records(col, n, places); err != nil {
			return nil, err
		}
		if err := w.folder(col, n); err != nil {
			return nil, err
		}
	}
	return places, nil
}

// records writes the WARC file of a crawl.
func (w *world) records(col *catalog.Collection, n int, places map[[2]int]place) (err error) {
	f, err := os.Create(filepath.Join(col.WarcDir(), w.file(n)))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		return err
	}
	out := &counted{w: f}
	for i, a := range w.real() {
		body := w.text(a, n)
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
		from := out.n
		sum := sha1.Sum([]byte(body))
		digest := "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
		e := warc.New(warc.TypeResponse, fmt.Sprintf("<urn:uuid:%08x-0000-4000-8000-%012x>", n, i), w.at(n).Add(time.Duration(i)*time.Second), warc.Bytes(block)).
			With(warc.FieldTargetURI, w.page(a)).With(warc.FieldContentType, warc.ContentTypeResponse).With("WARC-Payload-Digest", digest)
		if err := enc.Encode(out, e); err != nil {
			return err
		}
		places[[2]int{n, a}] = place{from, out.n - from, digest}
	}
	return nil
}

type counted struct {
	w io.Writer
	n int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// folder writes what a crawl leaves beside its records.
func (w *world) folder(col *catalog.Collection, n int) error {
	dir, err := col.CrawlDir(w.crawlID(n))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	at := w.at(n)
	seed := w.page(0)
	rep := crawl.Report{
		Crawl: w.crawlID(n), Finished: true, Complete: n%9 != 0, Why: "all done", Started: at, Ended: at.Add(2 * time.Hour),
		Totals: crawl.Totals{
			Pages: int64(w.each - w.each/10), URLs: int64(w.each), Bytes: int64(w.each) * 14_000, Failed: int64(n % 13), Files: []string{"warc/" + w.file(n)},
			Seeds: map[string]crawl.Seed{seed: {Outcome: "ok", Status: 200, Links: 40}},
		},
	}
	for h := range 50 {
		rep.Hosts = append(rep.Hosts, frontier.HostStats{Host: fmt.Sprintf("h%03d.example:443", h), Done: 10})
	}
	def := crawl.Definition{Name: "daily", Seeds: []string{seed}, Contact: "https://library.example/"}
	for file, v := range map[string]any{"report.json": rep, "definition.json": def} {
		b, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, file), b, 0o644); err != nil {
			return err
		}
	}
	var events strings.Builder
	for i := range 40 {
		fmt.Fprintf(&events, "{\"time\":%q,\"event\":\"file\",\"detail\":\"step %d\"}\n", at.Add(time.Duration(i)*time.Minute).Format(time.RFC3339), i)
	}
	if err := os.WriteFile(filepath.Join(dir, "events.jsonl"), []byte(events.String()), 0o644); err != nil {
		return err
	}
	if n%5 != 0 {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, "coherence.json"), []byte(`{"layers":{"text":{"coherent":80,"changed":15,"unknown":5}}}`), 0o644)
}

// index makes the index of captures, and of versions in time.
func (w *world) index(ctx context.Context, col *catalog.Collection, places map[[2]int]place) (err error) {
	b, err := cdx.NewBuilder(col.IndexDir("cdx"), cdx.Config{})
	if err != nil {
		return err
	}
	n, err := b.AddLines(ctx, "made", w.lines(places))
	if err = errors.Join(err, b.Close()); err != nil {
		return err
	}
	fmt.Fprintf(w.cfg.Log, "%d captures indexed\n", n)
	ix, err := cdx.Open(col.IndexDir("cdx"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ix.Close()) }()
	stats, err := ix.Stats()
	if err != nil {
		return err
	}
	built, err := temporal.Build(ctx, col.IndexDir("temporal"), ix.Query(ctx, cdx.Query{}), temporal.Config{Source: stats.Content, Crawl: func(file string) string {
		id, _, _ := strings.Cut(file, "-")
		return id
	}})
	fmt.Fprintf(w.cfg.Log, "%d versions of %d pages\n", built.Versions, built.Pages)
	return err
}

// lines are those of the index of captures.
func (w *world) lines(places map[[2]int]place) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		keys := make([]string, w.hosts*w.pages)
		urls := make([]string, len(keys))
		for a := range keys {
			urls[a] = w.page(a)
			keys[a] = canon.SURT(urls[a])
		}
		var line []byte
		for n := range w.cfg.Crawls {
			at, file, i := w.at(n), w.file(n), 0
			for a := range w.visit(n) {
				p, ok := places[[2]int{n, a}]
				if !ok {
					p = place{int64(100_000 + i*3_000), 3_000, fmt.Sprintf("sha1:%032d", a*10_000+w.version(a, n))}
				}
				mime, status := "text/html", 200
				switch {
				case ok:
				case i%10 == 9:
					mime = "image/png"
				case i%97 == 0:
					status = 404
				}
				line = fmt.Appendf(line[:0], `%s %s {"url":"%s","mime":"%s","status":"%d","digest":"%s","length":"%d","offset":"%d","filename":"%s"}`,
					keys[a], cdxj.Timestamp(at.Add(time.Duration(i)*time.Second)), urls[a], mime, status, p.digest, p.length, p.offset, file)
				if !yield(line, nil) {
					return
				}
				i++
			}
		}
	}
}

// words makes the table of versions and the text index.
func (w *world) words(ctx context.Context, col *catalog.Collection) (err error) {
	dir := filepath.Join(col.Dir(), "derived")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	table := filepath.Join(dir, "versions.parquet")
	f, err := os.Create(table)
	if err != nil {
		return err
	}
	out := parquet.NewGenericWriter[derive.VersionRow](f)
	rows := make([]derive.VersionRow, 1)
	for i := range w.cfg.Docs {
		a, n := i%(w.hosts*w.pages), i*7919%w.cfg.Crawls
		url := w.page(a)
		host := strings.TrimPrefix(url[:strings.Index(url[8:], "/")+8], "https://")
		rows[0] = derive.VersionRow{
			URL: url, SURT: canon.SURT(url), Host: host, Domain: host, From: w.at(n), Last: w.at(min(n+6, w.cfg.Crawls-1)), Captures: 7, Crawl: w.crawlID(n),
			MIME: "text/html", Language: "en", Confidence: 0.99, Title: fmt.Sprintf("Page %d of host %d", a/w.hosts, a%w.hosts), Text: prose(i), Words: 80, Simhash: uint64(i) * 0x9e3779b97f4a7c15,
			State: fmt.Sprintf("%016x", i), Digest: fmt.Sprintf("sha1:%032d", i), Size: 3_000, File: w.file(n), Offset: 0, Length: 3_000,
		}
		if _, err := out.Write(rows); err != nil {
			return errors.Join(err, f.Close())
		}
		if i%8000 == 7999 {
			if err := out.Flush(); err != nil {
				return errors.Join(err, f.Close())
			}
		}
	}
	if err := errors.Join(out.Close(), f.Close()); err != nil {
		return err
	}
	rep, err := fulltext.Build(ctx, col.IndexDir("fulltext"), table, nil)
	fmt.Fprintf(w.cfg.Log, "%d documents in the text index, %d bytes\n", w.cfg.Docs, rep.Bytes)
	return err
}

var nouns = []string{"council", "rent", "law", "harbour", "budget", "school", "bridge", "election", "theatre", "flood", "tram", "market", "church", "strike", "museum", "forest"}

// prose is eighty words, some of them of this text alone.
func prose(i int) string {
	var b strings.Builder
	for k := range 16 {
		x := (i*31 + k*k*7) % (len(nouns) * 8)
		fmt.Fprintf(&b, "The %s of ward%d spoke about %s. ", nouns[x%len(nouns)], (i+k)%4000, nouns[(x/3+k)%len(nouns)])
	}
	return b.String()
}
