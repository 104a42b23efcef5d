package plan

import (
	"iter"
	"time"

	"varve/archive/history"
	"varve/coherence/changerate"
	"varve/text/layer"
)

// Known is what is known of a page when its visit is planned.
type Known struct {
	Key, URL string
	Hint     changerate.Hint // of sitemaps
	Entry    *history.Entry  // of earlier crawls; nil: never seen
}

// Rates tells how often a page changes; a rate that is not known counts as the prior.
type Rates interface {
	Rate(Known) changerate.Rate
}

// PriorRate is that of pages of which nothing at all is known: once in 30 days, about the median
// that studies of the public web found.
const PriorRate = 1.0 / (30 * 24 * 3600)

// Estimated gives rates from earlier crawls, sitemaps and, where it has one, a forecaster.
type Estimated struct {
	changerate.Estimator
	Trusts func(*history.Entry) bool // whether the Last-Modified of a page can be believed; nil: never
}

// Rate joins what is known.
func (e *Estimated) Rate(k Known) changerate.Rate {
	facts := changerate.Facts{Page: changerate.Page{URL: k.URL}, Hint: k.Hint}
	if k.Entry != nil {
		facts.Page.MIME = k.Entry.MIME
		facts.Visits, facts.Older = Observations(k.Entry)
		if n := len(facts.Visits); n > 0 && e.Trusts != nil && e.Trusts(k.Entry) {
			facts.Visits[n-1].Modified, _ = time.Parse(time.RFC1123, k.Entry.LastModified)
		}
	}
	return e.Estimator.Rate(facts)
}

// Observations reads the history of a page as a change-rate estimator wants it: by its visible text where
// two visits have it, else by its payload.
func Observations(e *history.Entry) ([]changerate.Observation, []changerate.Comparison) {
	text, payload := e.Layer(string(layer.Text)), e.Layer("sha1")
	out := make([]changerate.Observation, 0, len(e.Changes))
	for _, c := range e.Changes {
		if c.Status >= 400 {
			continue
		}
		o := changerate.Observation{At: c.At}
		switch {
		case text >= 0 && c.Compared.Has(text):
			o.Compared, o.Changed = true, c.Changed.Has(text)
		case payload >= 0 && c.Compared.Has(payload):
			o.Compared, o.Changed = true, c.Changed.Has(payload)
		}
		out = append(out, o)
	}
	if payload < 0 || payload >= len(e.Older.Layers) {
		return out, nil
	}
	n := e.Older.Layers[payload]
	return out, changerate.Folded(n.Compared, n.Changed, e.Older.To.Sub(e.First))
}

// rateOf asks for the rate of a page that was found, and how long ago it was fetched last.
func (c *Stage) rateOf(a arrival, now time.Time) (changerate.Rate, time.Duration) {
	k := Known{Key: a.key, URL: a.url, Hint: changerate.Hint{Changefreq: a.found.freq}}
	if !a.found.modified.IsZero() {
		k.Hint.Lastmods = []changerate.Lastmod{{Seen: now, Modified: a.found.modified}}
	}
	var age time.Duration
	if e, ok, err := c.r.History().Lookup(a.key); ok && err == nil {
		k.Entry, age = &e, max(0, now.Sub(e.Last))
	}
	return c.rates.Rate(k), age
}

// sourceOf names where a rate comes from.
func sourceOf(r changerate.Rate) string {
	if !r.Known() {
		return "prior"
	}
	return string(r.Source)
}

// lister is a history that can be gone through.
type lister interface {
	Entries(prefix string) iter.Seq2[history.Entry, error]
}

// maxEarlier bounds how many pages of an earlier capture are counted.
const maxEarlier = 1_000_000

// countEarlier tells how many pages of a host earlier crawls found there.
func (c *Stage) countEarlier(host string) (n int) {
	h, ok := c.r.History().(lister)
	if !ok {
		return 0
	}
	for _, scheme := range [...]string{"http://", "https://"} {
		for e, err := range h.Entries(scheme + host + "/") {
			if err != nil || n >= maxEarlier {
				break
			}
			if e.Status < 400 {
				n++
			}
		}
	}
	return n
}
