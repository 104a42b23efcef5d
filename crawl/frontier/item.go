package frontier

import (
	"errors"
	"fmt"
	"time"
)

// Item is one URL of a crawl with what is needed to fetch it and to say how it was found.
type Item struct {
	Key       string    `json:"key"`                // frontier key: what makes two URLs one fetch
	URL       string    `json:"url"`                // as found; empty means the same as Key
	Host      string    `json:"host"`               // the queue it belongs to
	Domain    string    `json:"domain,omitempty"`   // pay-level domain of the host
	Via       string    `json:"via,omitempty"`      // where it was found
	HopPath   string    `json:"hops,omitempty"`     // one letter per step from the seed, such as "LLE"
	Band      uint8     `json:"band"`               // urgency class, 0 first, at most 15
	Score     float64   `json:"score"`              // priority in [0,1]; Take gives it to within one bucket
	Depth     int       `json:"depth"`              // steps from the seed
	Attempts  int       `json:"attempts"`           // how often it was tried and given back with Retry
	NotBefore time.Time `json:"notBefore,omitzero"` // not given out before this instant
	Meta      []byte    `json:"meta,omitempty"`     // the caller's own; not looked at
}

// State is what the frontier knows of a key.
type State uint8

// The states of a key. InFlight is Queued on disk. What is Dropped may be Queued again, by a more urgent find: at most once
// for each band.
const (
	Unseen State = iota
	Queued
	InFlight
	Done
	Dropped
)

var stateNames = [...]string{"unseen", "queued", "inflight", "done", "dropped"}

// String names the state.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("state(%d)", uint8(s))
}

// MarshalText names the state in JSON.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Outcome is what a finished URL came to.
type Outcome struct {
	Status int       `json:"status"`           // HTTP status, or the caller's own negative code
	Failed bool      `json:"failed,omitempty"` // counted as an error of its host
	Size   int64     `json:"size"`             // bytes, counted against budgets
	At     time.Time `json:"at,omitzero"`      // when; kept to the millisecond
	Digest []byte    `json:"digest,omitempty"` // payload digest, opaque
	Record []byte    `json:"record,omitempty"` // where the record lies, opaque
}

// Verdict says what a Result does with its URL.
type Verdict uint8

// The verdicts.
const (
	Finished Verdict = iota // fetched, or given up: never again
	Later                   // to be tried again
	Refused                 // not wanted, as it was found: only a more urgent find brings it back
)

// Result is the end of one attempt at a URL. Links are queued in the same commit.
type Result struct {
	Item      Item
	Verdict   Verdict
	Outcome   Outcome   // of Finished
	NotBefore time.Time // of Later: when to try again; zero means at the end of its queue
	Reason    string    // of Refused
	Links     []Item
}

// Report counts what became of the URLs of one call.
type Report struct {
	New      int `json:"new"`                // queued, never seen before
	Updated  int `json:"updated"`            // already queued, score or band changed
	Known    int `json:"known"`              // already seen, nothing changed
	Reopened int `json:"reopened,omitempty"` // dropped before, queued again by a more urgent find
	Dropped  int `json:"dropped"`            // taken out of the queue, or barred before they were seen
	Refused  int `json:"refused"`            // malformed or too large; see Item limits in Config
}

func (r *Report) add(o Report) {
	r.New += o.New
	r.Updated += o.Updated
	r.Known += o.Known
	r.Reopened += o.Reopened
	r.Dropped += o.Dropped
	r.Refused += o.Refused
}

// The errors that callers tell apart.
var (
	ErrClosed  = errors.New("frontier is closed")
	ErrSettled = errors.New("URL is already done or dropped")
	ErrVersion = errors.New("frontier has another format version")
	ErrConfig  = errors.New("frontier was made with another configuration")
)

// check tells why an item cannot be queued, or nil.
func (it *Item) check(maxBytes int) error {
	size := len(it.Key) + len(it.URL) + len(it.Host) + len(it.Domain) + len(it.Via) + len(it.HopPath) + len(it.Meta)
	switch {
	case it.Key == "":
		return errors.New("item has no key")
	case it.Host == "":
		return fmt.Errorf("item %.200q has no host", it.Key)
	case it.Band > maxBand:
		return fmt.Errorf("item %.200q has band %d; the last is %d", it.Key, it.Band, maxBand)
	case it.Depth < 0 || it.Attempts < 0:
		return fmt.Errorf("item %.200q has a negative depth or number of attempts", it.Key)
	case size > maxBytes:
		return fmt.Errorf("item %.200q has %d bytes; %d are allowed", it.Key, size, maxBytes)
	}
	return nil
}
