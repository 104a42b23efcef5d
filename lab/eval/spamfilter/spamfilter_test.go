package spamfilter_test

import (
	"strings"
	"testing"

	"varve/lab/eval/spamfilter"
	"varve/learn"
)

// small is an experiment of seconds: few hosts, one learner.
func small() spamfilter.Config {
	return spamfilter.Config{
		Hosts: 120, Crawled: 40, Scale: 0.3, Sample: 6, Seed: 3, Splits: 1,
		Learners: []learn.Member{{Name: "trees", Learner: learn.Forest{Trees: 40, Balanced: true, Least: 2}}},
	}
}

// Spam of most unseen generators is told from unseen normal hosts much better than by chance, and the figures are the same every time.
func TestGenerators(t *testing.T) {
	if testing.Short() {
		t.Skip("trains 11 models")
	}
	res, err := spamfilter.Generators(t.Context(), small())
	if err != nil {
		t.Fatal(err)
	}
	good, spam := 0, 0
	for _, h := range res {
		if h.Spam {
			spam++
			if h.AUCAll > 0.8 {
				good++
			}
		}
	}
	if len(res) != 25 || spam != 11 || good < 6 {
		t.Errorf("%d generators, %d of %d spam ones are told: %+v", len(res), good, spam, res)
	}
	var b strings.Builder
	if err := (&spamfilter.Result{Generators: res}).Print(&b); err != nil || !strings.Contains(b.String(), "network") {
		t.Errorf("%s, %v", b.String(), err)
	}
}

// A crawl with the filter saves documents and loses no normal host. VARVE_DRILL runs the whole experiment.
func TestCrawls(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls sixteen times")
	}
	c := small()
	c.Threshold = 0.8
	res, err := spamfilter.Crawls(t.Context(), c, t.TempDir())
	if err != nil || len(res) != 8 {
		t.Fatal(res, err)
	}
	last := res[7]
	if last.Saved <= 0.05 || last.Lost > 0.05 || last.Caught <= last.Lost || last.Plain.Spam == 0 || last.Filtered.Spam >= last.Plain.Spam || last.Rejected == 0 {
		t.Errorf("%+v", last)
	}
	var b strings.Builder
	if err := (&spamfilter.Result{Crawls: res}).Print(&b); err != nil || !strings.Contains(b.String(), "the same generators") {
		t.Errorf("%s, %v", b.String(), err)
	}
}

// Where spam is rare and where it is not: the filter saves documents and loses few normal ones, looks at few pages, and what a first crawl
// found a second one knows.
func TestShares(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls nine times")
	}
	c := small()
	c.Threshold = 0.8
	res, err := spamfilter.Shares(t.Context(), c, []float64{0.15, 0.4}, []uint64{3}, t.TempDir())
	if err != nil || len(res) != 2 {
		t.Fatal(res, err)
	}
	for _, s := range res {
		if s.Crawls != 3 || s.Caught <= 0.05 || s.AgainCaught < s.Caught || s.Lost > 0.05 || s.Looks <= 0 || s.Looks > 0.6 || s.Assessor <= 0 || s.Assessor > 0.8 {
			t.Errorf("%+v", s)
		}
	}
	var b strings.Builder
	if err := (&spamfilter.Result{Shares: res}).Print(&b); err != nil || !strings.Contains(b.String(), "15%") {
		t.Errorf("%s, %v", b.String(), err)
	}
	t.Log(b.String())
}
