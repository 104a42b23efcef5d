package fulltext

import (
	"encoding/binary"

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
	words := soughtIn(w, n)
	var groups []near.Minhash
	for i, r := range hits {
		if len(out.Hits) == q.Limit && !q.Group || i == len(hits)-1 && i >= q.Limit && len(hits) > q.Limit*alikeReach {
			out.Cursor = hits[i-1].cursor()
			return nil
		}
		v, err := parts[r.shard].docs.get(uint64(r.doc))
		if err != nil {
			return err
		}
		if p := parts[r.shard]; p.mixed != nil && p.mixed.numbers.Contains(r.doc) {
			if err := p.view.clear(v); err != nil {
				return err
			}
		}
		hit := func(words []sought) Hit {
			h := hitOf(v, r)
			h.Collection = parts[r.shard].source
			h.Where, h.Snippet = passages(parts[r.shard].analyser(), v, words)
			return h
		}
		if !q.Group {
			out.Hits = append(out.Hits, hit(words))
			continue
		}
		print := minhashOf(v.Minhash)
		if g := alike(groups, out.Hits, print, v); g >= 0 {
			out.Hits[g].Alike = append(out.Hits[g].Alike, hit(nil))
			continue
		}
		if len(out.Hits) == q.Limit {
			out.Cursor = hits[i-1].cursor()
			return nil
		}
		out.Hits = append(out.Hits, hit(words))
		groups = append(groups, print)
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

func hitOf(v *derive.VersionRow, r ranked) Hit {
	return Hit{
		URL: v.URL, SURT: v.SURT, Title: v.Title, Host: v.Host, MIME: v.MIME, Language: v.Language,
		From: v.From, Last: v.Last, Until: v.Until, Captures: int(v.Captures), Inlinks: int(v.Inlinks), Date: v.Dated, Score: r.score,
		Size: v.Size, Digest: v.Digest, File: v.File, Offset: v.Offset,
	}
}
