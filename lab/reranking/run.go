package reranking

import (
	"context"
	"math"

	"varve/crawl/priority"
)

// Row is the result of one way.
type Row struct {
	Way
	Mean    Outcome   `json:"mean"`
	Gain    float64   `json:"gain"`       // harvest minus that of FIRST with the same balance and batch
	GainErr float64   `json:"gain_error"` // standard error of the gain over the crawls
	Wins    int       `json:"wins"`       // crawls in which it harvested more than FIRST
	Crawls  []Outcome `json:"crawls"`
	Paper   *Outcome  `json:"paper,omitempty"` // what the paper reports for this way
}

// Report is the result of an experiment.
type Report struct {
	Config   Config  `json:"config"`
	Relevant float64 `json:"relevant"` // share of all pages that count as harvest, mean over the topics
	Rows     []Row   `json:"rows"`
}

// Ways lists what is compared: the five update functions with balance 1 and 5, without and with batch, and two bounds.
func Ways() []Way {
	ways := []Way{
		{Update: priority.First, Balance: 1, Bound: breadthFirst},
		{Update: priority.First, Balance: 1, Bound: oracle},
	}
	for _, batch := range []bool{false, true} {
		for _, balance := range []int{1, 5} {
			for _, u := range priority.Updates {
				ways = append(ways, Way{Update: u, Balance: balance, Batch: batch})
			}
		}
	}
	return ways
}

// paper holds tables 1 and 2 of seed paper 002.
var paper = map[Way]Outcome{
	{Update: priority.First, Balance: 1}:            {Harvest: 0.3317, Similarity: 0.2945, Subtopics: 0.4979, Pages: 10000},
	{Update: priority.Avg, Balance: 1}:              {Harvest: 0.3609, Similarity: 0.3024, Subtopics: 0.5779, Pages: 10000},
	{Update: priority.Max, Balance: 1}:              {Harvest: 0.3388, Similarity: 0.2967, Subtopics: 0.5270, Pages: 10000},
	{Update: priority.Sum, Balance: 1}:              {Harvest: 0.2679, Similarity: 0.2759, Subtopics: 0.4650, Pages: 10000},
	{Update: priority.Last, Balance: 1}:             {Harvest: 0.3404, Similarity: 0.2961, Subtopics: 0.5985, Pages: 10000},
	{Update: priority.First, Balance: 5}:            {Harvest: 0.2948, Similarity: 0.2819, Subtopics: 0.4677, Pages: 10000},
	{Update: priority.Avg, Balance: 5}:              {Harvest: 0.3200, Similarity: 0.2897, Subtopics: 0.5420, Pages: 10000},
	{Update: priority.Avg, Balance: 1, Batch: true}: {Harvest: 0.3556, Similarity: 0.3013, Subtopics: 0.5260, Pages: 10000},
	{Update: priority.Avg, Balance: 5, Batch: true}: {Harvest: 0.3347, Similarity: 0.2952, Subtopics: 0.5176, Pages: 10000},
}

// Run makes the web and runs all crawls. Progress, which may be nil, is told how many of them are done.
func Run(ctx context.Context, c Config, progress func(done, all int)) (*Report, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	g := newGraph(c)
	ways := Ways()
	r := &Report{Config: c, Rows: make([]Row, len(ways))}
	done, all := 0, len(ways)*c.Tried*c.Samples
	for i, w := range ways {
		r.Rows[i].Way = w
		if p, ok := paper[w]; ok {
			r.Rows[i].Paper = &p
		}
	}
	for topic := range c.Tried {
		for sample := range c.Samples {
			t := g.newTask(topic, sample)
			r.Relevant += t.relevant(c.Over) / float64(c.Tried*c.Samples)
			for i, w := range ways {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				r.Rows[i].Crawls = append(r.Rows[i].Crawls, g.simulate(t, w))
				if done++; progress != nil {
					progress(done, all)
				}
			}
		}
	}
	r.sum()
	return r, nil
}

func (t *task) relevant(over float64) float64 {
	n := 0
	for _, c := range t.cosine {
		if c > over {
			n++
		}
	}
	return float64(n) / float64(len(t.cosine))
}

// sum works out means and gains.
func (r *Report) sum() {
	for i := range r.Rows {
		row := &r.Rows[i]
		n := float64(len(row.Crawls))
		for _, o := range row.Crawls {
			row.Mean.Harvest += o.Harvest / n
			row.Mean.Similarity += o.Similarity / n
			row.Mean.Subtopics += o.Subtopics / n
			row.Mean.Pages += o.Pages
		}
		row.Mean.Pages /= len(row.Crawls)
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		base := r.Row(Way{Update: priority.First, Balance: row.Balance, Batch: row.Batch})
		row.Gain, row.GainErr, row.Wins = paired(row.Crawls, base.Crawls)
	}
}

// Row finds the result of a way.
func (r *Report) Row(w Way) *Row {
	for i := range r.Rows {
		if r.Rows[i].Way == w {
			return &r.Rows[i]
		}
	}
	return nil
}

// paired gives the mean difference of harvest, its standard error, and how often it is positive.
func paired(a, b []Outcome) (mean, stderr float64, wins int) {
	n := float64(len(a))
	for i := range a {
		d := a[i].Harvest - b[i].Harvest
		mean += d / n
		if d > 0 {
			wins++
		}
	}
	if n < 2 {
		return mean, 0, wins
	}
	for i := range a {
		d := a[i].Harvest - b[i].Harvest - mean
		stderr += d * d / (n - 1)
	}
	return mean, math.Sqrt(stderr / n), wins
}
