package label_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"varve/spam/label"
)

// Cohen's own kind of example: 20 and 15 the same, 5 and 10 not, of 50: p = 0.7, e = 0.5, κ = 0.4.
func TestKappa(t *testing.T) {
	var all []label.Entry
	say := func(who, from, host string, v label.Verdict) {
		all = append(all, label.Entry{Host: host, Label: v, Who: who, From: from, When: time.Unix(int64(len(all)), 0)})
	}
	n := 0
	for _, c := range []struct {
		a, b  label.Verdict
		times int
	}{{label.Spam, label.Spam, 20}, {label.Spam, label.Normal, 5}, {label.Normal, label.Spam, 10}, {label.Normal, label.Normal, 15}, {label.Undecided, label.Spam, 7}} {
		for range c.times {
			n++
			host := fmt.Sprintf("h%d.example", n)
			say("eva", "", host, c.a)
			say("x", "KB", host, c.b)
		}
	}
	say("tom", "", "alone.example", label.Spam)
	got := label.Agreements(all)
	if len(got) != 1 || got[0].A != "KB" || got[0].B != "eva" || got[0].Hosts != 50 || got[0].Same != 35 || math.Abs(got[0].Kappa-0.4) > 1e-12 {
		t.Fatalf("%+v", got)
	}
	if one := label.Agreements([]label.Entry{{Host: "a", Label: label.Spam, Who: "a"}, {Host: "a", Label: label.Spam, Who: "b"}}); one[0].Kappa != 1 {
		t.Error(one)
	}
}
