package survey

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"

	"varve/derive"
	"varve/derive/job"
	"varve/spam/terms"
)

// Versions of the jobs: another one does all files again.
const (
	wordsVersion  = 1
	visitsVersion = 2
)

// Keys of the words job begin with a letter that tells what they are.
const (
	sizeKey   = 's' // language -> pages, tokens
	sketchKey = 't' // trigrams
	wordKey   = 'w' // word, zero, language -> count, pages, titles
)

// Word is a row of spam_words. The row of a language without a word has its size: tokens in count, pages in pages.
type Word struct {
	Language string `parquet:"language,dict"`
	Word     string `parquet:"word,zstd"`
	Count    int64  `parquet:"count"`
	Pages    int64  `parquet:"pages"`
	Titles   int64  `parquet:"titles"`
}

// Trigrams is the one row of spam_trigrams: a sketch as terms.Sketch writes it.
type Trigrams struct {
	Sketch []byte `parquet:"sketch,zstd"`
}

// wordsJob counts the words of a collection; it reads the pages that derive made.
func wordsJob() job.Job {
	return job.Job{Name: "spam_words", Version: wordsVersion, Needs: []string{"pages"}, Map: mapWords, Combine: combineWords, Reduce: reduceWords}
}

func mapWords(_ context.Context, t *job.Task) error {
	c := &terms.Counter{Sketch: terms.NewSketch(), Emit: func(w terms.Term) error {
		return t.Emit([]byte(string(wordKey)+w.Word+"\x00"+w.Language), numbers(w.Count, w.Pages, w.Titles))
	}}
	err := derive.Rows(t.Input("pages"), func(p *derive.PageRow) (bool, error) {
		if p.Record == "revisit" || p.Status < 200 || p.Status > 299 || p.Text == "" {
			return true, nil
		}
		return true, c.Add(strings.Clone(p.Language), p.Title, p.Text)
	})
	if err != nil {
		return err
	}
	if err := c.Flush(); err != nil {
		return err
	}
	for language, s := range c.Sizes {
		if err := t.Emit([]byte(string(sizeKey)+language), numbers(s.Tokens, s.Pages)); err != nil {
			return err
		}
	}
	return t.Emit([]byte{sketchKey}, c.Sketch.Append(nil))
}

// numbers packs counts.
func numbers(of ...int64) (b []byte) {
	for _, n := range of {
		b = binary.AppendVarint(b, n)
	}
	return b
}

// unpack reads what numbers packed; what is missing is 0.
func unpack(b []byte) (out [3]int64) {
	for i := range out {
		v, n := binary.Varint(b)
		if n <= 0 {
			break
		}
		out[i], b = v, b[n:]
	}
	return out
}

func combineWords(key, a, b []byte) []byte {
	if key[0] == sketchKey {
		s := terms.NewSketch()
		if s.Merge(a) != nil || s.Merge(b) != nil {
			return a // we wrote them ourselves
		}
		return s.Append(nil)
	}
	x, y := unpack(a), unpack(b)
	return numbers(x[0]+y[0], x[1]+y[1], x[2]+y[2])
}

func reduceWords(_ context.Context, out *job.Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error {
	var build terms.Builder
	sizes := map[string]terms.Size{}
	sketch := terms.NewSketch()
	for key, values := range groups {
		for value := range values {
			n := unpack(value)
			switch key[0] {
			case sizeKey:
				sizes[string(key[1:])] = terms.Size{Tokens: n[0], Pages: n[1]}
			case sketchKey:
				if err := sketch.Merge(value); err != nil {
					return err
				}
			case wordKey:
				word, language, _ := strings.Cut(string(key[1:]), "\x00")
				build.Add(terms.Term{Language: language, Word: word, Count: n[0], Pages: n[1], Titles: n[2]})
			}
		}
	}
	v, err := build.Build(sizes, sketch)
	if err != nil {
		return err
	}
	return writeWords(out, v)
}

func writeWords(out *job.Output, v *terms.Vocabulary) error {
	w, err := out.Create("spam_words")
	if err != nil {
		return err
	}
	table := parquet.NewGenericWriter[Word](w)
	for _, code := range sortedKeys(v.Languages) {
		l := v.Languages[code]
		rows := []Word{{Language: code, Count: l.Tokens, Pages: l.Pages}}
		for _, t := range l.Terms {
			rows = append(rows, Word(t))
		}
		if _, err := table.Write(rows); err != nil {
			return err
		}
	}
	if err := table.Close(); err != nil {
		return err
	}
	if w, err = out.Create("spam_trigrams"); err != nil {
		return err
	}
	blob := parquet.NewGenericWriter[Trigrams](w)
	if _, err := blob.Write([]Trigrams{{Sketch: v.Trigrams.Append(nil)}}); err != nil {
		return err
	}
	return blob.Close()
}

// Vocabulary reads the words of a collection, with trigrams, from its folder of derivatives.
func Vocabulary(dir string) (*terms.Vocabulary, error) {
	sketch := terms.NewSketch()
	err := derive.Rows(filepath.Join(dir, "spam_trigrams.parquet"), func(t *Trigrams) (bool, error) { return false, sketch.Merge(t.Sketch) })
	if err != nil {
		return nil, fmt.Errorf("trigrams of the collection: %w", err)
	}
	v, err := wordsOf(dir)
	if err == nil {
		v.Trigrams = sketch
	}
	return v, err
}

// wordsOf reads the words without trigrams.
func wordsOf(dir string) (*terms.Vocabulary, error) {
	var rows []terms.Term
	sizes := map[string]terms.Size{}
	err := derive.Rows(filepath.Join(dir, "spam_words.parquet"), func(w *Word) (bool, error) {
		t := terms.Term(*w)
		t.Language, t.Word = strings.Clone(w.Language), strings.Clone(w.Word)
		if t.Word == "" {
			sizes[t.Language] = terms.Size{Tokens: t.Count, Pages: t.Pages}
		} else {
			rows = append(rows, t)
		}
		return true, nil
	})
	if err != nil {
		return nil, fmt.Errorf("words of the collection: %w", err)
	}
	return terms.New(rows, sizes, nil)
}
