package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"varve/archive/catalog"
	"varve/coherence/evidence"
	"varve/coherence/graph"
	"varve/text/layer"
)

type coherenceGraphOptions struct {
	captureSelection
	format, out string
	on          layerFlag
	limit       int
	json        bool
}

func newCoherenceGraphCommand() *cobra.Command {
	o := coherenceGraphOptions{on: layerFlag{layer.Text}}
	c := &cobra.Command{
		Use:   "graph [WARC...]",
		Short: "The spanning tree of a capture, coloured by what became of each page",
		Long: `Writes the spanning tree of a capture: each page hangs on the page it was found on. The colour of a node is
the state of the page (coherent, changed, links, missing, unknown), its size the number of coherent pages
in its subtree, its shape the kind of content: circle HTML, hexagon multimedia, rounded rectangle scripts,
styles and Flash, square PDF and others, triangle DNS look-ups.

  graphml   for visone, yEd, Gephi, networkx
  gexf      for Gephi, with times
  json      all nodes with their layout
  svg       a picture, at most --limit nodes; the rest is told in the nodes above them

Exit codes: 0 written, 1 written but the files are damaged, 2 could not.`,
		Example: `  varve coherence graph --collection news -o news.graphml
  varve coherence graph --format svg *.warc.gz > capture.svg`,
		RunE: func(c *cobra.Command, args []string) error { return runCoherenceGraph(c, &o, args) },
	}
	f := c.Flags()
	f.StringVar(&o.format, "format", "", "graphml, gexf, json or svg (default: by the name of the file; graphml)")
	f.StringVarP(&o.out, "out", "o", "", "file to write; it must not be there (default: standard output)")
	f.Var(&o.on, "layer", "layer on which pages are judged")
	f.IntVar(&o.limit, "limit", graph.DefaultLimit, "nodes in a picture at most")
	f.BoolVar(&o.json, "json", false, "short for --format json")
	o.flags(c)
	return c
}

func runCoherenceGraph(c *cobra.Command, o *coherenceGraphOptions, args []string) error {
	if err := o.complete(c); err != nil {
		return err
	}
	err := o.one(c, args, func(set *evidence.Set, _ *catalog.Collection, _ string) error {
		opts, err := judging(set, o.crawl, 0)
		if err != nil {
			return evidenceError(c, err)
		}
		g, err := graph.Build(c.Context(), set, graph.Config{Layer: o.on.Name, Report: opts})
		if err != nil {
			return evidenceError(c, err)
		}
		write := func(w io.Writer) error { return o.write(w, g) }
		if o.out == "" {
			return write(c.OutOrStdout())
		}
		if err := NewFile(o.out, write); err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "%s: %s, %s\n", o.out, count(int64(len(g.Nodes)), "node"), count(int64(g.Nodes[0].Below.Pages()), "page"))
		return nil
	})
	if err != nil {
		return err
	}
	return o.reader.end(c)
}

func (o *coherenceGraphOptions) complete(c *cobra.Command) error {
	if o.json {
		o.format = "json"
	}
	if o.format == "" {
		if o.format = strings.TrimPrefix(filepath.Ext(o.out), "."); o.format == "" {
			o.format = "graphml"
		}
	}
	switch o.format {
	case "graphml", "gexf", "json", "svg":
		return nil
	}
	return UsageError(c, fmt.Sprintf("does not write %q: --format takes graphml, gexf, json or svg", o.format))
}

func (o *coherenceGraphOptions) write(w io.Writer, g *graph.Graph) error {
	switch o.format {
	case "gexf":
		return g.WriteGEXF(w)
	case "json":
		return g.WriteJSON(w)
	case "svg":
		return g.WriteSVG(w, g.View(graph.Viewport{}, o.limit))
	}
	return g.WriteGraphML(w)
}
