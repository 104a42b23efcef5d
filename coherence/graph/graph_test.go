package graph

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varve/coherence/evidence"
	"varve/coherence/evidence/fixture"
	"varve/coherence/report"
)

// random makes a tree of n pages: each was found on one of those before it, on itself or one after it
// (which a crawler never does, but files may claim), or on nothing.
func random(n int, seed uint64) *Graph {
	r := rand.New(rand.NewPCG(seed, 1))
	b := newBuilder(Config{Layer: "text"})
	url := func(i int) string { return fmt.Sprintf("http://h%d.test/%d/%d", i%7, i%100, i) }
	for i := range n {
		via := ""
		switch k := r.IntN(20); {
		case k == 0:
			via = url(r.IntN(n))
		case k == 1:
			via = "http://elsewhere.test/"
		case i > 0:
			via = url(int(float64(i) * r.Float64() * r.Float64()))
		}
		node := Node{Kind: KindPage, URL: url(i), MIME: "text/html", Shape: Circle, State: report.States()[r.IntN(5)], Visit: fixture.At(float64(i))}
		b.pages[node.URL] = b.node(node, via, r.IntN(10) > 0)
	}
	return b.graph()
}

// check tests what holds of every tree.
func check(t *testing.T, g *Graph) {
	t.Helper()
	var pages Counts
	edges := 0
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Kind == KindPage {
			pages.add(countOf(n.State))
		}
		edges += len(n.children)
		for _, c := range n.children {
			if g.Nodes[c].Parent != n.ID || g.Nodes[c].Depth != n.Depth+1 {
				t.Fatalf("node %d is no child of %d", c, i)
			}
		}
		up := 0
		for at := n.ID; at != 0; at = g.Nodes[at].Parent {
			if up++; up > len(g.Nodes) {
				t.Fatalf("node %d is on a cycle", i)
			}
		}
		if !n.box.meets(box{n.X, n.Y, n.X, n.Y}) {
			t.Fatalf("node %d lies outside of its box", i)
		}
	}
	if g.Nodes[0].Below != pages {
		t.Errorf("root has %v below, want %v", g.Nodes[0].Below, pages)
	}
	if edges != len(g.Nodes)-1 || int(g.Nodes[0].nodes) != len(g.Nodes) {
		t.Errorf("%d edges and %d nodes below the root, of %d nodes", edges, g.Nodes[0].nodes, len(g.Nodes))
	}
}

func TestTree(t *testing.T) {
	for seed := range uint64(30) {
		check(t, random(1+int(seed*seed), seed))
	}
}

// Every page is in the view or counted under a node that is, whatever the viewport.
func TestView(t *testing.T) {
	g := random(5000, 3)
	r := rand.New(rand.NewPCG(5, 5))
	all := g.Nodes[0].box
	for range 200 {
		var v Viewport
		if r.IntN(4) > 0 {
			w, h := (all.x1-all.x0)*r.Float32(), (all.y1-all.y0)*r.Float32()
			v.X0, v.Y0 = all.x0+(all.x1-all.x0)*r.Float32(), all.y0+(all.y1-all.y0)*r.Float32()
			v.X1, v.Y1 = v.X0+w, v.Y0+h
		}
		limit := 1 + r.IntN(600)
		view := g.View(v, limit)
		if len(view.Nodes) > limit {
			t.Fatalf("%d nodes, limit %d", len(view.Nodes), limit)
		}
		seen := map[int32]bool{-1: true}
		var pages Counts
		var nodes int32
		for _, s := range view.Nodes {
			if !seen[s.Parent] || seen[s.ID] {
				t.Fatalf("node %d comes before its parent or twice", s.ID)
			}
			seen[s.ID] = true
			nodes += 1 + s.More
			if s.Below != nil {
				pages.add(*s.Below)
			}
			if s.Kind == KindPage {
				pages.add(countOf(s.State))
			}
			if s.More < 0 {
				t.Fatalf("node %d hides %d", s.ID, s.More)
			}
		}
		if pages != g.Nodes[0].Below || int(nodes) != len(g.Nodes) {
			t.Fatalf("view tells of %v and %d nodes, want %v and %d", pages, nodes, g.Nodes[0].Below, len(g.Nodes))
		}
	}
}

// A view of a small part shows all of that part.
func TestViewZoomedIn(t *testing.T) {
	g := random(3000, 9)
	n := &g.Nodes[len(g.Nodes)-1]
	v := g.View(Viewport{n.X - 5, n.Y - 5, n.X + 5, n.Y + 5}, 0)
	for i := range g.Nodes {
		at := &g.Nodes[i]
		inside := at.X >= n.X-5 && at.X <= n.X+5 && at.Y >= n.Y-5 && at.Y <= n.Y+5
		if inside && !slices.ContainsFunc(v.Nodes, func(s Seen) bool { return s.ID == at.ID }) {
			t.Errorf("node %d lies in the viewport and is not in the view", i)
		}
	}
}

// The size of the capture in the seed: the first view has at most 5,000 nodes and 2 MB.
func TestLargeCapture(t *testing.T) {
	g := random(65_000, 1)
	check(t, g)
	v := g.View(Viewport{}, 0)
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Nodes) != DefaultLimit || len(b) > 2<<20 {
		t.Errorf("%d nodes, %d bytes", len(v.Nodes), len(b))
	}
	var svg bytes.Buffer
	if err := g.WriteSVG(&svg, v); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, svg.Bytes())
	t.Logf("first view: %d nodes, %d bytes of JSON; picture: %d bytes", len(v.Nodes), len(b), svg.Len())
}

func TestLabelHasBoundedJSON(t *testing.T) {
	for _, url := range []string{strings.Repeat("\x00\"<é", 100), "http://a.test/", "", strings.Repeat("x", 80), strings.Repeat("y", 81)} {
		b, err := json.Marshal(label(url))
		if err != nil || len(b) > maxLabel+2 {
			t.Errorf("%q: %d bytes, %v", url, len(b), err)
		}
	}
}

func TestShapes(t *testing.T) {
	for mime, want := range map[string]Shape{
		"text/html": Circle, "application/xhtml+xml": Circle, "image/png": Hexagon, "video/mp4": Hexagon, "text/css": Rounded,
		"application/javascript": Rounded, "application/x-shockwave-flash": Rounded, "font/woff2": Rounded, "application/pdf": Square,
		"application/octet-stream": Square, "text/plain": Square,
	} {
		if got := shapeOf(mime); got != want {
			t.Errorf("%s is a %s, want %s", mime, got, want)
		}
	}
}

func wellFormed(t *testing.T, b []byte) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(b))
	for {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("no XML: %v", err)
		}
	}
}

// site makes a capture of five pages, one of each state, and a look-up.
func site(t *testing.T) *Graph {
	t.Helper()
	f := fixture.New(t, "a.warc.gz")
	text := func(n int) string { return fmt.Sprintf("<title>t</title><p>a text of its own, number %d</p>", n) }
	put := func(path, pass, via string, at float64, status int, body string) {
		id := f.Response(fixture.Answer{URL: "http://a.test" + path, At: fixture.At(at), Body: body, Status: status})
		f.Metadata(id, "http://a.test"+path, fixture.At(at), "via: "+via, "fetchTimeMs: 1", "pass: "+pass)
	}
	home := "http://a.test/"
	put("/", "visit", "", 0, 200, text(0))
	put("/changed", "visit", home, 1, 200, text(1))
	put("/links", "visit", home, 2, 200, text(2))
	put("/gone", "visit", "http://a.test/links", 3, 200, text(3))
	put("/once & <again>", "visit", "http://a.test/links", 4, 200, text(4))
	put("/nowhere", "visit", home, 3.5, 404, "never there") // no page: the report counts it apart
	put("/gone", "revisit", "http://a.test/links", 6, 404, "gone")
	put("/links", "revisit", home, 7, 200, text(2)+`<a href="/new">new</a>`)
	put("/changed", "revisit", home, 8, 200, text(77))
	put("/", "revisit", "", 9, 200, text(0))
	f.Lookup("a.test", fixture.At(0))
	set, err := evidence.Read(t.Context(), []evidence.Source{{Path: f.Write(t.TempDir())}}, evidence.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	g, err := Build(t.Context(), set, Config{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, g)
	rep, err := report.Make(t.Context(), set, report.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	told := rep.Layers["text"]
	below := g.Nodes[0].Below
	if rep.Absent != 1 || int64(below.Pages()) != rep.Pages || int64(below.Missing) != told.Missing || int64(below.Coherent) != told.Coherent {
		t.Errorf("the graph has %+v, the report %d pages and %+v", below, rep.Pages, told)
	}
	return g
}

func TestBuild(t *testing.T) {
	g := site(t)
	want := map[string]report.State{
		"http://a.test/": report.Coherent, "http://a.test/changed": report.Changed, "http://a.test/links": report.Relinked,
		"http://a.test/gone": report.Lost, "http://a.test/once & <again>": report.Coherent, // at the reference point itself
	}
	parents := map[string]string{"http://a.test/changed": "http://a.test/", "http://a.test/gone": "http://a.test/links", "http://a.test/": ""}
	for _, n := range g.Nodes {
		if n.Kind == KindPage && n.State != want[n.URL] {
			t.Errorf("%s is %s, want %s", n.URL, n.State, want[n.URL])
		}
		if p, ok := parents[n.URL]; ok && n.Kind == KindPage && g.Nodes[n.Parent].URL != p {
			t.Errorf("%s was found on %q, want %q", n.URL, g.Nodes[n.Parent].URL, p)
		}
	}
	if g.Nodes[0].Below != (Counts{2, 1, 1, 1, 0}) {
		t.Errorf("%+v", g.Nodes[0].Below)
	}
}

// The files open in networkx with all nodes, edges and attributes; without it they are at least XML.
func TestFilesOpenElsewhere(t *testing.T) {
	g := site(t)
	dir := t.TempDir()
	for name, write := range map[string]func(io.Writer) error{
		"g.graphml": g.WriteGraphML, "g.gexf": g.WriteGEXF, "g.json": g.WriteJSON,
		"g.svg": func(w io.Writer) error { return g.WriteSVG(w, g.View(Viewport{}, 0)) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		if name == "g.json" {
			if !json.Valid(b.Bytes()) {
				t.Error("no JSON")
			}
			continue
		}
		wellFormed(t, b.Bytes())
	}
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-c", "import networkx").Run() != nil {
		t.Skip("no networkx here")
	}
	out, err := exec.Command(python, "-c", `
import sys, networkx as nx
for name, read in (("g.graphml", nx.read_graphml), ("g.gexf", nx.read_gexf)):
    g = read(sys.argv[1] + "/" + name)
    assert nx.is_arborescence(g), name
    by_url = {d["url"]: d for _, d in g.nodes(data=True)}
    print(name, g.number_of_nodes(), g.number_of_edges(), by_url["http://a.test/links"]["state"],
          by_url["http://a.test/once & <again>"]["shape"], by_url["http://a.test/"]["coherent"])
`, dir).CombinedOutput()
	if err != nil {
		t.Fatalf("networkx: %v\n%s", err, out)
	}
	want := "g.graphml 7 6 links circle 2\ng.gexf 7 6 links circle 2\n"
	if string(out) != want {
		t.Errorf("got %s, want %s", out, want)
	}
}

func BenchmarkLayout65k(b *testing.B) {
	g := random(65_000, 1)
	for b.Loop() {
		g.layOut()
	}
}

func BenchmarkView65k(b *testing.B) {
	g := random(65_000, 1)
	for b.Loop() {
		g.View(Viewport{}, 0)
	}
}
