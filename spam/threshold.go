package spam

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"varve/crawl/spamfilter"
	"varve/learn"
)

// Guard says what a threshold must keep to. Zero values mean the default named at the field.
type Guard struct {
	MaxLoss float64   // share of normal documents that may be refused; 0.005
	Sizes   []float64 // documents of each host; nil: as many of each
	Links   [][]int   // rows that each host links; nil: not known
	Others  []int     // hosts without a label that link each row; nil: none
}

// Threshold is a spamicity from which hosts may be refused, and what it did to hosts of kinds not seen in training.
type Threshold struct {
	At      float64 `json:"at"`
	MaxLoss float64 `json:"max_loss"` // that it was chosen for
	Lost    float64 `json:"lost"`     // share of normal documents at or above it
	Caught  float64 `json:"caught"`   // share of spam documents at or above it
	Kinds   int     `json:"kinds"`    // of normal hosts that it was chosen by

	Curve learn.Lapse `json:"curve"` // from the log-odds of the model to the probability for a host of a kind not seen
	Shift float64     `json:"shift"` // to be added to the log-odds of that, where links are known
}

// leastInCrawl is the spamicity under which a crawl refuses nobody, whatever the held-out kinds say: they were too few
// to tell what the next kind of normal host looks like (docs/algorithms/spam_filter.md, "Measured").
const leastInCrawl = 0.92

// InCrawl is the threshold for hosts that nobody has seen: a host that is refused is lost, one that is kept can be
// left out later.
func (t *Threshold) InCrawl() float64 {
	if t.At == 0 {
		return 0 // the model has none
	}
	return max(t.At, leastInCrawl)
}

// Log-odds that are told apart: beyond them no threshold makes sense.
const mostOdds = 8

// Spamicity gives the probability that a host of a kind not seen is spam, from that of the model.
func (t *Threshold) Spamicity(p float64) float64 {
	if t.Curve == (learn.Lapse{}) {
		return p
	}
	return sigmoid(logit(t.Curve.Of(logit(p))) + t.Shift)
}

func logit(p float64) float64 {
	z := math.Log(p) - math.Log1p(-p)
	return min(max(z, -mostOdds), mostOdds)
}

// Decide finds the lowest threshold that keeps to a guard. held are the log-odds of spam of each host by classifiers that have not seen its
// kind, as learn.Ensemble.TrainHeld gives them for a set with groups: they stand for the hosts that nobody has labelled.
//
//	z(h)     = held(h) − ln(1 + supporters), where links are known: as the crawl judges (spamfilter.Temper)
//	seen     = the lowest value that at most MaxLoss of the normal documents reach
//	next     = m + t·s·√(1 + 1/k): what the next kind reaches with probability α only (Student's t with k−1 degrees), m and s mean and
//	           deviation over the k kinds of the highest z of their hosts
//	α        = MaxLoss · normal hosts of a kind / 4: the highest of so many hosts reaches it once in 1/α kinds, and four kinds may be new at a time
//	floor    = above what three quarters of the normal hosts have without support: nobody is refused for want of links
//	θ        = max(seen, next, floor)
//
// Without groups every host is a kind of its own. Supporters are hosts that link it and are under θ
// themselves, so θ is found by repetition. Shift brings the mean of the probabilities back to the share of spam once links are counted. O(rounds·links).
func Decide(held []float64, s *learn.Set, g Guard) (Threshold, error) {
	g.MaxLoss = cmp.Or(g.MaxLoss, 0.005)
	d := &decision{Guard: g, set: s}
	if d.normals, d.spams = d.split(); len(d.normals) == 0 || len(d.spams) == 0 {
		return Threshold{}, errors.New("a threshold needs hosts of both kinds")
	}
	at, z := d.run(held)
	shift := 0.0
	if g.Links != nil {
		shift = levelled(z, s)
	}
	t := Threshold{At: sigmoid(at + shift), MaxLoss: g.MaxLoss, Kinds: len(d.kinds(z)), Shift: shift}
	t.Lost, t.Caught = d.share(d.normals, z, at), d.share(d.spams, z, at)
	return t, nil
}

// decision is a threshold under way.
type decision struct {
	Guard
	set            *learn.Set
	normals, spams []int
}

func (d *decision) split() (normals, spams []int) {
	for i, y := range d.set.Y {
		if y == 0 {
			spams = append(spams, i)
		} else {
			normals = append(normals, i)
		}
	}
	return normals, spams
}

func (d *decision) size(i int) float64 {
	if d.Sizes == nil {
		return 1
	}
	return d.Sizes[i]
}

// share is the share of the documents of hosts that are at or above a value.
func (d *decision) share(rows []int, z []float64, at float64) float64 {
	var above, all float64
	for _, i := range rows {
		if all += d.size(i); z[i] >= at {
			above += d.size(i)
		}
	}
	return above / max(all, 1e-300)
}

// run finds the threshold, in log-odds, and the log-odds lowered by support that belong to it.
func (d *decision) run(held []float64) (at float64, z []float64) {
	if d.Links == nil {
		return d.choose(held), held
	}
	const rounds = 10
	at = math.Inf(1)
	floor := d.floor(held)
	for range rounds {
		z = d.supported(held, at)
		next := max(d.choose(z), floor)
		if math.Abs(next-at) < 1e-9 {
			break
		}
		at = next
	}
	return at, d.supported(held, at)
}

// floor is above what three quarters of the normal hosts reach without support.
func (d *decision) floor(z []float64) float64 {
	list := make([]float64, 0, len(d.normals))
	for _, i := range d.normals {
		list = append(list, z[i])
	}
	slices.Sort(list)
	return math.Nextafter(list[len(list)*3/4], math.Inf(1))
}

// supported lowers log-odds by support: hosts fall one after the other, as in a crawl, until none does any more.
func (d *decision) supported(held []float64, at float64) []float64 {
	rejected := make([]bool, len(held))
	z := make([]float64, len(held))
	for {
		n := make([]int, len(held))
		copy(n, d.Others)
		for i, to := range d.Links {
			for _, j := range to {
				if !rejected[i] && i != j {
					n[j]++
				}
			}
		}
		fallen := false
		for i, v := range held {
			z[i] = v - math.Log(float64(1+min(n[i], spamfilter.MaxSupport)))
			if z[i] >= at && !rejected[i] {
				rejected[i], fallen = true, true
			}
		}
		if !fallen {
			return z
		}
	}
}

// choose gives the lowest threshold for these log-odds.
func (d *decision) choose(z []float64) float64 {
	order := slices.Clone(d.normals)
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(z[b], z[a]) })
	all := 0.0
	for _, i := range order {
		all += d.size(i)
	}
	seen, lost := math.Inf(-1), 0.0
	for _, i := range order {
		if lost += d.size(i); lost > d.MaxLoss*all {
			seen = math.Nextafter(z[i], math.Inf(1))
			break
		}
	}
	return max(seen, d.next(d.kinds(z)))
}

// kinds gives the highest log-odds of each kind of normal hosts.
func (d *decision) kinds(z []float64) []float64 {
	highest := map[string]float64{}
	var out []float64
	for _, i := range d.normals {
		if d.set.Groups == nil {
			out = append(out, z[i])
			continue
		}
		k := d.set.Groups[i]
		if v, known := highest[k]; !known || z[i] > v {
			highest[k] = z[i]
		}
	}
	for _, v := range highest {
		out = append(out, v)
	}
	slices.Sort(out) // sums depend on the order
	return out
}

// next is the bound that one more like these stays under.
func (d *decision) next(list []float64) float64 {
	k := float64(len(list))
	if k < 3 {
		return list[len(list)-1]
	}
	mean, square := 0.0, 0.0
	for _, v := range list {
		mean += v / k
	}
	for _, v := range list {
		square += (v - mean) * (v - mean) / (k - 1)
	}
	const most, atOnce = 0.2, 4
	t := studentQuantile(k-1, 1-min(most, d.MaxLoss*float64(len(d.normals))/k/atOnce))
	return mean + t*math.Sqrt(square*(1+1/k))
}

// levelled is the shift that makes the mean probability the share of spam: the root of a rising function, by halving.
func levelled(z []float64, s *learn.Set) float64 {
	spam := 0.0
	for _, y := range s.Y {
		if y == 0 {
			spam++
		}
	}
	low, high := -20.0, 20.0
	for range 60 {
		mid, sum := (low+high)/2, 0.0
		for _, v := range z {
			sum += sigmoid(v + mid)
		}
		if sum < spam {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }
