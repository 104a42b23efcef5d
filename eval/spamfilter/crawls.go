package spamfilter

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"varve/analyse/spam"
	"varve/analyse/spam/filter"
	"varve/crawl"
	"varve/crawl/rehearsal"
	"varve/crawl/scope"
	"varve/crawl/spamfilter"
	"varve/eval/cpu"
	"varve/learn"
	"varve/websim"
	worlds "varve/websim/spam"
)

// Trial is a model that filters a crawl.
type Trial struct {
	Name      string   `json:"name"`
	Train     []string `json:"train"` // generators that the model learnt from
	Crawl     []string `json:"crawl"` // generators of the world that is crawled
	Hosts     int      `json:"hosts"`
	SpamHost  int      `json:"spam_hosts"`
	Threshold float64  `json:"threshold"`

	Plain    Docs `json:"plain"`    // without a filter
	Filtered Docs `json:"filtered"` // with it

	Saved      float64 `json:"saved"`       // share of all documents that were not fetched
	SavedBytes float64 `json:"saved_bytes"` // of all bytes
	Caught     float64 `json:"caught"`      // share of the spam documents that were not fetched
	Lost       float64 `json:"lost"`        // share of the normal documents that were not fetched
	LostBytes  float64 `json:"lost_bytes"`

	Rejected      int     `json:"rejected"`       // hosts
	RejectedWrong int     `json:"rejected_wrong"` // of these normal
	AUC           float64 `json:"auc"`            // of the hosts of the world, by samples
	CPU           float64 `json:"cpu_seconds"`    // of the crawl without and with the filter
	CPUFiltered   float64 `json:"cpu_seconds_filtered"`
}

// Docs counts what a crawl asked for, by the true label of the host.
type Docs struct {
	Normal      int   `json:"normal"`
	Spam        int   `json:"spam"`
	NormalBytes int64 `json:"normal_bytes"`
	SpamBytes   int64 `json:"spam_bytes"`

	normal map[string]int64 // URL and bytes
}

// half gives every other generator of both labels.
func half(n int) (out []string) {
	for _, bad := range []bool{false, true} {
		for i, k := range kinds(bad) {
			if i%2 == n {
				out = append(out, k)
			}
		}
	}
	return out
}

// trials are what is trained and crawled.
func trials() []Trial {
	spamHalf := func(n int) (out []string) {
		for i, k := range kinds(true) {
			if i%2 == n {
				out = append(out, k)
			}
		}
		return out
	}
	all := append(kinds(false), kinds(true)...)
	return []Trial{
		{Name: "other generators, first half", Train: half(0), Crawl: half(1)},
		{Name: "other generators, second half", Train: half(1), Crawl: half(0)},
		{Name: "other spam, first half", Train: append(kinds(false), spamHalf(0)...), Crawl: append(kinds(false), spamHalf(1)...)},
		{Name: "other spam, second half", Train: append(kinds(false), spamHalf(1)...), Crawl: append(kinds(false), spamHalf(0)...)},
		{Name: "the same generators", Train: all, Crawl: all},
	}
}

// Crawls runs the trials: each a training and two crawls.
func Crawls(ctx context.Context, c Config, dir string) ([]Trial, error) {
	c = c.filled()
	c.Tell("features of a world to learn from")
	table, err := c.table(c.Seed)
	if err != nil {
		return nil, err
	}
	var out []Trial
	for i, t := range trials() {
		c.Tell(fmt.Sprintf("%d of %d: %s", i+1, len(trials()), t.Name))
		wanted := without(t.Train...)
		set := table.Set(func(kind string, bad bool) bool { return !wanted(kind, bad) })
		m, err := c.train(ctx, set)
		if err != nil {
			return out, fmt.Errorf("%s: %w", t.Name, err)
		}
		if t.Threshold, err = c.threshold(ctx, set); err != nil {
			return out, fmt.Errorf("%s: %w", t.Name, err)
		}
		if err := t.run(ctx, c, m, dir); err != nil {
			return out, fmt.Errorf("%s: %w", t.Name, err)
		}
		out = append(out, t)
	}
	return out, nil
}

// threshold is what is configured, or what the training set says of generators held out.
func (c Config) threshold(ctx context.Context, set *learn.Set) (float64, error) {
	if c.Threshold > 0 {
		return c.Threshold, nil
	}
	found, err := spam.Thresholds(ctx, set, c.learning(), 0)
	if err != nil {
		return 0, err
	}
	return found[0].At, nil
}

// run crawls a world without and with the model.
func (t *Trial) run(ctx context.Context, c Config, m *learn.Model, dir string) error {
	world, at, err := c.world(c.Seed+2000, c.Crawled, t.Crawl)
	if err != nil {
		return err
	}
	web, err := world.Web()
	if err != nil {
		return err
	}
	assessor, err := filter.New(m)
	if err != nil {
		return err
	}
	t.hosts(c, world, web, at, m)
	var plain, filtered *rehearsal.Result
	usage, err := cpu.Measure(func() (err error) {
		plain, err = c.crawl(ctx, world, web, at, dir, t.Threshold, crawl.Spam{})
		return err
	})
	if err != nil {
		return err
	}
	t.CPU = usage.CPU.Seconds()
	usage, err = cpu.Measure(func() (err error) {
		filtered, err = c.crawl(ctx, world, web, at, dir, t.Threshold, crawl.Spam{Assessor: assessor})
		return err
	})
	if err != nil {
		return err
	}
	t.CPUFiltered = usage.CPU.Seconds()
	t.Plain, t.Filtered = docs(world, at, plain), docs(world, at, filtered)
	t.compare(world, at, filtered.Report.Spam)
	return nil
}

// hosts measures how the hosts of the world are told apart by samples, whatever a crawl reaches.
func (t *Trial) hosts(c Config, world *worlds.World, web *websim.Web, at time.Time, m *learn.Model) {
	table := Tabulate(world, web, at, c.Sample)
	t.Hosts, t.AUC = len(table.Hosts), learn.AUC(c.score(m, table), table.Spam)
	for _, bad := range table.Spam {
		if bad {
			t.SpamHost++
		}
	}
}

// crawl crawls a world from its famous hosts to the end.
func (c Config) crawl(ctx context.Context, world *worlds.World, web *websim.Web, at time.Time, dir string, threshold float64, s crawl.Spam) (*rehearsal.Result, error) {
	place, err := os.MkdirTemp(dir, "crawl-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(place)
	stage, err := rehearsal.New(web, rehearsal.Config{Start: at, Pace: time.Second, Memory: true})
	if err != nil {
		return nil, err
	}
	defer stage.Close()
	everything := scope.Definition{Mode: scope.Rules, Rules: []scope.Rule{{Name: "all", Do: scope.Accept, Scheme: []string{"http"}}}}
	def := crawl.Definition{Seeds: world.Seeds(4), Scope: everything, Workers: 4, MinDisk: -1, Level: 1}
	def.SpamThreshold, def.SpamSample = threshold, c.Sample
	return stage.Crawl(ctx, place, def, crawl.Options{Spam: s})
}

// docs counts what was asked for.
func docs(world *worlds.World, at time.Time, res *rehearsal.Result) Docs {
	d := Docs{normal: map[string]int64{}}
	for _, e := range res.Looks {
		if e.Status != 200 || e.Target == "/robots.txt" {
			continue
		}
		host, _, _ := strings.Cut(e.Host, ":")
		if bad, _ := world.Label(host, at); bad {
			d.Spam++
			d.SpamBytes += e.Bytes
			continue
		}
		d.Normal++
		d.NormalBytes += e.Bytes
		d.normal[e.URL()] = e.Bytes
	}
	return d
}

// compare draws the sums.
func (t *Trial) compare(world *worlds.World, at time.Time, rep *crawl.SpamReport) {
	p, f := &t.Plain, &t.Filtered
	t.Saved = 1 - ratio(int64(f.Normal+f.Spam), int64(p.Normal+p.Spam))
	t.SavedBytes = 1 - ratio(f.NormalBytes+f.SpamBytes, p.NormalBytes+p.SpamBytes)
	t.Caught = 1 - ratio(int64(f.Spam), int64(p.Spam))
	lost, lostBytes := 0, int64(0)
	for url, n := range p.normal {
		if _, there := f.normal[url]; !there {
			lost++
			lostBytes += n
		}
	}
	t.Lost, t.LostBytes = ratio(int64(lost), int64(p.Normal)), ratio(lostBytes, p.NormalBytes)
	t.Rejected = int(rep.Hosts[spamfilter.Rejected])
	for _, h := range rep.Rejected {
		if bad, _ := world.Label(h.Host, at); !bad {
			t.RejectedWrong++
		}
	}
}

func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
