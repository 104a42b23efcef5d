package crawl

import (
	"math/rand/v2"
	"path"
	"strings"
	"sync"

	"varve/crawl/frontier"
	"varve/text/near"
	"varve/web/canon"
	"varve/web/links"
)

// Bounds of what is remembered to tell pages that look alike.
const (
	nearThreshold = 0.9    // resemblance from which two pages are near-duplicates
	nearTexts     = 10_000 // texts compared with
	maxProbes     = 10_000 // hosts
	maxSuspects   = 20     // pages of a host that wait for its probe
	trapSample    = 16     // of so many pages without a query one is looked at for traps
	maxErrorPage  = 4000   // characters of text; a page with more is not an error page
)

// probeMeta marks the URL of a probe in the frontier.
const probeMeta = "probe"

// likeness watches for pages that say nothing of their own: near-duplicates behind ever new URLs,
// and error pages that answer with status 200 (soft 404). It only notes; nothing is thrown away.
//
// Soft 404: when a page talks like an error page, its host is asked once for a page that cannot
// exist. A host that answers this with an error is honest. With any other, each page is compared
// with that answer.
type likeness struct {
	mu     sync.Mutex
	index  *near.Index
	urls   map[uint64]string
	next   uint64
	probes map[string]*probe // by host queue
}

type probe struct {
	answer   near.Answer
	answered bool
	lying    bool
	waiting  []near.Answer
}

func newLikeness() *likeness {
	return &likeness{index: near.NewIndex(nearThreshold, nearTexts), urls: map[uint64]string{}, probes: map[string]*probe{}}
}

// nearDuplicate gives the URL that a page nearly repeats, or "".
func (l *likeness) nearDuplicate(url, text string) string {
	f := near.Of(text)
	if f.Tokens < 20 {
		return "" // too short to say anything
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next++
	m, known := l.index.Add(l.next, &f.Minhash)
	if known {
		return l.urls[m.ID]
	}
	if len(l.urls) >= 2*nearTexts {
		clear(l.urls) // the index has forgotten half of them; the others lose their names
	}
	l.urls[l.next] = strings.Clone(url)
	return ""
}

// errorWords are what pages say that should have had status 404, in lower case.
var errorWords = []string{
	"404", "not found", "page not found", "does not exist", "no longer available", "nicht gefunden", "existiert nicht",
	"introuvable", "no encontrada", "no existe", "non trovata", "não encontrada", "niet gevonden", "nie znaleziono", "hittades inte",
}

// talksOfError tells whether a page's title, or the start of its text, sounds like an error page.
func talksOfError(title, text string) bool {
	sample := strings.ToLower(title + " " + clipText(text, 300))
	for _, w := range errorWords {
		if strings.Contains(sample, w) {
			return true
		}
	}
	return false
}

// watches tells whether the texts of a host are compared with that of its error page.
func (l *likeness) watches(host string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.probes[host]
	return p != nil && (!p.answered || p.lying)
}

// judge looks at a page. It gives a note for its metadata, and a probe to be queued.
func (l *likeness) judge(v *Visit, info links.Info) (soft string, ask bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.probes[v.item.Host]
	if p == nil {
		if info.TextLen > maxErrorPage || !talksOfError(info.Title, info.Text) || len(l.probes) >= maxProbes {
			return "", false
		}
		p = &probe{}
		l.probes[v.item.Host] = p
		ask = true
	}
	if p.answered && !p.lying {
		return "", false
	}
	page := near.AnswerOf(v.url.String(), v.url.String(), v.status, info.Text)
	if !p.answered {
		if len(p.waiting) < maxSuspects {
			p.waiting = append(p.waiting, page)
		}
		return "", ask
	}
	_, why := near.SoftNotFound(page, p.answer)
	return why, false
}

// learn takes the answer to a probe and gives the pages that waited for it and are soft 404s.
func (l *likeness) learn(host string, answer near.Answer) map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.probes[host]
	if p == nil {
		p = &probe{}
		l.probes[host] = p
	}
	p.answer, p.answered, p.lying = answer, true, answer.Status >= 200 && answer.Status < 300
	found := map[string]string{}
	for _, page := range p.waiting {
		if soft, why := near.SoftNotFound(page, answer); soft {
			found[page.URL] = why
		}
	}
	p.waiting = nil
	return found
}

// wantsText tells whether somebody looks at the whole text of a page: the scorer, rules on languages, the watch on
// near-duplicates, traps and hosts that lie. Else its start will do.
func (w *Worker) wantsText(v *Visit) bool {
	return len(w.r.stages.scorers) > 0 || w.r.scope.Load().Asks("language") || v.url.HasQuery() || v.isProbe() || w.sampled() || w.r.alike.watches(v.item.Host)
}

// sampled tells the pages without a query in their URL that the watch on traps looks at.
func (w *Worker) sampled() bool { return w.pages%trapSample == 0 }

// watchLikeness looks at a fetched page: for the watch on traps, for near-duplicates, for soft 404s.
// Fingerprints cost more than the rest of a visit, so they are taken where they say something: of
// pages with a query in their URL, of a sample of the others for the traps, of hosts that lie.
func (w *Worker) watchLikeness(v *Visit, info links.Info) {
	if v.isProbe() {
		w.learnProbe(v, info)
		return
	}
	sampled := w.sampled()
	w.pages++
	if !v.isPage() || info.Text == "" {
		return
	}
	if v.url.HasQuery() || sampled {
		hash, tokens := near.SimhashOf(info.Text)
		w.r.traps.Page(v.url, hash, tokens)
	}
	if v.url.HasQuery() {
		if of := w.r.alike.nearDuplicate(v.item.URL, info.Text); of != "" {
			w.r.tally.count(nearDuplicates)
			w.metaField("near-duplicate-of", of)
		}
	}
	soft, ask := w.r.alike.judge(v, info)
	if soft != "" {
		w.softNotFound(v, soft)
	}
	if ask {
		w.queueProbe(v)
	}
}

// isProbe reports whether a visit asks how a host answers, and is no page of the crawl: for a page that cannot exist, or for one twice.
func (v *Visit) isProbe() bool { return string(v.item.Meta) == probeMeta || v.isTwin() }

// learnProbe takes the answer to a probe, whatever it was.
func (w *Worker) learnProbe(v *Visit, info links.Info) {
	answer := near.AnswerOf(v.url.String(), v.url.String(), v.status, info.Text)
	for url, why := range w.r.alike.learn(v.item.Host, answer) {
		w.r.softNotFound(url, why)
	}
}

// softNotFound notes a visit as soft 404.
func (w *Worker) softNotFound(v *Visit, why string) {
	v.soft = true
	w.r.softNotFound(v.item.URL, why)
	w.metaField("soft-404", why)
}

func (r *Run) softNotFound(url, why string) {
	r.tally.count(softNotFounds)
	r.events.add("soft-404", "url", url, "why", why)
}

// queueProbe asks the host of a page for a page beside it that cannot exist. Politeness and
// robots.txt hold for it as for any URL.
func (w *Worker) queueProbe(v *Visit) {
	folder, file := path.Split(v.url.Path())
	u, err := canon.Parse(v.url.Origin() + near.ProbePath(folder, rand.Uint64(), path.Ext(file)))
	if err != nil {
		return
	}
	v.links = append(v.links, frontier.Item{
		Key: u.FrontierKey(), URL: u.String(), Host: u.HostPort(), Domain: canon.PayLevelDomain(u.Host()),
		Via: v.item.URL, HopPath: v.item.HopPath + "P", Band: BandPart, Score: 1, Depth: v.item.Depth, Meta: []byte(probeMeta),
	})
}
