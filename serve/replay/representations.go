package replay

import (
	"context"
	"time"

	"varve/serve/replay/address"
	"varve/serve/replay/rewrite"
	"varve/web/canon"
	"varve/web/playlist/dash"
)

// maxRepresentations bounds the representations of a manifest that are looked up.
const maxRepresentations = 256

// present takes the representations that were not captured out of a manifest, so that a player does not choose one
// of them. A set of which none was captured stays as it is.
func (h *Handler) present(ctx context.Context, d *rewrite.Document, text []byte) []byte {
	at, err := address.Latest(d.Time)
	if err != nil {
		return text
	}
	m, err := dash.Parse(text, d.Base.String(), dash.Limits{})
	if err != nil {
		return text
	}
	var gone []bool
	for _, p := range m.Periods {
		for _, s := range p.Sets {
			gone = append(gone, h.absent(ctx, d.Collection(), s.Reps, at)...)
		}
	}
	spans := dash.Spans(text, "Representation")
	if len(spans) != len(gone) || len(gone) > maxRepresentations {
		return text
	}
	var out []byte
	done := 0
	for i, span := range spans {
		if gone[i] {
			out = append(out, text[done:span[0]]...)
			done = span[1]
		}
	}
	return append(out, text[done:]...)
}

// absent tells which representations of a set were not captured, if one was.
func (h *Handler) absent(ctx context.Context, collection string, reps []dash.Representation, at time.Time) []bool {
	out := make([]bool, len(reps))
	have := 0
	for i := range reps {
		url := reps[i].Base
		if init, ok := reps[i].Init(); ok {
			url = init.URL
		} else if list, _ := reps[i].Segments(at, 1); len(list) > 0 {
			url = list[0].URL
		}
		found, err := h.cfg.Index.Closest(ctx, collection, canon.SURT(url), at, 1)
		if out[i] = err == nil && len(found) == 0; !out[i] {
			have++
		}
	}
	if have == 0 {
		clear(out)
	}
	return out
}
