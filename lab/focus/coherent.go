package focus

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"text/tabwriter"

	"varve/coherence"
	"varve/crawl/priority"
)

// coherentWay is how a crawl that visits pages and then revisits them chooses the next visit.
type coherentWay struct {
	name     string
	judged   bool // links have the scores of the modules; else all are worth the same
	strategy coherence.Strategy
	focus    bool
	leeway   float64
	revisit  coherence.RevisitKind
}

func coherentWays() []coherentWay {
	list := []coherentWay{
		{name: "breadth first, fifo", strategy: coherence.BFS, revisit: coherence.FIFO},
		{name: "revisit alone, all that waits", strategy: coherence.Varve, revisit: coherence.Plan},
		{name: "revisit alone, within the limit", strategy: coherence.Varve, focus: true, leeway: 1, revisit: coherence.Plan},
		{name: "topic, fifo", judged: true, strategy: coherence.BFS, focus: true, revisit: coherence.FIFO},
		{name: "topic, then plan", judged: true, strategy: coherence.BFS, focus: true, revisit: coherence.Plan},
	}
	for _, s := range []int{32, 16, 8, 4, 2, 1} {
		list = append(list, coherentWay{fmt.Sprintf("both, 1/%d", s), true, coherence.Varve, true, 1 / float64(s), coherence.Plan})
	}
	return list
}

// CoherentRow is what one way came to: means over topics and samples, with half their 95 % intervals.
type CoherentRow struct {
	Way        string  `json:"way"`
	Relevant   float64 `json:"relevantPer1000"` // pages with a term of the definition, in 1,000 visits
	RelevantCI float64 `json:"relevantCI"`
	Coherent   float64 `json:"coherent"` // share of pages expected to be unchanged at their revisit
	CoherentCI float64 `json:"coherentCI"`
	Both       float64 `json:"bothPer1000"` // relevant pages that are expected to be unchanged, in 1,000 visits
	BothCI     float64 `json:"bothCI"`
}

// CoherentReport is what the experiment on focus and coherence together found.
type CoherentReport struct {
	Config
	Changes float64       `json:"changes"` // mean number of changes of a page while the visits last
	Pages   int           `json:"pages"`
	Runs    int           `json:"runs"` // of each way, over all topics
	Rows    []CoherentRow `json:"rows"`
}

// RunCoherent crawls a web by topic, for coherence, and for both. Pages change at rates that are spread exponentially and have nothing
// to do with the topic; a page is known to change as it does. All pages are fetched one after the other, as those of one host are.
func RunCoherent(ctx context.Context, cfg Config, changes float64, web *Web, progress func(done, all int)) (*CoherentReport, error) {
	if cfg.Crawl < 10 || !(changes > 0) {
		return nil, fmt.Errorf("a crawl of %d pages that change %g times: want 10 pages at least, and changes", cfg.Crawl, changes)
	}
	x := &experiment{cfg: cfg, web: web}
	x.count()
	list := coherentWays()
	rep := &CoherentReport{Config: cfg, Changes: changes, Pages: len(web.pages), Runs: len(web.Topics) * cfg.Samples}
	found := make([][3][]float64, len(list))
	done := 0
	for ti, topic := range web.Topics {
		for sample := range cfg.Samples {
			stream := uint64(ti*1000 + sample)
			t, err := x.task(topic, cfg.Seed, stream)
			if err != nil {
				return nil, err
			}
			rng := rand.New(rand.NewPCG(cfg.Seed, stream))
			rates := make([]float64, len(web.pages))
			for i := range rates {
				rates[i] = rng.ExpFloat64() * changes / float64(cfg.Crawl)
			}
			terms := x.judges(topic, t)[0]
			for i, w := range list {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				visits, err := web.capture(t, w, rates, cfg.Crawl)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", w.name, err)
				}
				relevant, coherent, both := x.grade(&terms, visits, rates, w.revisit)
				for k, v := range []float64{relevant, coherent, both} {
					found[i][k] = append(found[i][k], v)
				}
				if done++; progress != nil {
					progress(done, rep.Runs*len(list))
				}
			}
		}
	}
	for i, w := range list {
		row := CoherentRow{Way: w.name}
		row.Relevant, row.RelevantCI = interval(found[i][0])
		row.Coherent, row.CoherentCI = interval(found[i][1])
		row.Both, row.BothCI = interval(found[i][2])
		rep.Rows = append(rep.Rows, row)
	}
	return rep, nil
}

// capture visits so many pages, in the order of a planner, and returns them.
func (web *Web) capture(t *task, w coherentWay, rates []float64, most int) ([]int, error) {
	score, err := t.guide(way{judged: w.judged})
	if err != nil {
		return nil, err
	}
	p, err := coherence.NewPlanner(w.strategy, coherence.Options{Revisit: true, Expected: most, Focus: w.focus, Leeway: w.leeway})
	if err != nil {
		return nil, err
	}
	worth := map[int]float64{} // of pages that were found
	visited := map[int]bool{}
	found := func(page int, s float64) {
		was, known := worth[page]
		switch {
		case visited[page]:
		case !known:
			worth[page] = s
			p.Discover(coherence.Candidate{ID: uint64(page), Rate: rates[page], Value: s})
		default:
			worth[page] = priority.Max.Apply(priority.Score{Value: was, N: 1}, s).Value
			p.SetValue(uint64(page), worth[page])
		}
	}
	for _, s := range t.seeds {
		found(s, 1)
	}
	var visits []int
	for len(visits) < most {
		next, ok := p.Next()
		if !ok {
			break
		}
		i := int(next.ID)
		visited[i] = true
		visits = append(visits, i)
		var scores []float64
		if score != nil {
			scores = score(&web.pages[i], worth[i])
		}
		for k, to := range web.pages[i].links {
			s := 0.5
			if scores != nil {
				s = scores[k]
			}
			found(to, s)
		}
	}
	return visits, nil
}

// grade tells how many visits in 1,000 were of relevant pages, which share of all is expected to be unchanged at the revisit, and how
// many in 1,000 are both.
func (x *experiment) grade(terms *judgement, visits []int, rates []float64, kind coherence.RevisitKind) (relevant, coherent, both float64) {
	n := float64(len(visits))
	list := make([]coherence.Visited, len(visits))
	hit := map[uint64]bool{}
	for at, i := range visits {
		list[at] = coherence.Visited{ID: uint64(i), Rate: rates[i], At: float64(at)}
		if terms.similarity(x, i) > 0 {
			hit[uint64(i)] = true
		}
	}
	chance := map[uint64]float64{uint64(visits[len(visits)-1]): 1} // the reference point
	for _, r := range coherence.RevisitOrder(list, coherence.Revisits{Kind: kind}) {
		chance[r.ID] = r.Chance
	}
	for id, c := range chance {
		coherent += c / n
		if hit[id] {
			both += 1000 * c / n
		}
	}
	return 1000 * float64(len(hit)) / n, coherent, both
}

// Print writes the table.
func (r *CoherentReport) Print(out io.Writer) error {
	fmt.Fprintf(out, "%d pages; %d runs of %d seeds, %d visits and as many revisits a crawl, %g changes of a page while the visits last\n\n", r.Pages, r.Runs, r.Seeds, r.Crawl, r.Changes)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "way\trelevant in 1,000 visits\tcoherent share\trelevant and coherent in 1,000\t")
	for _, x := range r.Rows {
		fmt.Fprintf(w, "%s\t%.1f ± %.1f\t%.4f ± %.4f\t%.1f ± %.1f\t\n", x.Way, x.Relevant, x.RelevantCI, x.Coherent, x.CoherentCI, x.Both, x.BothCI)
	}
	return w.Flush()
}
