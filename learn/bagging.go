package learn

// Bagging trains a learner on several sets of rows drawn with replacement and gives the mean of their probabilities
// (Breiman 1996). With Cost, rows of class 0 weigh so many times more: a miss of them is so much worse than
// a false alarm. With Balanced, each bag draws as many rows of each class as the rarest has.
type Bagging struct {
	Learner  Learner
	Bags     int     // 0 means 10
	Cost     float64 // 0 means 1
	Balanced bool
}

// committee is the classifier: the mean of its members.
type committee struct {
	members []Classifier
}

// Train implements Learner. Bags are trained in parallel.
func (b Bagging) Train(s *Set, seed uint64) (Classifier, error) {
	if b.Bags == 0 {
		b.Bags = 10
	}
	if b.Cost == 0 {
		b.Cost = 1
	}
	if total(s.Totals()) == 0 {
		return nil, ErrEmpty
	}
	pool := bootstrap{set: s, balanced: b.Balanced}
	pool.prepare()
	m := &committee{make([]Classifier, b.Bags)}
	err := each(b.Bags, func(i int) error {
		var rows []int
		var weights []float64
		for r, w := range pool.draw(source(seed, i)) {
			if w > 0 {
				rows = append(rows, r)
				if s.Y[r] == 0 {
					w *= float32(b.Cost)
				}
				weights = append(weights, float64(w))
			}
		}
		var err error
		m.members[i], err = b.Learner.Train(s.Rows(rows).Reweighted(weights), derive(seed, i))
		return err
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Classify implements Classifier.
func (m *committee) Classify(row, p []float64) {
	one := make([]float64, len(p))
	clear(p)
	for _, c := range m.members {
		c.Classify(row, one)
		for i, v := range one {
			p[i] += v
		}
	}
	normalise(p)
}
