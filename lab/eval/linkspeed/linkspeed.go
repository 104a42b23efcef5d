// Package linkspeed measures how many documents of 500 words are linked in a second of one processor, beside tagging alone, with any base and with a generated one.
//
// The generated base has as many entities as one asks for. Those that matter are namesakes: every name that the documents have is the name of Namesakes entities, with keyphrases of words of the documents and links among each other, so
// that nothing can be decided by the name; the others have names of syllables and make the file large.
package linkspeed

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"varve/entity"
	"varve/entity/base"
	"varve/entity/link"
	"varve/lab/eval/corpus"
	"varve/lab/eval/cpu"
	"varve/language"
	"varve/text/token"
)

// DocumentWords is how long a document is.
const DocumentWords = 500

// Documents cuts the texts of a set into documents of 500 words.
func Documents(file string, most int) ([]string, error) {
	texts, err := corpus.ReadLinks(file)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, t := range texts {
		from, words := 0, 0
		for w := range token.Words(t.Text) {
			if words++; words == DocumentWords {
				out = append(out, t.Text[from:w.End])
				from, words = w.End, 0
				if len(out) == most {
					return out, nil
				}
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no text of %d words", file, DocumentWords)
	}
	return out, nil
}

// Config says what is generated.
type Config struct {
	Entities  int
	Namesakes int // of each name of the documents
	Memory    int // for sorting, in bytes
}

var syllables = strings.Fields("an ber cor dal el fin gar hol is jan kas lo mer nor ol per quin ros sten tor ul vik wes yor zan")

// Generate builds a base in a folder.
func Generate(ctx context.Context, dir string, documents []string, c Config) (path string, about base.About, err error) {
	var names, words []string
	seen := map[string]bool{}
	a := language.New()
	for _, d := range documents {
		found, err := a.Analyse(ctx, language.Text{Text: d, Language: "en"}, language.Mentions)
		if err != nil {
			return "", about, err
		}
		for _, m := range found.Mentions {
			if !seen[m.Text] {
				seen[m.Text] = true
				names = append(names, m.Text)
			}
		}
		for w := range token.Words(d) {
			if len(w.Text) > 4 {
				words = append(words, w.Text)
			}
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	syllable := func() string {
		s := ""
		for range 2 + rnd.IntN(2) {
			s += syllables[rnd.IntN(len(syllables))]
		}
		return s
	}
	pick := func() string { return words[rnd.IntN(len(words))] }
	known := min(c.Entities, len(names)*c.Namesakes)
	path = filepath.Join(dir, base.FileName)
	about, err = base.Build(ctx, path, func(yield func([]byte, error) bool) {
		var line []byte
		for i := range c.Entities {
			id := fmt.Sprintf("Q%d", i)
			var list []entity.Statement
			if i < known {
				list = []entity.Statement{{Subject: id, Says: entity.HasLabel, Text: names[i%len(names)]}, {Subject: id, Says: entity.HasAnchor, Text: names[i%len(names)], Count: int64(1 + rnd.IntN(9))}}
				for range 10 {
					list = append(list, entity.Statement{Subject: id, Says: entity.HasPhrase, Text: pick() + " " + pick()})
				}
				for range 5 {
					list = append(list, entity.Statement{Subject: id, Says: entity.LinkedFrom, Text: fmt.Sprintf("Q%d", rnd.IntN(known))})
				}
			} else {
				list = []entity.Statement{
					{Subject: id, Says: entity.HasLabel, Text: syllable() + " " + syllable()},
					{Subject: id, Says: entity.HasPhrase, Text: syllable() + " " + pick()},
					{Subject: id, Says: entity.LinkedFrom, Text: fmt.Sprintf("Q%d", rnd.IntN(c.Entities))},
				}
			}
			for _, s := range list {
				line = s.AppendLine(line[:0])
				if !yield(line, nil) {
					return
				}
			}
		}
	}, base.Options{Memory: c.Memory})
	return path, about, err
}

// Result is what was measured, in documents a second of one processor.
type Result struct {
	Documents  int     `json:"documents"`
	Entities   int64   `json:"entities"`
	FileMB     int64   `json:"file_mb"`
	Tags       float64 `json:"tags_per_cpu_second"`
	Mentions   float64 `json:"tags_and_mentions_per_cpu_second"`
	Linked     float64 `json:"linked_per_cpu_second"` // tags, mentions and links
	LinkAlone  float64 `json:"link_alone_per_cpu_second"`
	Share      float64 `json:"linked_by_tags"` // CPU of all of it by that of tags
	Names      float64 `json:"names"`          // of a document
	Candidates float64 `json:"candidates"`     // of a name that has some
	RSSMB      int64   `json:"peak_rss_mb"`
}

// Measure links documents with a base, interleaved with tagging, some rounds.
func Measure(ctx context.Context, documents []string, b *base.Base, rounds int) (Result, error) {
	r := Result{Documents: len(documents), Entities: int64(b.Len())}
	day := entity.DayOf(time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC))
	a := language.New()
	var tags, mentions, links time.Duration
	names, withSome, candidates := 0, 0, 0
	cpu.ResetPeak()
	for round := range rounds + 1 { // the first one warms up
		for _, text := range documents {
			read, err := language.Read(language.Text{Text: text, Language: "en"})
			if err != nil {
				return r, err
			}
			one, err := cpu.Measure(func() error { return a.Do(ctx, read, language.Tags) })
			if err != nil {
				return r, err
			}
			two, err := cpu.Measure(func() error { return a.Do(ctx, read, language.Mentions) })
			if err != nil {
				return r, err
			}
			places := make([]link.Mention, len(read.Mentions))
			for i, m := range read.Mentions {
				places[i] = link.Mention{Start: m.Start, End: m.End}
			}
			var found []link.Decision
			three, err := cpu.Measure(func() (err error) {
				found, err = link.Link(ctx, b, text, places, day, link.Default())
				return err
			})
			if err != nil {
				return r, err
			}
			if round == 0 {
				names += len(found)
				for _, d := range found {
					if len(d.Candidates) > 0 {
						withSome++
						candidates += len(d.Candidates)
					}
				}
				continue
			}
			tags, mentions, links = tags+one.CPU, mentions+two.CPU, links+three.CPU
		}
	}
	n := float64(rounds * len(documents))
	r.Tags, r.Mentions, r.Linked, r.LinkAlone = n/tags.Seconds(), n/(tags+mentions).Seconds(), n/(tags+mentions+links).Seconds(), n/links.Seconds()
	r.Share = (tags + mentions + links).Seconds() / tags.Seconds()
	r.Names, r.Candidates = float64(names)/float64(len(documents)), float64(candidates)/float64(max(1, withSome))
	r.RSSMB = cpu.Peak() >> 20
	return r, nil
}

// Print writes the figures.
func (r Result) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, `%d documents of %d words, %.1f names each; base of %d entities (%d MB), %.1f candidates for a name that has some
documents per CPU-second: tags %.1f, and mentions %.1f, and links %.1f (links alone %.1f); all of it takes %.2f times the CPU of tags; %d MB at most resident
`, r.Documents, DocumentWords, r.Names, r.Entities, r.FileMB, r.Candidates, r.Tags, r.Mentions, r.Linked, r.LinkAlone, r.Share, r.RSSMB)
	return err
}
