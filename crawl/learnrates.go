package crawl

import (
	"strings"
	"time"

	"varve/archive/history"
	"varve/coherence/changerate"
	"varve/text/dating"
	"varve/web/canon"
)

// What is learnt from the history before a planned crawl: bounds on pages read and pages learnt from.
const (
	maxLearnRead     = 200_000
	maxLearnExamples = 20_000
	minLearnExamples = 20 // a predictor of fewer is no better than the prior
)

// lessons are what the history of a collection tells about the pages of a crawl that it never saw.
type lessons struct {
	hosts    map[string]*dating.Trust // of Last-Modified
	examples []changerate.Example
	read     int
}

// learnRates reads what earlier crawls saw of the hosts of the seeds: how far their Last-Modified can be believed, and a
// predictor of change rates for pages without a history.
func (r *Run) learnRates() *Estimated {
	l := &lessons{hosts: map[string]*dating.Trust{}}
	if h, ok := r.history.(lister); ok && r.fresh == nil {
		seen := map[string]bool{}
		// A seed that cannot be read is told of when the crawl opens.
		_ = r.EachSeed(func(_ string, u canon.URL) error {
			if !seen[u.HostPort()] {
				seen[u.HostPort()] = true
				l.readHost(h, u.HostPort())
			}
			return nil
		})
	}
	e := &Estimated{Trusts: l.trusts}
	if len(l.examples) < minLearnExamples {
		return e
	}
	if p, err := changerate.Train(l.examples, changerate.Config{}); err == nil {
		e.Forecaster = p
	}
	return e
}

func (l *lessons) readHost(h lister, host string) {
	for _, scheme := range [...]string{"http://", "https://"} {
		for e, err := range h.Entries(scheme + host + "/") {
			if err != nil || l.read >= maxLearnRead {
				return
			}
			l.read++
			l.trustOf(host).learn(&e)
			l.example(&e)
		}
	}
}

// example adds a page whose rate the history knows.
func (l *lessons) example(e *history.Entry) {
	visits, older := Observations(e)
	if len(l.examples) >= maxLearnExamples || e.Status >= 400 {
		return
	}
	var est changerate.Estimator
	r := est.Rate(changerate.Facts{Visits: visits, Older: older})
	if r.Compared == 0 {
		return
	}
	rate := r.Value
	if r.Changed == 0 {
		rate = 0
	}
	l.examples = append(l.examples, changerate.Example{Page: changerate.Page{URL: e.URL, MIME: e.MIME}, Rate: rate})
}

// hostTrust is what is known of the Last-Modified of a host.
type hostTrust struct{ *dating.Trust }

func (l *lessons) trustOf(host string) hostTrust {
	t := l.hosts[host]
	if t == nil {
		t = &dating.Trust{}
		l.hosts[host] = t
	}
	return hostTrust{t}
}

// learn counts the stamp of a page. The last two visits of the page tell whether it moved when the content did: a
// stamp after the visit before the last has moved since.
func (t hostTrust) learn(e *history.Entry) {
	stamp, ok := stampOf(e)
	if e.LastModified == "" {
		return
	}
	t.AddStamp(stamp, ok)
	visits, _ := Observations(e)
	if n := len(visits); ok && n >= 2 && visits[n-1].Compared {
		t.AddRevisit(visits[n-1].Changed, stamp.After(visits[n-2].At))
	}
}

// stampOf reads the Last-Modified of the last visit; ok is false when it cannot be true.
func stampOf(e *history.Entry) (time.Time, bool) {
	return dating.Modified(e.LastModified, "", e.Last)
}

// trusts tells whether the Last-Modified of a page can be believed.
func (l *lessons) trusts(e *history.Entry) bool {
	u, err := canon.Parse(e.URL)
	if err != nil {
		return false
	}
	t := l.hosts[strings.ToLower(u.HostPort())]
	if t == nil || !t.Trusted() {
		return false
	}
	_, ok := stampOf(e)
	return ok
}
