package graph

import (
	"context"
	"net/url"
	"strings"
	"time"

	"varve/coherence/evidence"
	"varve/coherence/report"
	"varve/text/layer"
)

// Config says what is shown.
type Config struct {
	Layer  layer.Name // on which pages are judged; text if empty
	Report report.Options
}

// builder collects the nodes of a capture.
type builder struct {
	g     *Graph
	pages map[string]int32 // by URL
	hosts map[string]int32
	via   []string // of each node
	named []bool   // of each node: via is the crawler's word
}

// Build makes the tree of a capture.
func Build(ctx context.Context, set *evidence.Set, cfg Config) (*Graph, error) {
	if cfg.Layer == "" {
		cfg.Layer = layer.Text
	}
	frames, err := report.Frames(set, cfg.Report.Crawl)
	if err != nil {
		return nil, err
	}
	b := newBuilder(cfg)
	err = report.Each(ctx, set, frames, cfg.Report, func(p *report.Judged, f *report.Frame) error {
		if !p.Absent() { // the pages are those that the report counts
			b.page(p, f.Reference(), cfg.Layer)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, f := range frames {
		if ref := f.Reference(); ref.After(b.g.Reference) {
			b.g.Reference = ref
		}
	}
	for p, err := range set.Lookups() {
		if err != nil {
			return nil, err
		}
		b.lookup(p, cfg.Report.Crawl)
	}
	return b.graph(), nil
}

func newBuilder(cfg Config) *builder {
	b := &builder{g: &Graph{Crawl: cfg.Report.Crawl, Layer: cfg.Layer}, pages: map[string]int32{}, hosts: map[string]int32{}}
	b.node(Node{Kind: KindCapture, URL: cfg.Report.Crawl, Shape: Circle}, "", false)
	return b
}

func (b *builder) node(n Node, via string, named bool) int32 {
	n.ID, n.Parent = int32(len(b.g.Nodes)), -1
	b.g.Nodes = append(b.g.Nodes, n)
	b.via, b.named = append(b.via, via), append(b.named, named)
	return n.ID
}

func (b *builder) page(p *report.Judged, reference time.Time, on layer.Name) {
	n := Node{Kind: KindPage, URL: p.URL, MIME: p.MIME, Shape: shapeOf(p.MIME), Visit: p.Visit.Time}
	if p.Visit.IsData() {
		n.Kind = KindData
	}
	n.State, n.Level = p.State(on, reference)
	if p.Revisit != nil {
		n.Revisit = p.Revisit.Time
	}
	b.pages[p.URL] = b.node(n, p.Visit.Via, p.Visit.Known)
}

func (b *builder) lookup(p *evidence.History, crawl string) {
	for i := range p.Captures {
		c := &p.Captures[i]
		if crawl != "" && c.Crawl != crawl {
			continue
		}
		b.node(Node{Kind: KindLookup, URL: p.URL, MIME: c.MIME, Shape: Triangle, State: report.Unproven, Visit: c.Time}, "", true)
		return
	}
}

// graph joins the nodes to a tree and lays it out.
func (b *builder) graph() *Graph {
	for i := 1; i < len(b.g.Nodes); i++ { // hosts are added at the end
		b.place(int32(i))
	}
	b.cutCycles()
	b.g.grow()
	b.g.layOut()
	return b.g
}

// place finds the parent of a node.
func (b *builder) place(id int32) {
	n := &b.g.Nodes[id]
	switch {
	case n.Kind == KindHost:
	case n.Kind == KindLookup:
		n.Parent = b.home(strings.TrimPrefix(n.URL, "dns:"))
	case b.named[id] && b.via[id] == "": // a seed
		n.Parent = 0
	default:
		if at, ok := b.pages[b.via[id]]; ok && at != id {
			n.Parent, n.By = at, "referer"
			if b.named[id] {
				n.By = "crawler"
			}
			return
		}
		if at, ok := b.above(n.URL, id); ok {
			n.Parent, n.By = at, "path"
			return
		}
		if isHome(n.URL) {
			n.Parent = 0
			return
		}
		at := b.host(n.URL) // may move the nodes
		b.g.Nodes[id].Parent = at
	}
}

// home finds the first page of a host, or the root.
func (b *builder) home(host string) int32 {
	for _, scheme := range []string{"https://", "http://"} {
		if at, ok := b.pages[scheme+host+"/"]; ok {
			return at
		}
	}
	return 0
}

// isHome tells whether an address is that of a host and nothing more.
func isHome(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Host != "" && (u.Path == "" || u.Path == "/") && u.RawQuery == ""
}

// above finds the nearest page above an address in its path.
func (b *builder) above(raw string, id int32) (int32, bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return 0, false
	}
	base := u.Scheme + "://" + u.Host
	path := u.EscapedPath()
	if u.RawQuery != "" {
		if at, ok := b.pages[base+path]; ok && at != id {
			return at, true
		}
	}
	for path != "" && path != "/" {
		path = strings.TrimSuffix(path, "/")
		path = path[:strings.LastIndexByte(path, '/')+1]
		for _, p := range []string{path, strings.TrimSuffix(path, "/")} {
			if at, ok := b.pages[base+p]; ok && at != id {
				return at, true
			}
		}
	}
	return 0, false
}

// host gives the node of a host, under the root.
func (b *builder) host(raw string) int32 {
	name := raw
	if u, err := url.Parse(raw); err == nil && u.Host != "" {
		name = u.Scheme + "://" + u.Host + "/"
	}
	if at, ok := b.hosts[name]; ok {
		return at
	}
	at := b.node(Node{Kind: KindHost, URL: name, Shape: Circle, State: report.Unproven}, "", false)
	b.g.Nodes[at].Parent = 0
	b.hosts[name] = at
	return at
}

// cutCycles hangs one page of each cycle (pages that were found on each other) under its host.
func (b *builder) cutCycles() {
	const (
		unseen = iota
		onWay
		done
	)
	mark := make([]uint8, len(b.g.Nodes))
	for i := range b.g.Nodes {
		at := int32(i)
		for at >= 0 && mark[at] == unseen {
			mark[at] = onWay
			at = b.g.Nodes[at].Parent
		}
		if at >= 0 && mark[at] == onWay {
			host := b.host(b.g.Nodes[at].URL)
			if int(host) == len(mark) {
				mark = append(mark, done)
			}
			b.g.Nodes[at].Parent, b.g.Nodes[at].By = host, ""
		}
		for at = int32(i); at >= 0 && mark[at] == onWay; at = b.g.Nodes[at].Parent {
			mark[at] = done
		}
	}
}
