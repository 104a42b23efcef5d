package report

import (
	"context"
	"fmt"

	"varve/coherence/evidence"
	"varve/text/layer"
)

// Options say what is judged, and how.
type Options struct {
	Crawl   string       // captures of this crawl; of all files if empty
	Layers  layer.Config // when texts are nearly the same
	Dates   *Dates       // nil: no date is trusted
	Alone   bool         // captures of other crawls say nothing: what is judged rests on Crawl alone
	Workers int
}

// Each judges every page of a crawl, on several goroutines, and hands them to emit in order of index
// key with the frame of their group.
func Each(ctx context.Context, set *evidence.Set, frames map[string]*Frame, o Options, emit func(*Judged, *Frame) error) error {
	each := func(p *evidence.History) (*Judged, error) {
		judged, err := judge(set, p, &o)
		if err != nil {
			err = fmt.Errorf("judge %s: %w", p.URL, err)
		}
		return judged, err
	}
	return evidence.Map(ctx, set.Pages(), o.Workers, each, func(p *Judged) error {
		if p == nil {
			return nil
		}
		f := frames[p.Group]
		if f == nil {
			return fmt.Errorf("judge %s: group %q has no frame", p.URL, p.Group)
		}
		return emit(p, f)
	})
}
