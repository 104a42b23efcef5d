package link

import (
	"cmp"
	"slices"

	"varve/entity"
)

// Meaning is an entity that a name may mean.
type Meaning struct {
	Prior  float64        `json:"prior"` // share of the name
	Then   float64        `json:"then"`  // how likely a text of the day talks of it, by when it existed
	Origin entity.Origin  `json:"origin"`
	Entity *entity.Entity `json:"entity"`
}

// Meanings returns what a name may mean before any text is seen, the likeliest first.
func Meanings(b Base, name string, day entity.Day) ([]Meaning, error) {
	candidates, err := b.Candidates(name)
	if err != nil {
		return nil, err
	}
	var out []Meaning
	popularity := make([]int64, len(candidates))
	for i, c := range candidates {
		e, err := b.Entity(c.Entity)
		if err != nil {
			return nil, err
		}
		popularity[i] = e.Popularity
		out = append(out, Meaning{Then: Existed(e.Existence, day), Origin: c.Origin, Entity: e})
	}
	for i, p := range Priors(candidates, popularity) {
		out[i].Prior = p
	}
	slices.SortStableFunc(out, func(a, b Meaning) int { return cmp.Compare(b.Prior*b.Then, a.Prior*a.Then) })
	return out, nil
}
