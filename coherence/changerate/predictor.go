package changerate

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"varve/learn"
)

// Method is how a predictor learns.
type Method uint8

// The two methods of the seed paper.
const (
	NaiveBayes   Method = iota // numbers in bins chosen by entropy
	DecisionTree               // C4.5, with Laplace estimates in the leaves
)

// String names the method.
func (m Method) String() string {
	if m == DecisionTree {
		return "tree"
	}
	return "bayes"
}

// Config says how to train a predictor. The zero value is naive Bayes with online features and ten bins.
type Config struct {
	Method  Method
	Offline bool // use Page.Content too
	Bins    int  // of the rate, equally frequent; 0 means 10
}

// Example is a page whose rate is known.
type Example struct {
	Page Subject
	Rate float64 // per second; 0 for a page that never changed
}

// Predictor foretells rates from features of the page (seed paper 000, 3.3.5): rates of the examples are
// put into bins of equal frequency, and a classifier learns the bin. Linear regression was tried by the authors and was
// poorer because most pages do not change.
//
//	online:  domain, MIME type, path depth, URL length, first three words of the path, presence of ~ _ ? ; : , %
//	offline: and days since the last change, images, tables, outlinks, inlinks
//
// A predictor is safe for concurrent use.
type Predictor struct {
	config     Config
	dictionary [][]string // sorted values of the nominal attributes
	edges      learn.Bins
	bins       []bin
	classifier learn.Classifier
}

// bin is what the examples in a bin have: the mean and the range of their rates.
type bin struct{ mean, low, high float64 }

// mostValues bounds the values of a nominal attribute: the most frequent are kept, others are taken as missing.
const mostValues = 2000

// Train makes a predictor from examples.
func Train(examples []Example, cfg Config) (*Predictor, error) {
	if len(examples) == 0 {
		return nil, errors.New("changerate: no examples to learn from")
	}
	if cfg.Bins == 0 {
		cfg.Bins = 10
	}
	p := &Predictor{config: cfg}
	p.learnWords(examples)
	set, err := p.set(examples)
	if err != nil {
		return nil, err
	}
	if len(p.bins) == 1 { // all rates are alike: nothing to tell apart
		return p, nil
	}
	var l learn.Learner = learn.Bayes{Density: learn.Discretised}
	if cfg.Method == DecisionTree {
		l = learn.Tree{Laplace: true}
	}
	if p.classifier, err = l.Train(set, 0); err != nil {
		return nil, fmt.Errorf("changerate: train %v: %w", cfg.Method, err)
	}
	return p, nil
}

// nominals are the attributes with named values: domain, MIME type and the words.
const nominals = 2 + words

func (u *url) nominal(mime string) [nominals]string {
	return [nominals]string{u.domain, mime, u.words[0], u.words[1], u.words[2]}
}

// learnWords collects the values of nominal attributes that occur more than once.
func (p *Predictor) learnWords(examples []Example) {
	var counts [nominals]map[string]int
	for i := range counts {
		counts[i] = map[string]int{}
	}
	for _, e := range examples {
		u := split(e.Page.URL)
		for i, v := range u.nominal(e.Page.MIME) {
			counts[i][v]++
		}
	}
	p.dictionary = make([][]string, nominals)
	for i, c := range counts {
		maps.DeleteFunc(c, func(_ string, n int) bool { return n < 2 })
		values := slices.Sorted(maps.Keys(c))
		slices.SortStableFunc(values, func(a, b string) int { return cmp.Compare(c[b], c[a]) })
		values = values[:min(len(values), mostValues)]
		slices.Sort(values)
		p.dictionary[i] = append([]string{}, values...)
	}
}

// row gives the features of a page in the order of attributes.
func (p *Predictor) row(page Subject) []float64 {
	u := split(page.URL)
	row := make([]float64, 0, nominals+2+len(symbols)+5)
	for i, v := range u.nominal(page.MIME) {
		if at, known := slices.BinarySearch(p.dictionary[i], v); known {
			row = append(row, float64(at))
		} else {
			row = append(row, learn.Missing())
		}
	}
	row = append(row, u.depth, u.length)
	for _, has := range u.has {
		row = append(row, map[bool]float64{true: 1}[has])
	}
	if !p.config.Offline {
		return row
	}
	c := page.Content
	if c == nil {
		c = &Content{-1, -1, -1, -1, -1}
	}
	since := c.SinceChange
	if since < 0 {
		since = learn.Missing()
	}
	return append(row, since, unknown(c.Images), unknown(c.Tables), unknown(c.Outlinks), unknown(c.Inlinks))
}

func (p *Predictor) attributes() []learn.Attribute {
	names := []string{"domain", "mime", "word1", "word2", "word3"}
	var out []learn.Attribute
	for i, n := range names {
		out = append(out, learn.Attribute{Name: n, Values: p.dictionary[i]})
	}
	out = append(out, learn.Attribute{Name: "depth"}, learn.Attribute{Name: "length"})
	for _, s := range symbols {
		out = append(out, learn.Attribute{Name: "has " + string(s), Values: []string{"no", "yes"}})
	}
	if p.config.Offline {
		for _, n := range []string{"since change", "images", "tables", "outlinks", "inlinks"} {
			out = append(out, learn.Attribute{Name: n})
		}
	}
	return out
}

// set turns examples into a set whose class is the bin of the rate, and fills the bins.
func (p *Predictor) set(examples []Example) (*learn.Set, error) {
	rates := make([]float64, len(examples))
	for i, e := range examples {
		if rates[i] = e.Rate; !(e.Rate >= 0) || math.IsInf(e.Rate, 1) {
			return nil, fmt.Errorf("changerate: example %d, %.200q, has rate %v", i, e.Page.URL, e.Rate)
		}
	}
	p.edges = learn.EqualFrequency(rates, p.config.Bins)
	s := &learn.Set{Attributes: p.attributes(), Class: learn.Attribute{Name: "bin"}}
	s.Columns = make([][]float64, len(s.Attributes))
	p.bins = make([]bin, p.edges.Len())
	counts := make([]float64, len(p.bins))
	for b := range p.bins {
		s.Class.Values = append(s.Class.Values, fmt.Sprint(b))
		p.bins[b].low = math.Inf(1)
	}
	for i, e := range examples {
		b := p.edges.Of(rates[i])
		s.Y = append(s.Y, b)
		counts[b]++
		in := &p.bins[b]
		in.mean += (rates[i] - in.mean) / counts[b]
		in.low, in.high = min(in.low, rates[i]), max(in.high, rates[i])
		for a, v := range p.row(e.Page) {
			s.Columns[a] = append(s.Columns[a], v)
		}
	}
	return s, nil
}

// Forecast gives the mean rate of the most probable bin. The interval reaches from the bin below which no more
// than half of what the confidence leaves lies, to the one above.
func (p *Predictor) Forecast(page Subject) Rate {
	prob := make([]float64, len(p.bins))
	prob[0] = 1
	if p.classifier != nil {
		p.classifier.Classify(p.row(page), prob)
	}
	best := p.bins[learn.Best(prob)]
	r := Rate{Value: best.mean, Low: best.low, High: best.high, Source: FromPredictor, Confidence: Level}
	below, tail := 0.0, (1-Level)/2
	for b, q := range prob {
		if below <= tail && below+q > tail {
			r.Low = min(r.Low, p.bins[b].low)
		}
		if below < 1-tail && below+q >= 1-tail {
			r.High = max(r.High, p.bins[b].high)
		}
		below += q
	}
	return r
}

// Bin gives the number of the bin of a rate, and Bins how many there are.
func (p *Predictor) Bin(rate float64) int { return p.edges.Of(rate) }

// Bins counts the bins; there are fewer than asked for where many rates are equal.
func (p *Predictor) Bins() int { return len(p.bins) }
