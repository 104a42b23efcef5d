package conformance

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/BurntSushi/toml"
)

// expectation is what must come of one file.
type expectation struct {
	Name     string           `toml:"name"`
	Case     string           `toml:"case"`
	Exit     int              `toml:"exit"`
	Packing  string           `toml:"packing"`
	Records  map[string]int64 `toml:"records"`
	ByOffset int64            `toml:"by_offset"`
	Findings []string         `toml:"findings"`
	Facts    []string         `toml:"facts"`
}

func readExpected(name string) ([]expectation, error) {
	var doc struct {
		File []expectation `toml:"file"`
	}
	meta, err := toml.DecodeFile(name, &doc)
	if err != nil {
		return nil, err
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return nil, fmt.Errorf("%s: unknown key %s", name, extra[0])
	}
	return doc.File, nil
}

// typesText writes a count by type in a fixed order.
func typesText(records map[string]int64) string {
	var total int64
	parts := make([]string, 0, len(records))
	for t, n := range records {
		parts = append(parts, fmt.Sprintf("%s %d", t, n))
		total += n
	}
	sort.Strings(parts)
	return fmt.Sprintf("%d records: %s", total, strings.Join(parts, ", "))
}

// row is one line of the table.
type row struct{ file, edge, expected, got string }

func (r row) ok() bool { return r.expected == r.got }

// table collects rows and prints them.
type table struct {
	rows   []row
	failed int
	file   string   // of the last row
	edge   []string // what is left to write of its edge case
	notes  []string // printed below
}

// add puts a row into the table. The edge case is written line by line beside the rows of its file.
func (t *table) add(file, edge, expected, got string) {
	if file != t.file {
		t.file, t.edge = file, wrap(edge, edgeWidth)
	} else {
		file = ""
	}
	line := ""
	if len(t.edge) > 0 {
		line, t.edge = t.edge[0], t.edge[1:]
	}
	r := row{file, line, expected, got}
	if !r.ok() {
		t.failed++
	}
	t.rows = append(t.rows, r)
}

// wrap breaks a text into lines.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}

// Widths that keep the table readable; a cell that is wrong is never cut.
const (
	edgeWidth = 40
	maxCell   = 72
)

func (t *table) print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "FILE\tEDGE CASE\tEXPECTED\tGOT\tOK")
	for _, r := range t.rows {
		mark, expected, got := "ok", clip(r.expected), "the same"
		if len(r.got) <= 24 {
			got = r.got
		}
		if !r.ok() {
			mark, expected, got = "WRONG", r.expected, r.got
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\n", r.file, r.edge, expected, got, mark)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, note := range t.notes {
		fmt.Fprintln(w, note)
	}
	_, err := fmt.Fprintf(w, "%d of %d outcomes are as the edge cases demand\n", len(t.rows)-t.failed, len(t.rows))
	return err
}

func clip(s string) string {
	if r := []rune(s); len(r) > maxCell {
		return string(r[:maxCell-1]) + "…"
	}
	return s
}
