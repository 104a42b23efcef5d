package api

import (
	"encoding/csv"
	"net/http"
	"strconv"
	"time"

	"varve"
	"varve/coherence/graph"
	"varve/coherence/report"
)

func (a *API) coherence(r *http.Request) (any, error) {
	return a.cfg.Coherence.Report(r.Context(), r.PathValue("collection"), r.PathValue("crawl"))
}

// measure takes as long as reading the files does.
func (a *API) measure(w http.ResponseWriter, r *http.Request) error {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // a recorder of tests has none
	if err := a.cfg.Coherence.Measure(r.Context(), r.PathValue("collection"), r.PathValue("crawl")); err != nil {
		return err
	}
	rep, err := a.coherence(r)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, "application/json", rep)
	return nil
}

// maxNodes is the most that a first view may have: 5,000 nodes are under 2 MB.
const maxNodes = 5000

func (a *API) graph(r *http.Request) (any, error) {
	limit, err := limitOf(r, 2000, maxNodes)
	if err != nil {
		return nil, err
	}
	port, err := viewport(r)
	if err != nil {
		return nil, err
	}
	g, err := a.cfg.Coherence.Graph(r.Context(), r.PathValue("collection"), r.PathValue("crawl"))
	if err != nil {
		return nil, err
	}
	return g.View(port, limit), nil
}

// viewport reads the four edges; without them it is all.
func viewport(r *http.Request) (graph.Viewport, error) {
	var v graph.Viewport
	for _, p := range []struct {
		name string
		to   *float32
	}{{"x0", &v.X0}, {"y0", &v.Y0}, {"x1", &v.X1}, {"y1", &v.Y1}} {
		text := r.URL.Query().Get(p.name)
		if text == "" {
			return graph.Viewport{}, nil
		}
		n, err := strconv.ParseFloat(text, 32)
		if err != nil || n != n {
			return v, invalid(p.name, text, "a number of the layout")
		}
		*p.to = float32(n)
	}
	return v, nil
}

// GraphNode is a node of the tree.
type GraphNode struct {
	ID      int32        `json:"id"`
	Parent  int32        `json:"parent"`
	Kind    graph.Kind   `json:"kind"`
	URL     string       `json:"url,omitempty"`
	MIME    string       `json:"mime,omitempty"`
	State   report.State `json:"state,omitempty"`
	Visit   time.Time    `json:"visit,omitzero"`
	Revisit time.Time    `json:"revisit,omitzero"`
	Below   graph.Counts `json:"below"`
}

func (a *API) graphNode(r *http.Request) (any, error) {
	g, err := a.cfg.Coherence.Graph(r.Context(), r.PathValue("collection"), r.PathValue("crawl"))
	if err != nil {
		return nil, err
	}
	id, err := strconv.Atoi(r.PathValue("node"))
	if err != nil || id < 0 || id >= len(g.Nodes) {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "find node " + r.PathValue("node"), Msg: "the tree has no such node"}
	}
	n := &g.Nodes[id]
	return GraphNode{n.ID, n.Parent, n.Kind, n.URL, n.MIME, n.State, n.Visit, n.Revisit, n.Below}, nil
}

// graphSVG draws the part of the tree that a picture can show.
func (a *API) graphSVG(w http.ResponseWriter, r *http.Request) error {
	g, err := a.cfg.Coherence.Graph(r.Context(), r.PathValue("collection"), r.PathValue("crawl"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	if err := g.WriteSVG(w, g.View(graph.Viewport{}, 1500)); err != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}

// graphFile sends the whole tree in a format of other programs.
func (a *API) graphFile(format string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		g, err := a.cfg.Coherence.Graph(r.Context(), r.PathValue("collection"), r.PathValue("crawl"))
		if err != nil {
			return err
		}
		media := map[string]string{"graphml": "application/graphml+xml", "gexf": "application/gexf+xml"}
		attach(w, media[format], r.PathValue("collection")+"-"+r.PathValue("crawl")+"."+format)
		if format == "gexf" {
			err = g.WriteGEXF(w)
		} else {
			err = g.WriteGraphML(w)
		}
		if err != nil {
			panic(http.ErrAbortHandler) // it was begun: no caller may take a part for the whole
		}
		return nil
	}
}

func (a *API) worstCSV(w http.ResponseWriter, r *http.Request) error {
	rep, err := a.cfg.Coherence.Report(r.Context(), r.PathValue("collection"), r.PathValue("crawl"))
	if err != nil {
		return err
	}
	attach(w, "text/csv; charset=utf-8", r.PathValue("collection")+"-"+r.PathValue("crawl")+"-worst.csv")
	out := csv.NewWriter(w)
	_ = out.Write([]string{"url", "state", "layer", "visit", "revisit"}) // told by Flush
	for _, d := range rep.Worst {
		revisit := ""
		if !d.Revisit.IsZero() {
			revisit = d.Revisit.UTC().Format(time.RFC3339)
		}
		_ = out.Write([]string{harmless(d.URL), string(d.State), string(d.Layer), d.Visit.UTC().Format(time.RFC3339), revisit})
	}
	out.Flush()
	return nil // a closed connection is the caller's business
}

// harmless keeps spreadsheets from taking an address for a formula.
func harmless(s string) string {
	if s != "" && (s[0] == '=' || s[0] == '+' || s[0] == '-' || s[0] == '@') {
		return "'" + s
	}
	return s
}

// attach sets the headers of a download.
func attach(w http.ResponseWriter, media, name string) {
	w.Header().Set("Content-Type", media)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	w.Header().Set("Cache-Control", "no-store")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // a recorder of tests has none
}
