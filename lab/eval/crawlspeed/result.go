package crawlspeed

import (
	"fmt"
	"io"
	"slices"
)

// What must be reached.
const (
	TargetWget  = 2.2       // of wget's pages per CPU-second
	TargetFloor = 0.75      // of the floor's
	TargetRSS   = 150 << 20 // bytes, less than

	TargetGuided = 0.65 // of the floor, with a definition
	TargetText   = 0.15 // of the CPU time of a guided crawl, at most: what it costs more than one that is not guided
)

// Result is a whole run.
type Result struct {
	Sets []Set `json:"sets"`
}

// Set is one preset.
type Set struct {
	Preset  string   `json:"preset"`
	URLs    int      `json:"urls"` // pages and assets expected
	Lines   []Line   `json:"lines"`
	Targets []Target `json:"targets"`
}

// Line is one way.
type Line struct {
	Name     string   `json:"name"`
	Median   float64  `json:"median"` // pages per CPU-second
	Best     float64  `json:"best"`
	Wall     float64  `json:"wall_seconds"` // median
	MaxRSS   int64    `json:"max_rss"`      // largest
	Captured int      `json:"captured"`     // least
	ToWget   float64  `json:"to_wget,omitempty"`
	ToFloor  float64  `json:"to_floor,omitempty"`
	Samples  []Sample `json:"samples"`
}

// Target is something that must be reached, and whether it was.
type Target struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Limit float64 `json:"limit"`
	Met   bool    `json:"met"`
}

func lineOf(name string, samples []Sample, pages int) Line {
	l := Line{Name: name, Samples: samples, Captured: pages}
	speed, wall := make([]float64, 0, len(samples)), make([]float64, 0, len(samples))
	for _, s := range samples {
		speed, wall = append(speed, float64(pages)/s.CPU), append(wall, s.Wall)
		l.MaxRSS, l.Captured = max(l.MaxRSS, s.MaxRSS), min(l.Captured, s.Captured)
	}
	l.Median, l.Best, l.Wall = median(speed), slices.Max(speed), median(wall)
	return l
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// ratio pairs the rounds of two ways: how many times cheaper a is than b, median.
func ratio(a, b []Sample) float64 {
	r := make([]float64, len(a))
	for i := range a {
		r[i] = b[i].CPU / a[i].CPU
	}
	return median(r)
}

func (s *Set) line(name string) *Line {
	for i := range s.Lines {
		if s.Lines[i].Name == name {
			return &s.Lines[i]
		}
	}
	return nil
}

// judge fills in the ratios and the targets.
func (s *Set) judge() {
	ours, wget, bare := s.line(VarveWay), s.line(WgetWay), s.line(FloorWay)
	for i := range s.Lines {
		l := &s.Lines[i]
		if wget != nil && l != wget {
			l.ToWget = ratio(l.Samples, wget.Samples)
		}
		if l != bare {
			l.ToFloor = ratio(l.Samples, bare.Samples)
		}
	}
	least := func(name string, value, limit float64) {
		s.Targets = append(s.Targets, Target{name, value, limit, value >= limit})
	}
	if wget != nil {
		least("times wget", ours.ToWget, TargetWget)
	}
	least("of the floor", ours.ToFloor, TargetFloor)
	least("captured", float64(ours.Captured), float64(s.URLs))
	rss := float64(ours.MaxRSS) / (1 << 20)
	s.Targets = append(s.Targets, Target{"MB of memory at most", rss, TargetRSS >> 20, ours.MaxRSS < TargetRSS})
	if guided := s.line(GuidedWay); guided != nil {
		least("of the floor, guided", guided.ToFloor, TargetGuided)
		least("captured, guided", float64(guided.Captured), float64(s.URLs))
		share := 1 - ratio(guided.Samples, ours.Samples)
		s.Targets = append(s.Targets, Target{"of the CPU is what guiding costs, at most", share, TargetText, share <= TargetText})
	}
}

// Met tells whether all targets were reached.
func (r *Result) Met() bool {
	for _, s := range r.Sets {
		for _, t := range s.Targets {
			if !t.Met {
				return false
			}
		}
	}
	return true
}

// Print writes the result as tables.
func (r *Result) Print(w io.Writer) {
	for _, s := range r.Sets {
		fmt.Fprintf(w, "%s: %d pages and assets\n", s.Preset, s.URLs)
		fmt.Fprintf(w, "  %-6s %16s %8s %8s %9s %8s %7s %9s\n", "", "pages/CPU-s med.", "best", "to wget", "to floor", "wall s", "RSS MB", "captured")
		for _, l := range s.Lines {
			fmt.Fprintf(w, "  %-6s %16.0f %8.0f %8s %9s %8.1f %7d %9d\n", l.Name, l.Median, l.Best, times(l.ToWget), times(l.ToFloor), l.Wall, l.MaxRSS>>20, l.Captured)
		}
		if s.line(WgetWay) == nil {
			fmt.Fprintln(w, "  wget is missing and left out: make install-needs")
		}
		for _, t := range s.Targets {
			word := "MISSED"
			if t.Met {
				word = "met"
			}
			fmt.Fprintf(w, "  %-6s %.2f %s (%.2f)\n", word, t.Value, t.Name, t.Limit)
		}
	}
	fmt.Fprintln(w, "Ratios are of CPU time (user and system), paired by round, median; more is cheaper.")
}

func times(v float64) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", v)
}
