package graph

import (
	"bufio"
	"encoding/json"
	"io"
	"time"

	"varve/coherence"
	"varve/coherence/report"
)

// jsonNode is a node in JSON, whole.
type jsonNode struct {
	ID      int32           `json:"id"`
	Parent  int32           `json:"parent"`
	Kind    Kind            `json:"kind"`
	URL     string          `json:"url"`
	MIME    string          `json:"mime,omitempty"`
	State   report.State    `json:"state,omitempty"`
	Level   coherence.Level `json:"level,omitempty"`
	Shape   Shape           `json:"shape"`
	Depth   int32           `json:"depth"`
	Below   Counts          `json:"below"`
	X       float32         `json:"x"`
	Y       float32         `json:"y"`
	By      string          `json:"by,omitempty"`
	Visit   time.Time       `json:"visit,omitzero"`
	Revisit time.Time       `json:"revisit,omitzero"`
}

// WriteJSON writes all nodes with their layout, one a line, in one JSON object.
func (g *Graph) WriteJSON(w io.Writer) error {
	buf := bufio.NewWriter(w)
	head, err := json.Marshal(map[string]any{"crawl": g.Crawl, "layer": g.Layer, "reference": g.Reference, "total": len(g.Nodes)})
	if err != nil {
		return err
	}
	buf.Write(head[:len(head)-1])
	buf.WriteString(",\"nodes\":[\n")
	for i := range g.Nodes {
		n := &g.Nodes[i]
		b, err := json.Marshal(jsonNode{
			n.ID, n.Parent, n.Kind, n.URL, n.MIME, n.State, n.Level, n.Shape, n.Depth, n.Below, n.X, n.Y, n.By, n.Visit, n.Revisit,
		})
		if err != nil {
			return err
		}
		if i > 0 {
			buf.WriteString(",\n")
		}
		buf.Write(b)
	}
	buf.WriteString("\n]}\n")
	return buf.Flush()
}
