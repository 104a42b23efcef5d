package searchspeed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"

	"varve/index/fulltext"
	"varve/lab/eval/cpu"
)

// Kind is what questions of one kind cost, beside plain Bleve term queries that find as many documents.
type Kind struct {
	Name  string  `json:"name"`
	Hits  float64 `json:"hits"`   // mean
	P50   float64 `json:"p50_ms"` // wall time
	P95   float64 `json:"p95_ms"`
	CPU   float64 `json:"cpu_ms"`       // mean
	Peer  float64 `json:"bleve_cpu_ms"` // mean of the term queries
	Found float64 `json:"bleve_hits"`   // mean of the term queries
	Ratio float64 `json:"ratio"`        // of CPU
	Least float64 `json:"ratio_least"`  // of the rounds
	Most  float64 `json:"ratio_most"`
	Plain float64 `json:"plain_cpu_ms"` // mean of the same questions without facets and trend; 0 where there are none
	Bar   float64 `json:"bar"`          // that the ratio must not pass; 0 where none is set
}

// question makes the queries of a kind; word gives the word of a rank.
type question struct {
	name string
	bar  float64
	make func(word func(int) string, i int) fulltext.Query
}

// peer is Bleve itself over the same shards.
type peer struct {
	shards []bleve.Index
	all    bleve.IndexAlias
	terms  []known
}

// known is a word and in how many texts it is.
type known struct {
	word string
	docs uint64
}

func openPeer(dir string) (*peer, error) {
	dirs, err := filepath.Glob(filepath.Join(dir, "*", "bleve"))
	if err != nil {
		return nil, err
	}
	p := &peer{all: bleve.NewIndexAlias()}
	for _, d := range dirs {
		ix, err := bleve.OpenUsing(d, map[string]any{"read_only": true})
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		p.shards = append(p.shards, ix)
		p.all.Add(ix)
	}
	for rank := 2.0; rank < vocabulary/2; rank = rank*1.03 + 1 {
		w := spell(int(rank))
		n, err := p.term(context.Background(), w)
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		p.terms = append(p.terms, known{w, n})
	}
	return p, nil
}

// term asks for a word in the text.
func (p *peer) term(ctx context.Context, word string) (uint64, error) {
	q := bleve.NewTermQuery(word)
	q.SetField("text")
	res, err := p.all.SearchInContext(ctx, bleve.NewSearchRequestOptions(q, 10, 0, false))
	if err != nil {
		return 0, err
	}
	return res.Total, nil
}

// like gives the word that is in about so many texts.
func (p *peer) like(docs int64) string { return slices.MinFunc(p.terms, nearer(docs)).word }

// nearer compares how far words are from being in so many texts.
func nearer(docs int64) func(a, b known) int {
	far := func(k known) float64 { return math.Abs(float64(k.docs) - float64(docs)) }
	return func(a, b known) int { return cmp.Compare(far(a), far(b)) }
}

func (p *peer) close() (err error) {
	for _, s := range p.shards {
		err = errors.Join(err, s.Close())
	}
	return err
}

// ask measures every kind.
func (s *Size) ask(ctx context.Context, cfg Config, ix *fulltext.Index, p *peer, log io.Writer) error {
	for _, q := range slices.Concat(kinds(), facetKinds(p, s.Docs)) {
		if !strings.Contains(q.name, cfg.Kinds) {
			continue
		}
		k, err := measureKind(ctx, cfg, q, ix, p)
		if err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
		fmt.Fprintf(log, "  %s: %.0f hits, %.2f ms CPU, Bleve %.2f ms\n", k.Name, k.Hits, k.CPU, k.Peer)
		s.Kinds = append(s.Kinds, k)
	}
	return nil
}

// measureKind asks the questions of a kind, the same without facets and trend, and their peers, one set after the other, in rounds. Asking for the totals warms up.
func measureKind(ctx context.Context, cfg Config, q question, ix *fulltext.Index, p *peer) (Kind, error) {
	k := Kind{Name: q.name, Bar: q.bar}
	var queries, plain []fulltext.Query
	var peers []string
	for i := range cfg.Queries {
		query := q.make(spell, i)
		a, err := ix.Search(ctx, query)
		if err != nil {
			return k, err
		}
		queries, peers = append(queries, query), append(peers, p.like(a.Total))
		k.Hits += float64(a.Total)
		if query.Facets != nil || query.Trend != fulltext.NoTrend {
			query.Facets, query.Trend = nil, fulltext.NoTrend
			plain = append(plain, query)
		}
	}
	var wall []float64
	var ours, without, theirs time.Duration
	var ratios []float64 // of rounds
	for range cfg.Rounds {
		used, err := cpu.Measure(func() error {
			for _, query := range queries {
				start := time.Now()
				if _, err := ix.Search(ctx, query); err != nil {
					return err
				}
				wall = append(wall, milliseconds(time.Since(start)))
			}
			return nil
		})
		if err != nil {
			return k, err
		}
		ours += used.CPU
		of := used.CPU
		used, err = cpu.Measure(func() error {
			for _, query := range plain {
				if _, err := ix.Search(ctx, query); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return k, err
		}
		without += used.CPU
		used, err = cpu.Measure(func() error {
			for _, w := range peers {
				n, err := p.term(ctx, w)
				if err != nil {
					return err
				}
				k.Found += float64(n)
			}
			return nil
		})
		if err != nil {
			return k, err
		}
		theirs += used.CPU
		ratios = append(ratios, float64(of)/max(float64(used.CPU), 1))
	}
	n := float64(cfg.Queries * cfg.Rounds)
	k.Hits /= float64(cfg.Queries)
	k.Found /= n
	k.CPU, k.Peer = milliseconds(ours)/n, milliseconds(theirs)/n
	if len(plain) > 0 {
		k.Plain = milliseconds(without) / n
	}
	k.Ratio, k.Least, k.Most = k.CPU/max(k.Peer, 1e-9), slices.Min(ratios), slices.Max(ratios)
	slices.Sort(wall)
	k.P50, k.P95 = wall[len(wall)/2], wall[len(wall)*95/100]
	return k, nil
}
