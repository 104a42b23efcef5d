package label

import (
	"fmt"
	"io"
	"slices"
)

// Imported tells what an import did.
type Imported struct {
	Added     int      `json:"added"`
	Known     int      `json:"known"`     // passed over: they are there already
	Conflicts []string `json:"conflicts"` // hosts that we label otherwise; ours stays in force
}

// Import takes in the label file of others. from names them; entries that say already where they came from keep it.
// The whole file is read and checked before anything is added, and nothing is added twice.
func (l *Log) Import(r io.Reader, from string) (Imported, error) {
	var out Imported
	if from == "" {
		return out, fmt.Errorf("an import needs a name for where the labels come from")
	}
	var coming []Entry
	err := Read(r, func(e Entry) error {
		if e.From == "" {
			e.From = from
		}
		coming = append(coming, e)
		return e.check()
	})
	if err != nil {
		return out, err
	}
	err = l.update(func() ([]Entry, error) {
		have, err := l.All()
		return out.sift(have, coming), err
	})
	return out, err
}

// sift gives what is new and counts the rest.
func (m *Imported) sift(have, coming []Entry) (news []Entry) {
	of := map[string][]Entry{}
	for _, e := range have {
		of[e.Host] = append(of[e.Host], e)
	}
	latest := Latest(have)
	for _, e := range coming {
		if slices.ContainsFunc(of[e.Host], e.same) {
			m.Known++
			continue
		}
		of[e.Host] = append(of[e.Host], e)
		news = append(news, e)
		ours, known := latest[e.Host]
		if known && ours.From == "" && ours.Label != e.Label && !slices.Contains(m.Conflicts, e.Host) {
			m.Conflicts = append(m.Conflicts, e.Host)
		}
	}
	m.Added = len(news)
	return news
}

// Sharing says what an export holds.
type Sharing struct {
	Latest    bool   // only the entry in force of each host, else all
	Own       bool   // only what was decided here
	Undecided bool   // also hosts nobody could tell
	Who       string // put in the place of all names of people; empty: the names stay
	Notes     bool   // with the notes for colleagues
}

// Export writes labels to be given to others, sorted by host and time.
func (l *Log) Export(w io.Writer, s Sharing) (int, error) {
	all, err := l.All()
	if err != nil {
		return 0, err
	}
	if s.Own {
		all = slices.DeleteFunc(all, func(e Entry) bool { return e.From != "" })
	}
	if s.Latest {
		var kept []Entry
		for _, e := range Latest(all) {
			kept = append(kept, e)
		}
		all = kept
	}
	if !s.Undecided {
		all = slices.DeleteFunc(all, func(e Entry) bool { return e.Label == Undecided })
	}
	for i := range all {
		if s.Who != "" {
			all[i].Who = s.Who
		}
		if !s.Notes {
			all[i].Note = ""
		}
	}
	return len(all), Write(w, sorted(all))
}
