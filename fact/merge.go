package fact

import "strings"

// Merger joins observations that say the same: one observation, with the confidence that not all of them are wrong,
//
//	c = 1 - (1 - c_1) (1 - c_2) ...
//
// as if they were wrong independently of each other, and the first sentences as evidence. Three pages that are sure by 0.5 make 0.875.
type Merger struct {
	at   map[said]int
	list []Observation
}

// said is what observations say.
type said struct {
	triple
	aspect Aspect
	time   Time
}

// NewMerger returns a Merger without observations.
func NewMerger() *Merger { return &Merger{at: map[said]int{}} }

// Add adds an observation; false if it is a new one, and there are as many as may be.
func (m *Merger) Add(o Observation, most int) bool {
	key := said{triple{o.Relation, o.Subject, o.Object, o.Role}, o.Aspect, o.Time}
	i, known := m.at[key]
	if !known {
		if len(m.list) >= most {
			return false
		}
		o.Relation, o.Subject, o.Object, o.Role = strings.Clone(o.Relation), strings.Clone(o.Subject), strings.Clone(o.Object), strings.Clone(o.Role)
		m.at[said{triple{o.Relation, o.Subject, o.Object, o.Role}, o.Aspect, o.Time}] = len(m.list)
		m.list = append(m.list, Observation{Relation: o.Relation, Subject: o.Subject, Object: o.Object, Role: o.Role, Aspect: o.Aspect, Time: o.Time})
		i = len(m.list) - 1
	}
	to := &m.list[i]
	to.Confidence = 1 - (1-to.Confidence)*(1-o.Confidence)
	for _, e := range o.Evidence {
		if len(to.Evidence) < maxEvidence {
			e.Document, e.Pattern = strings.Clone(e.Document), strings.Clone(e.Pattern)
			to.Evidence = append(to.Evidence, e)
		}
	}
	return true
}

// Observations returns what there is, in the order in which it came first.
func (m *Merger) Observations() []Observation { return m.list }
