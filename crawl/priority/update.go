package priority

import "fmt"

// Update says what becomes of the score of a queued URL when it is found again (seed paper 002, table 1).
type Update string

// The update functions.
const (
	First Update = "FIRST" // keep the first: a crawler that does not adapt
	Last  Update = "LAST"  // take the latest
	Max   Update = "MAX"   // take the highest
	Avg   Update = "AVG"   // the mean of all
	Sum   Update = "SUM"   // the sum of all
)

// Updates lists the update functions in the order of the paper's table.
var Updates = []Update{First, Avg, Max, Sum, Last}

// ParseUpdate reads the name of an update function.
func ParseUpdate(s string) (Update, error) {
	for _, u := range Updates {
		if s == string(u) {
			return u, nil
		}
	}
	return "", fmt.Errorf("update function %q is not one of FIRST, LAST, MAX, AVG, SUM", s)
}

// Score is the score of a queued URL and the number of findings it came from.
type Score struct {
	Value float64
	N     int
}

// Apply gives the score after one more finding. The zero Score is that of a URL not yet queued.
func (u Update) Apply(old Score, s float64) Score {
	if old.N == 0 {
		return Score{s, 1}
	}
	next := Score{old.Value, old.N + 1}
	switch u {
	case Last:
		next.Value = s
	case Max:
		next.Value = max(old.Value, s)
	case Avg:
		next.Value += (s - old.Value) / float64(next.N)
	case Sum:
		next.Value += s
	}
	return next
}
