// Package debates reads files of speeches, as the corpus of the UN General Debate has them, for evaluations of what changes through time: a JSON object a line with state, session,
// year and text, packed or not.
package debates

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"varve/evolution"
	"varve/lab/eval"
	"varve/lab/eval/cpu"
	"varve/language"
)

// Speech is a line of a file of speeches.
type Speech struct {
	State   string `json:"state"` // three letters
	Session int    `json:"session"`
	Year    int    `json:"year"`
	Text    string `json:"text"`
}

// Speeches goes through those of a file; an error, which tells the line, ends it.
func Speeches(file string) iter.Seq2[*Speech, error] {
	return func(yield func(*Speech, error) bool) {
		f, err := eval.Open(file, "")
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 4<<20)
		for n := 1; lines.Scan(); n++ {
			s := new(Speech)
			if err := json.Unmarshal(lines.Bytes(), s); err != nil {
				yield(nil, fmt.Errorf("%s, line %d: %w", file, n, err))
				return
			}
			if !yield(s, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(nil, fmt.Errorf("%s: %w", file, err))
		}
	}
}

// Files returns the files of speeches of a folder: those in it, or in its folder ungdc.
func Files(dir string) ([]string, error) {
	var out []string
	for _, pattern := range []string{"ungdc/*.jsonl.gz", "ungdc/*.jsonl", "*.jsonl.gz", "*.jsonl"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no files of speeches (*.jsonl, *.jsonl.gz, also in its folder ungdc)", dir)
	}
	return out, nil
}

// Corpus is the phrases of speeches, on disk by year, so that no more than one of them is in memory.
type Corpus struct {
	Years    []int   `json:"years"`
	Speeches int     `json:"speeches"`
	Bytes    int64   `json:"bytes"`
	CPU      float64 `json:"cpu_seconds"` // to read and tag them

	dir  string
	keep bool
}

const summary = "corpus.json"

// Read tags speeches and writes their phrases by year. With a folder to keep them in, which is made, they stay there, and are read again from there the next time:
// tagging takes two seconds of CPU a megabyte, everything after it much less.
func Read(ctx context.Context, files []string, keep string) (*Corpus, error) {
	c := &Corpus{dir: keep, keep: keep != ""}
	if c.keep {
		if b, err := os.ReadFile(filepath.Join(keep, summary)); err == nil {
			return c, json.Unmarshal(b, c)
		}
		if err := os.MkdirAll(keep, 0o755); err != nil {
			return nil, err
		}
	} else {
		var err error
		if c.dir, err = os.MkdirTemp("", "debates-"); err != nil {
			return nil, err
		}
	}
	used, err := cpu.Measure(func() error { return c.read(ctx, files) })
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	c.CPU = used.CPU.Seconds()
	b, err := json.Marshal(c)
	if err == nil {
		err = os.WriteFile(filepath.Join(c.dir, summary), b, 0o644)
	}
	return c, err
}

// read tags in as many goroutines as there are cores; speeches stay in the order of the files.
func (c *Corpus) read(ctx context.Context, files []string) error {
	type job struct {
		speech *Speech
		done   chan *evolution.Document
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo, order := make(chan job), make(chan job, 4*runtime.GOMAXPROCS(0))
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			a := language.New()
			for j := range todo {
				doc, err := a.Analyse(ctx, language.Text{Text: j.speech.Text, Language: "en"}, language.Phrases)
				if err != nil {
					cancel(err)
					doc = &language.Document{}
				}
				j.done <- &evolution.Document{
					ID: fmt.Sprintf("%s %d", j.speech.State, j.speech.Year), Source: j.speech.State, Year: j.speech.Year, Sentences: evolution.Sentences(doc.Phrases),
				}
			}
		})
	}
	go func() {
		defer close(order)
		defer close(todo)
		for _, file := range files {
			for s, err := range Speeches(file) {
				if err != nil {
					cancel(err)
				}
				if ctx.Err() != nil {
					return
				}
				j := job{s, make(chan *evolution.Document, 1)}
				order <- j
				todo <- j
			}
		}
	}()
	spool := evolution.NewSpool(c.dir)
	for j := range order {
		doc := <-j.done
		c.Speeches++
		c.Bytes += int64(len(j.speech.Text))
		if err := spool.Add(doc); err != nil {
			cancel(err)
		}
	}
	workers.Wait()
	c.Years = spool.Years()
	return cmp.Or(context.Cause(ctx), spool.Close())
}

// Year returns the speeches of a year.
func (c *Corpus) Year(year int) evolution.Documents { return evolution.Years(c.dir, year) }

// Between returns the speeches of the years from one to another.
func (c *Corpus) Between(from, to int) evolution.Documents {
	var years []int
	for _, y := range c.Years {
		if y >= from && y <= to {
			years = append(years, y)
		}
	}
	return evolution.Years(c.dir, years...)
}

// All returns the speeches of all years in their order.
func (c *Corpus) All() evolution.Documents { return evolution.Years(c.dir, c.Years...) }

// Close removes the phrases, unless they are kept.
func (c *Corpus) Close() error {
	if c.keep || c.dir == "" {
		return nil
	}
	return os.RemoveAll(c.dir)
}
