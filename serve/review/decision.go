package review

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"varve"
	"varve/archive/journal"
)

// Decision is a line of labels/tray.jsonl: what a person said about an alert. A later line takes an earlier
// one back.
type Decision struct {
	ID      string    `json:"id"`              // of the alert
	Do      string    `json:"do"`              // done, snooze, open
	Until   time.Time `json:"until,omitzero"`  // of a snooze
	Why     string    `json:"why,omitempty"`   // at most 4,000 bytes
	By      string    `json:"by"`              // who
	At      time.Time `json:"at"`              // when
	Kind    Kind      `json:"kind,omitempty"`  // of the alert, so that the file can be read without it
	Subject string    `json:"about,omitempty"` // its subject
}

// What can be decided.
const (
	Done   = "done"
	Snooze = "snooze"
	Reopen = "open"
)

// maxWhy is the longest reason.
const maxWhy = 4000

// Holds tells whether the decision keeps an alert out of the tray.
func (d Decision) Holds(now time.Time) bool {
	return d.Do == Done || d.Do == Snooze && now.Before(d.Until)
}

// DecisionsFile is where the decisions of a directory are: that of a collection, or that of the archive for
// what concerns all of it.
func DecisionsFile(dir string) string { return filepath.Join(dir, "labels", "tray.jsonl") }

var alertID = regexp.MustCompile(`^[0-9a-f]{16}$`)

// Decide keeps a decision; it is durable when Decide returns.
func Decide(dir string, d Decision) error {
	refuse := func(msg string) error {
		return &varve.Error{Kind: varve.Invalid, Op: "decide about an alert", Msg: msg, Hint: `{"id":"5e0b3f2a9c1d4e77","do":"snooze","until":"2026-12-01T00:00:00Z","why":"the owner was asked"}`}
	}
	switch {
	case !alertID.MatchString(d.ID):
		return refuse(fmt.Sprintf("%.40q is no id of an alert", d.ID))
	case d.Do != Done && d.Do != Snooze && d.Do != Reopen:
		return refuse(fmt.Sprintf("%.40q can not be done: done, snooze or open", d.Do))
	case d.Do == Snooze && !d.Until.After(d.At):
		return refuse("a snooze needs a day in the future")
	case d.Do != Snooze && !d.Until.IsZero():
		return refuse("only a snooze has an end")
	case len(d.Why) > maxWhy:
		return refuse(fmt.Sprintf("the reason is longer than %d bytes", maxWhy))
	}
	if err := journal.Append(DecisionsFile(dir), d); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "decide about an alert", Err: err}
	}
	return nil
}

// ReadDecisions gives the last decision about each alert. Lines that cannot be read are left out and told of
// by the error: they hide nothing else.
func ReadDecisions(dir string) (map[string]Decision, error) {
	out := map[string]Decision{}
	err := journal.Each(DecisionsFile(dir), func(d Decision) error {
		if d.ID == "" {
			return errors.New("a decision about nothing")
		}
		out[d.ID] = d
		return nil
	})
	return out, err
}

// Tray is what is open and what was put aside, worst first.
type Tray struct {
	Time  time.Time `json:"time"`
	Open  []Alert   `json:"open"`
	Aside []Alert   `json:"aside"` // done, or snoozed until later
}

// decided notes at alerts what was decided about them.
func decided(alerts []Alert, decisions map[string]Decision) {
	for i := range alerts {
		if d, ok := decisions[alerts[i].ID]; ok {
			alerts[i].Decision = &d
		}
	}
}

// arrange parts alerts by what was decided about them.
func arrange(alerts []Alert, now time.Time) *Tray {
	t := &Tray{Time: now.UTC(), Open: []Alert{}, Aside: []Alert{}}
	for _, a := range alerts {
		if a.Decision != nil && a.Decision.Holds(now) {
			t.Aside = append(t.Aside, a)
		} else {
			t.Open = append(t.Open, a)
		}
	}
	return t
}

// Find gives the alert of an id.
func (t *Tray) Find(id string) (Alert, bool) {
	for _, list := range [][]Alert{t.Open, t.Aside} {
		if i := slices.IndexFunc(list, func(a Alert) bool { return a.ID == id }); i >= 0 {
			return list[i], true
		}
	}
	return Alert{}, false
}
