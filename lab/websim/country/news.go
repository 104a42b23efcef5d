package country

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/dice"
)

// article is one article of the newspaper.
type article struct {
	Event
	path   string
	author string
	fix    time.Time // when a correction was added; zero: never
	tagged bool      // written by hand
	next   *article  // the next of the same subject
}

var courier = &look{
	name: "The Halm Courier", motto: "since 1871", colour: "#7a1f1f", footer: "The Halm Courier, Quay Street 4, Halm, Vestria. Editor: Nora Feld.",
	nav: [][2]string{{"/", "Front page"}, {"/politics/", "Politics"}, {"/region/", "Region"}, {"/economy/", "Economy"}, {"/culture/", "Culture"}, {"/sport/", "Sport"}, {"/opinion/", "Opinion"}, {"/election/", "Election 2024"}, {"/imprint.html", "Imprint"}},
}

var sections = []string{"region", "economy", "sport", "culture", "opinion"}

// report writes the articles: the events, and what fills the days between.
func (c *Country) report() {
	for _, e := range c.events {
		f := c.fill(forArticle, dice.String(e.Title))
		f.given = OpinionAt(e.Time).figures()
		text := make([]string, len(e.Text))
		for i, p := range e.Text {
			text[i] = f.fill(p)
		}
		for _, tag := range e.Tags {
			text = append(text, c.say.draw(f, "background "+tag))
		}
		e.Text = slices.DeleteFunc(text, func(s string) bool { return s == "" })
		c.articles = append(c.articles, &article{Event: e, author: authors[0], tagged: true, fix: e.Time.Add(30 * time.Hour)})
	}
	n := c.few(230)
	for i := range n {
		c.articles = append(c.articles, c.everyday(i, n))
	}
	slices.SortStableFunc(c.articles, func(a, b *article) int { return a.Time.Compare(b.Time) })
	for i, a := range c.articles {
		a.path = fmt.Sprintf("/%s/%s-%d.html", a.Time.Format("2006/01"), slug(a.Title), i+1)
	}
	c.chain()
}

// everyday writes article i of n, which no history book mentions.
func (c *Country) everyday(i, n int) *article {
	f := c.fill(forArticle, uint64(i))
	section := sections[i%len(sections)]
	a := &article{author: f.pick(authors)}
	a.Section = section
	a.Time = begin.Add(time.Duration(float64(end.Sub(begin)) * (float64(i) + f.s.Float64()) / float64(n))).Truncate(time.Minute)
	a.Title = c.say.draw(f, "headline "+section)
	body := slices.Clone(c.say["body "+section])
	for range 3 + f.s.IntN(3) {
		if len(body) == 0 {
			break
		}
		k := f.s.IntN(len(body))
		a.Text = append(a.Text, f.fill(body[k]))
		body = slices.Delete(body, k, k+1)
	}
	if f.s.IntN(4) == 0 {
		a.fix = a.Time.Add(time.Duration(6+f.s.IntN(60)) * time.Hour)
	}
	return a
}

// chain leads from each article to the next of its subject.
func (c *Country) chain() {
	latest := map[string]*article{}
	for _, a := range c.articles {
		subject := cmp.Or(strings.Join(a.Tags[:min(1, len(a.Tags))], ""), a.Section)
		if before := latest[subject]; before != nil {
			before.next = a
		}
		latest[subject] = a
	}
}

// known lists the articles that were there at an instant and that fit, the newest first.
func (c *Country) known(at time.Time, fits func(*article) bool) []*article {
	var out []*article
	for _, a := range c.articles {
		if !a.Time.After(at) && fits(a) {
			out = append(out, a)
		}
	}
	slices.Reverse(out)
	return out
}

// appearances lists when articles that fit appear.
func (c *Country) appearances(fits func(*article) bool) []time.Time {
	out := []time.Time{begin}
	for _, a := range c.articles {
		if fits(a) {
			out = append(out, a.Time)
		}
	}
	return out
}

// news lists the pages of the newspaper.
func (c *Country) news() []websim.Written {
	all := func(*article) bool { return true }
	out := []websim.Written{
		always("/style.css", courier.style()),
		written("/", append(c.appearances(all), every(6*time.Hour)...), c.frontPage),
		written("/election/", c.appearances(func(a *article) bool { return slices.Contains(a.Tags, "election") }), c.dossier),
		written("/election/poll.svg", months28(), func(at time.Time) []byte { return chart(at) }),
		always("/imprint.html", c.imprint()),
		written("/feed.xml", c.appearances(all), c.feed),
	}
	for _, s := range append([]string{"politics"}, sections...) {
		fits := func(a *article) bool { return a.Section == s }
		out = append(out, written("/"+s+"/", append(c.appearances(fits), every(31*time.Hour)...), func(at time.Time) []byte { return c.section(s, at) }))
	}
	for _, at := range every(noteEvery) {
		note := written(notePath(at), []time.Time{at}, c.note)
		note.Until = at.Add(noteStays).Sub(begin) // notes are not kept
		out = append(out, note)
	}
	for i, a := range c.articles {
		changes := []time.Time{a.Time}
		if !a.fix.IsZero() {
			changes = append(changes, a.fix)
		}
		if a.next != nil {
			changes = append(changes, a.next.Time)
		}
		out = append(out, written(a.path, changes, func(at time.Time) []byte { return c.articlePage(a, at) }))
		if !a.tagged && i%7 == 3 { // some are taken offline again
			out[len(out)-1].Until = a.Time.Add(400 * 24 * time.Hour).Sub(begin)
		}
	}
	return out
}

// months28 are the instants of the monthly survey.
func months28() []time.Time { return every(28 * 24 * time.Hour) }

// Notes of the harbour: one comes every few hours, and is taken away a day later.
const (
	noteEvery = 6 * time.Hour
	noteStays = 27 * time.Hour
)

func notePath(at time.Time) string { return at.Format("/live/2006-01-02-15.html") }

// weather is what a note says in one line.
func (c *Country) weather(at time.Time) string {
	f := c.fill(forNote, uint64(at.Unix()))
	return fmt.Sprintf("%s: wind %s, %d degrees in Halm. Ferries to Lysa are %s.", hour(at), f.pick([]string{"west 4", "north-west 6", "south 3", "calm"}),
		4+f.s.IntN(18), f.pick([]string{"on time", "ten minutes late", "full until the evening", "on time"}))
}

func (c *Country) note(at time.Time) []byte {
	p := courier.page("Harbour, " + hour(at))
	p.published = at
	p.paragraph(c.weather(at))
	p.paragraph("Notes of the harbour stay for a day.")
	return p.bytes()
}

func (c *Country) frontPage(at time.Time) []byte {
	p := courier.page("Vestria today")
	p.put("<p class=\"note\">%s</p>\n<p>Notes of the harbour:", c.weather(at))
	for t := at.Truncate(noteEvery); at.Before(t.Add(noteStays)) && !t.Before(begin); t = t.Add(-noteEvery) {
		p.put(" <a href=\"%s\">%s</a>", notePath(t), hour(t))
	}
	p.put("</p>\n")
	for i, a := range c.known(at, func(*article) bool { return true }) {
		if i == 9 {
			break
		}
		p.put("<h2><a href=\"%s\">%s</a></h2>\n<p>%s</p>\n", a.path, a.Title, a.Text[0])
	}
	return p.bytes()
}

func (c *Country) section(name string, at time.Time) []byte {
	p := courier.page(strings.ToUpper(name[:1]) + name[1:])
	list := c.known(at, func(a *article) bool { return a.Section == name })
	if len(list) > 0 {
		f := c.fill(forNote, dice.String(name), uint64(at.Unix()))
		p.put("<p class=\"note\">Most read now: %s</p>\n", list[f.s.IntN(min(5, len(list)))].Title)
	}
	p.put("<ul>\n")
	for _, a := range list {
		p.link(a.path, date(a.Time)+": "+a.Title)
	}
	p.put("</ul>\n")
	return p.bytes()
}

func (c *Country) articlePage(a *article, at time.Time) []byte {
	p := courier.page(a.Title)
	p.published = a.Time
	p.put("<p class=\"by\">%s, <time>%s</time></p>\n", "By "+a.author, date(a.Time))
	for _, t := range a.Text {
		p.paragraph(t)
	}
	if slices.Contains(a.Tags, "poll") {
		p.put("<p><img src=\"/election/poll.svg\" alt=\"Shares of the parties, month by month\"></p>\n")
	}
	if !a.fix.IsZero() && !at.Before(a.fix) {
		p.modified = a.fix
		if a.tagged {
			p.put("<p class=\"note\">Updated on %s with reactions. All articles on the subject are in our <a href=\"/election/\">dossier</a>.</p>\n", date(a.fix))
		} else {
			p.put("<p class=\"note\">Correction of %s: a name was misspelt in an earlier version.</p>\n", date(a.fix))
		}
	}
	if a.next != nil && !at.Before(a.next.Time) {
		p.put("<p>Read on: <a href=\"%s\">%s</a></p>\n", a.next.path, a.next.Title)
	}
	return p.bytes()
}

func (c *Country) dossier(at time.Time) []byte {
	p := courier.page("Election 2024")
	o := OpinionAt(at)
	p.paragraph("On 22 September 2024 Vestria elects its parliament. Ines Calder (Harbour Alliance), Tomas Wren (Citizens' Union) and Maren Okafor (Green List) want to govern.")
	if at.After(election) {
		p.paragraph("The election is over: Tomas Wren has won with 39.4 percent. This dossier goes on with what became of the promises.")
	}
	p.put("<p><img src=\"/election/poll.svg\" alt=\"Shares of the parties\"> Last survey: Calder %s, Wren %s, Okafor %s percent.</p>\n<ul>\n", o.figures()["calder"], o.figures()["wren"], o.figures()["okafor"])
	for _, a := range c.known(at, func(a *article) bool { return slices.Contains(a.Tags, "election") }) {
		p.link(a.path, date(a.Time)+": "+a.Title)
	}
	p.put("</ul>\n<p>What people say: <a href=\"http://%s/b/politics\">forum Harbour Talk</a>. Figures: <a href=\"http://%s/survey/\">University of Halm</a>.</p>\n", Forum, Uni)
	return p.bytes()
}

func (c *Country) imprint() []byte {
	p := courier.page("Imprint")
	for _, name := range authors {
		p.paragraph(name + ", staff writer")
	}
	p.paragraph("The Courier corrects mistakes and says so. Letters to letters@news.sim.test.")
	return p.bytes()
}

func (c *Country) feed(at time.Time) []byte {
	b := []byte("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\"><channel><title>The Halm Courier</title><link>http://" + News + "/</link>\n")
	for i, a := range c.known(at, func(*article) bool { return true }) {
		if i == 15 {
			break
		}
		b = fmt.Appendf(b, "<item><title>%s</title><link>http://%s%s</link><pubDate>%s</pubDate></item>\n", xmlText(a.Title), News, a.path, a.Time.Format(time.RFC1123Z))
	}
	return append(b, "</channel></rss>\n"...)
}
