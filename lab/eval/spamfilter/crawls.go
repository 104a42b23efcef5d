package spamfilter

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"varve/crawl"
	"varve/crawl/gate"
	"varve/crawl/scope"
	"varve/crawl/spamfilter"
	"varve/crawl/stages"
	"varve/lab/eval/cpu"
	"varve/lab/rehearsal"
	"varve/lab/websim"
	worlds "varve/lab/websim/spam"
	"varve/learn"
	"varve/spam"
	"varve/spam/filter"
)

// Trial is a model that filters a crawl.
type Trial struct {
	Name      string         `json:"name"`
	Train     []string       `json:"train"` // generators that the model learnt from
	Crawl     []string       `json:"crawl"` // generators of the world that is crawled
	Hosts     int            `json:"hosts"`
	SpamHost  int            `json:"spam_hosts"`
	Threshold float64        `json:"threshold"`
	Expected  spam.Threshold `json:"expected"` // what the model was made with

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

	Wrong []string `json:"wrong,omitempty"` // generators of normal hosts that were rejected
	seed  uint64
	board Board // of all hosts of the world
}

// Docs counts what a crawl asked for, by the true label of the host.
type Docs struct {
	Normal      int   `json:"normal"`
	Spam        int   `json:"spam"`
	NormalBytes int64 `json:"normal_bytes"`
	SpamBytes   int64 `json:"spam_bytes"`

	normal map[string]int64 // URL and bytes
}

// trials are what is trained and crawled: the generators of both labels are parted at random into three, as often as configured, and a
// model of two parts filters a world of the third; then once into halves; then spam alone; then nothing. Every trial has worlds of its own.
func (c Config) trials() (out []Trial) {
	normal, bad := kinds(false), kinds(true)
	add := func(name string, train, crawl []string) {
		out = append(out, Trial{Name: name, Train: train, Crawl: crawl, seed: c.Seed + uint64(10*len(out))})
	}
	turns := func(name string, normal, bad [][]string) {
		for k := range bad {
			train, crawl := []string{}, slices.Concat(normal[k%len(normal)], bad[k])
			for other := range bad {
				if other != k {
					train = append(train, bad[other]...)
				}
			}
			for other := range normal {
				if other != k || len(normal) == 1 {
					train = append(train, normal[other]...)
				}
			}
			add(fmt.Sprintf("%s, part %d", name, k+1), train, crawl)
		}
	}
	for n := range c.Splits {
		turns(fmt.Sprintf("%s %d", otherGenerators, n+1), c.parted(normal, 3, n), c.parted(bad, 3, n))
	}
	turns("other half of the generators", c.parted(normal, 2, c.Splits), c.parted(bad, 2, c.Splits))
	turns("other half of the spam", [][]string{normal}, c.parted(bad, 2, c.Splits+1))
	all := slices.Concat(normal, bad)
	add("the same generators", all, all)
	return out
}

// otherGenerators begins the names of the trials that are summed up.
const otherGenerators = "other generators"

// parted gives k parts of a list, drawn at random by the seed.
func (c Config) parted(list []string, k, n int) [][]string {
	rng, out := rand.New(rand.NewPCG(c.Seed, uint64(n))), make([][]string, k)
	for i, at := range rng.Perm(len(list)) {
		out[i%k] = append(out[i%k], list[at])
	}
	return out
}

// Crawls runs the trials: each a training and two crawls.
func Crawls(ctx context.Context, c Config, dir string) ([]Trial, error) {
	c = c.filled()
	all := c.trials()
	var out []Trial
	for i, t := range all {
		if c.Trials != nil && !slices.Contains(c.Trials, i+1) {
			continue
		}
		c.Tell(fmt.Sprintf("%d of %d: %s", i+1, len(all), t.Name))
		if err := t.all(ctx, c, dir); err != nil {
			return out, fmt.Errorf("%s: %w", t.Name, err)
		}
		c.Tell(fmt.Sprintf("%d of %d: %s: saved %.1f %%, lost %.2f %%", i+1, len(all), t.Name, 100*t.Saved, 100*t.Lost))
		out = append(out, t)
	}
	return out, nil
}

// all trains and crawls.
func (t *Trial) all(ctx context.Context, c Config, dir string) error {
	table, err := c.table(t.seed)
	if err != nil {
		return err
	}
	others := without(t.Train...)
	m, err := c.train(ctx, table, func(kind string, bad bool) bool { return !others(kind, bad) })
	if err != nil {
		return err
	}
	chosen, _ := spam.ThresholdOf(m)
	if t.Threshold, t.Expected = c.Threshold, chosen; t.Threshold == 0 {
		t.Threshold = chosen.InCrawl()
	}
	return t.run(ctx, c, m, dir)
}

// run crawls a world without and with the model.
func (t *Trial) run(ctx context.Context, c Config, m *learn.Model, dir string) error {
	world, at, err := c.world(t.seed+5, c.Crawled, t.Crawl)
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
		plain, err = c.crawl(ctx, world, web, at, dir, t.Threshold, gate.Options{})
		return err
	})
	if err != nil {
		return err
	}
	t.CPU = usage.CPU.Seconds()
	usage, err = cpu.Measure(func() (err error) {
		filtered, err = c.crawl(ctx, world, web, at, dir, t.Threshold, gate.Options{Assessor: assessor})
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
	scores := c.score(m, table)
	t.Hosts, t.AUC = len(table.Hosts), learn.AUC(scores, table.Spam)
	t.board = Board{scores, table.Spam}
	for _, bad := range table.Spam {
		if bad {
			t.SpamHost++
		}
	}
}

// crawl crawls a world from its famous hosts to the end.
func (c Config) crawl(ctx context.Context, world *worlds.World, web *websim.Web, at time.Time, dir string, threshold float64, s gate.Options) (*rehearsal.Result, error) {
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
	return stage.Crawl(ctx, place, def, crawl.Options{Stages: stages.Set{Spam: s}.Of})
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
	lost, lostBytes := missing(p.normal, f.normal), int64(0)
	for url, n := range p.normal {
		if _, there := f.normal[url]; !there {
			lostBytes += n
		}
	}
	t.Lost, t.LostBytes = ratio(int64(lost), int64(p.Normal)), ratio(lostBytes, p.NormalBytes)
	t.Rejected = int(rep.Hosts[spamfilter.Rejected])
	for _, h := range rep.Rejected {
		if bad, _ := world.Label(h.Host, at); !bad {
			t.RejectedWrong++
			t.Wrong = append(t.Wrong, world.Generator(h.Host))
		}
	}
}

func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
