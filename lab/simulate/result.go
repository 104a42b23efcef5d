package simulate

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"
)

// Number is a figure of a table; not a number is an empty cell.
type Number float64

// MarshalJSON writes an empty cell as null.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// String writes a number as tables have it.
func (n Number) String() string {
	if math.IsNaN(float64(n)) {
		return ""
	}
	return strconv.FormatFloat(float64(n), 'f', 4, 64)
}

// Row is one line of a table.
type Row struct {
	Name   []string `json:"name"` // one per name column
	Values []Number `json:"values"`
}

// Table is a table of figures.
type Table struct {
	Title   string   `json:"title"`
	Names   []string `json:"names"` // columns that name a row
	Columns []string `json:"columns"`
	Rows    []Row    `json:"rows"`
}

// Result is what an experiment found.
type Result struct {
	Figure string   `json:"figure"`
	Config any      `json:"config"`
	Tables []Table  `json:"tables"`
	Notes  []string `json:"notes,omitempty"`
	Chart  Chart    `json:"-"`
}

// Print writes the tables as text.
func (r *Result) Print(w io.Writer) error {
	for i, t := range r.Tables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, t.Title)
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, c := range append(append([]string{}, t.Names...), t.Columns...) {
			fmt.Fprint(tw, c, "\t")
		}
		fmt.Fprintln(tw)
		for _, row := range t.Rows {
			for _, n := range row.Name {
				fmt.Fprint(tw, n, "\t")
			}
			for _, v := range row.Values {
				fmt.Fprint(tw, v, "\t")
			}
			fmt.Fprintln(tw)
		}
		if err := tw.Flush(); err != nil {
			return err
		}
	}
	for _, n := range r.Notes {
		if _, err := fmt.Fprintf(w, "\n%s\n", n); err != nil {
			return err
		}
	}
	return nil
}

// CSV writes all tables as lines of table, names, column, value: one figure per line.
func (r *Result) CSV(w io.Writer) error {
	cw := csv.NewWriter(w)
	for i, t := range r.Tables {
		if i == 0 {
			if err := cw.Write(append(append([]string{"table"}, t.Names...), "column", "value")); err != nil {
				return err
			}
		}
		for _, row := range t.Rows {
			for j, v := range row.Values {
				value := ""
				if !math.IsNaN(float64(v)) {
					value = strconv.FormatFloat(float64(v), 'g', -1, 64)
				}
				if err := cw.Write(append(append([]string{t.Title}, row.Name...), t.Columns[j], value)); err != nil {
					return err
				}
			}
		}
	}
	cw.Flush()
	return cw.Error()
}
