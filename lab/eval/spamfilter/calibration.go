package spamfilter

import (
	"context"
	"fmt"
	"math"
	"strings"

	"varve/crawl/spamfilter"
	"varve/spam"
)

// Calibration is how far probabilities of hosts of unseen generators are what they say.
type Calibration struct {
	Name  string  `json:"name"`
	Hosts int     `json:"hosts"`
	Brier float64 `json:"brier"` // mean of (probability − truth)²
	Error float64 `json:"error"` // mean of |mean probability − share of spam| over the bins, by hosts
	Bins  []Bin   `json:"bins"`
}

// Bin is the hosts whose probability is in a tenth.
type Bin struct {
	Hosts int     `json:"hosts"`
	Said  float64 `json:"said"` // mean probability
	Spam  float64 `json:"spam"` // share of them that is spam
}

// newCalibration puts scores into ten bins.
func newCalibration(name string, b Board) Calibration {
	const bins = 10
	c := Calibration{Name: name, Hosts: len(b.Scores), Bins: make([]Bin, bins)}
	for i, p := range b.Scores {
		y := 0.0
		if b.Spam[i] {
			y = 1
		}
		c.Brier += (p - y) * (p - y) / float64(len(b.Scores))
		bin := &c.Bins[min(bins-1, int(p*bins))]
		bin.Hosts++
		bin.Said += p
		bin.Spam += y
	}
	for i := range c.Bins {
		bin := &c.Bins[i]
		if bin.Hosts == 0 {
			continue
		}
		bin.Said, bin.Spam = bin.Said/float64(bin.Hosts), bin.Spam/float64(bin.Hosts)
		c.Error += math.Abs(bin.Said-bin.Spam) * float64(bin.Hosts) / float64(c.Hosts)
	}
	return c
}

// Calibrations compares the probabilities that models give to hosts of generators they have not seen, over the splits of the crawls: of a model made with
// plain folds; with folds that hold out generators; with the curve of its threshold on top; and with links counted, as a crawl judges.
func Calibrations(ctx context.Context, c Config) ([]Calibration, error) {
	c = c.filled()
	names := []string{"plain folds", "folds by generator", "and the curve", "and links, as in a crawl"}
	boards := make([]Board, len(names))
	for _, t := range c.trials() {
		if !strings.HasPrefix(t.Name, otherGenerators) {
			continue
		}
		c.Tell("calibration: " + t.Name)
		if err := t.calibrate(ctx, c, boards); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	var out []Calibration
	for i, b := range boards {
		out = append(out, newCalibration(names[i], b))
	}
	return out, nil
}

// calibrate adds what the models of a trial say to the boards.
func (t *Trial) calibrate(ctx context.Context, c Config, boards []Board) error {
	table, err := c.table(t.seed)
	if err != nil {
		return err
	}
	world, at, err := c.world(t.seed+5, c.Crawled, t.Crawl)
	if err != nil {
		return err
	}
	web, err := world.Web()
	if err != nil {
		return err
	}
	test := Tabulate(world, web, at, c.Sample)
	others := without(t.Train...)
	want := func(kind string, bad bool) bool { return !others(kind, bad) }
	set := table.Set(want)
	set.Groups = nil
	plain, err := spam.Train(ctx, set, c.learning(), nil, at)
	if err != nil {
		return err
	}
	m, err := c.train(ctx, table, want)
	if err != nil {
		return err
	}
	boards[0].join(c.score(plain, test), test.Spam)
	scores := c.score(m, test)
	boards[1].join(scores, test.Spam)
	chosen, _ := spam.ThresholdOf(m)
	curved, linked := make([]float64, len(scores)), make([]float64, len(scores))
	supporters := test.supporters()
	for i, p := range scores {
		curved[i] = chosen.Curve.Of(logit(p))
		linked[i] = spamfilter.Temper(chosen.Spamicity(p), supporters[i])
	}
	boards[2].join(curved, test.Spam)
	boards[3].join(linked, test.Spam)
	return nil
}

// supporters counts for each host those that link it.
func (t *Table) supporters() []int {
	g := t.Guard(func(string, bool) bool { return true })
	out := make([]int, len(t.Hosts))
	for _, to := range g.Links {
		for _, j := range to {
			out[j]++
		}
	}
	return out
}

func (b *Board) join(scores []float64, truth []bool) {
	b.Scores, b.Spam = append(b.Scores, scores...), append(b.Spam, truth...)
}

func logit(p float64) float64 { return math.Log(p) - math.Log1p(-p) }

// printCalibrations writes the bins side by side.
func (r *Result) printCalibrations(b *strings.Builder) {
	fmt.Fprintf(b, "Calibration on hosts of unseen generators (%d hosts): share of spam among the hosts of each tenth, and how many\n%-26s", r.Calibration[0].Hosts, "probability")
	for i := range 10 {
		fmt.Fprintf(b, " %9s", fmt.Sprintf("%.1f-%.1f", float64(i)/10, float64(i+1)/10))
	}
	fmt.Fprintf(b, " %7s %7s\n", "Brier", "error")
	for _, c := range r.Calibration {
		fmt.Fprintf(b, "%-26s", c.Name)
		for _, bin := range c.Bins {
			cell := "-"
			if bin.Hosts > 0 {
				cell = fmt.Sprintf("%.2f %d", bin.Spam, bin.Hosts)
			}
			fmt.Fprintf(b, " %9s", cell)
		}
		fmt.Fprintf(b, " %7.4f %7.4f\n", c.Brier, c.Error)
	}
}
