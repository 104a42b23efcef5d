package stored

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"varve"
	"varve/derive"
	"varve/evolution/term"
)

// Tables are those of a folder, as they were when it was opened. They are for concurrent use.
type Tables struct {
	dir string
	o   Options
	m   manifest

	units  func() ([]*term.Unit, error)
	former func() ([]FormerRow, error)
	words  func() ([]RewordedRow, error)
	sums   func() (sums, error)
}

// Open opens the tables of a folder. Its error is a varve.NotFound where there are none.
func Open(dir string, o Options) (*Tables, error) {
	m, err := readManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "read evolution", Msg: "the words of this collection were not followed through time yet", Hint: "varve derive --units phrases, then varve evolution build"}
	}
	if err != nil {
		return nil, err
	}
	t := &Tables{dir: dir, o: o, m: *m}
	t.units, t.sums, t.words = once(t.readUnits), once(t.readSums), once(t.readReworded)
	t.former = once(func() ([]FormerRow, error) { return all(t.year("former", allYears), FormerRow.own) })
	return t, nil
}

// once returns a function that reads something and keeps it. What could not be read is tried again.
func once[T any](read func() (T, error)) func() (T, error) {
	var mu sync.Mutex
	var kept *T
	return func() (T, error) {
		mu.Lock()
		defer mu.Unlock()
		if kept != nil {
			return *kept, nil
		}
		v, err := read()
		if err == nil {
			kept = &v
		}
		return v, err
	}
}

// Mark tells these tables from others of the same folder.
func (t *Tables) Mark() string { return t.m.Mark + t.m.Thresh }

// Years returns those that have texts, in order.
func (t *Tables) Years() []int { return t.m.Years }

// Texts counts the documents.
func (t *Tables) Texts() int { return t.m.Texts }

// Absent counts the files that had no table of phrases.
func (t *Tables) Absent() int { return t.m.Absent }

// Dropped counts names and phrases that were too rare to be held in memory, and were not followed.
func (t *Tables) Dropped() (names, phrases int) { return t.m.Dropped.Names, t.m.Dropped.Phrases }

func (t *Tables) year(table, part string) string {
	return filepath.Join(t.dir, table, part+".parquet")
}

// all returns the rows of a small table; own makes of a row one that can be kept.
func all[T any](path string, own func(r T) T) (out []T, err error) {
	err = derive.Rows(path, func(r *T) (bool, error) {
		out = append(out, own(*r))
		return true, nil
	})
	return out, err
}

func (r FormerRow) own() FormerRow {
	r.Key, r.Name, r.OldKey, r.Old, r.Shared = strings.Clone(r.Key), strings.Clone(r.Name), strings.Clone(r.OldKey), strings.Clone(r.Old), cloned(r.Shared)
	return r
}

func (r EmergingRow) own() EmergingRow {
	r.Phrase, r.First = strings.Clone(r.Phrase), cloned(r.First)
	return r
}

func cloned(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strings.Clone(s)
	}
	return out
}

// Slices returns what is known of each year.
func (t *Tables) Slices() (out []SliceRow, err error) {
	for _, y := range t.m.Years {
		rows, err := all(t.year("slices", yearName(y)), func(r SliceRow) SliceRow { return r })
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// Edges returns the graph of a year; none if it has no texts.
func (t *Tables) Edges(year int) (out []term.Edge, err error) {
	if _, ok := slices.BinarySearch(t.m.Years, year); !ok {
		return nil, nil
	}
	err = derive.Rows(t.year("edges", yearName(year)), func(r *EdgeRow) (bool, error) {
		out = append(out, term.Edge{A: strings.Clone(r.A), B: strings.Clone(r.B), Count: int(r.Texts)})
		return true, nil
	})
	return out, err
}

// Clusters returns the senses of a year.
func (t *Tables) Clusters(year int) (out []term.Cluster, err error) {
	err = derive.Rows(t.year("clusters", yearName(year)), func(r *ClusterRow) (bool, error) {
		for int(r.Cluster) >= len(out) {
			out = append(out, nil)
		}
		out[r.Cluster] = append(out[r.Cluster], term.Member{Term: strings.Clone(r.Term), Curvature: r.Curvature})
		return true, nil
	})
	return out, err
}

// readUnits finds the units again from the senses of all years: it takes less than to read which terms each unit has had.
func (t *Tables) readUnits() ([]*term.Unit, error) {
	var years []*term.Slice
	for _, y := range t.m.Years {
		list, err := t.Clusters(y)
		if err != nil {
			return nil, err
		}
		years = append(years, &term.Slice{Year: y, Clusters: list})
	}
	return term.Units(years, t.o.Terms), nil
}

// Units returns the senses that hold for some years. They are not to be changed.
func (t *Tables) Units() ([]*term.Unit, error) { return t.units() }

// Paths returns how the senses of a term went on; cut reports that there are more than are looked for.
func (t *Tables) Paths(word string) (out []term.Path, cut bool, err error) {
	units, err := t.units()
	if err != nil {
		return nil, false, err
	}
	out, cut = term.Paths(units, word, t.o.Terms)
	return out, cut, nil
}

// Frequency returns how often a term is said in each year that has it.
func (t *Tables) Frequency(word string) (out []TermRow, err error) {
	err = derive.RowsFrom(filepath.Join(t.dir, "terms.parquet"), "term", word, func(r *TermRow) (bool, error) {
		if r.Term == word {
			out = append(out, TermRow{word, r.Year, r.Count})
		}
		return r.Term <= word, nil
	})
	return out, err
}

// Company returns the companions of a term in each year, the heaviest first.
func (t *Tables) Company(word string) (out []CompanyRow, err error) {
	err = derive.RowsFrom(filepath.Join(t.dir, "company.parquet"), "term", word, func(r *CompanyRow) (bool, error) {
		if r.Term == word {
			row := *r
			row.Term, row.Companion = word, strings.Clone(r.Companion)
			out = append(out, row)
		}
		return r.Term <= word, nil
	})
	return out, err
}

// Known returns terms that begin so, the most frequent first, and how often each is said in all years.
func (t *Tables) Known(prefix string, most int) (out []TermRow, err error) {
	const looked = 200_000 // rows
	rows := 0
	err = derive.RowsFrom(filepath.Join(t.dir, "terms.parquet"), "term", prefix, func(r *TermRow) (bool, error) {
		if !strings.HasPrefix(r.Term, prefix) {
			return r.Term < prefix, nil
		}
		if n := len(out); n > 0 && out[n-1].Term == r.Term {
			out[n-1].Count += r.Count
		} else {
			out = append(out, TermRow{Term: strings.Clone(r.Term), Count: r.Count})
		}
		rows++
		return rows < looked, nil
	})
	slices.SortStableFunc(out, func(a, b TermRow) int { return cmp.Compare(b.Count, a.Count) })
	return out[:min(most, len(out))], err
}

// Frequent returns the terms that are said most often in all years, and how many terms there are.
func (t *Tables) Frequent(most int) (out []string, of int, err error) {
	sums, of, err := t.FrequentCounts(most)
	for _, s := range sums {
		out = append(out, s.Term)
	}
	return out, of, err
}

// FrequentCounts returns the same terms with how often each is said in all years. They are counted once; no more than 5,000 are known.
func (t *Tables) FrequentCounts(most int) (out []TermRow, of int, err error) {
	s, err := t.sums()
	return s.top[:min(most, len(s.top))], s.of, err
}

// sums are the most frequent terms of all years.
type sums struct {
	top []TermRow
	of  int
}

const mostSums = 5000

// readSums adds up the years of each term, the most frequent first.
func (t *Tables) readSums() (out sums, err error) {
	var sums []TermRow
	err = derive.Rows(filepath.Join(t.dir, "terms.parquet"), func(r *TermRow) (bool, error) {
		if n := len(sums); n > 0 && sums[n-1].Term == r.Term {
			sums[n-1].Count += r.Count
		} else {
			sums = append(sums, TermRow{Term: strings.Clone(r.Term), Count: r.Count})
		}
		return true, nil
	})
	slices.SortStableFunc(sums, func(a, b TermRow) int { return cmp.Compare(b.Count, a.Count) })
	out.of, out.top = len(sums), slices.Clone(sums[:min(mostSums, len(sums))])
	return out, err
}

// Name returns the years of a name that came into use or went, by its form in lower case.
func (t *Tables) Name(key string) (out []NameRow, err error) {
	err = derive.RowsFrom(t.year("names", allYears), "key", key, func(r *NameRow) (bool, error) {
		if r.Key == key {
			row := *r
			row.Key, row.Name = key, strings.Clone(r.Name)
			out = append(out, row)
		}
		return r.Key <= key, nil
	})
	return out, err
}

// Former returns what a thing may have been called before it had this name, the likeliest first.
func (t *Tables) Former(key string) ([]FormerRow, error) {
	return t.pairs(func(r *FormerRow) bool { return r.Key == key })
}

// Later returns what a thing may be called since it had this name, the likeliest first.
func (t *Tables) Later(key string) ([]FormerRow, error) {
	return t.pairs(func(r *FormerRow) bool { return r.OldKey == key })
}

func (t *Tables) pairs(want func(*FormerRow) bool) (out []FormerRow, err error) {
	rows, err := t.former()
	for i := range rows {
		if want(&rows[i]) {
			out = append(out, rows[i])
		}
	}
	slices.SortStableFunc(out, func(a, b FormerRow) int { return cmp.Compare(b.Score, a.Score) })
	return out, err
}

// Renamings returns the pairs of names that the filters let through, in the order of years.
func (t *Tables) Renamings() ([]FormerRow, error) {
	return all(t.year("renamings", allYears), FormerRow.own)
}

// Emerging returns the phrases that begin to be used, in the order of years, in a year the likeliest first.
func (t *Tables) Emerging() ([]EmergingRow, error) {
	return all(t.year("emerging", allYears), EmergingRow.own)
}
