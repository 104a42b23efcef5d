package label

import "slices"

// Agreement is how far two people, or institutions, say the same of the hosts that both judged.
type Agreement struct {
	A     string  `json:"a"`
	B     string  `json:"b"`
	Hosts int     `json:"hosts"` // that both told spam or normal
	Same  int     `json:"same"`
	Kappa float64 `json:"kappa"` // 1: always the same; 0: no more than chance; NaN is given as 1 when both always say the same one thing
}

// Agreements compares all who judged, in pairs with at least one host in common, by Cohen's kappa:
//
//	κ = (p − e) / (1 − e)    p: share of hosts with the same label    e: what chance would give, Σ_v share_A(v)·share_B(v)
//
// The last word of each about a host counts. Entries from another institution are one judge, named by it.
func Agreements(entries []Entry) []Agreement {
	said := map[string]map[string]Verdict{}
	for _, e := range entries {
		who := e.Who
		if e.From != "" {
			who = e.From
		}
		if said[who] == nil {
			said[who] = map[string]Verdict{}
		}
		said[who][e.Host] = e.Label
	}
	var names []string
	for who := range said {
		names = append(names, who)
	}
	slices.Sort(names)
	var out []Agreement
	for i, a := range names {
		for _, b := range names[i+1:] {
			if x := agreement(said[a], said[b]); x.Hosts > 0 {
				x.A, x.B = a, b
				out = append(out, x)
			}
		}
	}
	return out
}

func agreement(a, b map[string]Verdict) (out Agreement) {
	var spamA, spamB int
	for host, x := range a {
		y, both := b[host]
		if !both || x == Undecided || y == Undecided {
			continue
		}
		out.Hosts++
		if x == y {
			out.Same++
		}
		if x == Spam {
			spamA++
		}
		if y == Spam {
			spamB++
		}
	}
	if out.Hosts == 0 {
		return out
	}
	n := float64(out.Hosts)
	p, sa, sb := float64(out.Same)/n, float64(spamA)/n, float64(spamB)/n
	chance := sa*sb + (1-sa)*(1-sb)
	if out.Kappa = 1; chance < 1 {
		out.Kappa = (p - chance) / (1 - chance)
	}
	return out
}
