package derive

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve/archive/scan"
	"varve/derive/job"
)

// Facet is a property of documents by which a search can be narrowed and counted, with any number of values a document: the persons that a page names, what it
// thinks of something.
type Facet struct {
	Name  string    `json:"name"`  // as queries write it: person; small letters and _
	Title string    `json:"title"` // for people: Persons
	Kind  FacetKind `json:"kind"`
	Most  int       `json:"most"` // values kept of a document, those with the highest count; 0 means 50
	// Left is how many values were not kept, over all versions; it is told by the table, not declared.
	Left int64 `json:"left,omitempty"`
}

// FacetKind is what the values of a facet are.
type FacetKind string

// The kinds.
const (
	FacetNames   FacetKind = "names"   // FacetValue.Value is the value
	FacetNumbers FacetKind = "numbers" // FacetValue.Number is the value, and Value what it is about: "" for the whole document
)

// FacetValue is one value of a document.
type FacetValue struct {
	Facet  string
	Value  string  // the name, or what the number is about; at most 200 bytes, white space is made single blanks
	Number float64 `json:",omitempty"` // of FacetNumbers
	Count  int32   // how often it is there: what has the highest is kept
}

// FacetRow is one value of one capture: a row of facets_<job>/<file>.parquet, in the order of the file.
type FacetRow struct {
	SURT   string    `parquet:"surt,zstd,dict"`
	Time   time.Time `parquet:"time,timestamp(microsecond),delta"`
	Offset int64     `parquet:"offset,delta"` // of the record in the file
	Facet  string    `parquet:"facet,dict"`
	Value  string    `parquet:"value,zstd,dict"`
	Number float64   `parquet:"number"`
	Count  int32     `parquet:"count"`
}

// VersionFacetRow is one value of one version: a row of facets.parquet, in the order of versions.parquet.
type VersionFacetRow struct {
	Version int64     `parquet:"version,delta"` // row of versions.parquet, from 0
	SURT    string    `parquet:"surt,zstd,delta"`
	From    time.Time `parquet:"from,timestamp(microsecond)"` // of the version
	Facet   string    `parquet:"facet,dict"`
	Value   string    `parquet:"value,zstd"`
	Number  float64   `parquet:"number"`
	Count   int32     `parquet:"count"`
}

const (
	mostFacetValues = 50  // of a document, where a facet says nothing
	maxFacetValue   = 200 // bytes
)

// reservedFacets are names that mean something else in a query.
var reservedFacets = []string{
	"about", "text", "title", "anchor", "url", "host", "domain", "mime", "lang", "year", "crawl", "coherence", "spam", "collection",
}

var facetName = regexp.MustCompile(`^[a-z][a-z_]{0,30}$`)

// FacetTable declares the facets that a job of the scan fills. It is given to Run in Options.Facets, beside the job in Options.More.
type FacetTable struct {
	Job    string
	Facets []Facet
}

// table is the name of the table that the job fills.
func (f FacetTable) table() string { return "facets_" + f.Job }

// checkFacets refuses declarations that cannot be told apart in a query.
func checkFacets(tables []FacetTable) error {
	seen := map[string]string{}
	for _, t := range tables {
		for _, f := range t.Facets {
			switch {
			case !facetName.MatchString(f.Name):
				return fmt.Errorf("facet %q of %s: a name has small letters and _", f.Name, t.Job)
			case slices.Contains(reservedFacets, f.Name):
				return fmt.Errorf("facet %q of %s: the name means something else in a query", f.Name, t.Job)
			case seen[f.Name] != "":
				return fmt.Errorf("facet %q is of both %s and %s", f.Name, seen[f.Name], t.Job)
			case f.Kind != FacetNames && f.Kind != FacetNumbers:
				return fmt.Errorf("facet %q of %s: the kind is %q, not names or numbers", f.Name, t.Job, f.Kind)
			}
			seen[f.Name] = t.Job
		}
	}
	return nil
}

// FacetWriter writes the values of the captures of one file.
type FacetWriter struct {
	*Table[FacetRow]
	of FacetTable
}

// Create makes the table of a file. A sink calls it beside those for its own tables.
func (f FacetTable) Create(t *job.Task) (*FacetWriter, error) {
	out, err := NewTable[FacetRow](t, f.table())
	return &FacetWriter{out, f}, err
}

// Put writes the values of a capture, which must be of declared facets. Names that are there twice are counted together; of numbers about
// the same the first is kept.
func (w *FacetWriter) Put(t *scan.Taken, values []FacetValue) error {
	if len(values) == 0 {
		return nil
	}
	kept, err := w.of.settle(values)
	for i := 0; i < len(kept) && err == nil; i++ {
		v := kept[i]
		row := FacetRow{t.Note.CDX.Key, t.Item.Time.UTC().Truncate(time.Microsecond), t.Item.Offset, v.Facet, v.Value, v.Number, v.Count}
		err = w.Add(row, len(row.SURT)+len(row.Value)+50)
	}
	if err != nil {
		return fmt.Errorf("%s, record at %d: %w", w.of.table(), t.Item.Offset, err)
	}
	return nil
}

// settle makes the values of a document whole: each once, by facet in the order of the declaration, the highest count first.
func (f FacetTable) settle(values []FacetValue) ([]FacetValue, error) {
	type name struct{ facet, value string }
	at := map[name]int{}
	var out []FacetValue
	for _, v := range values {
		i := slices.IndexFunc(f.Facets, func(d Facet) bool { return d.Name == v.Facet })
		if i < 0 {
			return nil, fmt.Errorf("a value of %q, which is no facet of %s", v.Facet, f.Job)
		}
		v.Value = strings.TrimSpace(clip(strings.Join(strings.Fields(strings.ToValidUTF8(v.Value, "")), " "), maxFacetValue))
		v.Count = max(v.Count, 1)
		if f.Facets[i].Kind == FacetNames {
			if v.Number = 0; v.Value == "" {
				continue
			}
		} else if math.IsNaN(v.Number) || math.IsInf(v.Number, 0) {
			return nil, fmt.Errorf("facet %q about %q: %g is no number", v.Facet, v.Value, v.Number)
		}
		if j, twice := at[name{v.Facet, v.Value}]; twice {
			if f.Facets[i].Kind == FacetNames {
				out[j].Count = int32(min(int64(out[j].Count)+int64(v.Count), math.MaxInt32))
			}
			continue
		}
		at[name{v.Facet, v.Value}] = len(out)
		out = append(out, v)
	}
	place := func(v FacetValue) int {
		return slices.IndexFunc(f.Facets, func(d Facet) bool { return d.Name == v.Facet })
	}
	slices.SortFunc(out, func(a, b FacetValue) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
	})
	return out, nil
}

// along reads a table along with another one, by a number that grows in both.
type along[T any] struct {
	next func() (T, error, bool)
	stop func()
	key  func(*T) int64
	row  T
	more bool
	out  []T
}

// newAlong reads the table at a path; own makes a row keep its texts, since rows are used again.
func newAlong[T any](path string, key func(*T) int64, own func(*T)) *along[T] {
	a := &along[T]{key: key}
	a.next, a.stop = iter.Pull2(func(yield func(T, error) bool) {
		err := Rows(path, func(r *T) (bool, error) {
			row := *r
			own(&row)
			return yield(row, nil), nil
		})
		if err != nil {
			var none T
			yield(none, err)
		}
	})
	return a
}

// of returns the rows with a number, which must be greater than before. They are valid until the next call.
func (a *along[T]) of(key int64) ([]T, error) {
	a.out = a.out[:0]
	for {
		if !a.more {
			row, err, more := a.next()
			if err != nil || !more {
				return a.out, err
			}
			a.row, a.more = row, true
		}
		have := a.key(&a.row)
		if have > key {
			return a.out, nil
		}
		if a.more = false; have == key {
			a.out = append(a.out, a.row)
		}
	}
}

// captureFacets reads the table of an analysis along with the table of pages, which is in the same order.
func captureFacets(path string) *along[FacetRow] {
	return newAlong(path, func(r *FacetRow) int64 { return r.Offset }, func(r *FacetRow) {
		r.SURT, r.Facet, r.Value = "", strings.Clone(r.Facet), strings.Clone(r.Value)
	})
}

// FacetReader reads facets.parquet along with versions.parquet.
type FacetReader struct{ rows *along[VersionFacetRow] }

// ReadFacets opens a table facets.parquet; what is wrong with it, Of says.
func ReadFacets(path string) *FacetReader {
	return &FacetReader{newAlong(path, func(r *VersionFacetRow) int64 { return r.Version }, func(r *VersionFacetRow) {
		r.SURT, r.Facet, r.Value = "", strings.Clone(r.Facet), strings.Clone(r.Value)
	})}
}

// Of returns the values of a row of versions.parquet, which must be greater than before. They are valid until the next call, and without index keys.
func (r *FacetReader) Of(version int64) ([]VersionFacetRow, error) { return r.rows.of(version) }

// Close ends the reading.
func (r *FacetReader) Close() { r.rows.stop() }

// VersionFacetWriter writes facets.parquet.
type VersionFacetWriter struct {
	rows     *Table[VersionFacetRow]
	declared []Facet
	version  int64 // the next one
}

// WriteFacets begins the table of the facets that were declared.
func WriteFacets(w io.Writer, tables ...FacetTable) *VersionFacetWriter {
	f := &VersionFacetWriter{rows: tableTo[VersionFacetRow](w)}
	for _, t := range tables {
		for _, d := range t.Facets {
			if d.Left = 0; d.Most <= 0 {
				d.Most = mostFacetValues
			}
			f.declared = append(f.declared, d)
		}
	}
	return f
}

// Add writes the values of the next version: of each facet the first ones, which have the highest counts.
func (f *VersionFacetWriter) Add(v *VersionRow, values []FacetValue) error {
	defer func() { f.version++ }()
	for i := range f.declared {
		d, kept := &f.declared[i], 0
		for _, x := range values {
			if x.Facet != d.Name {
				continue
			}
			if kept++; kept > d.Most {
				d.Left++
				continue
			}
			row := VersionFacetRow{f.version, v.SURT, v.From, x.Facet, x.Value, x.Number, x.Count}
			if err := f.rows.Add(row, len(row.SURT)+len(row.Value)+50); err != nil {
				return err
			}
		}
	}
	return nil
}

// facetsKey is the entry of the table's metadata that has the declarations.
const facetsKey = "varve.facets"

// Close ends the table.
func (f *VersionFacetWriter) Close() error {
	b, err := json.Marshal(f.declared)
	if err != nil {
		return err
	}
	f.rows.w.SetKeyValueMetadata(facetsKey, string(b))
	return f.rows.Close()
}

// FacetsOf returns the path of the table of facets beside the table of versions at a path.
func FacetsOf(versions string) string { return filepath.Join(filepath.Dir(versions), "facets.parquet") }

// Declared returns the facets that a table facets.parquet has, in the order in which they were declared.
func Declared(path string) (out []Facet, err error) {
	err = readTable(path, func(pf *parquet.File) error {
		text, ok := pf.Lookup(facetsKey)
		if !ok {
			return fmt.Errorf("the entry %s is missing", facetsKey)
		}
		return json.Unmarshal([]byte(text), &out)
	})
	return out, err
}
