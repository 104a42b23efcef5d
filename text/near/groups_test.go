package near

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// copies makes texts and edited copies of them, as a collection has them: id, time and minhash.
func copies(rng *rand.Rand, originals, most int) (list []Minhash) {
	for range originals {
		m := Of(strings.Join(words(rng, 120), " ")).Minhash
		list = append(list, m)
		for range rng.IntN(most) {
			c := m
			for i := range c {
				if rng.Float64() < 0.1 {
					c[i] = rng.Uint32()
				}
			}
			list = append(list, c)
			if rng.IntN(2) == 0 {
				list = append(list, c) // the same once more
			}
		}
	}
	return list
}

// Groups are those that trying all pairs gives, but for pairs at the threshold that meet in no band.
func TestGroupsAgainstAllPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	list := copies(rng, 150, 6)
	const threshold = 0.75
	all := newSets(len(list))
	for i := range list {
		for j := range i {
			if list[i].Similarity(&list[j]) >= threshold {
				all.join(int32(i), int32(j))
			}
		}
	}
	g := NewGrouper(threshold)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range list {
		g.Add(uint64(i), start.Add(time.Duration(i)*time.Minute), &list[i])
	}
	groups := g.Groups()
	seen, wrong := 0, 0
	for _, x := range groups {
		seen += len(x.IDs)
		root := all.find(int32(x.IDs[0]))
		for _, id := range x.IDs {
			if all.find(int32(id)) != root {
				t.Fatalf("%d and %d do not belong together", x.IDs[0], id)
			}
		}
		if -int(all[root]) != len(x.IDs) {
			wrong++
		}
		if !x.First.Equal(start.Add(time.Duration(x.IDs[0])*time.Minute)) || !x.Last.Equal(start.Add(time.Duration(x.IDs[len(x.IDs)-1])*time.Minute)) {
			t.Errorf("times of %+v", x)
		}
	}
	if seen != len(list) || g.Len() != len(list) || wrong > len(groups)/50 {
		t.Errorf("%d of %d captures in groups, %d of %d groups incomplete", seen, len(list), wrong, len(groups))
	}
}

// The order in which texts come does not matter.
func TestGroupsInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	list := copies(rng, 60, 5)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var want []Group
	for round := range 4 {
		g := NewGrouper(0.75)
		for _, i := range rng.Perm(len(list)) {
			g.Add(uint64(i), start.Add(time.Duration(i/2)*time.Hour), &list[i])
		}
		got := g.Groups()
		if round == 0 {
			want = got
		} else if !reflect.DeepEqual(got, want) {
			t.Fatal("another order gave other groups")
		}
	}
}

// Equal texts are one text, whatever their number.
func TestGroupsOfEqualTexts(t *testing.T) {
	g := NewGrouper(0.9)
	m, empty := Of("one two three four five six seven").Minhash, Of("").Minhash
	for i := range uint64(1000) {
		g.Add(i, time.Unix(int64(i), 0), &m)
	}
	g.Add(5000, time.Unix(1, 0), &empty)
	groups := g.Groups()
	if len(groups) != 2 || len(groups[0].IDs) != 1000 || groups[0].Texts != 1 || len(g.texts) != 2 {
		t.Errorf("%d groups, %d texts", len(groups), len(g.texts))
	}
	if len(NewGrouper(0.5).Groups()) != 0 {
		t.Error("groups of nothing")
	}
}

func BenchmarkGroups(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	var list []Minhash
	for range 20_000 {
		var m Minhash
		for i := range m {
			m[i] = rng.Uint32()
		}
		list = append(list, m)
		for range rng.IntN(4) {
			c := m
			for i := range c {
				if rng.Float64() < 0.08 {
					c[i] = rng.Uint32()
				}
			}
			list = append(list, c)
		}
	}
	for b.Loop() {
		g := NewGrouper(0.8)
		for i := range list {
			g.Add(uint64(i), time.Unix(int64(i), 0), &list[i])
		}
		if n := len(g.Groups()); n < 20_000 || n > 21_000 {
			b.Fatal(n)
		}
	}
	b.ReportMetric(float64(len(list)*b.N)/b.Elapsed().Seconds(), "texts/s")
}
