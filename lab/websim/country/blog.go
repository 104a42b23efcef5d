package country

import (
	"fmt"
	"time"

	"varve/lab/websim"
)

var window = &look{
	name: "Window on the pier", motto: "a diary", colour: "#5b3f63", generator: "WordPress 6.4.3", footer: "Written by Tove Strand in Halm. All mistakes are mine.",
	nav: [][2]string{{"/", "All entries"}, {"/about.html", "About"}},
}

// blog lists the pages of a citizen.
func (c *Country) blog() []websim.Written {
	n := c.few(34)
	type entry struct {
		at    time.Time
		title string
	}
	var list []entry
	seen := []time.Time{begin}
	about := window.page("About")
	about.paragraph("I live on the third floor above the pier and write down what I see.")
	out := []websim.Written{always("/style.css", window.style()), always("/about.html", about.bytes())}
	for i := range n {
		f := c.fill(forBlog, uint64(i))
		e := entry{at: begin.Add(end.Sub(begin) * time.Duration(i) / time.Duration(n)).Add(time.Duration(f.s.IntN(90)) * time.Hour)}
		e.title = f.fill(f.pick([]string{"Rain over {town}", "A {thing}, at last", "What {person} told me", "Of {goods} and other worries", "Notes from {month}"}))
		list, seen = append(list, e), append(seen, e.at)
		answers := c.answers(i, e.at)
		changes := []time.Time{e.at}
		for _, a := range answers {
			changes = append(changes, a.at)
		}
		out = append(out, written(fmt.Sprintf("/%d.html", i+1), changes, func(at time.Time) []byte {
			p := window.page(e.title)
			p.published, p.class = e.at, fmt.Sprintf("single single-post postid-%d", i+1)
			g := c.fill(forBlog, uint64(i), 1)
			p.put("<article id=\"post-%s\" class=\"post hentry\">\n<p class=\"by\">By <span class=\"author\"><a class=\"fn\" href=\"/about.html\">Tove Strand</a></span> on <time class=\"entry-date published\" datetime=\"%s\">%s</time></p>\n<div class=\"entry-content\">\n", fmt.Sprint(i+1), e.at.Format(time.RFC3339), date(e.at))
			for range 3 {
				g.town = ""
				p.paragraph(c.say.draw(g, "blog"))
			}
			p.put("</div>\n</article>\n")
			p.answered(answers, at)
			return p.bytes()
		}))
	}
	return append(out, written("/", seen, func(at time.Time) []byte {
		p := window.page("Entries")
		p.put("<ul>\n")
		for i, e := range list {
			if !e.at.After(at) {
				p.link(fmt.Sprintf("/%d.html", i+1), date(e.at)+": "+e.title)
			}
		}
		p.put("</ul>\n<p>Elsewhere: <a href=\"http://%s/\">Harbour Talk</a>, <a href=\"http://%s/\">The Courier</a></p>\n", Forum, News)
		return p.bytes()
	}))
}

// answer is what somebody wrote below an entry.
type answer struct {
	n    int
	by   *user
	at   time.Time
	text string
}

// answers are those to an entry: up to four, within three months.
func (c *Country) answers(entry int, after time.Time) (out []answer) {
	f := c.fill(forBlog, uint64(entry), 2)
	at := after
	for n := range f.s.IntN(5) {
		at = at.Add(time.Duration(1+f.s.IntN(500)) * time.Hour)
		if at.After(end) {
			break
		}
		f.town = ""
		out = append(out, answer{entry*10 + n + 1, c.users[f.s.IntN(len(c.users))], at, c.say.draw(f, "post town")})
	}
	return out
}

// answered writes the answers that are there at an instant.
func (p *leaf) answered(list []answer, at time.Time) {
	p.put("<section id=\"comments\"><ol class=\"comment-list\">\n")
	for _, a := range list {
		if !a.at.After(at) {
			p.put("<li id=\"comment-%s\" class=\"comment\"><p class=\"by comment-author\"><b class=\"fn\">%s</b></p><p class=\"by comment-metadata\"><time datetime=\"%s\">%s</time></p><div class=\"comment-content\"><p>%s</p></div></li>\n",
				fmt.Sprint(a.n), a.by.name, a.at.Format(time.RFC3339), hour(a.at), a.text)
		}
	}
	p.put("</ol></section>\n")
}

var sund = &look{name: "Islands of Sund and Lysa", motto: "come by ferry", colour: "#1d6f5c", footer: "Tourist office of the islands.", nav: [][2]string{{"/", "Home"}, {"/ferries.html", "Ferries"}}}

// sold is when the domain of the islands is left to others: from then on nothing is there.
var sold = day("2025-08-01")

// islands is a small site that is now and then out of reach, and gone in the end.
func (c *Country) islands() []websim.Written {
	out := []websim.Written{
		always("/style.css", sund.style()),
		written("/", every(60*24*time.Hour), func(at time.Time) []byte {
			p := sund.page("Welcome to the islands")
			p.paragraph(c.fill(forNote, 9, uint64(at.Unix())).fill("This month: {goods} from Lysa, a concert in the church of Sund, and {number} seals on the sandbank."))
			return p.bytes()
		}),
		written("/ferries.html", dates("2023-01-02 2024-03-01 2024-12-10 2025-04-01"), func(at time.Time) []byte {
			p := sund.page("Ferries")
			if at.Before(day("2024-12-10")) && !at.Before(day("2024-03-01")) {
				p.paragraph("Ferries are run by Harding Lines. Eleven times a day in summer, a crossing costs 9 crowns.")
			} else {
				p.paragraph("Ferries are run by the port of Halm. Eleven times a day in summer, a crossing costs 7 crowns.")
			}
			return p.bytes()
		}),
	}
	for i := range out {
		out[i].Until = sold.Sub(begin)
	}
	return out
}
