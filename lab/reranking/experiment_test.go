package reranking

import (
	"bytes"
	"context"
	"encoding/csv"
	"flag"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"varve/crawl/priority"
)

var update = flag.Bool("update", false, "rewrite testdata/small.txt")

// small is a web that takes a second.
func small() Config {
	return Config{Seed: 7, Pages: 6000, Hosts: 200, Topics: 4, Subtopics: 60, Crawl: 600, Tried: 2, Samples: 2, Batch: 30}
}

// TestSmall runs the experiment on a small web. The table is kept; a change of the scores or of the queue shows
// as a difference in it.
func TestSmall(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors fuse multiplication and addition, and round otherwise")
	}
	r, err := Run(context.Background(), small(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := r.Print(&out); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/small.txt", out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/small.txt")
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the figures changed (-update rewrites them):\n%s\nwant:\n%s", out.String(), want)
	}
	bfs, first, best := r.Rows[0].Mean, r.Row(Way{Update: priority.First, Balance: 1}).Mean, r.Rows[1].Mean
	if !(bfs.Harvest < first.Harvest && first.Harvest < best.Harvest) {
		t.Errorf("bounds: breadth-first %v, FIRST %v, oracle %v", bfs, first, best)
	}
	if avg := r.Row(Way{Update: priority.Avg, Balance: 1}); avg.Gain <= 0 {
		t.Errorf("AVG gains %v on FIRST", avg.Gain)
	}
	checkCSV(t, r)
}

func checkCSV(t *testing.T, r *Report) {
	t.Helper()
	var out bytes.Buffer
	if err := r.CSV(&out); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&out).ReadAll()
	if want := 1 + len(r.Rows)*len(r.Rows[0].Crawls); err != nil || len(lines) != want {
		t.Errorf("%d lines of CSV, want %d (%v)", len(lines), want, err)
	}
}

// TestBatchOfOne: a batch of one page is an immediate update.
func TestBatchOfOne(t *testing.T) {
	c := small().withDefaults()
	c.Batch = 1
	g := newGraph(c)
	task := g.newTask(1, 1)
	for _, u := range priority.Updates {
		a, b := g.simulate(task, Way{Update: u, Balance: 1}), g.simulate(task, Way{Update: u, Balance: 1, Batch: true})
		if a != b {
			t.Errorf("%s: immediate %+v, batch %+v", u, a, b)
		}
	}
}

// TestQueue compares the heaps with trying all queued pages.
func TestQueue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, u := range priority.Updates {
		q := newQueue(u, 200, 7)
		type plain struct {
			score priority.Score
			seq   int
		}
		queued, done := map[int]plain{}, map[int]bool{}
		seq := 0
		for range 3000 {
			if rng.IntN(4) > 0 {
				p, s := rng.IntN(200), float64(rng.IntN(20))/20
				q.found(p, p%7, s)
				if !done[p] {
					e, ok := queued[p]
					if !ok {
						seq++
						e.seq = seq
					}
					e.score = u.Apply(e.score, s)
					queued[p] = e
				}
				continue
			}
			best := func(host int) (at int) {
				at = -1
				for p, e := range queued {
					if host >= 0 && p%7 != host {
						continue
					}
					if at < 0 || e.score.Value > queued[at].score.Value || e.score.Value == queued[at].score.Value && e.seq < queued[at].seq {
						at = p
					}
				}
				return at
			}
			host := -1
			for i, got := range q.take(3) {
				if i == 0 {
					host = got % 7
				}
				want := best(host)
				if i == 0 {
					want = best(-1)
				}
				if got != want {
					t.Fatalf("%s: took %d, want %d", u, got, want)
				}
				delete(queued, got)
				done[got] = true
			}
		}
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []Config{
		{Pages: 5},
		{Pages: 1000, Hosts: 2000},
		{Pages: 1000, Hosts: 10, Topics: 50, Subtopics: 50},
		{Tried: 9},
		{Links: 1000},
		{Crawl: -1},
	} {
		if _, err := Run(context.Background(), c, nil); err == nil {
			t.Errorf("%+v was run", c)
		}
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Run(stopped, small(), nil); err == nil {
		t.Error("a stopped run gives no error")
	}
}
