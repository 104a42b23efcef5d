package crawl

import (
	"fmt"
	"strconv"
	"strings"

	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/text/lang"
	"varve/web/canon"
	"varve/web/links"
	"varve/web/robots"
	"varve/web/wire"
)

// Scope rules are asked about a URL up to four times, each time with what is known by then:
//
//	link   it was found: URL and way, robots.txt and spam of its host where they are known, the score of the link
//	turn   it was taken: the same as it is now, and suspicions; robots.txt, once it was read
//	head   media type, and size where the head tells it: the body of what is out is not read
//	body   size, language, relevance of the page: the answer is recorded or not, its links are followed or not
//
// A rejection stands. Seeds are in whatever rules say, and so are second looks at what is held. The content of redirects and errors
// is not asked about.
type moment int

const (
	atLink moment = iota
	atTurn
	atHead
	atBody
)

// Ruled counts what a scope rule kept out, by when that was known.
type Ruled struct {
	Links    int64 `json:"links,omitempty"`    // found and not queued; each page that has them counts
	Turn     int64 `json:"turn,omitempty"`     // queued, and not asked for
	Head     int64 `json:"head,omitempty"`     // asked for; the body was not read
	Body     int64 `json:"body,omitempty"`     // read, and not recorded
	Followed int64 `json:"followed,omitempty"` // of Body: their links were followed
	Ends     int64 `json:"ends,omitempty"`     // recorded; their links were not followed
}

func (s Ruled) add(o Ruled) Ruled {
	return Ruled{s.Links + o.Links, s.Turn + o.Turn, s.Head + o.Head, s.Body + o.Body, s.Followed + o.Followed, s.Ends + o.Ends}
}

// String gives the counts in words.
func (s Ruled) String() string {
	var words []string
	for _, one := range []struct {
		n    int64
		what string
	}{
		{s.Links, "links not queued"},
		{s.Turn, "not asked for"},
		{s.Head, "by their head"},
		{s.Body, "not recorded"},
		{s.Followed, "of these followed"},
		{s.Ends, "recorded and not followed"},
	} {
		if one.n > 0 {
			words = append(words, fmt.Sprintf("%d %s", one.n, one.what))
		}
	}
	return strings.Join(words, ", ")
}

// ruling is what a rule did to a visit or to links found on it.
type ruling struct {
	label string
	Ruled
}

// ruled notes what a rule did.
func (v *Visit) ruled(d *scope.Decision, n Ruled) {
	label := d.Label()
	for i := range v.rulings {
		if v.rulings[i].label == label {
			v.rulings[i].Ruled = v.rulings[i].add(n)
			return
		}
	}
	v.rulings = append(v.rulings, ruling{label, n})
}

// ruleOut makes the visit one that a rule keeps out.
func (v *Visit) ruleOut(d *scope.Decision, at moment) *Visit {
	var n Ruled
	switch at {
	case atTurn:
		n.Turn = 1
	case atHead:
		n.Head = 1
	case atBody:
		n.Body = 1
		if d.Follows() {
			n.Followed = 1
		}
	}
	v.ruled(d, n)
	return v.refuse("scope: " + d.String())
}

// isRuled tells visits whose answers rules decide on.
func (v *Visit) isRuled() bool {
	return v.queued() && v.item.HopPath != "" && !v.isProbe() && !v.again()
}

// recorded tells visits whose answer is in the archive, or will be.
func (v *Visit) recorded() bool { return v.answered() && !v.Refused() }

// candidate is what rules are asked about when a visit has its turn.
func (r *Run) candidate(set *scope.Set, v *Visit) scope.Candidate {
	c := scope.Candidate{URL: v.url, Hops: scope.Hops(v.item.HopPath)}
	c.Via, _ = canon.Parse(v.item.Via)
	c.Relevance = r.Rated(&v.item)
	r.inform(set, &c)
	return c
}

// Rated is the score of a URL, if somebody rated it: those that nobody could have the plain one.
func (r *Run) Rated(it *frontier.Item) scope.Known[float64] {
	return scope.Known[float64]{Value: min(it.Score, 1), Set: len(r.stages.scorers) > 0 && it.Score != PlainScore}
}

// inform adds what is known of the host of a candidate, if somebody asks.
func (r *Run) inform(set *scope.Set, c *scope.Candidate) {
	if set.Asks("robots") {
		if known, fresh := r.robots.of(authorityOf(c.URL), r.engine.cfg.Clock.Now()); fresh {
			c.Robots = known.says(c.URL)
		}
	}
	if set.Asks("spam-over") {
		for _, k := range r.stages.knowers {
			k.Know(c)
		}
	}
	if set.Asks("trap") {
		for _, s := range r.stages.suspecters {
			s.Suspect(c)
		}
	}
}

// says is what a robots.txt says about a URL, in the words of scope rules.
func (k *robotsKnown) says(u canon.URL) scope.Robots {
	switch {
	case k.Access == robots.Closed:
		return scope.RobotsUnknown
	case k.rules.Test(u.Target()).Allowed:
		return scope.RobotsAllow
	}
	return scope.RobotsForbid
}

// ruledByRobots returns why a visit is not made by a rule on robots.txt, which is known now. It stands beside robots.txt itself, which
// a rule cannot overrule.
func (r *Run) ruledByRobots(v *Visit) (d scope.Decision, out bool) {
	set := r.scope.Load()
	if !v.isRuled() || !set.Asks("robots") {
		return d, false
	}
	c := r.candidate(set, v)
	d = set.Decide(&c, r.seeds)
	return d, !d.Accepted()
}

// chunking is what chunks may add to a body whose size is limited while it comes.
const chunking = 64 << 10

// askAtHead has rules asked when the head of an answer is there.
func (r *Run) askAtHead(v *Visit, req *fetch.Request) {
	set := r.scope.Load()
	if !v.isRuled() || !set.Asks("mime", "larger-than", "smaller-than") {
		return
	}
	req.Head = func(h *wire.Head) (most int64, wanted bool) {
		if h.Status < 200 || h.Status > 299 {
			return 0, true
		}
		c := r.candidate(set, v)
		c.MIME = h.MediaType()
		if n, err := strconv.ParseInt(h.Header.Get("Content-Length"), 10, 64); err == nil && h.Status != 206 {
			c.Size = scope.Is(n)
		}
		if d := set.Decide(&c, r.seeds); !d.Accepted() {
			v.ruleOut(&d, atHead)
			return 0, false
		}
		if !c.Size.Set && h.Status != 206 {
			if most = set.Largest(&c, r.seeds); most > 0 {
				most += most + chunking
			}
		}
		return most, true
	}
}

// contentAsked are the conditions that an answer can meet, and what rules say of its links.
var contentAsked = []string{
	"mime", "larger-than", "smaller-than", "language", "relevance-under", "relevance-over", "spam-over", "follow",
}

// rules is what rules say of one answer.
type rules struct {
	set   *scope.Set // nil: they have nothing to say
	about scope.Candidate
	scope.Decision
}

// rulesOf asks the rules about an answer before its content is read.
func (r *Run) rulesOf(v *Visit) (a rules) {
	set := r.scope.Load()
	known := v.status == 304 && v.known != nil
	if !v.isRuled() || !set.Asks(contentAsked...) || !known && (v.status < 200 || v.status > 299) {
		return a
	}
	a.set, a.about = set, r.candidate(set, v)
	a.about.MIME, a.about.Size = v.mime, scope.Is(v.payload)
	if known {
		a.about.MIME, a.about.Size = v.known.MIME, scope.Is(v.known.Size)
	}
	if v.status == 206 {
		a.about.Size.Set = false
	}
	a.Decision = set.Decide(&a.about, r.seeds)
	return a
}

// read asks again when the content was read.
func (a *rules) read(r *Run, v *Visit, info *links.Info, relevance scope.Known[float64]) {
	if a.set.Asks("language") && v.isPage() {
		a.about.Language = LanguageOf(info)
	}
	if relevance.Set {
		a.about.Relevance = relevance
	}
	a.Decision = a.set.Decide(&a.about, r.seeds)
}

// LanguageOf returns the language of a page by its text, or, if that tells nothing, the one it says it has.
func LanguageOf(info *links.Info) string {
	if g := lang.Default().Identify(info.Text); g.Lang != "" && g.Confidence >= 0.5 {
		return g.Lang
	}
	return strings.TrimSpace(info.Lang)
}
