package retention

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Unit is what is deleted as a whole.
type Unit struct {
	UnitName
	Crawl bool   `json:"crawl"` // else a file that was imported
	Files []File `json:"files"`
	Counts
	Unknown string   `json:"unknown,omitempty"` // why it is not known what is in it
	Held    []string `json:"held,omitempty"`    // holds that are about captures in it
}

// Need says that a unit has revisits whose content is in another.
type Need struct{ By, Of string }

// Status is what may become of a unit.
type Status string

// The statuses.
const (
	Unruled  Status = "no-rule"  // no rule covers it: it is kept
	Young    Status = "kept"     // its time is not over
	Deferred Status = "deferred" // a person keeps it for longer
	Due      Status = "due"      // somebody has to review it
	Approved Status = "approved" // it may go when the days to take it back are over
	Held     Status = "held"
	Needed   Status = "needed"  // by units that stay
	Unknown  Status = "unknown" // what is in it is not known
)

// Verdict is what may become of a unit, and why.
type Verdict struct {
	Unit
	Status   Status    `json:"status"`
	Until    time.Time `json:"until,omitzero"`     // kept, deferred: until then; approved: not before
	NeededBy []string  `json:"neededBy,omitempty"` // units, at most ten
	Needers  int       `json:"needers,omitempty"`  // how many there are
	Approval *Review   `json:"approval,omitempty"`
}

// Why says in words why a unit has its status.
func (v *Verdict) Why() string {
	switch v.Status {
	case Unruled:
		return "no retention rule covers it"
	case Young:
		return "it is kept until " + v.Until.Format(time.DateOnly)
	case Deferred:
		return "it was reviewed and is kept until " + v.Until.Format(time.DateOnly)
	case Held:
		return "it is under hold " + strings.Join(v.Held, ", ")
	case Needed:
		return fmt.Sprintf("%d that stay stand on its content, such as %s", v.Needers, v.NeededBy[0])
	case Unknown:
		return "what is in it is not known: " + v.Unit.Unknown
	case Approved:
		return "its deletion is approved, not before " + v.Until.Format(time.RFC3339)
	}
	return "its time is over"
}

// Judge says what may become of the units of a collection.
func Judge(units []Unit, needs []Need, s *State, now time.Time) []Verdict {
	out := make([]Verdict, len(units))
	for i, u := range units {
		out[i] = judgeOne(u, s, now)
	}
	settle(out, needs, func(v *Verdict) bool { return v.Status == Due || v.Status == Approved })
	return out
}

func judgeOne(u Unit, s *State, now time.Time) Verdict {
	v := Verdict{Unit: u, Status: Due}
	rule, ruled := s.RuleOf(u.Collection)
	kept, deferred := s.Kept[u.UnitName]
	approved, ok := s.Approved[u.UnitName]
	switch {
	case len(u.Held) > 0: // beats everything
		v.Status = Held
	case s.Unread != nil:
		v.Status, v.Unit.Unknown = Unknown, "decisions on retention cannot be read, and may be holds"
	case u.Unknown != "":
		v.Status = Unknown
	case !ruled:
		v.Status = Unruled
	case now.Before(u.Last.AddDate(0, 0, rule.Days)):
		v.Status, v.Until = Young, u.Last.AddDate(0, 0, rule.Days)
	case deferred && now.Before(kept.Until):
		v.Status, v.Until = Deferred, kept.Until
	case ok && same(approved.Files, u.Files): // other files than the person saw: asked again
		v.Status, v.Until, v.Approval = Approved, approved.Until, &approved
	}
	return v
}

// same reports whether files are those that a person saw.
func same(a, b []File) bool {
	return slices.EqualFunc(a, b, func(x, y File) bool { return x.Name == y.Name && x.Size == y.Size })
}

// settle takes out of those that may go what those that stay need, until nothing changes.
func settle(all []Verdict, needs []Need, goes func(*Verdict) bool) {
	at := map[string]int{}
	for i := range all {
		at[all[i].Unit.Unit] = i
	}
	stays := make([]bool, len(all))
	for i := range all {
		stays[i] = !goes(&all[i])
	}
	for changed := true; changed; {
		changed = false
		for _, n := range needs {
			by, ok1 := at[n.By]
			of, ok2 := at[n.Of]
			if ok1 && ok2 && by != of && stays[by] && !stays[of] {
				stays[of], changed = true, true
				all[of].Status = Needed
			}
		}
	}
	for _, n := range needs { // who keeps them, after all is settled
		by, ok1 := at[n.By]
		of, ok2 := at[n.Of]
		if ok1 && ok2 && by != of && stays[by] && all[of].Status == Needed {
			if all[of].Needers++; len(all[of].NeededBy) < 10 {
				all[of].NeededBy = append(all[of].NeededBy, n.By)
			}
		}
	}
}

// Ready says which units may be deleted now: their deletion is approved, its day has come, and nothing that stays needs them.
func Ready(units []Unit, needs []Need, s *State, now time.Time) (ready, not []Verdict) {
	all := make([]Verdict, len(units))
	for i, u := range units {
		all[i] = judgeOne(u, s, now)
	}
	settle(all, needs, func(v *Verdict) bool { return v.Status == Approved && !now.Before(v.Until) })
	for _, v := range all {
		if _, asked := s.Approved[v.UnitName]; !asked {
			continue
		}
		if v.Status == Approved && !now.Before(v.Until) {
			ready = append(ready, v)
		} else {
			not = append(not, v)
		}
	}
	return ready, not
}
