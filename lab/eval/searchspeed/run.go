package searchspeed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve/derive"
	"varve/derive/job"
	"varve/index/fulltext"
	"varve/lab/eval/cpu"
	"varve/text/document"
)

// Config says what is measured.
type Config struct {
	Dir     string
	Keep    bool   // tables and indexes stay in Dir; those that are there are used
	Docs    int    // documents of the index; a tenth of them is measured first, for the growth
	Pages   int    // pages for derive; a fiftieth of Docs if 0
	Queries int    // of each kind; 40 if 0
	Rounds  int    // how often each is asked; 5 if 0
	Kinds   string // only kinds of questions with this in their name, of the whole index
	Seed    uint64
}

// Derive is what the tables of WARC pages cost.
type Derive struct {
	Pages  int     `json:"pages"`
	HTML   int64   `json:"html_bytes"`
	CPU    float64 `json:"cpu_seconds"`
	PerCPU float64 `json:"pages_per_cpu_second"`
}

// Size is an index of one size.
type Size struct {
	Docs     int     `json:"docs"`
	Texts    int64   `json:"text_bytes"`
	CPU      float64 `json:"index_cpu_seconds"`
	PerCPU   float64 `json:"docs_per_cpu_second"`
	Bytes    int64   `json:"index_bytes"`
	Facets   int64   `json:"facets_bytes"`   // of that, facets with many values
	Pairs    int64   `json:"pairs_bytes"`    // and pairs of common words
	PeakRSS  int64   `json:"peak_rss_bytes"` // of the process until the index was built
	Open     float64 `json:"open_cpu_ms"`
	OpenHeap int64   `json:"open_heap_bytes"` // that the open index holds
	Kinds    []Kind  `json:"kinds"`
}

// Result is a whole run.
type Result struct {
	Derive Derive `json:"derive"`
	Sizes  []Size `json:"sizes"` // the last one is what was asked for
}

// Run measures. Progress goes to log.
func Run(ctx context.Context, cfg Config, log io.Writer) (*Result, error) {
	if cfg.Pages == 0 {
		cfg.Pages = max(50, cfg.Docs/50)
	}
	if cfg.Queries == 0 {
		cfg.Queries = 40
	}
	if cfg.Rounds == 0 {
		cfg.Rounds = 5
	}
	res := &Result{}
	if err := res.derive(ctx, cfg); err != nil {
		return res, err
	}
	fmt.Fprintf(log, "derive: %.0f pages per CPU-second\n", res.Derive.PerCPU)
	sizes := []int{cfg.Docs / 10, cfg.Docs}
	if cfg.Kinds != "" {
		sizes = sizes[1:]
	}
	for _, docs := range sizes {
		size, err := measureSize(ctx, cfg, docs, log)
		if err != nil {
			return res, fmt.Errorf("%d documents: %w", docs, err)
		}
		res.Sizes = append(res.Sizes, *size)
	}
	return res, nil
}

func (res *Result) derive(ctx context.Context, cfg Config) error {
	files, size, err := writeWARC(cfg.Dir, cfg.Pages, cfg.Seed)
	if err != nil {
		return err
	}
	dir := filepath.Join(cfg.Dir, "derived")
	if err := os.RemoveAll(dir); err != nil { // nothing of it is kept
		return err
	}
	used, err := cpu.Measure(func() error {
		sum, err := derive.Run(ctx, job.Config{Dir: dir}, files, derive.Options{Document: document.Text})
		if err == nil && sum.Jobs[0].Failed > 0 {
			err = fmt.Errorf("%d pages could not be read", sum.Jobs[0].Failed)
		}
		return err
	})
	res.Derive = Derive{Pages: cfg.Pages, HTML: size, CPU: used.CPU.Seconds(), PerCPU: float64(cfg.Pages) / used.CPU.Seconds()}
	return err
}

// measureSize builds an index of so many documents, unless one was kept, and asks it.
func measureSize(ctx context.Context, cfg Config, docs int, log io.Writer) (s *Size, err error) {
	dir := filepath.Join(cfg.Dir, fmt.Sprintf("index-%d-%d", docs, cfg.Seed))
	if s, err = builtSize(ctx, cfg, dir, docs, log); err != nil {
		return s, err
	}
	before := heap()
	var ix *fulltext.Index
	used, err := cpu.Measure(func() (err error) { ix, err = fulltext.Open(dir); return err })
	if err != nil {
		return s, err
	}
	defer func() {
		if err = errors.Join(err, ix.Close()); !cfg.Keep {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	s.Open, s.OpenHeap = milliseconds(used.CPU), heap()-before
	p, err := openPeer(dir)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	return s, s.ask(ctx, cfg, ix, p, log)
}

// builtSize gives what building an index cost: now, or when the kept one was built.
func builtSize(ctx context.Context, cfg Config, dir string, docs int, log io.Writer) (*Size, error) {
	kept := dir + ".json"
	s := &Size{}
	if b, err := os.ReadFile(kept); err == nil && json.Unmarshal(b, s) == nil && s.Docs == docs && hasDocs(dir, docs) {
		fmt.Fprintf(log, "%d documents: the index that was kept\n", docs)
		return s, nil
	}
	s = &Size{Docs: docs}
	table := filepath.Join(cfg.Dir, "versions.parquet")
	used, err := cpu.Measure(func() (err error) { s.Texts, err = writeVersions(table, docs, cfg.Seed); return err })
	if err != nil {
		return s, err
	}
	fmt.Fprintf(log, "%d documents written: %.1f s CPU\n", docs, used.CPU.Seconds())
	debug.FreeOSMemory()
	used, err = cpu.Measure(func() error {
		rep, err := fulltext.Build(ctx, dir, table, nil)
		s.Bytes = rep.Bytes
		return err
	})
	if err = errors.Join(err, os.Remove(table), os.Remove(derive.FacetsOf(table))); err != nil {
		return s, err
	}
	of, err := sizeOf(filepath.Join(dir, "*", "facets-*"))
	if err != nil {
		return s, err
	}
	if s.Facets, err = sizeOf(filepath.Join(dir, "ordinals-*")); err != nil {
		return s, err
	}
	s.Facets += of
	if s.Pairs, err = sizeOf(filepath.Join(dir, "*", "pairs")); err != nil {
		return s, err
	}
	s.CPU, s.PerCPU, s.PeakRSS = used.CPU.Seconds(), float64(docs)/used.CPU.Seconds(), cpu.MaxRSS()
	fmt.Fprintf(log, "%d documents indexed: %.0f per CPU-second\n", docs, s.PerCPU)
	b, err := json.Marshal(s)
	if err == nil && cfg.Keep {
		err = os.WriteFile(kept, b, 0o644)
	}
	return s, err
}

// sizeOf adds up the bytes of files.
func sizeOf(pattern string) (size int64, err error) {
	files, err := filepath.Glob(pattern)
	for _, f := range files {
		st, err := os.Stat(f)
		if err != nil {
			return size, err
		}
		size += st.Size()
	}
	return size, err
}

// hasDocs tells whether an index is of this version and whole.
func hasDocs(dir string, docs int) bool {
	ix, err := fulltext.Open(dir)
	if err != nil {
		return false
	}
	n := ix.Docs()
	return ix.Close() == nil && n == int64(docs)
}

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// kinds are the questions; words are of middling rank and differ from question to question.
func kinds() []question {
	at := func(i int) time.Time { return epoch.AddDate(2+i%6, i%12, 0) }
	term := func(w func(int) string, i int) string { return w(120 + 37*i) }
	return []question{
		{"term", 3, func(w func(int) string, i int) fulltext.Query { return fulltext.Query{Text: term(w, i)} }},
		{"phrase", 3, func(w func(int) string, i int) fulltext.Query {
			r := pairsFrom + 20 + 17*i
			return fulltext.Query{Text: strconv.Quote(w(r) + " " + w(partner(r)))}
		}},
		{"boolean, date", 3, func(w func(int) string, i int) fulltext.Query {
			return fulltext.Query{
				Text: fmt.Sprintf("(%s OR %s) %s -%s", term(w, i), term(w, i+3), w(i%8), w(3000+i)), From: at(i), To: at(i).AddDate(3, 0, 0),
			}
		}},
		{"as of", 3, func(w func(int) string, i int) fulltext.Query {
			return fulltext.Query{Text: w(30 + 5*i), AsOf: at(i)}
		}},
		{"phrase of common words", 0, func(w func(int) string, i int) fulltext.Query { // which meet by chance
			return fulltext.Query{Text: strconv.Quote(w(i) + " " + w(3+2*i))}
		}},
		{"near", 0, func(w func(int) string, i int) fulltext.Query {
			return fulltext.Query{Text: strconv.Quote(w(30+i)+" "+w(50+3*i)) + "~5"}
		}},
		{"facets", 10, func(w func(int) string, i int) fulltext.Query {
			return fulltext.Query{Text: term(w, i), Facets: []string{"host", "lang", "mime", "year", "crawl"}}
		}},
		{"facets of many values", 10, func(w func(int) string, i int) fulltext.Query {
			return fulltext.Query{Text: term(w, i), Facets: facetsWith(20)}
		}},
		{"value", 3, func(_ func(int) string, i int) fulltext.Query {
			return fulltext.Query{Text: fmt.Sprintf("person:%q", nameOf("person", 5+7*i)), Trend: fulltext.ByMonth}
		}},
		{"trend", 10, func(w func(int) string, i int) fulltext.Query {
			return fulltext.Query{Text: term(w, i), Trend: fulltext.ByMonth}
		}},
		{"screen", 10, func(w func(int) string, i int) fulltext.Query {
			return fulltext.Query{Text: strings.Join([]string{term(w, i), w(i)}, " "), Facets: []string{"host", "lang", "mime", "year", "crawl"}, Trend: fulltext.ByMonth, Group: true}
		}},
	}
}

// facetKinds are queries that find 100, 1 %, 10 % and all of the documents and count facets with 1, 5 and 20 values a document.
func facetKinds(p *peer, docs int) (out []question) {
	for _, size := range []struct {
		name string
		hits int
	}{{"100", 100}, {"1 %", docs / 100}, {"10 %", docs / 10}, {"all", docs}} {
		words := slices.SortedFunc(slices.Values(p.terms), nearer(int64(size.hits)))
		for _, values := range []int{1, 5, 20} {
			out = append(out, question{fmt.Sprintf("%s, %d values", size.name, values), 0, func(_ func(int) string, i int) fulltext.Query {
				q := fulltext.Query{Facets: facetsWith(values)}
				if size.hits < docs {
					q.Text = words[i%8].word
				}
				return q
			}})
		}
	}
	return out
}
