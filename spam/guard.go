package spam

import (
	"math"
	"strings"

	"varve/learn/table"
)

// guardOf finds in a table what a threshold needs to know of the labelled hosts: how many documents each has (host.pages), and which of them
// it, and how many without a label, link (linked_hosts: host names with blanks between them). What the table lacks is not known.
func guardOf(t *table.Table, class string) (g Guard) {
	label, host, pages, links := t.Attribute(class), hostColumn(t), t.Attribute("host.pages"), t.Attribute("linked_hosts")
	var rows []int
	at := map[string]int{}
	for i, v := range t.Columns[label] {
		if math.IsNaN(v) {
			continue
		}
		if host >= 0 {
			at[name(t, host, i)] = len(rows)
		}
		rows = append(rows, i)
	}
	if pages >= 0 && !t.Attributes[pages].Nominal() {
		g.Sizes = make([]float64, len(rows))
		for k, i := range rows {
			if v := t.Columns[pages][i]; v > 0 {
				g.Sizes[k] = v
			}
		}
	}
	if links < 0 || host < 0 {
		return g
	}
	g.Links, g.Others = make([][]int, len(rows)), make([]int, len(rows))
	k := 0 // labelled rows so far
	for i, v := range t.Columns[label] {
		for to := range strings.FieldsSeq(name(t, links, i)) {
			j, known := at[to]
			switch {
			case !known:
			case math.IsNaN(v):
				g.Others[j]++
			case j != k:
				g.Links[k] = append(g.Links[k], j)
			}
		}
		if !math.IsNaN(v) {
			k++
		}
	}
	return g
}
