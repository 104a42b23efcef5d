package crawl

import (
	"strings"
	"time"

	"varve/archive/history"
	"varve/crawl/frontier"
	"varve/text/layer"
	"varve/web/canon"
	"varve/web/links"
)

// takeURL gives the next URL of a host: in the order of the frontier, or as planned.
func (r *Run) takeURL(host string, now time.Time) (frontier.Item, bool, error) {
	now = r.steady(now)
	if r.coh != nil {
		return r.coh.take(host, now)
	}
	return r.frontier.Take(host, now)
}

// returnURL gives a taken URL back to its place.
func (r *Run) returnURL(v *Visit) {
	r.answers.drop(v.item.Key) // before anybody can take it again
	r.frontier.Return(v.item.Key)
	if r.coh != nil {
		r.coh.putBack(&v.item)
	}
}

// dress gives a link its band and its group: parts of a page, and where it redirects, belong to the group
// of the page. What a sitemap says goes with it.
func (c *coherent) dress(it *frontier.Item, v *Visit, l *links.Link) {
	if it.Band != bandGuess {
		it.Band = bandPlanned
	}
	var f found
	var name string
	switch kind := l.Kind.String(); {
	case kind == "sitemap-index", kind == "link-sitemap":
		it.Band = bandUrgent
		name = c.nameOf(it.URL, it.Host)
	case l.Hop == links.HopEmbed, l.Hop == links.HopRedirect:
	case c.def.GroupBy == BySitemap && isListing(l):
		name = "sitemap:" + v.item.URL
	default:
		name = c.nameOf(it.URL, it.Host)
	}
	f.listed = isListing(l)
	if l.Entry != nil {
		f.freq, f.modified = l.Entry.Changefreq, l.Entry.Lastmod
	}
	c.mu.Lock()
	var g *group
	switch {
	case name != "":
		g = c.group(name)
	case v.page != nil:
		g = v.page.group
	default:
		g = c.itemGroup(&v.item)
	}
	c.mu.Unlock()
	f.group = g.number
	it.Meta = f.append(nil)
}

// isListing tells entries of sitemaps.
func isListing(l *links.Link) bool {
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

// appendLayers adds the layers that a history can compare.
func appendLayers(list []history.Digest, d *layer.Digests) []history.Digest {
	for name, sum := range d.All() {
		switch name {
		case layer.DOM, layer.Text, layer.Main, layer.Links:
			list = append(list, history.Digest{Name: name.Stored(), Sum: string(sum)})
		}
	}
	return list
}

// onlyRevisits tells that a limit ends the visits, but not the revisits of what was visited.
func (r *Run) onlyRevisits(over string) bool {
	return r.coh != nil && over != timeIsUp && r.coh.isClosed()
}

// goesOn tells whether the run goes on in spite of a limit, to revisit what it visited.
func (r *Run) goesOn(over string) bool {
	return r.coh != nil && over != timeIsUp && r.coh.closeVisits(over)
}

func (c *coherent) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// closeVisits ends the visits because a limit was reached. It tells whether revisits are left.
func (c *coherent) closeVisits(over string) bool {
	c.mu.Lock()
	begun := !c.closed
	if begun {
		c.closed = true
		c.touchAll()
	}
	c.mu.Unlock()
	if begun {
		c.r.frontier.Only("", bandUrgent)
		c.r.events.add("visits-over", "why", over)
	}
	if c.r.busy.Load() > 0 {
		return true
	}
	if _, err := c.advance(); err != nil {
		c.r.Fail(err)
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.again > 0
}

// touchAll has all groups looked at again. The lock is held.
func (c *coherent) touchAll() {
	for _, g := range c.groups {
		c.touched[g] = struct{}{}
	}
}

// idle is asked when there is nothing to take: it moves groups on that nothing else would, and tells whether
// that gave work.
func (c *coherent) idle() bool {
	if c.r.busy.Load() > 0 {
		return false
	}
	moved, err := c.advance()
	if err != nil {
		c.r.Fail(err)
	}
	return moved
}

// exhausted tells that no visit is left that may be made, and no revisit.
func (c *coherent) exhausted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.again <= 0 && c.open <= 0
}

// hold takes the lanes of a host out: visits only, or all; or lets them in again.
func (c *coherent) hold(host string, shut, parked bool) {
	c.mu.Lock()
	for _, l := range c.lanes[host] {
		was := l.shut || l.parked
		if l.parked != parked {
			n := l.waiting + l.placed
			if parked {
				n = -n
			}
			c.again += n
		}
		l.shut, l.parked = shut, parked
		switch n := l.queued + l.guessed; {
		case was && !shut && !parked:
			c.open += n
		case !was && (shut || parked):
			c.open -= n
		}
		c.touched[l.group] = struct{}{}
	}
	c.mu.Unlock()
	band := uint8(frontier.AllBands)
	if shut {
		band = bandUrgent
	}
	c.r.frontier.Only(host, band)
}

// revisited tells how many of the URLs done at a host are revisits.
func (r *Run) revisited(host string) (n int64) {
	c := r.coh
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.lanes[host] {
		n += int64(l.record.Revisited)
	}
	return n
}
