package changerate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// site is a made site whose sections change at rates of their own: news hourly, home pages of people rarely, reports
// never. Rates vary within a section.
func site(n int, seed uint64) []Example {
	rng := rand.New(rand.NewPCG(seed, 5))
	sections := []struct {
		form  string
		mime  string
		daily float64
		links int
	}{
		{"https://s.example/news/story%d.html", "text/html", 5, 80},
		{"https://s.example/news/archive/%d.html", "text/html", 0.01, 30},
		{"https://s.example/~user%d/", "text/html", 0.05, 10},
		{"https://s.example/forum/topic?id=%d", "text/html", 20, 60},
		{"https://s.example/reports/%d.pdf", "application/pdf", 0, 0},
		{"https://s.example/about/a_%d", "text/html", 0.02, 20},
	}
	var out []Example
	for range n {
		s := sections[rng.IntN(len(sections))]
		rate := s.daily * math.Exp(0.5*rng.NormFloat64()) / day
		since := -1.0
		if rate > 0 {
			since = rng.ExpFloat64() / (rate * day)
		}
		content := &Content{SinceChange: since, Images: rng.IntN(10), Tables: rng.IntN(3), Outlinks: s.links + rng.IntN(10), Inlinks: rng.IntN(20)}
		out = append(out, Example{Subject{fmt.Sprintf(s.form, rng.IntN(100000)), s.mime, content}, rate})
	}
	return out
}

// The protocol of the seed: a tenth of the pages, online features. Ten bins cannot be told within a section, but
// the section can, so the order of the rates is nearly that of the truth.
func TestSeedProtocol(t *testing.T) {
	pages := site(5000, 1)
	for _, c := range []struct {
		cfg            Config
		accuracy, rank float64
	}{
		{Config{Method: NaiveBayes}, 0.42, 0.93},
		{Config{Method: DecisionTree}, 0.42, 0.93},
		{Config{Method: NaiveBayes, Offline: true}, 0.42, 0.93},
		{Config{Method: DecisionTree, Offline: true}, 0.42, 0.93},
	} {
		r, err := SeedProtocol(pages, c.cfg, 0.1, 1)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%+v", *r)
		if r.Accuracy < c.accuracy || r.Accuracy < 2*r.Majority || r.Rank < c.rank || r.Trained != 500 || r.Tested != 4500 || r.Covered < 0.8 {
			t.Errorf("%+v", *r)
		}
	}
}

func TestCrossValidate(t *testing.T) {
	pages := site(1000, 2)
	a, err := CrossValidate(pages, Config{}, 5, 1)
	if err != nil || a.Tested != 1000 || a.Trained != 800 || a.Rank < 0.93 {
		t.Fatalf("%+v, %v", a, err)
	}
	if b, _ := CrossValidate(pages, Config{}, 5, 1); *a != *b {
		t.Errorf("not the same twice: %+v, %+v", a, b)
	}
	if _, err := CrossValidate(pages[:3], Config{}, 5, 1); err == nil {
		t.Error("five folds of three pages")
	}
}

func TestPredictorEdges(t *testing.T) {
	if _, err := Train(nil, Config{}); err == nil {
		t.Error("no examples")
	}
	if _, err := Train([]Example{{Subject{URL: "http://a/"}, math.NaN()}}, Config{}); err == nil {
		t.Error("a rate that is none")
	}
	alike := []Example{{Subject{URL: "http://a/"}, 1}, {Subject{URL: "http://b/"}, 1}}
	p, err := Train(alike, Config{Method: DecisionTree})
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Forecast(Subject{URL: "http://c/"}); r.Value != 1 || r.Low != 1 || r.High != 1 || r.Source != FromPredictor {
		t.Errorf("all alike: %+v", r)
	}
	p, _ = Train(site(300, 3), Config{Offline: true})
	if r := p.Forecast(Subject{URL: "\xff not a url"}); !(r.Low <= r.Value && r.Value <= r.High) {
		t.Errorf("a page that cannot be: %+v", r)
	}
}

func TestSpearman(t *testing.T) {
	if got := spearman([]float64{1, 2, 3, 4}, []float64{10, 20, 20, 40}); math.Abs(got-0.9486833) > 1e-6 {
		t.Errorf("got %v", got)
	}
}

func BenchmarkForecast(b *testing.B) {
	for _, m := range []Method{NaiveBayes, DecisionTree} {
		p, err := Train(site(500, 1), Config{Method: m})
		if err != nil {
			b.Fatal(err)
		}
		page := site(1, 9)[0].Page
		b.Run(m.String(), func(b *testing.B) {
			for b.Loop() {
				p.Forecast(page)
			}
		})
	}
}
