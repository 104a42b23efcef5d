package link

import (
	"cmp"
	"math"
	"slices"

	"varve/entity"
)

// Shares of place and time in the coherence of two entities, where both are known of both.
const (
	spatialShare  = 0.1
	temporalShare = 0.1
)

// Relatedness returns how much two entities have the same inlinks a and b, ascending, among n entities (Milne and Witten 2008):
//
//	1 - (log max(|A|,|B|) - log |A and B|) / (log N - log min(|A|,|B|)),  at least 0
//
// Example: 10 and 5 inlinks, 4 the same, 100 entities: 1 - (log 10 - log 4) / (log 100 - log 5) = 0.694.
func Relatedness(a, b []uint32, n int) float64 {
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			both++
			i++
			j++
		}
	}
	if both == 0 {
		return 0
	}
	large, small := math.Log(float64(max(len(a), len(b)))), math.Log(float64(min(len(a), len(b))))
	all := math.Log(float64(max(n, len(a), len(b))))
	if all == small {
		return 1
	}
	return max(0, 1-(large-math.Log(float64(both)))/(all-small))
}

// overlap returns how much the keyphrases of two entities share, for those that nobody links to:
//
//	sum over words of min(weight in a, weight in b) / sum of max
func overlap(a, b *profile) float64 {
	common, all := 0.0, 0.0
	x, y := a.words, b.words
	for len(x) > 0 && len(y) > 0 {
		switch order := cmp.Compare(x[0].word, y[0].word); {
		case order < 0:
			all += x[0].weight
			x = x[1:]
		case order > 0:
			all += y[0].weight
			y = y[1:]
		default:
			common += min(x[0].weight, y[0].weight)
			all += max(x[0].weight, y[0].weight)
			x, y = x[1:], y[1:]
		}
	}
	for _, w := range slices.Concat(x, y) {
		all += w.weight
	}
	if all == 0 {
		return 0
	}
	return common / all
}

// near returns 1 for the same place and 0 for the other side of the earth: the great-circle distance, normalised by half the circumference.
func near(a, b entity.Place) float64 {
	rad := math.Pi / 180
	dlat, dlon := (b.Latitude-a.Latitude)*rad, (b.Longitude-a.Longitude)*rad
	h := math.Pow(math.Sin(dlat/2), 2) + math.Cos(a.Latitude*rad)*math.Cos(b.Latitude*rad)*math.Pow(math.Sin(dlon/2), 2)
	return 1 - 2*math.Asin(min(1, math.Sqrt(h)))/math.Pi
}

// centre returns the middle of an existence; ok is whether both ends are known.
func centre(e entity.Existence) (c float64, ok bool) {
	return (float64(e.From) + float64(e.Until)) / 2, e.From != entity.Unknown && e.Until != entity.Unknown
}

// coherence returns how much two entities go together: by inlinks, or by keyphrases where one has no inlinks; with place and time, where both have them.
// widest is the largest distance of the centres of existence among the candidates, in days.
func (g *graph) coherence(a, b *node) (float64, error) {
	for _, n := range []*node{a, b} {
		if !n.linked {
			links, err := g.base.Inlinks(n.number)
			if err != nil {
				return 0, err
			}
			n.links, n.linked = links, true
		}
	}
	related := 0.0
	if len(a.links) > 0 && len(b.links) > 0 {
		related = Relatedness(a.links, b.links, g.base.Len())
	} else {
		related = overlap(a.profile, b.profile)
	}
	spatial, temporal := 0.0, 0.0
	out := 0.0
	if a.entity.Place != nil && b.entity.Place != nil {
		spatial = spatialShare
		out += spatial * near(*a.entity.Place, *b.entity.Place)
	}
	if x, ok := centre(a.entity.Existence); ok && g.widest > 0 {
		if y, ok := centre(b.entity.Existence); ok {
			temporal = temporalShare
			out += temporal * (1 - math.Abs(x-y)/g.widest)
		}
	}
	return out + (1-spatial-temporal)*related, nil
}
