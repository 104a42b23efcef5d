package selection

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve/archive/whole"
	"varve/crawl/priority"
	"varve/crawl/relevance"
	"varve/derive"
	"varve/web/canon"
)

// Limits of a proposal.
const (
	maxRows   = 200_000
	corpusOf  = 20_000 // versions from which it is learned how common words are
	maxTopic  = 256 << 10
	shownBest = 20
)

// Row is a version that may be chosen.
type Row struct {
	SURT      string    `parquet:"surt,zstd" json:"surt"`
	URL       string    `parquet:"url,zstd" json:"url"`
	Title     string    `parquet:"title,zstd" json:"title"`
	Host      string    `parquet:"host,dict" json:"host"`
	Language  string    `parquet:"language,dict" json:"lang"`
	From      time.Time `parquet:"from,timestamp(microsecond)" json:"from"`
	Last      time.Time `parquet:"last,timestamp(microsecond)" json:"last"`
	Until     time.Time `parquet:"until,optional,timestamp(microsecond)" json:"until,omitzero"`
	Captures  int32     `parquet:"captures" json:"captures"`
	Words     int32     `parquet:"words" json:"words"`
	Relevance float64   `parquet:"relevance" json:"relevance"`
	File      string    `parquet:"file,dict" json:"file"`
	Offset    int64     `parquet:"offset" json:"offset"`
	Digest    string    `parquet:"digest,optional,zstd" json:"digest,omitempty"` // of the payload; tables made before it was kept have none
}

// Proposal is what Propose did.
type Proposal struct {
	Versions int             `json:"versions"` // looked at
	Rows     int             `json:"rows"`     // kept: from half of the threshold on, and decided ones
	Proposed int             `json:"proposed"`
	Examples int             `json:"examples"` // pages that were found as examples
	Terms    []priority.Term `json:"terms"`    // the heaviest of the topic
}

func tableFile(dir, name string) string {
	return filepath.Join(dir, "derived", "selections", name+".parquet")
}

// May tells whether whoever asks may see a version, by the index key of its page and its first capture; nil lets all through.
type May func(surt string, first time.Time) bool

func (m May) see(surt string, first time.Time) bool { return m == nil || m(surt, first) }

// Propose computes the relevance of the versions of a collection that may be seen, whose folder is dir, and writes the table of rows. Nothing is
// learned of the others.
func Propose(ctx context.Context, dir, name string, may May) (*Proposal, error) {
	s, err := Read(dir, name)
	if err != nil {
		return nil, err
	}
	p := &proposing{s: s, may: may, versions: filepath.Join(dir, "derived", "versions.parquet"), out: &Proposal{}}
	if err := p.learn(ctx); err != nil {
		return nil, err
	}
	if err := p.rate(ctx); err != nil {
		return nil, err
	}
	slices.SortFunc(p.rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Relevance, a.Relevance), cmp.Compare(a.SURT, b.SURT), a.From.Compare(b.From))
	})
	p.out.Rows = len(p.rows)
	return p.out, writeRows(tableFile(dir, name), p.rows)
}

type proposing struct {
	s        *Selection
	may      May
	versions string
	topic    *priority.Topic
	judge    *relevance.Judge // nil: by the topic alone
	rows     rowHeap
	out      *Proposal
}

// each goes through the versions that may be seen.
func (p *proposing) each(fn func(*derive.VersionRow) (bool, error)) error {
	return derive.Rows(p.versions, func(v *derive.VersionRow) (bool, error) {
		if !p.may.see(v.SURT, v.From) {
			return true, nil
		}
		return fn(v)
	})
}

// learn makes the topic.
func (p *proposing) learn(ctx context.Context) error {
	total := 0
	wanted := map[string]bool{}
	for _, u := range p.s.Examples {
		wanted[canon.SURT(u)] = true
	}
	seeds, size := []string{}, 0
	if p.s.Topic != "" {
		seeds = append(seeds, p.s.Topic)
	}
	err := p.each(func(v *derive.VersionRow) (bool, error) {
		total++
		if wanted[v.SURT] && size < maxTopic {
			seeds = append(seeds, v.Title+"\n"+v.Text)
			size += len(v.Text)
			p.out.Examples++
		}
		return true, ctx.Err()
	})
	if err != nil {
		return err
	}
	if p.s.About != nil {
		if p.judge, err = relevance.New(*p.s.About, seeds); err != nil {
			return err
		}
	}
	if len(seeds) == 0 && p.judge == nil {
		return errors.New("none of the example pages is in the collection, and no words were given")
	}
	corpus, n := priority.NewCorpus(0), 0
	step := max(1, total/corpusOf)
	err = p.each(func(v *derive.VersionRow) (bool, error) {
		if n++; n%step == 0 {
			corpus.Show(v.Title + "\n" + v.Text)
			p.judged(v, true)
		}
		return true, ctx.Err()
	})
	p.topic = priority.NewTopic(corpus, seeds, priority.Weights{})
	p.out.Terms = p.topic.Terms(seeds, shownBest)
	return err
}

// judged is what a version is worth to the definition of a crawl; with learn the judge takes note of how common its words are.
func (p *proposing) judged(v *derive.VersionRow, learn bool) float64 {
	if p.judge == nil {
		return 0
	}
	page := &relevance.Page{URL: v.URL, Title: v.Title, Text: v.Text, Language: v.Language}
	r := p.judge.Rate(page).Page
	if learn {
		p.judge.Learn(page, relevance.Opinion{})
	}
	p.judge.Done(page)
	return r.Value
}

// rate keeps the versions that are relevant, or decided on.
func (p *proposing) rate(ctx context.Context) error {
	return p.each(func(v *derive.VersionRow) (bool, error) {
		p.out.Versions++
		r := 0.0
		if p.judge != nil {
			r = p.judged(v, false)
		} else {
			r = p.topic.Relevance(v.Title + "\n" + v.Text)
		}
		if r >= p.s.Threshold {
			p.out.Proposed++
		}
		if r < p.s.Threshold/2 && p.s.decision(v.SURT, v.From) == "" {
			return true, ctx.Err()
		}
		heap.Push(&p.rows, Row{
			SURT: v.SURT, URL: v.URL, Title: v.Title, Host: v.Host, Language: v.Language, From: v.From, Last: v.Last, Until: v.Until, Captures: v.Captures, Words: v.Words,
			Relevance: r, File: v.File, Offset: v.Offset, Digest: v.Digest,
		})
		if len(p.rows) > maxRows {
			heap.Pop(&p.rows)
		}
		return true, ctx.Err()
	})
}

// rowHeap has the least relevant row on top.
type rowHeap []Row

func (h rowHeap) Len() int           { return len(h) }
func (h rowHeap) Less(i, j int) bool { return h[i].Relevance < h[j].Relevance }
func (h rowHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *rowHeap) Push(x any)        { *h = append(*h, x.(Row)) }
func (h *rowHeap) Pop() any          { last := (*h)[len(*h)-1]; *h = (*h)[:len(*h)-1]; return last }

func writeRows(path string, rows []Row) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return whole.File(path, 0o644, func(f io.Writer) error {
		w := parquet.NewGenericWriter[Row](f, parquet.CreatedBy("varve", "selection", "1"))
		_, err := w.Write(rows)
		return errors.Join(err, w.Close())
	})
}
