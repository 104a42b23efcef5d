package ui

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"varve"
	"varve/derive/annotate"
	"varve/entity"
	"varve/index/fulltext"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/search"
	"varve/serve/strip"
)

// entityData is what the page of an entity shows: what texts that may be seen say of it, over time, and what a base knows.
type entityData struct {
	asked
	*search.Entity
	Said     string // the answer in a sentence
	Facts    []knownFact
	Bars     []entityBar
	Axis     strip.Axis
	Other    []viewLink // buckets
	Through  []nameThrough
	Judged   []judgedName
	Graph    entityGraph
	Hits     []entityHit
	Versions string // address of the search for all versions
	Opinions string
	Told     string // address of the facts that texts tell of it
	JSON     string
	First    string // passages from the begin
	Next     string
	Called   []otherName // what texts may have called it before, or since
	Trouble  *askTrouble
}

// knownFact is something that a base knows.
type knownFact struct{ Name, Value, Href string }

// entityBar is one bucket: versions that name the entity. Places are percent.
type entityBar struct {
	X, W, Y, H float64
	Name, Href string
	search.TrendPoint
}

// nameThrough is a name through time.
type nameThrough struct {
	search.EntityName
	Href  string
	Span  string
	Bars  []entityBar
	Chart string // what the bars show, in words
}

// judgedName is how versions judge the entity under one of its names.
type judgedName struct {
	search.OpinionName
	Href          string // opinions about it over time
	ForHref, Anti string // addresses of the versions
}

// entityHit is a passage.
type entityHit struct {
	hitView
	Passage string // the place in replay, at the date of the version
}

// entityGraph is the entity in the middle and its companions around it: a click on one makes it the middle. Places are units of a picture of graphWidth by graphHeight.
type entityGraph struct {
	Nodes []graphNode
	Lines []graphLine
}

type graphNode struct {
	X, Y, R float64
	TextY   float64
	Anchor  string // of the label
	Label   string
	Href    string
	Count   int64
	Via     string // who refers to both in the base
}

type graphLine struct{ X1, Y1, X2, Y2, W float64 }

// Sizes of the picture.
const (
	graphWidth  = 720
	graphHeight = 380
	labelChars  = 24
)

// entityPath is the address of the page of an entity.
func entityPath(id string) string { return "/entity/" + url.PathEscape(id) }

// entity shows an entity.
func (u *UI) entity(r *http.Request) (*view, error) {
	a, err := u.askedBy(r, "entity")
	if err != nil {
		return nil, err
	}
	a.Path = entityPath(r.PathValue("entity"))
	d := &entityData{asked: a}
	v := &view{template: "entity", title: r.PathValue("entity"), section: "search", data: d}
	if err := d.ask(r.Context(), u, r.PathValue("entity")); err != nil {
		if varve.KindOf(err) == varve.NotFound {
			return nil, err
		}
		if d.Trouble, v.status, err = troubleOf(message.From(r.Context()), err, a.Q.Get("q")); err != nil {
			return nil, err
		}
	}
	if d.Entity != nil {
		v.title = d.Label
	}
	return v, nil
}

func (d *entityData) ask(ctx context.Context, u *UI, id string) error {
	if u.cfg.Texts == nil {
		return noTexts()
	}
	collections, params := d.Q.Get("collection"), d.copy()
	points, bucket, err := u.trendOf(ctx, collections, fulltext.Query{}, fulltext.Bucket(params.Get("bucket")))
	if err != nil {
		return err
	}
	params.Set("bucket", string(bucket))
	q, err := search.ParseEntity(id, params)
	if err != nil {
		return err
	}
	q.EntityReader = u.entityReader(ctx)
	if q.Limit <= 0 || q.Limit > resultsShown {
		q.Limit = resultsShown
	}
	if d.Entity, err = search.AskEntity(ctx, u.cfg.Texts, u.cfg.Linkers, collections, q); err != nil {
		return err
	}
	for _, other := range []fulltext.Bucket{fulltext.ByDay, fulltext.ByMonth, fulltext.ByYear} {
		if len(points) > 0 && spanOf(other, points[0].At, points[len(points)-1].At) < mostBuckets {
			d.Other = append(d.Other, viewLink{d.say.Word(string(other)), d.with("bucket", string(other)), other == bucket})
		}
	}
	d.fill()
	if err := d.called(ctx, u); err != nil {
		return err
	}
	return d.passages(ctx, u)
}

// entityReader says what of entities that curators made whoever asks is not told.
func (u *UI) entityReader(ctx context.Context) search.EntityReader {
	return search.EntityReader{Outside: !u.cfg.NewPersons && access.From(ctx).Outside(), Reader: u.withholds(ctx)}
}

// called adds names that texts of the collections may have had for it before, or since, and that are none of those that were linked.
func (d *entityData) called(ctx context.Context, u *UI) error {
	ask := u.called(d.calledIn())
	known := map[string]bool{strings.ToLower(d.Label): true}
	names := []string{d.Label}
	for _, n := range d.Names {
		known[strings.ToLower(n.Name)] = true
		names = append(names, n.Name)
	}
	for _, n := range names[:min(len(names), 6)] {
		list, err := ask(ctx, n)
		if err != nil {
			return err
		}
		for _, x := range list {
			if key := strings.ToLower(x.Name); !known[key] {
				known[key] = true
				o := newOtherName(d.say, x, n)
				o.Href = address("/search", values("collection", x.Collection, "q", `"`+strings.ReplaceAll(x.Name, `"`, " ")+`"`))
				d.Called = append(d.Called, o)
			}
		}
	}
	return nil
}

// found is the address of the search for versions that name the entity, of one bucket if it is named.
func (d *entityData) found(facet, value, bucket string) string {
	q := d.copy("bucket", "cursor", "limit")
	q.Add("facet", facet+":"+value)
	if bucket != "" {
		q.Del("asof")
		q.Set("from", bucket)
		q.Set("to", bucket)
		q.Set("relation", string(fulltext.Begins))
	}
	return address("/search", q)
}

func (d *entityData) fill() {
	value := annotate.EntityValue(d.ID, d.Label)
	d.Versions = d.found(annotate.EntityFacet, value, "")
	d.Said = d.say.Text("Of {0} that may be seen, {1} name it.", d.say.Count(d.Of, "version"), d.say.Number(d.Total))
	if !d.AsOf.IsZero() {
		d.Said = d.say.Text("Of {0} that may be seen, {1} name it and were online at {2}.", d.say.Count(d.Of, "version"), d.say.Number(d.Total), instant(d.say, d.AsOf))
	}
	d.facts()
	if len(d.Points) > 0 {
		d.Axis = bucketAxis(d.say, d.Bucket, d.Points[0].At, d.Points[len(d.Points)-1].At)
	}
	d.Bars = d.bars(d.Points, func(name string) string { return d.found(annotate.EntityFacet, value, name) })
	for _, n := range d.Names {
		called := annotate.CalledValue(d.ID, n.Name)
		t := nameThrough{EntityName: n, Href: d.found(annotate.CalledFacet, called, ""), Span: bucketName(d.Bucket, n.First)}
		if !n.Last.Equal(n.First) {
			t.Span = d.say.Text("{0} to {1}", t.Span, bucketName(d.Bucket, n.Last))
		}
		t.Bars = d.bars(n.Points, func(name string) string { return d.found(annotate.CalledFacet, called, name) })
		t.Chart = n.Name + ": " + t.Span
		d.Through = append(d.Through, t)
	}
	for _, n := range d.Entity.Opinions {
		j := judgedName{OpinionName: n, Href: address("/opinions", values("about", n.Name, "collection", d.Q.Get("collection")))}
		narrowed := func(op string, than float64) string {
			q := d.copy("bucket", "cursor", "limit")
			q.Set("q", search.Narrow(q.Get("q"), search.JudgedSo(op, than, n.Name)))
			q.Add("facet", annotate.EntityFacet+":"+value)
			return address("/search", q)
		}
		j.ForHref, j.Anti = narrowed(">=", search.InFavour), narrowed("<=", search.Against)
		d.Judged = append(d.Judged, j)
	}
	d.Graph = d.graph()
	d.Opinions = address("/opinions", values("about", d.Label, "collection", d.Q.Get("collection")))
	d.Told = address("/facts", values("of", d.Label, "collection", d.Q.Get("collection")))
	q := d.copy("cursor")
	q.Set("bucket", string(d.Bucket))
	d.JSON = address("/api/entities/"+url.PathEscape(d.ID), q)
	if d.Q.Get("cursor") != "" {
		d.First = d.with("cursor")
	}
	if d.Cursor != "" {
		q := d.copy()
		q.Set("cursor", d.Cursor)
		d.Next = address(d.Path, q)
	}
}

// bars draws the versions of each bucket; the highest has full height.
func (d *entityData) bars(points []search.TrendPoint, to func(name string) string) (out []entityBar) {
	most := int64(1)
	for _, p := range points {
		most = max(most, p.Hits)
	}
	for _, p := range points {
		if p.Hits == 0 {
			continue
		}
		h, x := max(4, 100*float64(p.Hits)/float64(most)), d.Axis.At(p.At)
		b := entityBar{X: x, W: d.Axis.At(d.Bucket.End(p.At)) - x, Y: 100 - h, H: h, Name: bucketName(d.Bucket, p.At), TrendPoint: p}
		b.Href = to(b.Name)
		out = append(out, b)
	}
	return out
}

// hierarchy writes classes above another from the nearest on, those of one step with commas between them: "Films by year › Films".
func hierarchy(list []search.EntityClass) string {
	var b strings.Builder
	for i, c := range list {
		switch {
		case i == 0:
		case c.Steps != list[i-1].Steps:
			b.WriteString(" › ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(c.Label)
	}
	return b.String()
}

// facts lists what the base knows.
func (d *entityData) facts() {
	k := d.Known
	if k == nil {
		return
	}
	add := func(name, value, href string) {
		if value != "" {
			d.Facts = append(d.Facts, knownFact{name, value, href})
		}
	}
	for _, kind := range d.Kinds {
		add(d.say.Text("[entity]|is"), kind.Label, entityPath(kind.ID))
		add(d.say.Text("[entity]|which is"), hierarchy(kind.Above), "")
	}
	if k.Existence != (entity.Existence{}) {
		add(d.say.Text("existed"), cmp.Or(k.Existence.From.String(), "?")+" – "+k.Existence.Until.String(), "")
	}
	if k.Place != nil {
		add(d.say.Text("lies at"), fmt.Sprintf("%.4f, %.4f", k.Place.Latitude, k.Place.Longitude), "")
	}
	var names []string
	for _, n := range k.Names[:min(len(k.Names), namesShown)] {
		names = append(names, n.Text)
	}
	add(d.say.Text("names in the base"), strings.Join(names, ", "), "")
	add(d.say.Text("[entity]|id"), strings.Join(append([]string{k.ID}, k.IDs[:min(len(k.IDs), namesShown)]...), ", "), "")
}

// graph places the companions on an ellipse around the entity, the most frequent at the right and then clockwise.
func (d *entityData) graph() (g entityGraph) {
	if len(d.Companions) == 0 {
		return g
	}
	const cx, cy, rx, ry = graphWidth / 2, graphHeight / 2, graphWidth * 0.27, graphHeight * 0.39
	most := float64(d.Companions[0].Count)
	width := func(n int64) float64 { return 1 + 5*float64(n)/most }
	for i, c := range d.Companions {
		at := 2 * math.Pi * (float64(i) + 0.5) / float64(len(d.Companions))
		n := graphNode{X: cx + rx*math.Cos(at), Y: cy + ry*math.Sin(at), R: 5 + 7*math.Sqrt(float64(c.Count)/most), Anchor: "start", Label: short(c.Label, labelChars), Count: c.Count, Via: strings.Join(c.Via, ", ")}
		if n.X < cx {
			n.Anchor = "end"
		}
		n.TextY = n.Y + 4
		q := d.copy("cursor")
		n.Href = address(entityPath(c.ID), q)
		g.Nodes = append(g.Nodes, n)
	}
	for _, p := range d.Pairs {
		a, b := g.Nodes[p.A], g.Nodes[p.B]
		g.Lines = append(g.Lines, graphLine{a.X, a.Y, b.X, b.Y, width(p.Count) / 2})
	}
	for _, n := range g.Nodes {
		g.Lines = append(g.Lines, graphLine{cx, cy, n.X, n.Y, width(n.Count)})
	}
	return g
}

// TextX is where the label begins or ends.
func (n graphNode) TextX() float64 {
	if n.Anchor == "end" {
		return n.X - n.R - 4
	}
	return n.X + n.R + 4
}

// Middle is where the entity itself is.
func (entityGraph) Middle() (m graphNode) {
	return graphNode{X: graphWidth / 2, Y: graphHeight / 2, R: 13}
}

// passages makes the passages readable, each with its place in replay.
func (d *entityData) passages(ctx context.Context, u *UI) error {
	list, err := u.hits(ctx, &d.asked, d.Entity.Passages)
	if err != nil {
		return err
	}
	for _, h := range list {
		base := u.replay(h.Collection, holdings.IndexedCapture{Capture: varve.Capture{URL: h.URL, Time: h.From}}, "if_")
		one := entityHit{hitView: h, Passage: base}
		for _, p := range h.Snippet {
			if p.Hit && base != "" {
				one.Passage = passage(base, "", mark{Text: p.Text})
				break
			}
		}
		d.Hits = append(d.Hits, one)
	}
	return nil
}

// Kept are the fields of the page that its form does not show.
func (d entityData) Kept() []field { return d.kept("asof", "collection", "q", "cursor") }

// Until is the day of the question, for the form.
func (d entityData) Until() string {
	if d.AsOf.IsZero() {
		return ""
	}
	return d.AsOf.UTC().Format(time.DateOnly)
}
