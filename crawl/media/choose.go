package media

import (
	"cmp"
	"slices"

	"varve/web/playlist/dash"
	"varve/web/playlist/hls"
)

// quality orders renditions: pictures by height, then by bits.
type quality struct {
	height    int
	bandwidth int64
}

// best gives the index of the best under the limits; if none is, that of the least. -1: there are none.
func (c *Config) best(list []quality) int {
	order := func(a, b quality) int {
		return cmp.Or(cmp.Compare(a.height, b.height), cmp.Compare(a.bandwidth, b.bandwidth))
	}
	chosen := -1
	for i, q := range list {
		if q.height > c.Height || q.bandwidth > c.Bandwidth {
			continue
		}
		if chosen < 0 || order(q, list[chosen]) > 0 {
			chosen = i
		}
	}
	if chosen >= 0 || len(list) == 0 {
		return chosen
	}
	least := slices.MinFunc(list, order)
	return slices.Index(list, least)
}

// variants chooses the lists of a multivariant list: addresses in order, none twice.
func (c *Config) variants(p *hls.Playlist) (out []string) {
	add := func(u string) {
		if u != "" && !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	if c.Renditions == All {
		for _, v := range p.Variants {
			add(v.URL)
		}
		for _, r := range p.Renditions {
			add(r.URL)
		}
		for _, v := range p.Trick {
			add(v.URL)
		}
		return out
	}
	list := make([]quality, len(p.Variants))
	for i, v := range p.Variants {
		list[i] = quality{v.Height, v.Bandwidth}
	}
	var chosen hls.Variant
	if i := c.best(list); i >= 0 {
		chosen = p.Variants[i]
		add(chosen.URL)
	}
	for _, kind := range []string{"AUDIO", "VIDEO"} {
		add(first(p.Renditions, kind, map[string]string{"AUDIO": chosen.Audio, "VIDEO": chosen.Video}[kind]))
	}
	for _, r := range p.Renditions {
		if r.Kind == "SUBTITLES" {
			add(r.URL)
		}
	}
	return out
}

// first gives the rendition of a group that a player begins with: the default, else the first it may choose
// by itself, else the first.
func first(list []hls.Rendition, kind, group string) string {
	rank, url := -1, ""
	for _, r := range list {
		n := 0
		switch {
		case r.Kind != kind || r.Group != group:
			continue
		case r.Default:
			n = 2
		case r.Auto:
			n = 1
		}
		if n > rank {
			rank, url = n, r.URL
		}
	}
	return url
}

// representations chooses those of a set.
func (c *Config) representations(s *dash.Set) []dash.Representation {
	if c.Renditions == All {
		return s.Reps
	}
	if s.Kind == "image" { // for winding
		return nil
	}
	list := make([]quality, len(s.Reps))
	for i, r := range s.Reps {
		list[i] = quality{r.Height, r.Bandwidth}
	}
	if i := c.best(list); i >= 0 {
		return s.Reps[i : i+1]
	}
	return nil
}

// sets chooses the sets of a period: of sound the first, unless all are wanted.
func (c *Config) sets(d *dash.Period) (out []dash.Set) {
	sound := false
	for _, s := range d.Sets {
		if s.Kind == "audio" && c.Renditions != All {
			if sound {
				continue
			}
			sound = true
		}
		out = append(out, s)
	}
	return out
}
