package crawl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/page"
	"varve/web/canon"
	"varve/web/links"
	"varve/web/robots"
	"varve/web/wire"
)

// Limits on what one page may cost.
const (
	maxContent  = 32 << 20 // bytes that are looked at for links
	MaxOutlinks = 5000     // outlinks listed in the metadata record

	maxRedirects = 20 // in a row, as browsers have it
)

// follow reads the content of an answer once: it finds its layers and links, queues those in scope with the visit, and writes all of
// them into the metadata fields.
func (w *Worker) follow(v *Visit, header wire.Header, body []byte) {
	r := w.r
	if !v.answered() {
		return
	}
	in := page.Input{URL: v.url.String(), MIME: header.Get("Content-Type"), Body: body, Headers: make([]links.Header, len(header))}
	for i, f := range header {
		in.Headers[i] = links.Header{Name: f.Name, Value: f.Value}
	}
	clear(w.seen)
	clear(w.room)
	found := w.found[:0]
	listed := 0
	tag := robots.ParseHeader(header.Values("X-Robots-Tag"), r.token())
	asked := r.rulesOf(v)
	ahead := !r.stages.ordered && (v.status == 200 || v.status == 304) && !v.again() && !v.isTwin() && (asked.set == nil || asked.Follows())
	want := page.Want{Layers: w.wantedLayers(v), Brief: !w.wantsText(v)}
	want.Links = func(l links.Link) {
		if listed++; listed <= MaxOutlinks {
			w.meta = appendOutlink(w.meta, l)
		}
		found = append(found, l)
		if ahead && len(found) >= listingStep && ofSitemap(&l) {
			w.queueAhead(v, found, tag.NoFollow)
			clear(found)
			found = found[:0]
		}
	}
	if v.isPage() && !v.again() {
		want.With = w.subscribers
	}
	read, err := w.page.Read(in, want)
	info := read.Info
	w.subscribed = read.HTML && len(want.With) > 0
	if want.Layers != 0 {
		v.layers = &read.Layers
	}
	w.noteCuts(v, info, listed)
	if err != nil {
		v.notes = append(v.notes, "links: "+err.Error())
	}
	v.title, w.info = info.Title, info
	w.found, w.header = found, header
	if v.isTwin() {
		return
	}
	if v.again() {
		w.redirected(v, found)
		return // what a revisit finds new is for the next crawl: its reference point is past
	}
	nofollow := tag.NoFollow || hasWord(info.Robots, "nofollow") || hasWord(info.Robots, "none")
	v.nofollow = nofollow
	rating := r.stages.rate(v, &info, found)
	if asked.set != nil {
		asked.read(r, v, &info, rating.Page)
		w.obey(v, &asked)
	}
	if asked.set == nil || asked.Follows() {
		w.queueAll(v, found, rating, nofollow)
	}
	if v.Refused() { // its parts are of no use without it
		w.items = slices.DeleteFunc(w.items, func(it frontier.Item) bool {
			return it.Band == BandPart && !strings.HasSuffix(it.HopPath, string(scope.HopRedirect))
		})
	}
	v.links = slices.Clone(w.items)
	if v.overBudget > 0 {
		v.notes = append(v.notes, fmt.Sprintf("sitemap: %d addresses were not queued, the budget of their host is used up", v.overBudget))
	}
	w.watchLikeness(v, info)
	w.queueTwin(v)
}

// obey has rules decide on an answer that was read. One that is replayed has its record.
func (w *Worker) obey(v *Visit, asked *rules) {
	switch {
	case !asked.Keeps() && w.before == nil:
		v.ruleOut(&asked.Decision, atBody)
	case !asked.Follows():
		v.ruled(&asked.Decision, Ruled{Ends: 1})
	}
}

// queueAll adds the links that are in scope to the visit's.
func (w *Worker) queueAll(v *Visit, found []links.Link, rating Rating, nofollow bool) {
	for i := range found {
		w.queue(v, &found[i], rating.link(i), nofollow)
	}
}

// listingStep is how many links of a sitemap are held at a time.
const listingStep = 4096

// queueAhead puts links of a sitemap, which has up to 50,000, into the frontier before their visit is committed. A kill
// in between costs nothing: the sitemap is still queued or recorded, so it is read again, and links that are known by
// then stay as they are.
func (w *Worker) queueAhead(v *Visit, found []links.Link, nofollow bool) {
	w.queueAll(v, found, w.r.stages.rate(v, &links.Info{}, found), nofollow)
	if _, err := w.r.frontier.Add(w.items...); err != nil {
		w.r.Fail(err)
	}
	v.ahead += len(w.items)
	clear(w.items)
	w.items = w.items[:0]
	clear(w.seen)
}

// noteCuts says what limits kept out: in the metadata record, and with the visit for log, events and report.
func (w *Worker) noteCuts(v *Visit, info links.Info, listed int) {
	if listed > MaxOutlinks {
		w.metaField("outlinks-not-listed", strconv.Itoa(listed-MaxOutlinks))
	}
	v.cutLinks = info.Lost()
	if v.cutLinks > 0 {
		w.metaField("links-cut", strconv.Itoa(v.cutLinks))
	}
	if v.cutContent {
		w.metaField("content-looked-at", strconv.Itoa(maxContent))
	}
}

// forget empties the buffers of one page's links, whose strings are pieces of the page, and gives
// up those that one huge page made huge.
func (w *Worker) forget(found []links.Link) {
	const most = 4096
	clear(found)
	clear(w.items)
	w.found, w.items = found[:0], w.items[:0]
	if cap(w.found) > most {
		w.found = nil
	}
	if cap(w.items) > most {
		w.items = nil
	}
	if len(w.seen) > most {
		w.seen = map[string]uint8{}
	}
}

// PlainScore is what a link is worth without a topic.
const PlainScore = 0.5

func hasWord(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

// content gives the content of an answer, without copying where it came plain.
func (w *Worker) content(v *Visit, x *fetch.Exchange) []byte {
	if len(x.Head.Codings()) == 0 {
		if b, ok := x.PayloadBytes(); ok {
			return b
		}
	}
	var err error
	w.body, err = x.AppendContent(w.body[:0], maxContent+1)
	if err != nil {
		v.notes = append(v.notes, "content: "+err.Error())
	}
	w.cutContent(v)
	return w.body
}

// cutContent cuts what was read, one byte more than is looked at, and notes that there was more.
func (w *Worker) cutContent(v *Visit) {
	if v.cutContent = len(w.body) > maxContent; v.cutContent {
		w.body = w.body[:maxContent]
	}
}

// queue adds a link to the visit's links if it is in scope.
func (w *Worker) queue(v *Visit, l *links.Link, rated scope.Known[float64], nofollow bool) {
	r := w.r
	u, err := canon.Parse(l.URL)
	if err != nil || !u.IsHTTP() {
		return
	}
	u = u.WithoutFragment() // which is never sent, so nothing can be recorded of it
	if l.Hop == links.HopForm && u.HasQuery() {
		// An empty form sent from every page is the same page over and over: try its bare address once.
		if u, err = canon.Parse(u.Origin() + u.Path()); err != nil {
			return
		}
	}
	hops := v.item.HopPath + hopLetter(l.Hop)
	isRedirect := l.Hop == links.HopRedirect
	if isRedirect && v.redirect == "" {
		v.redirect = u.String()
	}
	if isRedirect {
		rated = r.Rated(&v.item) // the page of a redirect says nothing of where it leads
	}
	if isRedirect && isRedirectChain(v.item.HopPath) {
		r.seeds.Add(u) // where a seed redirects is a seed, too
	}
	key, band := u.FrontierKey(), bandOf(l.Hop, v.item.HopPath)
	if best, twice := w.seen[key]; twice && best <= band || key == v.item.Key {
		return
	}
	w.seen[key] = band
	if n := len(hops) - len(strings.TrimRight(hops, string(scope.HopRedirect))); n > maxRedirects {
		r.suspect(u.String(), scope.Suspicion{Kind: trapRedirects, Why: fmt.Sprintf("%d redirects in a row", n)})
		return
	}
	w.scoped = scope.Candidate{
		URL: u, Via: v.url, Hops: scope.Hops(hops),
		NoFollow: nofollow || strings.Contains(l.Rel, "nofollow"), Relevance: rated,
	}
	action, acts := w.scoped.Acts()
	if acts {
		w.scoped.Suspicions = []scope.Suspicion{action}
	}
	set := r.scope.Load()
	r.inform(set, &w.scoped)
	if d := set.Decide(&w.scoped, r.seeds); !d.Accepted() {
		v.ruled(&d, Ruled{Links: 1})
		if acts {
			r.tally.trap(string(scope.TrapAction)) // at every page that has it: no event, the metadata record lists the link
		}
		return
	}
	score := PlainScore
	if rated.Set {
		score = rated.Value
	}
	if IsListing(l) && !w.hasRoom(u.HostPort()) {
		v.overBudget++
		return
	}
	host, domain := u.HostPort(), v.item.Domain
	if host != v.item.Host || domain == "" {
		domain = canon.PayLevelDomain(u.Host())
	}
	w.items = append(w.items, frontier.Item{
		Key: key, URL: u.String(), Host: host, Domain: domain,
		Via: v.item.URL, HopPath: hops, Band: band, Score: score, Depth: v.item.Depth + 1,
	})
	if last := len(w.items) - 1; len(r.stages.all) > 0 {
		w.asking = Admission{URL: u, Item: &w.items[last], Visit: v, Link: l}
		if !r.stages.admits(&w.asking) {
			w.items = w.items[:last]
		}
	}
}

// hasRoom reports whether the budget of sitemaps lets one more URL wait at a host, and takes it. What waits there is
// asked for once a page.
func (w *Worker) hasRoom(host string) bool {
	most := w.r.Def.MaxSitemap
	if most < 0 {
		return true
	}
	left, known := w.room[host]
	if !known {
		if s, err := w.r.frontier.HostStats(host); err == nil {
			left = most - s.Queued
		}
		if w.room == nil {
			w.room = map[string]int64{}
		}
	}
	w.room[host] = left - 1
	return left > 0
}

// IsListing reports whether a link is an entry of a sitemap.
func IsListing(l *links.Link) bool {
	switch l.Kind.String() {
	case "sitemap-loc", "sitemap-text":
		return true
	}
	return false
}

// ofSitemap tells links that only sitemaps have: nothing that follows in one changes them.
func ofSitemap(l *links.Link) bool { return strings.HasPrefix(l.Kind.String(), "sitemap-") }

// redirected notes where an answer sends us, without following it.
func (w *Worker) redirected(v *Visit, found []links.Link) {
	for i := range found {
		if found[i].Hop != links.HopRedirect {
			continue
		}
		if u, err := canon.Parse(found[i].URL); err == nil && u.IsHTTP() {
			v.redirect = u.WithoutFragment().String()
			return
		}
	}
}

// trapRedirects is the sign of redirects that lead on and on.
const trapRedirects scope.TrapKind = "redirects"

// isRedirectChain tells that only redirects, if anything, lead from a seed to a URL.
func isRedirectChain(hops string) bool { return strings.Trim(hops, string(scope.HopRedirect)) == "" }

// hopLetter is the letter of the hop path for what following a link means.
func hopLetter(h links.Hop) string {
	switch h {
	case links.HopEmbed:
		return string(scope.HopEmbed)
	case links.HopRedirect:
		return string(scope.HopRedirect)
	case links.HopForm:
		return string(scope.HopForm)
	case links.HopFeed:
		return string(scope.HopListed)
	case links.HopSpeculative:
		return string(scope.HopSpeculative)
	}
	return string(scope.HopLink)
}

// bandOf orders what was found: parts of pages before further pages, guesses last.
func bandOf(h links.Hop, from string) uint8 {
	switch h {
	case links.HopEmbed:
		return BandPart
	case links.HopRedirect:
		if isRedirectChain(from) {
			return BandSeed
		}
		return BandPart
	case links.HopSpeculative, links.HopForm:
		return BandGuess
	}
	return BandPage
}

// appendOutlink writes a link as Heritrix-style metadata: outlink: URL hop kind "anchor".
func appendOutlink(b []byte, l links.Link) []byte {
	b = append(b, "outlink: "...)
	b = appendLineSafe(b, l.URL)
	b = append(b, ' ')
	b = append(b, hopLetter(l.Hop)...)
	b = append(b, ' ')
	b = append(b, l.Kind.String()...)
	if l.Anchor != "" {
		b = append(b, ' ')
		b = strconv.AppendQuote(b, clipText(l.Anchor, 100))
	}
	return append(b, '\r', '\n')
}

// appendLineSafe keeps line ends out of a line.
func appendLineSafe(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c != '\r' && c != '\n' {
			b = append(b, c)
		}
	}
	return b
}

// clipText cuts text to about n bytes, at a character.
func clipText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}
