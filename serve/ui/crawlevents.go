package ui

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/serve/review"
)

// eventsData is what the table of events of a crawl shows.
type eventsData struct {
	*crawlData
	*review.Events
	Names    []eventName
	Words    string
	Since    string
	Until    string
	Older    string // address of the next page
	First    bool
	Bars     []eventBar
	Filtered bool
	Trouble  string
}

// eventName is a name of events that can be chosen.
type eventName struct {
	review.EventCount
	Chosen bool
	Href   string // to choose it, or to choose it no more
}

// eventBar is a stretch of time in the graph, in percent of its width and height.
type eventBar struct {
	review.EventStep
	X, W, Y, H float64
}

// eventsPage is how many events a page of the table has.
const eventsPage = 100

// crawlEvents lists what happened in a crawl.
func (u *UI) crawlEvents(r *http.Request) (*view, error) {
	c, err := u.crawlData(r)
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	d := &eventsData{crawlData: c, Words: q.Get("q"), Since: q.Get("from"), Until: q.Get("to"), First: q.Get("cursor") == ""}
	d.Tab = "events"
	d.Filtered = d.Words != "" || d.Since != "" || d.Until != "" || len(q["event"]) > 0
	ask := review.EventQuery{Kinds: q["event"], Words: d.Words, Limit: eventsPage}
	ask.Before, _ = strconv.ParseInt(q.Get("cursor"), 10, 64) // what is no place is the newest
	for _, f := range []struct {
		text *string
		to   *time.Time
		add  time.Duration
	}{{&d.Since, &ask.From, 0}, {&d.Until, &ask.To, time.Minute - 1}} {
		if *f.text == "" {
			continue
		}
		at, err := time.Parse("2006-01-02T15:04", *f.text)
		if err != nil {
			d.Trouble, *f.text = *f.text, "" // a field for times takes nothing else
			continue
		}
		*f.to = at.Add(f.add)
	}
	over, err := u.veil(r, &view{})
	if err != nil {
		return nil, err
	}
	ask.Shown = over.Event
	if d.Events, err = review.EventsOf(r.Context(), c.Dir(), ask); err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "read the events of crawl " + c.ID, Err: err, Hint: "the WARC files are not affected"}
	}
	here := func(q url.Values) string { return crawlPath(c.Crawl) + "/events?" + q.Encode() }
	if d.Next > 0 {
		next := cloneValues(q)
		next.Set("cursor", strconv.FormatInt(d.Next, 10))
		d.Older = here(next)
	}
	for _, n := range d.Kinds {
		chosen := slices.Contains(ask.Kinds, n.Event)
		other := cloneValues(q)
		other.Del("cursor")
		names := slices.Clone(q["event"])
		if chosen {
			names = slices.DeleteFunc(names, func(e string) bool { return e == n.Event })
		} else {
			names = append(names, n.Event)
		}
		other["event"] = names
		d.Names = append(d.Names, eventName{n, chosen, here(other)})
	}
	d.draw()
	return &view{template: "events", title: "Events of crawl " + c.ID, section: "crawls", data: d}, nil
}

// draw makes the graph.
func (d *eventsData) draw() {
	most := int64(1)
	for _, s := range d.Steps {
		most = max(most, s.Count)
	}
	const fewest = 20 // bars that there is place for, so that one alone is none as wide as the page
	w := 100 / float64(max(fewest, len(d.Steps)))
	for i, s := range d.Steps {
		h := 100 * float64(s.Count) / float64(most)
		d.Bars = append(d.Bars, eventBar{s, float64(i) * w, 0.9 * w, 100 - h, h})
	}
}

// Begin is the first instant of the graph.
func (d *eventsData) Begin() time.Time { return d.Steps[0].From }

// End is the last instant of the graph.
func (d *eventsData) End() time.Time { return d.Steps[len(d.Steps)-1].From.Add(d.Step) }

// Chosen are the names in force, for the form.
func (d *eventsData) Chosen() (list []string) {
	for _, n := range d.Names {
		if n.Chosen {
			list = append(list, n.Event)
		}
	}
	return list
}

// Kind says how loud an event is: what went wrong, what somebody did, and the rest.
func (d *eventsData) Kind(event string) string {
	switch {
	case strings.Contains(event, "fail"), strings.Contains(event, "error"), strings.Contains(event, "damage"), strings.Contains(event, "silent"):
		return "bad"
	case slices.Contains([]string{"paused", "stopping", "scope", "limits", "priority", "urls"}, event):
		return "warn"
	}
	return "plain"
}
