package coherence

import "time"

// Quality is a share of pages with conflicts, beside its denominators.
type Quality struct {
	Pages     int `json:"pages"`     // of the capture
	Known     int `json:"known"`     // of these: could be judged
	Conflicts int `json:"conflicts"` // of those: in conflict
}

// Q is the share of conflicts among the pages that could be judged: 0 is perfect. It is false when
// none could be.
func (q Quality) Q() (float64, bool) {
	if q.Known == 0 {
		return 0, false
	}
	return float64(q.Conflicts) / float64(q.Known), true
}

// Measurable is the measurable quality of a capture that began at start: of the pages with a
// trusted date, those that changed after the start and before their visit are in conflict.
//
//	q = share of pages with mu > t_start
func Measurable(pages []Captured, start time.Time) Quality {
	q := Quality{Pages: len(pages)}
	for _, p := range pages {
		switch {
		case p.Modified.IsZero() && p.Visit.After(start):
		default:
			q.Known++
			if p.Modified.After(start) {
				q.Conflicts++
			}
		}
	}
	return q
}

// Inducible is the inducible quality of a visit-revisit capture whose visits ended at reference:
// of the pages that were revisited, those with another content are in conflict. The page that was
// visited at the reference point itself needs no revisit.
//
//	q = share of visit-revisit pairs whose content differs
func Inducible(pages []Captured, reference time.Time) Quality {
	q := Quality{Pages: len(pages)}
	for _, p := range pages {
		switch {
		case !p.Revisit.IsZero():
			q.Known++
			if !p.Same {
				q.Conflicts++
			}
		case p.Visit.Equal(reference):
			q.Known++
		}
	}
	return q
}
