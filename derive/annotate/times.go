package annotate

import (
	"strconv"
	"strings"
	"time"

	"varve/derive"
	"varve/language"
)

// TimeRow is a row of times: an expression of time in a text.
type TimeRow struct {
	Version
	Start      int32     `parquet:"start"` // bytes of the text
	End        int32     `parquet:"end"`
	Text       string    `parquet:"text,zstd,dict"`
	Type       string    `parquet:"type,dict"`
	Timex      []string  `parquet:"timex,zstd,dict"` // normalised, one for each reading
	Earliest   time.Time `parquet:"earliest,optional,timestamp(microsecond)"`
	Latest     time.Time `parquet:"latest,optional,timestamp(microsecond)"` // excluded
	Confidence float32   `parquet:"confidence"`
}

// timeFacets are what searches are narrowed by.
var timeFacets = derive.FacetTable{Job: string(language.Times), Facets: []derive.Facet{
	{Name: "when", Title: "Years spoken of", Kind: derive.FacetNames, Most: 20},
}}

// foundTime is what is kept of an expression: with fewer fields than language.Time.
type foundTime struct {
	Start, End       int32
	Text, Type       string
	Timex            []string
	Earliest, Latest time.Time
	Confidence       float32
}

func timesOf(r *language.Reading) (out []foundTime, size int) {
	for _, t := range r.Times {
		f := foundTime{int32(t.Start), int32(t.End), strings.Clone(t.Text), string(t.Type), nil, storable(t.Earliest), storable(t.Latest), float32(t.Confidence)}
		for _, v := range t.Values {
			f.Timex = append(f.Timex, v.Timex)
			size += 16 + len(v.Timex)
		}
		out = append(out, f)
		size += 150 + len(t.Text)
	}
	return out, size
}

// storable returns a time that a table can hold, the zero time for others: microseconds since 1970 in 64 bits.
func storable(t time.Time) time.Time {
	if y := t.Year(); y < 1 || y > 9999 {
		return time.Time{}
	}
	return t
}

func timeRows(v Version, found []foundTime) (rows []TimeRow, values []derive.FacetValue) {
	for _, f := range found {
		rows = append(rows, TimeRow{v, f.Start, f.End, f.Text, f.Type, f.Timex, f.Earliest, f.Latest, f.Confidence})
		if year, ok := yearOf(f); ok {
			values = append(values, derive.FacetValue{Facet: "when", Value: strconv.Itoa(year), Count: 1})
		}
	}
	return rows, values
}

// yearOf returns the year that an expression speaks of, if it is one.
func yearOf(f foundTime) (int, bool) {
	if f.Earliest.IsZero() || f.Latest.IsZero() || !f.Earliest.Before(f.Latest) {
		return 0, false
	}
	year := f.Earliest.Year()
	return year, f.Latest.Add(-1).Year() == year
}
