package spamfilter

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"varve/crawl/gate"
	"varve/lab/eval/cpu"
	"varve/lab/rehearsal"
	"varve/lab/websim"
	"varve/learn"
	"varve/spam"
	"varve/spam/filter"
)

// Share is what a filter does to crawls of worlds with a share of spam hosts, whose kinds the model has not seen: sums over all parts of
// all seeds.
type Share struct {
	Spam   float64 `json:"spam"` // share of the hosts
	Crawls int     `json:"crawls"`

	Documents     int     `json:"documents"`      // of the crawls without a filter
	SpamDocuments int     `json:"spam_documents"` // of these
	Saved         float64 `json:"saved"`          // share of all documents that were not fetched
	Caught        float64 `json:"caught"`         // share of the spam documents that were not fetched
	Lost          float64 `json:"lost"`           // share of the normal documents that were not fetched
	WorstLost     float64 `json:"worst_lost"`     // of one crawl
	Times         float64 `json:"cpu_times"`      // CPU with the filter / without, the simulated web taken off both
	Assessor      float64 `json:"assessor"`       // share of the CPU of the filtered crawls that the assessor took
	Looks         float64 `json:"looks"`          // pages that the assessor looked at, of those fetched
	CPU           float64 `json:"cpu_seconds"`    // without the filter

	// The same crawls a day later, with the verdicts of the first in memory.
	AgainCaught float64 `json:"again_caught"`
	AgainLost   float64 `json:"again_lost"`
	AgainTimes  float64 `json:"again_cpu_times"`

	sums [3]ledger // without, with, and again with the filter
	lost [2]int
}

// ledger sums up crawls.
type ledger struct {
	normal, spam int
	cpu          time.Duration
	assessor     time.Duration
	looks        int64
}

// Shares crawls worlds with each share of spam. For each seed the generators are parted into three; a model of two parts filters the worlds of the third.
func Shares(ctx context.Context, c Config, shares []float64, seeds []uint64, dir string) ([]Share, error) {
	c = c.filled()
	out := make([]Share, len(shares))
	for i, s := range shares {
		out[i].Spam = s
	}
	for _, seed := range seeds {
		one := c
		one.Seed = seed
		table, err := one.table(seed)
		if err != nil {
			return nil, err
		}
		parts := one.parts(otherGenerators, one.parted(kinds(false), 3, 0), one.parted(kinds(true), 3, 0))
		for k := range parts {
			t := &parts[k]
			others := without(t.Train...)
			m, err := one.train(ctx, table, func(kind string, bad bool) bool { return !others(kind, bad) })
			if err != nil {
				return nil, fmt.Errorf("seed %d, part %d: %w", seed, k+1, err)
			}
			for i := range out {
				c.Tell(fmt.Sprintf("seed %d, part %d, %g %% spam", seed, k+1, 100*out[i].Spam))
				if err := out[i].add(ctx, one, m, t.Crawl, seed+uint64(5+10*k), dir); err != nil {
					return nil, fmt.Errorf("seed %d, part %d, %g spam: %w", seed, k+1, out[i].Spam, err)
				}
			}
		}
	}
	for i := range out {
		out[i].sum()
	}
	return out, nil
}

// parts are the trials of a parting.
func (c Config) parts(name string, normal, bad [][]string) (out []Trial) {
	for k := range bad {
		t := Trial{Name: fmt.Sprintf("%s, part %d", name, k+1), Crawl: slices.Concat(normal[k], bad[k])}
		for other := range bad {
			if other != k {
				t.Train = append(append(t.Train, bad[other]...), normal[other]...)
			}
		}
		out = append(out, t)
	}
	return out
}

// add crawls one world without the filter, with it, and with it again.
func (s *Share) add(ctx context.Context, c Config, m *learn.Model, generators []string, seed uint64, dir string) error {
	c.Spam = s.Spam
	world, at, err := c.world(seed, c.Crawled, generators)
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
	threshold := c.Threshold
	if chosen, _ := spam.ThresholdOf(m); threshold == 0 {
		threshold = chosen.InCrawl()
	}
	memory, err := os.MkdirTemp(dir, "memory-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(memory)
	var plain Docs
	for k := range s.sums {
		timed := &timedAssessor{Assessor: assessor}
		var o gate.Options
		if k > 0 {
			verdicts, err := filter.OpenVerdicts(memory, "this model", 30*24*time.Hour)
			if err != nil {
				return err
			}
			o = gate.Options{Assessor: timed, Verdicts: verdicts}
		}
		begin := at
		if k == 2 {
			begin = at.AddDate(0, 0, 1)
		}
		var res *rehearsal.Result
		usage, err := cpu.Measure(func() (err error) {
			res, err = c.crawl(ctx, world, web, begin, dir, threshold, o)
			return err
		})
		if err != nil {
			return err
		}
		got := docs(world, at, res)
		sum := &s.sums[k]
		sum.normal, sum.spam = sum.normal+got.Normal, sum.spam+got.Spam
		sum.cpu += usage.CPU - making(web, res, at)
		sum.assessor += time.Duration(timed.used.Load())
		sum.looks += timed.looks.Load()
		if k == 0 {
			plain = got
			continue
		}
		lost := missing(plain.normal, got.normal)
		s.lost[k-1] += lost
		if k == 1 {
			s.WorstLost = max(s.WorstLost, ratio(int64(lost), int64(plain.Normal)))
		}
	}
	s.Crawls++
	return nil
}

// making is what the simulated web took to make the answers of a crawl: that is no work of a crawler.
func making(web *websim.Web, res *rehearsal.Result, at time.Time) time.Duration {
	usage, _ := cpu.Measure(func() error {
		for i := range res.Looks {
			web.Get(res.Looks[i].URL(), at)
		}
		return nil
	})
	return usage.CPU
}

// missing counts what is not there any more.
func missing(before, after map[string]int64) (n int) {
	for url := range before {
		if _, there := after[url]; !there {
			n++
		}
	}
	return n
}

// sum draws the shares.
func (s *Share) sum() {
	plain, with, again := &s.sums[0], &s.sums[1], &s.sums[2]
	s.Documents, s.SpamDocuments, s.CPU = plain.normal+plain.spam, plain.spam, plain.cpu.Seconds()
	s.Saved = 1 - ratio(int64(with.normal+with.spam), int64(s.Documents))
	s.Caught, s.AgainCaught = 1-ratio(int64(with.spam), int64(plain.spam)), 1-ratio(int64(again.spam), int64(plain.spam))
	s.Lost, s.AgainLost = ratio(int64(s.lost[0]), int64(plain.normal)), ratio(int64(s.lost[1]), int64(plain.normal))
	s.Times, s.AgainTimes = ratio(int64(with.cpu), int64(plain.cpu)), ratio(int64(again.cpu), int64(plain.cpu))
	s.Assessor = ratio(int64(with.assessor), int64(with.cpu))
	s.Looks = ratio(with.looks, int64(with.normal+with.spam))
}

// timedAssessor sums up what an assessor takes, by the clock of its threads.
type timedAssessor struct {
	*filter.Assessor
	used, looks atomic.Int64
}

// timed runs a piece of work on one thread.
func (t *timedAssessor) timed(work func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	from := cpu.Thread()
	work()
	t.used.Add(int64(cpu.Thread() - from))
}

func (t *timedAssessor) Look(p *gate.SampledPage) (out []byte) {
	t.looks.Add(1)
	t.timed(func() { out = t.Assessor.Look(p) })
	return out
}

func (t *timedAssessor) Merge(sample []byte, looks [][]byte) (out []byte, err error) {
	t.timed(func() { out, err = t.Assessor.Merge(sample, looks) })
	return out, err
}

func (t *timedAssessor) Explain(sample []byte) (why string, err error) {
	t.timed(func() { why, err = t.Assessor.Explain(sample) })
	return why, err
}

func (t *timedAssessor) Assess(host string, sample []byte) (a gate.Assessment, err error) {
	t.timed(func() { a, err = t.Assessor.Assess(host, sample) })
	return a, err
}

// printShares writes a line for each share of spam.
func printShares(w io.Writer, list []Share) {
	fmt.Fprintf(w, "Crawls with a filter against the same without, kinds of hosts held out, by the share of spam hosts\n")
	fmt.Fprintf(w, "%5s %7s %10s %7s %7s %8s %7s %7s %7s %9s %6s   %s\n", "spam", "crawls", "documents", "spam", "saved", "caught", "lost", "worst", "CPU", "assessor", "looks", "again: caught, lost, CPU")
	for _, s := range list {
		fmt.Fprintf(w, "%4.0f%% %7d %10d %6.1f%% %6.1f%% %7.1f%% %6.2f%% %6.2f%% %6.2fx %8.1f%% %5.1f%%   %.1f%% %.2f%% %.2fx\n", 100*s.Spam, s.Crawls, s.Documents,
			100*ratio(int64(s.SpamDocuments), int64(s.Documents)), 100*s.Saved, 100*s.Caught, 100*s.Lost, 100*s.WorstLost, s.Times, 100*s.Assessor, 100*s.Looks,
			100*s.AgainCaught, 100*s.AgainLost, s.AgainTimes)
	}
	io.WriteString(w, strings.Join([]string{
		"spam: of the documents; saved: of all documents; caught: of the spam documents, not fetched; lost: of the normal ones, not fetched (worst: of one crawl)",
		"CPU: with the filter / without, the simulated web taken off; assessor: its share of the CPU of the filtered crawls; looks: pages it looked at, of those fetched",
		"again: the same crawl a day later, which remembers the verdicts of the first\n",
	}, "\n"))
}
