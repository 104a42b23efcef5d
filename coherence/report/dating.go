package report

import (
	"net/http"
	"slices"
	"time"

	"varve/coherence/evidence"
	"varve/text/dating"
	"varve/text/layer"
)

// Dates knows how far the dates of each host are to be trusted, by what their captures showed: content
// changes if and only if the stamp moves. Trust is learnt twice, since a date may be right about what
// people read and wrong about the bytes.
type Dates struct {
	text  map[string]dating.Host // content is the visible text
	bytes map[string]dating.Host // content is the bytes
}

// LearnDates learns from the captures of a crawl, or from all of the set if crawl is empty. Memory grows
// with the number of hosts, about 2 kB each.
func LearnDates(set *evidence.Set, crawl string) (*Dates, error) {
	d := &Dates{text: map[string]dating.Host{}, bytes: map[string]dating.Host{}}
	for page, err := range set.Pages() {
		if err != nil {
			return nil, err
		}
		d.learn(page, crawl)
	}
	return d, nil
}

func (d *Dates) learn(page *evidence.History, crawl string) {
	host := hostOf(page.URL)
	text, bytes := hostIn(d.text, host), hostIn(d.bytes, host)
	var last *evidence.Observation
	for i := range page.Captures {
		c := &page.Captures[i]
		if crawl != "" && c.Crawl != crawl || !c.Plain() || !c.OK() || c.Layers == nil || c.NotModified { // a 304 says nothing that was looked at
			continue
		}
		if last == nil {
			addStamps(text, c)
			addStamps(bytes, c)
		} else {
			cmp := layer.Compare(last.Layers, c.Layers, layer.Config{})
			addRevisit(text, last, c, !cmp.Equal.Has(layer.Text))
			addRevisit(bytes, last, c, !cmp.Equal.Has(layer.Bytes))
		}
		last = c
	}
}

func hostIn(hosts map[string]dating.Host, name string) dating.Host {
	h := hosts[name]
	if h == nil {
		h = dating.Host{}
		hosts[name] = h
	}
	return h
}

func addStamps(h dating.Host, c *evidence.Observation) {
	for s, f := range stampsOf(c) {
		if h[s] == nil {
			h[s] = &dating.Trust{}
		}
		h[s].AddStamp(f.Time, dating.Sight(f.Date, c.Time, httpText(c.ServerDate)) == "")
	}
}

func addRevisit(h dating.Host, a, b *evidence.Observation, changed bool) {
	before := stampsOf(a)
	for s, f := range stampsOf(b) {
		if old, ok := before[s]; ok {
			if h[s] == nil {
				h[s] = &dating.Trust{}
			}
			h[s].AddRevisit(changed, !f.Time.Equal(old.Time))
		}
	}
}

// stampsOf gives the newest stamp of each source.
func stampsOf(c *evidence.Observation) map[dating.Source]evidence.Stamp {
	out := map[dating.Source]evidence.Stamp{}
	if t := c.LastModified; !t.IsZero() {
		out[dating.LastModified] = evidence.Stamp{Date: dating.Date{Time: t, Earliest: t, Latest: t, Source: dating.LastModified}}
	}
	for _, s := range c.Stamps {
		if old, ok := out[s.Source]; !ok || s.Time.After(old.Time) {
			out[s.Source] = s
		}
	}
	return out
}

func httpText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(http.TimeFormat)
}

// Dating is when a capture's content came to be, by what its server and page say.
type Dating struct {
	dating.Date           // of the content that people read
	Exact       time.Time // of the bytes: the Last-Modified of a host that is trusted about them; zero for none
}

// stated are the sources by which a server or a page says when it last changed.
var stated = []dating.Source{
	dating.LastModified, dating.Meta, dating.JSONLD, dating.Microdata, dating.Sitemap, dating.Footer, dating.Newest, dating.TimeElement,
}

// Of dates a capture. previous is the capture before it, if there is one.
func (d *Dates) Of(c, previous *evidence.Observation) Dating {
	if d == nil || c.Missing() {
		return Dating{}
	}
	host := hostOf(c.URL)
	v := visitOf(c)
	if previous != nil && previous.Layers != nil && c.Layers != nil && !c.NotModified {
		cmp := layer.Compare(previous.Layers, c.Layers, layer.Config{})
		v.Previous = &dating.Previous{At: previous.Time, Same: cmp.Equal.Has(layer.Text)}
	}
	var out Dating
	out.Date, _ = dating.Of(v, d.text[host])
	v.Stamps = dating.Stamps{}
	if exact, _ := dating.Of(v, d.bytes[host]); exact.Source == dating.LastModified {
		out.Exact = exact.Latest
	}
	return out
}

// visitOf says in the terms of package dating what is known of a capture, all times by the crawler's
// clock: where that of the server is clearly another, its dates are moved by the difference.
func visitOf(c *evidence.Observation) dating.Visit {
	shift := time.Duration(0)
	if d := c.Time.Sub(c.ServerDate); !c.ServerDate.IsZero() && d.Abs() > maxLatency {
		shift = d
	}
	move := func(t time.Time) time.Time {
		if t.IsZero() {
			return t
		}
		return t.Add(shift)
	}
	v := dating.Visit{At: c.Time, Date: httpText(move(c.ServerDate)), LastModified: httpText(move(c.LastModified))}
	for _, s := range c.Stamps {
		s.Time, s.Earliest, s.Latest = move(s.Time), move(s.Earliest), move(s.Latest)
		v.Stamps.List = append(v.Stamps.List, s)
	}
	return v
}

// maxLatency is by how much a Date may differ from the time of the request while both clocks are right.
const maxLatency = 2 * time.Second

// Trusted gives the latest instant at which the content may have changed, on a layer; zero if no date is
// trusted. A date in the content is about the main text, a Last-Modified about all that is read, and what
// holds of the bytes holds of every layer.
func (d Dating) Trusted(n layer.Name) time.Time {
	about := stated
	switch n {
	case layer.Bytes, layer.DOM:
		return d.Exact
	case layer.Main, layer.Near:
	default:
		about = stated[:1]
	}
	if !slices.Contains(about, d.Source) {
		return d.Exact
	}
	if !d.Exact.IsZero() && d.Exact.Before(d.Latest) {
		return d.Exact
	}
	return d.Latest
}
