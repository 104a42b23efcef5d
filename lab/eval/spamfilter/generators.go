package spamfilter

import (
	"context"
	"fmt"
	"time"

	worlds "varve/lab/websim/spam"
	"varve/learn"
	"varve/spam"
)

// Config says how large an experiment is. Zero values mean the default named at the field.
type Config struct {
	Hosts     int     // of the worlds that are learnt from and tested on; 400
	Crawled   int     // hosts of the worlds that are crawled; 150
	Spam      float64 // share of them; 0.4
	Scale     float64 // of their pages, in crawls; 0.5
	Sample    int     // pages of a host; 10
	Threshold float64 // of rejection; 0: in crawls that of the model, which keeps to MaxLoss, else 0.9
	MaxLoss   float64 // share of normal documents that a threshold may lose, by kinds held out in training; 0.005
	Splits    int     // of the generators in crawls, each into three parts; 4
	Trials    []int   // numbers of the crawls that are made, from 1; nil: all
	Seed      uint64
	Learners  []learn.Member // nil: those of spam.Library
	Tell      func(string)   // what is being done; may be nil
}

func (c Config) filled() Config {
	set(&c.Hosts, 400)
	set(&c.Crawled, 150)
	set(&c.Spam, 0.4)
	set(&c.Scale, 0.5)
	set(&c.Sample, 10)
	set(&c.Splits, 4)
	if c.Learners == nil {
		c.Learners = spam.Library()
	}
	if c.Tell == nil {
		c.Tell = func(string) {}
	}
	return c
}

func set[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// HeldOut is how well the hosts of a generator are told that no training host was made by.
type HeldOut struct {
	Generator string  `json:"generator"`
	Spam      bool    `json:"spam"`
	Hosts     int     `json:"hosts"`
	Against   int     `json:"against"`   // hosts of the other label, of generators held out as well
	AUC       float64 `json:"auc"`       // against these
	AUCAll    float64 `json:"auc_all"`   // against all hosts of the other label
	Rejected  float64 `json:"rejected"`  // share of its hosts at or above the threshold
	Mean      float64 `json:"spamicity"` // mean of its hosts
}

// world makes a world late enough for all its spam.
func (c Config) world(seed uint64, hosts int, only []string) (*worlds.World, time.Time, error) {
	w, err := worlds.New(worlds.Config{Hosts: hosts, Spam: c.Spam, Scale: c.Scale, Kinds: only}, seed)
	if err != nil {
		return nil, time.Time{}, err
	}
	return w, w.Epoch().AddDate(1, 6, 0), nil
}

// table makes a world and tabulates it.
func (c Config) table(seed uint64) (*Table, error) {
	w, at, err := c.world(seed, c.Hosts, nil)
	if err != nil {
		return nil, err
	}
	web, err := w.Web()
	if err != nil {
		return nil, err
	}
	return Tabulate(w, web, at, c.Sample), nil
}

func (c Config) learning() spam.Config {
	return spam.Config{Library: c.Learners, Folds: 5, Seed: c.Seed + 1}
}

// train makes a model of the hosts of a table that are wanted, with a threshold.
func (c Config) train(ctx context.Context, t *Table, want func(kind string, spam bool) bool) (*learn.Model, error) {
	l := c.learning()
	l.Guard = t.Guard(want)
	l.Guard.MaxLoss = c.MaxLoss
	return spam.Train(ctx, t.Set(want), l, nil, time.Unix(0, 0))
}

// Generators holds out each spam generator in turn, with a third of the normal ones.
func Generators(ctx context.Context, c Config) ([]HeldOut, error) {
	c = c.filled()
	set(&c.Threshold, 0.9)
	c.Tell("features of two worlds")
	train, err := c.table(c.Seed)
	if err != nil {
		return nil, err
	}
	test, err := c.table(c.Seed + 1000)
	if err != nil {
		return nil, err
	}
	var out []HeldOut
	normal := map[string]*HeldOut{}
	for n, bad := range kinds(true) {
		c.Tell(fmt.Sprintf("%d of %d: without %s", n+1, len(kinds(true)), bad))
		unseen := third(n)
		m, err := c.train(ctx, train, without(append([]string{bad}, unseen...)...))
		if err != nil {
			return out, fmt.Errorf("without %s: %w", bad, err)
		}
		scores := c.score(m, test)
		out = append(out, c.measure(scores, test, bad, unseen))
		for _, k := range unseen {
			if normal[k] == nil {
				h := c.measure(scores, test, k, []string{bad})
				normal[k] = &h
			}
		}
	}
	for _, k := range kinds(false) {
		if h := normal[k]; h != nil {
			out = append(out, *h)
		}
	}
	return out, nil
}

// score classifies all hosts of a table.
func (c Config) score(m *learn.Model, t *Table) []float64 {
	out, p := make([]float64, len(t.Rows)), make([]float64, 2)
	for i, row := range t.Rows {
		m.Classifier.Classify(row, p)
		out[i] = p[0]
	}
	return out
}

// measure compares the hosts of a generator with those of the other label.
func (c Config) measure(scores []float64, t *Table, kind string, against []string) HeldOut {
	h := HeldOut{Generator: kind}
	var near, all Board
	unseen := without(against...)
	for i, k := range t.Kinds {
		own := k == kind
		if own {
			h.Spam = t.Spam[i]
			h.Hosts++
			h.Mean += scores[i]
			if scores[i] >= c.Threshold {
				h.Rejected++
			}
		}
		other := !own && k != kind
		if own || other && t.Spam[i] != isSpam(kind) {
			all.add(scores[i], t.Spam[i])
			if own || !unseen(k, false) {
				near.add(scores[i], t.Spam[i])
			}
		}
		if other && !unseen(k, false) {
			h.Against++
		}
	}
	h.AUC, h.AUCAll = near.auc(), all.auc()
	h.Mean, h.Rejected = h.Mean/float64(max(1, h.Hosts)), h.Rejected/float64(max(1, h.Hosts))
	return h
}

func isSpam(kind string) bool {
	k, _ := worlds.KindOf(kind)
	return k.Spam
}

// Board is scores of hosts and what they are.
type Board struct {
	Scores []float64
	Spam   []bool
}

func (b *Board) add(score float64, spam bool) {
	b.Scores, b.Spam = append(b.Scores, score), append(b.Spam, spam)
}

func (b *Board) auc() float64 { return learn.AUC(b.Scores, b.Spam) }
