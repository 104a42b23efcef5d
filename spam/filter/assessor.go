package filter

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"varve/crawl/gate"
	"varve/learn"
	"varve/page"
	"varve/spam"
	"varve/spam/content"
)

var _ interface {
	gate.Assessor
	gate.Explainer
} = (*Assessor)(nil)

// Assessor judges hosts by a model. It is safe for concurrent use.
type Assessor struct {
	model  *learn.Model
	voice  *learn.Model // by which reasons are told
	places []int
	chosen spam.Threshold // with the curve for hosts of kinds not seen
	reader sync.Pool      // of extractors
}

// New makes an assessor of a model, if its features are ones that a crawl can compute.
func New(m *learn.Model) (*Assessor, error) {
	if len(m.Class.Values) != 2 {
		return nil, fmt.Errorf("the model tells %d classes apart, not spam and normal", len(m.Class.Values))
	}
	at, err := places(m.Attributes)
	if err != nil {
		return nil, err
	}
	a := &Assessor{model: m, voice: strongest(m), places: at}
	a.chosen, _ = spam.ThresholdOf(m)
	a.reader.New = func() any { return page.NewReader() }
	return a, nil
}

// Look condenses a page.
func (a *Assessor) Look(p *gate.SampledPage) []byte {
	r := a.reader.Get().(*page.Reader) //nolint:forcetypeassert // the pool has nothing else
	defer a.reader.Put(r)
	doc := PageOf(p, r)
	f, words := content.Measure(doc)
	return appendLook(nil, content.TraceOf(doc, words), f)
}

// Merge adds looks to a sample.
func (a *Assessor) Merge(sample []byte, looks [][]byte) ([]byte, error) {
	h, err := hostOf(sample)
	if err != nil {
		return nil, err
	}
	for _, l := range looks {
		t, f, err := parseLook(l)
		if err != nil {
			return nil, err
		}
		h.Take(t, f)
	}
	return h.AppendBinary(nil)
}

func hostOf(sample []byte) (*content.Host, error) {
	h := &content.Host{}
	if len(sample) == 0 {
		return h, nil
	}
	return h, h.UnmarshalBinary(sample)
}

// Assess judges a host by its sample. Explain tells the reasons.
func (a *Assessor) Assess(_ string, sample []byte) (gate.Assessment, error) {
	h, err := hostOf(sample)
	if err != nil {
		return gate.Assessment{}, err
	}
	p := make([]float64, 2)
	a.model.Classifier.Classify(a.Row(h), p)
	return gate.Assessment{Spamicity: a.chosen.Spamicity(p[0])}, nil
}

// Explain names the features that speak most for spam. It takes a classification for each feature.
func (a *Assessor) Explain(sample []byte) (string, error) {
	h, err := hostOf(sample)
	if err != nil {
		return "", err
	}
	return Words(spam.Explain(a.voice, a.Row(h), explained), explained), nil
}

// strongest is the member of an ensemble with the most weight: reasons take a classification for each feature, and while crawling
// one member must do. 'varve spam explain' asks all.
func strongest(m *learn.Model) *learn.Model {
	e, ok := m.Classifier.(*learn.Selected)
	if !ok {
		return m
	}
	best := 0
	for k, v := range e.Members {
		if v.Weight > e.Members[best].Weight {
			best = k
		}
	}
	out := *m
	out.Classifier = member{e, best}
	return &out
}

// member is one voice of an ensemble.
type member struct {
	of *learn.Selected
	k  int
}

// Classify gives what the member says alone.
func (m member) Classify(row, p []float64) {
	p[0] = m.of.Alone(m.k, row)
	p[1] = 1 - p[0]
}

// explained is how many features are named.
const explained = 3

// Row gives the features of a host that the model wants.
func (a *Assessor) Row(h *content.Host) []float64 {
	vector := h.Vector()
	row := make([]float64, len(a.places))
	for i, at := range a.places {
		row[i] = vector[at]
	}
	return row
}

// Words names the features that speak most for spam, with their values and those of a typical normal host.
func Words(list []spam.Contribution, most int) string {
	var out []string
	for _, c := range list {
		if c.Weight <= 0 || len(out) == most {
			break
		}
		if math.IsNaN(c.Value) {
			continue
		}
		word := fmt.Sprintf("%s %.3g", c.Feature, c.Value)
		if !math.IsNaN(c.Normal) {
			word += fmt.Sprintf(" (normal %.3g)", c.Normal)
		}
		out = append(out, word)
	}
	return strings.Join(out, ", ")
}
