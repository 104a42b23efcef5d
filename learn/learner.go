package learn

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
)

// Learner makes classifiers. Its fields are settings; it keeps nothing of what it learns, so one learner may train
// many classifiers at once. The same set and seed give the same classifier.
type Learner interface {
	Train(s *Set, seed uint64) (Classifier, error)
}

// Classifier gives the probability of each class for a row with the attributes of the set it was trained on; p
// has room for the classes. It is safe for concurrent use.
type Classifier interface {
	Classify(row, p []float64)
}

// ErrEmpty says that there is nothing to learn from.
var ErrEmpty = errors.New("learn: no rows with weight")

// ErrClasses says that a learner for two classes got a set with more.
var ErrClasses = errors.New("learn: this learner tells two classes apart, the set has more")

// Best gives the most probable class, the first of equals.
func Best(p []float64) int {
	best := 0
	for i := range p {
		if p[i] > p[best] {
			best = i
		}
	}
	return best
}

// normalise makes p sum to 1; without a sum all classes are alike.
func normalise(p []float64) {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	for i := range p {
		if sum > 0 && !math.IsInf(sum, 0) {
			p[i] /= sum
		} else {
			p[i] = 1 / float64(len(p))
		}
	}
}

// source gives randomness for part i of what a seed governs: parts do not depend on the order in which they are made.
func source(seed uint64, i int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(i)+1)) }

// derive gives a seed for part i.
func derive(seed uint64, i int) uint64 { return source(seed, i).Uint64() }

// each calls f for 0..n-1 on all processors and gives the error of the lowest i that had one.
func each(n int, f func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = f(i)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
