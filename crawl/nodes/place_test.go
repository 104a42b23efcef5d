package nodes

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func names(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("node-%d", i))
	}
	return out
}

// The places of domains must never change: ranges and logs are kept by them.
func TestPartitionOf(t *testing.T) {
	for domain, want := range map[string]int{"": 48, "example.org": 163, "example.com": 191, "bbc.co.uk": 220} {
		if got := PartitionOf(domain, 256); got != want {
			t.Errorf("%q is in %d, want %d", domain, got, want)
		}
	}
	count := make([]int, 256)
	const domains = 256_000
	for i := range domains {
		count[PartitionOf(fmt.Sprintf("site%d.example", i), 256)]++
	}
	// Of 256 Poisson counts with mean 1000 all lie within 6 sigma.
	if low, high := slices.Min(count), slices.Max(count); low < 1000-190 || high > 1000+190 {
		t.Errorf("partitions have %d to %d domains of %d", low, high, domains)
	}
}

// A node that joins takes from all, and nothing moves between the others; one that leaves gives only its own.
func TestOwnerMovesLittle(t *testing.T) {
	const partitions = 4096
	for n := 1; n < 24; n++ {
		before, after := names(n), names(n+1)
		moved := 0
		for p := range partitions {
			a, b := Owner(p, before), Owner(p, after)
			if a != b {
				if b != after[n] {
					t.Fatalf("%d nodes: partition %d moved from %s to %s, which did not join", n, p, a, b)
				}
				moved++
			}
			slices.Reverse(before)
			if got := Owner(p, before); got != a {
				t.Fatalf("the order of nodes matters: %s, %s", a, got)
			}
		}
		want := float64(partitions) / float64(n+1)
		if math.Abs(float64(moved)-want) > 5*math.Sqrt(want) {
			t.Errorf("%d nodes: %d partitions moved to the new one, want about %.0f", n, moved, want)
		}
	}
	if Owner(1, nil) != "" {
		t.Error("nobody owns something")
	}
}

func TestOwnerBalance(t *testing.T) {
	for _, n := range []int{2, 3, 5, 20} {
		count := map[string]int{}
		for p := range 4096 {
			count[Owner(p, names(n))]++
		}
		want := 4096 / float64(n)
		for node, c := range count {
			if math.Abs(float64(c)-want) > 4*math.Sqrt(want) {
				t.Errorf("%d nodes: %s has %d partitions, want about %.0f", n, node, c, want)
			}
		}
	}
}
