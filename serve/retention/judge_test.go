package retention

import (
	"fmt"
	"testing"
	"time"

	"varve/lab/chance"
)

// The units that may go are the largest set that leaves what stays whole: all sets of small archives are tried.
func TestSettleIsTheLargestSet(t *testing.T) {
	dice := chance.Rand(t, 1)
	for range 300 {
		n := 1 + dice.IntN(7)
		all := make([]Verdict, n)
		var needs []Need
		for i := range all {
			all[i] = Verdict{Unit: Unit{UnitName: UnitName{"c", fmt.Sprint(i)}}, Status: Due}
			if dice.IntN(3) == 0 {
				all[i].Status = Young
			}
			for j := range n {
				if dice.IntN(5) == 0 {
					needs = append(needs, Need{By: fmt.Sprint(i), Of: fmt.Sprint(j)})
				}
			}
		}
		best := 0 // of all sets of units that are due; the union of two that may go may go, so the largest is one
		for set := range 1 << n {
			if set&^dueOf(all) == 0 && closed(set, needs) && set|best == set {
				best = set
			}
		}
		settle(all, needs, func(v *Verdict) bool { return v.Status == Due })
		if got := dueOf(all); got != best {
			t.Fatalf("%b may go, not %b: %+v", best, got, needs)
		}
	}
}

func dueOf(all []Verdict) (set int) {
	for i := range all {
		if all[i].Status == Due {
			set |= 1 << i
		}
	}
	return set
}

// closed reports whether nothing outside of a set needs something in it.
func closed(set int, needs []Need) bool {
	for _, n := range needs {
		var by, of int
		fmt.Sscan(n.By, &by)
		fmt.Sscan(n.Of, &of)
		if set&(1<<by) == 0 && set&(1<<of) != 0 {
			return false
		}
	}
	return true
}

// What wins over what.
func TestJudgeOne(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	old, young := now.AddDate(-2, 0, 0), now.AddDate(0, 0, -10)
	name := UnitName{"c", "u"}
	files := []File{{Name: "u-1.warc.gz", Size: 7}}
	year := Rule{ID: "r", Days: 365}
	approval := Review{UnitName: name, Files: files, Until: now}
	for _, tt := range []struct {
		name string
		unit Unit
		s    State
		want Status
	}{
		{"no rule", Unit{Counts: Counts{Last: old}}, State{}, Unruled},
		{"a rule of another collection", Unit{Counts: Counts{Last: old}}, State{Rules: []Rule{{ID: "r", Collection: "d", Days: 1}}}, Unruled},
		{"young", Unit{Counts: Counts{Last: young}}, State{Rules: []Rule{year}}, Young},
		{"due", Unit{Counts: Counts{Last: old}}, State{Rules: []Rule{year}}, Due},
		{"the longest of two", Unit{Counts: Counts{Last: old}}, State{Rules: []Rule{{ID: "s", Days: 9999}, year}}, Young},
		{"the collection's own, though shorter", Unit{Counts: Counts{Last: old}}, State{Rules: []Rule{{ID: "s", Days: 9999}, {ID: "r", Collection: "c", Days: 365}}}, Due},
		{"held", Unit{Counts: Counts{Last: old}, Held: []string{"h"}}, State{Rules: []Rule{year}, Approved: map[UnitName]Review{name: approval}}, Held},
		{"held and not known", Unit{Unknown: "x", Held: []string{"h"}}, State{Rules: []Rule{year}}, Held},
		{"not known", Unit{Counts: Counts{Last: old}, Unknown: "x"}, State{Rules: []Rule{year}, Approved: map[UnitName]Review{name: approval}}, Unknown},
		{"kept", Unit{Counts: Counts{Last: old}}, State{Rules: []Rule{year}, Kept: map[UnitName]Review{name: {Until: now.AddDate(0, 0, 1)}}}, Deferred},
		{"kept long enough", Unit{Counts: Counts{Last: old}}, State{Rules: []Rule{year}, Kept: map[UnitName]Review{name: {Until: now}}}, Due},
		{"approved", Unit{Counts: Counts{Last: old}}, State{Rules: []Rule{year}, Approved: map[UnitName]Review{name: approval}}, Approved},
		{"approved, and the rule is longer now", Unit{Counts: Counts{Last: old}}, State{Rules: []Rule{{ID: "r", Days: 9999}}, Approved: map[UnitName]Review{name: approval}}, Young},
		{"approved, and a file came", Unit{Counts: Counts{Last: old}, Files: append(files, File{Name: "u-2.warc.gz"})}, State{Rules: []Rule{year}, Approved: map[UnitName]Review{name: approval}}, Due},
	} {
		tt.unit.UnitName = name
		if tt.unit.Files == nil {
			tt.unit.Files = files
		}
		if got := judgeOne(tt.unit, &tt.s, now); got.Status != tt.want || got.Why() == "" {
			t.Errorf("%s: %s (%s), want %s", tt.name, got.Status, got.Why(), tt.want)
		}
	}
}
