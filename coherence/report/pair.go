package report

import (
	"varve/coherence/evidence"
	"varve/text/layer"
)

// Missing is the defect of a pair whose second capture has no page any more, beside those that a
// comparison of contents finds.
const Missing layer.Defect = "missing"

// Unknown is said where a content is not in the files, so that nothing can be compared.
const Unknown layer.Defect = "unknown"

// Pair is two captures of a page, compared.
type Pair struct {
	layer.Comparison
	Defect layer.Defect // of the pair: that of the contents, or Missing, or Unknown
	Layer  layer.Name   // the coarsest of bytes, dom, text and main on which they differ; empty if they are identical
}

// Identical tells whether the two are the same to the byte.
func (p *Pair) Identical() bool { return p.Layer == "" }

// coarsest lists the layers by which a difference is named, from the coarsest.
var coarsest = []layer.Name{layer.Main, layer.Text, layer.DOM, layer.Bytes}

// comparePair compares two captures: first whether the page is there, then where a redirect leads,
// then the contents.
func comparePair(set *evidence.Set, a, b *evidence.Observation, cfg layer.Config) (Pair, error) {
	if a.Missing() != b.Missing() {
		return Pair{Comparison: layer.Comparison{Compared: layer.All}, Defect: Missing, Layer: layer.Main}, nil
	}
	c, known, err := set.Compare(a, b, cfg)
	if err != nil {
		return Pair{}, err
	}
	if !known {
		return Pair{Defect: Unknown, Layer: layer.Bytes}, nil
	}
	p := Pair{Comparison: c, Defect: c.Defect}
	if !sameAnswer(a, b) {
		// The same empty body with another status or another goal is another answer.
		p.Equal, p.Rescued, p.Defect = 0, "", layer.LinksDefect
	}
	for _, n := range coarsest {
		if same, known := p.Same(n); known && !same {
			p.Layer = n
			break
		}
	}
	if p.Layer != "" && p.Defect == layer.NoDefect {
		p.Defect = layer.ContentDefect
	}
	return p, nil
}

// sameAnswer tells whether the class of status and the goal of a redirect agree. A revisit record may not repeat the status.
func sameAnswer(a, b *evidence.Observation) bool {
	if a.Status == 0 || b.Status == 0 {
		return true
	}
	return a.Status/100 == b.Status/100 && a.Location == b.Location
}

// nearestPair picks a capture of each side: those that were answered with the page before others, and
// among these the two that are nearest in time.
func nearestPair(a, b []*evidence.Observation) (*evidence.Observation, *evidence.Observation) {
	a, b = answered(a), answered(b)
	bestA, bestB := a[0], b[0]
	i, j := 0, 0
	for i < len(a) && j < len(b) { // both by time: the nearest pair is met where one overtakes the other
		if gap(a[i], b[j]) < gap(bestA, bestB) {
			bestA, bestB = a[i], b[j]
		}
		if a[i].Time.Before(b[j].Time) {
			i++
		} else {
			j++
		}
	}
	return bestA, bestB
}

func gap(a, b *evidence.Observation) int64 { return int64(b.Time.Sub(a.Time).Abs()) }

// answered keeps the captures that have the page: answers to GET, of status 2xx, with a known content;
// each as far as there are any.
func answered(all []*evidence.Observation) []*evidence.Observation {
	for _, want := range []func(*evidence.Observation) bool{
		(*evidence.Observation).Plain,
		(*evidence.Observation).OK,
		func(c *evidence.Observation) bool { return c.Layers != nil },
	} {
		var some []*evidence.Observation
		for _, c := range all {
			if want(c) {
				some = append(some, c)
			}
		}
		if len(some) > 0 {
			all = some
		}
	}
	return all
}
