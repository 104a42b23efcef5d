package spamfilter

import "fmt"

// State is where a host stands.
type State uint8

// The states.
const (
	NotSampled State = iota // known, and no text page of it was fetched
	Sampling                // its first pages are being fetched
	Sampled                 // its sample is whole, or all it has, and the verdict is not out
	Archiving               // taken for normal
	Rejected                // taken for spam: what is left of it is not fetched
	GivenBack               // rejected, and a curator said it is normal
	states
)

// names as they are in events, reports and metrics.
var names = [states]string{"not-sampled", "being-sampled", "sampled", "being-archived", "rejected", "given-back"}

// String names the state.
func (s State) String() string {
	if s < states {
		return names[s]
	}
	return fmt.Sprintf("state %d", uint8(s))
}

// States lists the states in order.
func States() []State {
	return []State{NotSampled, Sampling, Sampled, Archiving, Rejected, GivenBack}
}

// MarshalText writes the name.
func (s State) MarshalText() ([]byte, error) {
	if s >= states {
		return nil, fmt.Errorf("%s is unknown", s)
	}
	return []byte(names[s]), nil
}

// UnmarshalText reads the name.
func (s *State) UnmarshalText(b []byte) error {
	for i, n := range names {
		if n == string(b) {
			*s = State(i)
			return nil
		}
	}
	return fmt.Errorf("%q is no state of a host", b)
}

// Ruling is what people decided about a host.
type Ruling uint8

// The rulings.
const (
	Undecided Ruling = iota
	Allow            // never rejected
	Refuse           // not fetched
)

// Prior is a verdict of an earlier crawl that is too old, or of another model: it decides nothing alone, and saves the second
// assessment where the first says the same.
type Prior uint8

// The priors.
const (
	PriorNone Prior = iota
	PriorNormal
	PriorSpam
	priors
)
