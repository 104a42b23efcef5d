package spam

import (
	"math"
	"strings"

	"varve/learn/table"
)

// guardOf finds in a table what a threshold needs to know of the labelled hosts: how many documents each has (host.pages), and which of them
// it links (links: host names with blanks between them). What the table lacks is not known.
func guardOf(t *table.Table, class string) (g Guard) {
	label, host, pages, links := t.Attribute(class), hostColumn(t), t.Attribute("host.pages"), t.Attribute("links")
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
	g.Links = make([][]int, len(rows))
	for k, i := range rows {
		for to := range strings.FieldsSeq(name(t, links, i)) {
			if j, known := at[to]; known && j != k {
				g.Links[k] = append(g.Links[k], j)
			}
		}
	}
	return g
}
