package country

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/dice"
)

// user is a member of the forum.
type user struct {
	name, town, sign string
	since            time.Time
	banned           time.Time // zero: never
	posts            []*post
	visits           []time.Time
}

// post is one contribution to a thread.
type post struct {
	n       int // from 1 on
	by      *user
	at      time.Time
	text    []string
	quote   *post
	edited  time.Time
	deleted time.Time
	why     string // of a deletion
}

// thread is a discussion.
type thread struct {
	id     int
	board  string
	title  string
	topic  string // of its posts; "election" follows opinions
	from   time.Time
	days   int
	posts  []*post
	locked time.Time
	pinned bool
}

const postsPerPage = 10

var boards = []struct{ name, title string }{
	{"politics", "Politics"}, {"housing", "Housing and rents"}, {"harbour", "Harbour and weather"}, {"town", "Town life"},
}

var harbourTalk = &look{
	name: "Harbour Talk", motto: "the forum of Vestria", colour: "#14506b", footer: "Harbour Talk is run by volunteers. Rules: be kind, no advertising, no names of neighbours.",
	nav: [][2]string{{"/", "Boards"}, {"/b/politics", "Politics"}, {"/b/housing", "Housing"}, {"/b/harbour", "Harbour"}, {"/b/town", "Town"}, {"/members", "Members"}, {"/moderation", "Moderation"}, {"/rules", "Rules"}},
}

// discussions are the threads that are always there.
var discussions = []struct {
	board, title, topic, from string
	days, posts               int
	locked                    string
}{
	{"harbour", "The wall: when is it our turn?", "post harbour", "2023-01-17", 900, 24, ""},
	{"housing", "Rent law: what does it change for us?", "post law", "2023-03-07", 980, 42, ""},
	{"politics", "Who will you vote for in September 2024?", "election", "2023-06-20", 459, 76, "2024-09-22"},
	{"harbour", "Storm flood: who needs help, who can help?", "post harbour", "2024-01-21", 20, 22, ""},
	{"politics", "Ferry contract: must Calder go?", "election", "2024-05-06", 40, 48, "2024-10-01"},
	{"town", "Lantern shop: did their terms change?", "post town", "2024-06-10", 200, 14, ""},
	{"housing", "Deposit: two or three months?", "post law", "2024-07-02", 400, 18, ""},
	{"politics", "Election night", "election", "2024-09-22", 3, 24, ""},
	{"politics", "Wren and the nine percent", "election", "2025-05-20", 180, 32, ""},
}

// settle gives the forum its members.
func (c *Country) settle() {
	names := []string{"gull", "tide", "anchor", "harbourmouse", "lighthouse", "net_mender", "ropewalk", "pilot", "saltwater", "northwind", "bakerswife", "old_captain", "herring", "drawbridge", "pier17", "foghorn", "sandbank", "ebb", "mooring", "plimsoll", "keel", "windlass", "barnacle", "skerry", "buoy", "tram_line", "cobbler", "inkwell"}
	for i, name := range names[:min(len(names), max(10, c.few(len(names))))] {
		f := c.fill(forUser, uint64(i))
		u := &user{name: name, town: f.pick(towns), since: begin.Add(-time.Duration(f.s.IntN(2000)) * 24 * time.Hour)}
		u.sign = f.pick([]string{"", "", "The sea gives, the sea takes.", "Not a lawyer.", "Member of the rowing club.", "Sent from my boat."})
		u.visits = nowAndThen(c.fill(forVisit, uint64(i)), 50*time.Hour)
		c.users = append(c.users, u)
	}
	c.users[3].banned = day("2024-06-03")
}

// discuss fills the threads.
func (c *Country) discuss() {
	for _, d := range discussions {
		n := max(6, min(d.posts, int(float64(d.posts)*max(c.scale, 0.5))))
		t := &thread{board: d.board, title: d.title, topic: d.topic, from: day(d.from).Add(7 * time.Hour), days: d.days, pinned: d.title == discussions[2].title}
		if d.locked != "" {
			t.locked = day(d.locked).Add(20 * time.Hour)
		}
		c.talk(t, n)
	}
	for i := range c.few(14) {
		f := c.fill(forThread, uint64(i))
		t := &thread{board: "town", topic: "post town", days: 10 + f.s.IntN(60), from: begin.Add(time.Duration(f.s.Float64() * float64(end.Sub(begin))))}
		t.title = f.fill(f.pick([]string{"Best {goods} in {town}?", "The new {thing} in {town}", "Lost and found, {town}", "Who knows a dentist in {town}?", "{goods}: where do you buy?"}))
		c.talk(t, 4+f.s.IntN(9))
	}
	slices.SortStableFunc(c.threads, func(a, b *thread) int { return a.from.Compare(b.from) })
	for i, t := range c.threads {
		t.id = i + 1
	}
	for _, u := range c.users {
		slices.SortStableFunc(u.posts, func(a, b *post) int { return a.at.Compare(b.at) })
	}
}

// talk writes n posts of a thread.
func (c *Country) talk(t *thread, n int) {
	f := c.fill(forPost, dice.String(t.title))
	at := t.from
	step := time.Duration(t.days) * 24 * time.Hour / time.Duration(n)
	for k := range n {
		if k > 0 {
			at = at.Add(time.Duration(f.s.Exp() * float64(step))).Truncate(time.Minute)
		}
		if at.After(end) || !t.locked.IsZero() && at.After(t.locked) {
			break
		}
		t.posts = append(t.posts, c.contribute(t, f, k, at))
	}
	c.threads = append(c.threads, t)
}

// contribute writes one post.
func (c *Country) contribute(t *thread, f *slots, k int, at time.Time) *post {
	f.town = ""
	p := &post{n: k + 1, at: at, by: c.users[f.s.IntN(len(c.users))]}
	for !p.by.banned.IsZero() && at.After(p.by.banned) {
		p.by = c.users[f.s.IntN(len(c.users))]
	}
	topic := t.topic
	if topic == "election" {
		topic = side(at, f.s.Float64(), f.s.Float64())
	}
	p.text = append(p.text, c.say.draw(f, topic))
	if k > 0 && f.s.IntN(3) == 0 {
		p.quote = t.posts[f.s.IntN(k)]
		p.text = append([]string{c.say.draw(f, "post reply")}, p.text...)
	}
	switch f.s.IntN(14) {
	case 0:
		p.edited = at.Add(time.Duration(1+f.s.IntN(30)) * time.Hour)
	case 1:
		p.deleted, p.why = at.Add(time.Duration(2+f.s.IntN(60))*24*time.Hour), "deleted by its author"
	case 2:
		p.text, p.quote = []string{c.say.draw(f, "post rude")}, nil
		p.deleted, p.why = at.Add(time.Duration(5+f.s.IntN(200))*time.Hour), "removed by a moderator: "+f.pick([]string{"rule 1, be kind", "rule 2, no advertising"})
	}
	p.by.posts = append(p.by.posts, p)
	return p
}

// ThreadURL is the address of the thread of the forum with this title; "" if there is none.
func (c *Country) ThreadURL(title string) string {
	for _, t := range c.threads {
		if t.title == title {
			return "http://" + Forum + t.path(1)
		}
	}
	return ""
}

func (t *thread) path(page int) string {
	p := fmt.Sprintf("/t/%d-%s", t.id, slug(t.title))
	if page > 1 {
		p += fmt.Sprintf("?page=%d", page)
	}
	return p
}

// known counts the posts there were at an instant.
func (t *thread) known(at time.Time) int {
	n := 0
	for n < len(t.posts) && !t.posts[n].at.After(at) {
		n++
	}
	return n
}

func pagesOf(posts int) int { return max(1, (posts+postsPerPage-1)/postsPerPage) }

// forum lists the pages of the forum.
func (c *Country) forum() []websim.Written {
	out := []websim.Written{always("/style.css", harbourTalk.style()), always("/rules", c.rules())}
	activity := []time.Time{begin}
	for _, t := range c.threads {
		for k := range pagesOf(len(t.posts)) {
			changes := t.changes(k)
			activity = append(activity, changes...)
			out = append(out, written(t.path(k+1), changes, func(at time.Time) []byte { return c.threadPage(t, k, at) }))
		}
	}
	out = append(out, written("/", activity, c.boardList), written("/moderation", activity, c.moderation), always("/members", c.members()))
	for _, b := range boards {
		out = append(out, written("/b/"+b.name, activity, func(at time.Time) []byte { return c.board(b.name, b.title, at) }))
	}
	for _, u := range c.users {
		changes := []time.Time{begin}
		for i, p := range u.posts {
			if i%5 == 0 {
				changes = append(changes, p.at)
			}
		}
		if !u.banned.IsZero() {
			changes = append(changes, u.banned)
		}
		changes = append(changes, u.visits...)
		out = append(out, written("/user/"+u.name, changes, func(at time.Time) []byte { return c.profile(u, at) }))
	}
	return out
}

// changes are the instants at which page k of a thread changes.
func (t *thread) changes(k int) []time.Time {
	var out []time.Time
	for i := k * postsPerPage; i < min(len(t.posts), (k+1)*postsPerPage); i++ {
		p := t.posts[i]
		out = append(out, p.at)
		for _, x := range []time.Time{p.edited, p.deleted} {
			if !x.IsZero() && x.Before(end) {
				out = append(out, x)
			}
		}
	}
	if next := (k + 1) * postsPerPage; next < len(t.posts) {
		out = append(out, t.posts[next].at) // the pager leads on
	}
	if !t.locked.IsZero() {
		out = append(out, t.locked)
	}
	if len(out) == 0 {
		out = append(out, t.from)
	}
	return out
}

func (c *Country) rules() []byte {
	p := harbourTalk.page("Rules")
	for _, r := range []string{"Rule 1: be kind.", "Rule 2: no advertising.", "Rule 3: do not name your neighbours.", "Moderators remove posts and say why; what authors delete themselves stays as a gap."} {
		p.paragraph(r)
	}
	return p.bytes()
}

func (c *Country) members() []byte {
	p := harbourTalk.page("Members")
	p.put("<ul>\n")
	for _, u := range c.users {
		p.link("/user/"+u.name, u.name)
	}
	p.put("</ul>\n")
	return p.bytes()
}

func (u *user) status(at time.Time) string {
	if !u.banned.IsZero() && !at.Before(u.banned) {
		return "banned since " + date(u.banned)
	}
	return "member"
}

func sentence(list []string) string { return strings.Join(list, " ") }
