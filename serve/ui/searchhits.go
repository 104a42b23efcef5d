package ui

import (
	"context"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/derive"
	"varve/index/fulltext"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/strip"
)

// hitView is a result with the history of its page and the ways on from it.
type hitView struct {
	fulltext.Hit
	say      *message.Language
	Kept     string // why readers do not see it, for curators
	In       string // title of the collection; empty if there is no other
	Open     string // replay
	Document string
	Page     string      // all captures
	Compare  string      // with the version before
	Strip    strip.Strip // all versions of the page
	Versions int
	More     bool // there are more versions than were looked at
	First    time.Time
	Seen     time.Time // of the page, last
	Same     []altView // other versions of the page that fit
	Near     []altView // other pages that say nearly the same
}

// Elsewhere tells where the words are if the text does not have them.
func (v hitView) Elsewhere() string {
	if len(v.Where) == 0 || slices.Contains(v.Where, "text") {
		return ""
	}
	var out []string
	for _, w := range v.Where {
		out = append(out, map[string]string{"title": v.say.Text("its title"), "anchor": v.say.Text("links to it"), "url": v.say.Text("its address")}[w])
	}
	return strings.Join(out, " "+v.say.Text("and")+" ")
}

// altView is a result that stands under a better one.
type altView struct {
	fulltext.Hit
	Open, Document, Compare string
}

// versionsOfHit bounds the versions of a page that its strip shows.
const versionsOfHit = 120

// hits makes results readable: each with the versions of its page.
func (u *UI) hits(ctx context.Context, a *asked, list []fulltext.Hit) ([]hitView, error) {
	sources, err := u.cfg.Texts.Sources(ctx)
	if err != nil {
		return nil, err
	}
	from := map[string]fulltext.Source{}
	for _, s := range sources {
		from[s.Name] = s
	}
	kept, err := u.fromReaders(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]hitView, 0, len(list))
	for _, h := range list {
		v := hitView{Hit: h, say: a.say, Open: u.hitReplay(h), Document: documentPath(h.Collection, h.URL, h.From), Page: pagePath(h.Collection, h.URL), First: h.From, Seen: h.Last}
		if kept != nil {
			v.Kept = kept(h.Collection, h.URL, h.From)
		}
		if len(a.All) > 1 {
			v.In = a.valueLabel("collection", h.Collection)
		}
		if s, ok := from[h.Collection]; ok {
			versions, err := s.Index.Versions(h.SURT, s.View, versionsOfHit+1)
			if err != nil {
				return nil, &varve.Error{Kind: varve.Unavailable, Op: "read the versions of " + h.URL, Err: err, Hint: "varve index --rebuild --collection " + h.Collection}
			}
			v.history(versions)
		}
		for _, other := range h.Alike {
			alt := altView{Hit: other, Open: u.hitReplay(other), Document: documentPath(other.Collection, other.URL, other.From)}
			if other.SURT == h.SURT && other.Collection == h.Collection {
				alt.Compare = compareTimes(h.Collection, h.URL, earlier(h.From, other.From), later(h.From, other.From))
				v.Same = append(v.Same, alt)
			} else {
				v.Near = append(v.Near, alt)
			}
		}
		out = append(out, v)
	}
	// All results stand on one axis: what is below each other was online at the same time.
	var bands [][]strip.Band
	for i := range out {
		bands = append(bands, out[i].Strip.Bands)
	}
	for i, axis := 0, strip.Over(bands...); i < len(out); i++ {
		axis.Dates = axisIn(a.say).Dates
		out[i].Strip.Axis = axis
	}
	return out, nil
}

// history adds what the versions of the page tell.
func (v *hitView) history(list []derive.VersionRow) {
	if len(list) > versionsOfHit {
		list, v.More = list[:versionsOfHit], true
	}
	v.Versions = len(list)
	if len(list) == 0 {
		return
	}
	v.First, v.Seen = list[0].From, list[len(list)-1].Last
	at := -1
	for i := range list {
		if list[i].From.Equal(v.From) {
			at = i
		}
	}
	if at > 0 {
		v.Compare = compareTimes(v.Collection, v.URL, list[at-1].From, v.From)
	} else if len(list) > 1 {
		v.Compare = compareTimes(v.Collection, v.URL, v.From, list[1].From)
	}
	if len(list) > 1 {
		v.Strip = textStrip(v.say, v.Collection, v.URL, list, at)
	}
}

// textStrip is the history of a page by its texts.
func textStrip(l *message.Language, collection, target string, list []derive.VersionRow, at int) strip.Strip {
	bands := make([]strip.Band, 0, len(list))
	for i := range list {
		x := &list[i]
		until := later(x.Until, x.Last)
		bands = append(bands, strip.Band{
			From: x.From, Seen: x.Last, To: until, Href: documentPath(collection, target, x.From), Here: i == at,
			Title: l.Text("version {0} of {1}", i+1, len(list)) + " · " + l.Text("{0} to {1}", l.Day(x.From), l.Day(until)) + " · " + l.Count(x.Captures, "capture"),
		})
	}
	return versionStrip(l, target, 9, bands)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Addresses that lead on from a version.

func documentPath(collection, target string, at time.Time) string {
	return address("/document", values("collection", collection, "url", target, "time", at.UTC().Format(time.RFC3339Nano)))
}

func pagePath(collection, target string) string {
	return address(collectionPath(collection)+"/page", values("url", target))
}

func compareTimes(collection, target string, a, b time.Time) string {
	one := func(t time.Time) holdings.IndexedCapture {
		return holdings.IndexedCapture{Capture: varve.Capture{Time: t}}
	}
	return comparePath(collection, target, one(a), one(b), "")
}

// hitReplay is where a version is shown again, as it was first captured.
func (u *UI) hitReplay(h fulltext.Hit) string {
	return u.replayURL(h.Collection, holdings.IndexedCapture{Capture: varve.Capture{URL: h.URL, Time: h.From}})
}
