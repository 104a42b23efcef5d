// Package unitspeed measures what the units of language/ cost: each beside the sentence splitter in the same run, the memory of all of them together, and what they add to deriving a collection.
package unitspeed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"varve/archive/catalog"
	"varve/archive/scan"
	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/lab/eval/cpu"
	"varve/language"
	"varve/text/document"
)

// Cost is what a unit takes, without those that it is made from.
type Cost struct {
	Unit  language.Unit `json:"unit"`
	Speed float64       `json:"tokens_per_cpu_second"`
	Times float64       `json:"times_the_splitter"`
}

// Report is what was measured.
type Report struct {
	Texts  int    `json:"texts"`
	Tokens int    `json:"tokens"`
	Units  []Cost `json:"units"`
	HeapMB int64  `json:"heap_mb"` // models included, at most, of all units on these texts
	RSSMB  int64  `json:"rss_mb"`  // of the process, at most
}

// Measure makes all units of English texts, some rounds. Units of a text follow each other, so all are measured under the same load. The first round, which unpacks the models, is not counted.
func Measure(ctx context.Context, texts []string, rounds int) (*Report, error) {
	r := &Report{Texts: len(texts)}
	spent := map[language.Unit]time.Duration{}
	a := language.New()
	for round := range rounds + 1 {
		for _, text := range texts {
			reading, err := language.Read(language.Text{Text: text, Language: "en", Date: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
			if err != nil {
				return nil, err
			}
			for _, u := range language.Units() {
				var err error
				took := scan.CPUTime(func() { err = a.Do(ctx, reading, u) })
				if err != nil {
					return nil, err
				}
				if round > 0 {
					spent[u] += took
				}
			}
			if round == 0 {
				for _, s := range reading.Sentences {
					r.Tokens += len(s.Tokens)
				}
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			r.HeapMB = max(r.HeapMB, int64(m.HeapAlloc>>20))
		}
	}
	if r.Tokens == 0 || rounds < 1 {
		return nil, errors.New("there is nothing to measure")
	}
	for _, u := range language.Units() {
		r.Units = append(r.Units, Cost{u, float64(r.Tokens*rounds) / max(spent[u].Seconds(), 1e-9), float64(spent[u]) / float64(max(spent[language.Sentences], 1))})
	}
	r.RSSMB = cpu.MaxRSS() >> 20
	return r, nil
}

// Print writes a table.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d texts, %d tokens\n%-10s %16s %12s\n", r.Texts, r.Tokens, "unit", "tokens per CPU-s", "times splitter")
	for _, c := range r.Units {
		fmt.Fprintf(&b, "%-10s %16.0f %12.1f\n", c.Unit, c.Speed, c.Times)
	}
	fmt.Fprintf(&b, "heap at most %d MB, models included; resident at most %d MB\n", r.HeapMB, r.RSSMB)
	_, err := io.WriteString(w, b.String())
	return err
}

// Derived is what deriving a collection takes, with the default units and without.
type Derived struct {
	Files   int     `json:"files"`
	Without float64 `json:"without_cpu_seconds"`
	With    float64 `json:"with_cpu_seconds"`
	Ratio   float64 `json:"ratio"`
}

// Derive derives WARC files into folders below dir, with and without the default units, in turns; the least of the rounds counts.
func Derive(ctx context.Context, dir string, warcs []string, rounds int) (*Derived, error) {
	d := &Derived{Files: len(warcs)}
	var files []catalog.File
	for i, w := range warcs { // of several collections names may be the same
		files = append(files, catalog.File{Name: fmt.Sprintf("%d-%s", i, filepath.Base(w)), Path: w, Kind: catalog.KindWARC})
	}
	for range rounds {
		for _, units := range [][]language.Unit{nil, language.Default()} {
			o := derive.Options{Document: document.Text}
			if units != nil {
				o.More, o.Facets = annotate.Jobs(units)
			}
			to := filepath.Join(dir, "derived")
			used, err := cpu.Measure(func() error {
				_, err := derive.Run(ctx, job.Config{Dir: to}, files, o)
				return err
			})
			if err = errors.Join(err, os.RemoveAll(to)); err != nil {
				return nil, err
			}
			best := &d.Without
			if units != nil {
				best = &d.With
			}
			if s := used.CPU.Seconds(); *best == 0 || s < *best {
				*best = s
			}
		}
	}
	d.Ratio = d.With / max(d.Without, 1e-9)
	return d, nil
}

// Print writes a line.
func (d *Derived) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "derive of %d WARC files: %.2f CPU-s, with the default units %.2f: %.2f times\n", d.Files, d.Without, d.With, d.Ratio)
	return err
}
