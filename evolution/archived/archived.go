// Package archived reads the texts of a collection as documents of varve/evolution, from the table of phrases that derive makes (unit phrases).
//
// A document is a version of a page in a year: the same version in several files, or captured again and again, counts once a year. Its year is that of the capture, its source the host.
package archived

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/evolution"
	"varve/language"
)

// Texts are those of a collection.
type Texts struct {
	Dir   string // of the derivatives
	Parts []job.Part
	// May tells whether captures may be looked at, by key and time; nil: all of them.
	May func(surt string, at time.Time) bool

	Absent int // files without a table of phrases, after a reading
}

// phrases returns the job that makes the tables.
func phrases() job.Job {
	jobs, _ := annotate.Jobs([]language.Unit{language.Phrases})
	return jobs[slices.IndexFunc(jobs, func(j job.Job) bool { return j.Name == string(language.Phrases) })]
}

// Mark changes when the documents do: it tells which files there are, and by what their tables were made.
func (t *Texts) Mark() string {
	h := sha256.New()
	j := phrases()
	fmt.Fprintf(h, "%d %s\n", j.Version, j.Mark)
	for _, p := range t.Parts {
		_, ok := job.Table(t.Dir, j, p, j.Name)
		fmt.Fprintf(h, "%q %s %t\n", p.Name, p.Mark, ok)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Any reports whether some file has a table of phrases.
func (t *Texts) Any() bool {
	j := phrases()
	return slices.ContainsFunc(t.Parts, func(p job.Part) bool { _, ok := job.Table(t.Dir, j, p, j.Name); return ok })
}

// Documents returns the documents, file by file.
func (t *Texts) Documents(ctx context.Context) evolution.Documents {
	return func() iter.Seq2[*evolution.Document, error] {
		return func(yield func(*evolution.Document, error) bool) {
			seen := map[[16]byte]bool{}
			t.Absent = 0
			j := phrases()
			for _, p := range t.Parts {
				path, ok := job.Table(t.Dir, j, p, j.Name)
				if !ok {
					t.Absent++
					continue
				}
				if more, err := t.file(ctx, path, seen, yield); err != nil {
					yield(nil, fmt.Errorf("%s: %w", p.Name, err))
					return
				} else if !more {
					return
				}
			}
		}
	}
}

// file yields the documents of one table, whose rows are in the order of texts. It reports whether more are wanted.
func (t *Texts) file(ctx context.Context, path string, seen map[[16]byte]bool, yield func(*evolution.Document, error) bool) (more bool, err error) {
	var doc *evolution.Document
	var phrases []language.Phrase
	var surt, state string
	more = true
	flush := func() {
		if doc == nil {
			return
		}
		doc.Sentences = evolution.Sentences(phrases)
		key := [16]byte(sum(surt, state, doc.Year))
		if !seen[key] && (t.May == nil || t.May(surt, doc.Time)) {
			seen[key] = true
			more = yield(doc, nil)
		}
	}
	err = derive.Rows(path, func(r *annotate.PhraseRow) (bool, error) {
		if doc == nil || r.SURT != surt || r.State != state || !r.Time.Equal(doc.Time) {
			flush()
			surt, state, phrases = strings.Clone(r.SURT), strings.Clone(r.State), nil
			doc = &evolution.Document{ID: strings.Clone(r.URL), Year: r.Time.UTC().Year(), Time: r.Time.UTC()}
			if u, err := url.Parse(doc.ID); err == nil {
				doc.Source = u.Hostname()
			}
		}
		phrases = append(phrases, language.Phrase{Text: strings.Clone(r.Name), Sentence: int(r.Sentence), Key: strings.Clone(r.Key), Name: r.Name != "", Listed: r.Listed})
		return more, ctx.Err()
	})
	if err == nil && more {
		flush()
	}
	return more, err
}

func sum(surt, state string, year int) []byte {
	h := sha256.Sum256(binary.AppendVarint([]byte(surt+"\x00"+state+"\x00"), int64(year)))
	return h[:16]
}
