package fulltext

import (
	"encoding/binary"

	"github.com/blevesearch/bleve/v2/analysis"

	"varve/derive"
	"varve/text/near"
)

// Grouping of results.
const (
	alikeReach = 5   // times the limit: how far down results that repeat others are looked for
	alikeFrom  = 0.8 // resemblance from which results are alike
)

// fill reads the documents of the hits, and tells where the next page begins.
func fill(out *Answer, parts []*part, w *weights, n Node, q *Query, hits []ranked) error {
	if len(hits) == 0 {
		return nil
	}
	return fillHits(out, parts[0].analyser(), w, n, q, len(hits), func(i int) (found Found, err error) {
		r := hits[i]
		p := parts[r.shard]
		found = Found{Source: p.source, Score: r.score, Cursor: r.cursor}
		if found.Row, err = p.docs.get(uint64(r.doc)); err == nil && p.mixed != nil && p.mixed.numbers.Contains(r.doc) {
			err = p.view.clear(found.Row)
		}
		return found, err
	})
}

// Found is a document that was found.
type Found struct {
	Source string
	Row    *derive.VersionRow // as a view lets it be seen
	Score  float64
	Cursor func() string // for what comes behind it
}

// fillHits makes hits of documents that were found, in their order; there is one more than asked for, or more where results are grouped, if there are more.
func fillHits(out *Answer, a analysis.Analyzer, w *weights, n Node, q *Query, count int, get func(i int) (Found, error)) error {
	words := soughtIn(w, n)
	var groups []near.Minhash
	var last Found
	for i := range count {
		if len(out.Hits) == q.Limit && !q.Group || i == count-1 && i >= q.Limit && count > q.Limit*alikeReach {
			out.Cursor = last.Cursor()
			return nil
		}
		found, err := get(i)
		if err != nil {
			return err
		}
		v := found.Row
		hit := func(words []sought) Hit {
			h := hitOf(v, found.Score)
			h.Collection = found.Source
			h.Where, h.Snippet = passages(a, v, words)
			return h
		}
		if !q.Group {
			out.Hits = append(out.Hits, hit(words))
			last = found
			continue
		}
		print := minhashOf(v.Minhash)
		if g := alike(groups, out.Hits, print, v); g >= 0 {
			out.Hits[g].Alike = append(out.Hits[g].Alike, hit(nil))
			last = found
			continue
		}
		if len(out.Hits) == q.Limit {
			out.Cursor = last.Cursor()
			return nil
		}
		out.Hits = append(out.Hits, hit(words))
		groups = append(groups, print)
		last = found
	}
	return nil
}

// alike gives the place of the hit that a document nearly repeats: another version of its page, or a
// page with nearly the same text.
func alike(groups []near.Minhash, hits []Hit, print near.Minhash, v *derive.VersionRow) int {
	for i := range groups {
		if hits[i].SURT == v.SURT || v.Words > 20 && groups[i].Similarity(&print) >= alikeFrom {
			return i
		}
	}
	return -1
}

func minhashOf(b []byte) (m near.Minhash) {
	for i := range m {
		if len(b) < 4*(i+1) {
			m[i] = ^uint32(0)
			continue
		}
		m[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return m
}

func hitOf(v *derive.VersionRow, score float64) Hit {
	return Hit{
		URL: v.URL, SURT: v.SURT, Title: v.Title, Host: v.Host, MIME: v.MIME, Language: v.Language,
		From: v.From, Last: v.Last, Until: v.Until, Captures: int(v.Captures), Inlinks: int(v.Inlinks), Date: v.Dated, Score: score,
		Size: v.Size, Digest: v.Digest, File: v.File, Offset: v.Offset,
	}
}
