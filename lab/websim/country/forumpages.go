package country

import (
	"fmt"
	"slices"
	"time"
)

// threadPage shows ten posts as they were at an instant.
func (c *Country) threadPage(t *thread, k int, at time.Time) []byte {
	title := t.title
	if k > 0 {
		title += fmt.Sprintf(" (page %d)", k+1)
	}
	p := harbourTalk.page(title)
	p.published = t.from
	p.put("<p><a href=\"/b/%s\">Back to the board</a></p>\n<div class=\"thread\" itemscope itemtype=\"https://schema.org/DiscussionForumPosting\">\n", t.board)
	known := t.known(at)
	for i := k * postsPerPage; i < min(known, (k+1)*postsPerPage); i++ {
		t.posts[i].show(p, at)
	}
	p.put("</div>\n")
	if !t.locked.IsZero() && !at.Before(t.locked) {
		p.put("<p class=\"note\">This thread was locked by a moderator on %s.</p>\n", date(t.locked))
	}
	p.put("<p>Pages:")
	for n := range pagesOf(known) {
		p.put(" <a href=\"%s\">%s</a>", t.path(n+1), fmt.Sprint(n+1))
	}
	p.put("</p>\n")
	return p.bytes()
}

// show writes a post, or that it is gone. The markup says what is what, in the words of schema.org, as that of many forums does.
func (o *post) show(p *leaf, at time.Time) {
	n := fmt.Sprint(o.n)
	if o.gone(at) {
		p.put("<article class=\"removed\">\n<p class=\"by\">#%s <a href=\"/user/%s\">%s</a> wrote on %s</p>\n<p class=\"gone\">This post was %s on %s.</p>\n</article>\n", n, o.by.name, o.by.name, hour(o.at), o.why, date(o.deleted))
		return
	}
	p.put("<article class=\"post\" itemprop=\"comment\" itemscope itemtype=\"https://schema.org/Comment\" id=\"p%s\">\n<p class=\"by\">#%s <a href=\"/user/%s\" itemprop=\"author\">%s</a> wrote on <time itemprop=\"datePublished\" datetime=\"%s\">%s</time></p>\n<div class=\"post-content\" itemprop=\"text\">\n",
		n, n, o.by.name, o.by.name, o.at.Format(time.RFC3339), hour(o.at))
	if q := o.quote; q != nil {
		words := sentence(q.text)
		if q.gone(at) {
			words = "(a post that is no longer there)"
		}
		p.put("<blockquote><p>%s wrote: %s</p></blockquote>\n", q.by.name, words)
	}
	for _, s := range o.text {
		p.paragraph(s)
	}
	p.put("</div>\n")
	if !o.edited.IsZero() && !at.Before(o.edited) {
		p.put("<p class=\"by\">Edited by %s on %s: I have read the article again and stay with it.</p>\n", o.by.name, hour(o.edited))
	}
	if o.by.sign != "" {
		p.put("<p class=\"by\">-- %s</p>\n", o.by.sign)
	}
	p.put("</article>\n")
}

func (o *post) gone(at time.Time) bool { return !o.deleted.IsZero() && !at.Before(o.deleted) }

// open lists the threads of a board that were there, the latest post first.
func (c *Country) open(board string, at time.Time) []*thread {
	var out []*thread
	for _, t := range c.threads {
		if t.known(at) > 0 && (board == "" || t.board == board) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b *thread) int {
		if a.pinned != b.pinned {
			if a.pinned {
				return -1
			}
			return 1
		}
		return b.posts[b.known(at)-1].at.Compare(a.posts[a.known(at)-1].at)
	})
	return out
}

func (c *Country) boardList(at time.Time) []byte {
	p := harbourTalk.page("Boards")
	for _, b := range boards {
		list := c.open(b.name, at)
		n := 0
		for _, t := range list {
			n += t.known(at)
		}
		p.put("<h2><a href=\"/b/%s\">%s</a></h2>\n<p>%s threads, %s posts.", b.name, b.title, fmt.Sprint(len(list)), fmt.Sprint(n))
		if len(list) > 0 {
			p.put(" Last: %s", list[0].title)
		}
		p.put("</p>\n")
	}
	return p.bytes()
}

func (c *Country) board(name, title string, at time.Time) []byte {
	p := harbourTalk.page(title)
	p.put("<table><tr><th>Thread</th><th>Posts</th><th>Last post</th></tr>\n")
	for _, t := range c.open(name, at) {
		n := t.known(at)
		p.put("<tr><td><a href=\"%s\">%s</a></td><td>%s</td><td>%s by %s</td></tr>\n", t.path(1), t.title, fmt.Sprint(n), date(t.posts[n-1].at), t.posts[n-1].by.name)
	}
	p.put("</table>\n")
	return p.bytes()
}

// moderation is the public log of what moderators did.
func (c *Country) moderation(at time.Time) []byte {
	p := harbourTalk.page("Moderation")
	type act struct {
		at   time.Time
		text string
	}
	var acts []act
	for _, t := range c.threads {
		for _, o := range t.posts {
			if o.gone(at) && o.why != "deleted by its author" {
				acts = append(acts, act{o.deleted, fmt.Sprintf("post %d of %q was %s", o.n, t.title, o.why)})
			}
		}
		if !t.locked.IsZero() && !at.Before(t.locked) {
			acts = append(acts, act{t.locked, fmt.Sprintf("%q was locked", t.title)})
		}
	}
	for _, u := range c.users {
		if !u.banned.IsZero() && !at.Before(u.banned) {
			acts = append(acts, act{u.banned, u.name + " was banned"})
		}
	}
	slices.SortStableFunc(acts, func(a, b act) int { return b.at.Compare(a.at) })
	p.put("<ul>\n")
	for _, a := range acts {
		p.put("<li>%s: %s</li>\n", date(a.at), a.text)
	}
	p.put("</ul>\n")
	return p.bytes()
}

// seen is when a member was here last, also without writing.
func (u *user) seen(at time.Time) string {
	last := u.since
	if n := before(u.visits, at); n > 0 {
		last = u.visits[n-1]
	}
	for _, o := range u.posts {
		if !o.at.After(at) && o.at.After(last) {
			last = o.at
		}
	}
	return hour(last)
}

// profile is the page of a member.
func (c *Country) profile(u *user, at time.Time) []byte {
	p := harbourTalk.page("Profile of " + u.name)
	n := 0
	for _, o := range u.posts {
		if !o.at.After(at) {
			n++
		}
	}
	p.put("<table><tr><th>Town</th><td>%s</td></tr><tr><th>Member since</th><td>%s</td></tr><tr><th>Posts</th><td>%s</td></tr><tr><th>Status</th><td>%s</td></tr><tr><th>Last seen</th><td>%s</td></tr></table>\n", u.town, date(u.since), fmt.Sprint(n), u.status(at), u.seen(at))
	if u.sign != "" {
		p.paragraph(u.sign)
	}
	return p.bytes()
}
