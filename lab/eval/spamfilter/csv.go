package spamfilter

import (
	"encoding/csv"
	"fmt"
	"io"

	"varve/spam/filter"
)

// WriteCSV writes the hosts with their features, without labels, as `varve spam features --set crawl` does.
func (t *Table) WriteCSV(w io.Writer) error {
	rows := [][]string{append([]string{"host"}, filter.Names()...)}
	for i, host := range t.Hosts {
		row := []string{host}
		for _, v := range t.Rows[i] {
			row = append(row, fmt.Sprint(v))
		}
		rows = append(rows, row)
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// Truth tells of each host whether it is spam.
func (t *Table) Truth() map[string]bool {
	out := make(map[string]bool, len(t.Hosts))
	for i, host := range t.Hosts {
		out[host] = t.Spam[i]
	}
	return out
}
