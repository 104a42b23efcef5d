package stages_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"varve/clock"
	"varve/coherence"
	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/gate"
	"varve/crawl/gather"
	"varve/crawl/spamfilter"
	"varve/crawl/stages"
)

type nobody struct{}

func (nobody) Choose(*collect.Evidence) collect.Choice     { return collect.Choice{} }
func (nobody) Learn(collect.Choice, collect.Yield)         {}
func (nobody) Of(string) (r spamfilter.Ruling, why string) { return r, "" }
func (nobody) Changed() bool                               { return false }
func (nobody) Collect(context.Context, *collect.Answer, collect.Net) (*collect.Result, error) {
	return nil, nil
}

// A crawl has the stages that its definition and its set ask for, in their order, and no others.
func TestOf(t *testing.T) {
	planned := crawl.Definition{Coherence: crawl.Coherence{Revisit: coherence.Plan}}
	for want, got := range map[string][]crawl.Stage{
		"[*guide.Stage *control.Stage]":             stages.Set{}.Of(crawl.Definition{}),
		"[*guide.Stage *plan.Stage *control.Stage]": stages.Set{}.Of(planned.WithDefaults()),
		"[*guide.Stage *gate.Gate *plan.Stage *gather.Stage *control.Stage]": stages.Set{
			Spam: gate.Options{Rulings: nobody{}}, Collect: gather.Options{Route: nobody{}, Collectors: map[string]collect.Collector{"x": nobody{}}},
		}.Of(planned.WithDefaults()),
	} {
		var names []string
		for _, s := range got {
			names = append(names, fmt.Sprintf("%T", s))
		}
		if is := fmt.Sprint(names); is != want {
			t.Errorf("%s, want %s", is, want)
		}
	}
}

// A planned crawl that no stage plans does not start.
func TestPlannedWithoutPlan(t *testing.T) {
	def := crawl.Definition{Seeds: []string{"http://localhost:9/"}, Coherence: crawl.Coherence{Revisit: coherence.Plan}}
	_, err := crawl.NewEngine(crawl.EngineConfig{Clock: clock.Real(), Log: slog.New(slog.DiscardHandler)}).StartIn(t.Context(), "c", crawl.Place{Dir: t.TempDir()}, def, crawl.Options{})
	if err == nil {
		t.Error("it started")
	}
}
