package webapp

import (
	"fmt"
	"strings"
	"testing"

	"varve/web/canon"
)

// A forum in a template of its own: topics of posts, with a list of dates beside them.
type planks struct{ id, author, day, title, text string }

func planksOf(topic int) (list []planks) {
	for i := range 2 + topic%4 {
		n := 7*topic + i
		list = append(list, planks{
			fmt.Sprint(300 + n), []string{"ada", "bert", "cleo d.", "dora"}[(topic+2*i+i/2)%4], fmt.Sprintf("2025-03-%02d", 1+n%28), fmt.Sprintf("Question %d about rope", topic),
			fmt.Sprintf("Answer %d: take %d metres of line and a steady hand, and mind the wind of the day.", n, 10+n),
		})
	}
	return list
}

func plankPage(topic int) string {
	var b strings.Builder
	b.WriteString(`<html><head><link href="/static/machina.board_theme.css" rel="stylesheet"><script src="/static/machina.js"></script></head><body><nav><a href="/">Home</a> <a href="/forum/knots-1/">Knots</a></nav>
<ul class="side"><li class="news">News of <i title="2025-05-01">then</i></li><li class="news">More of <i title="2025-05-02">then</i></li></ul><h2>Topic</h2><ol class="planks">`)
	for _, p := range planksOf(topic) {
		fmt.Fprintf(&b, `<li class="plank" data-plank="%s"><div class="top"><b class="hand">%s</b> wrote <span class="when" title="%sT10:00:00Z">some time ago</span> <em>%s</em> <a class="act" href="/x">Reply</a></div><div class="words"><p>%s</p></div></li>`, p.id, p.author, p.day, p.title, p.text)
	}
	return b.String() + `</ol><p class="foot">Powered by rope</p></body></html>`
}

func TestDiscover(t *testing.T) {
	k := Default()
	var samples []Sample
	address := func(topic int) string {
		return fmt.Sprintf("http://forum.example/forum/knots-1/topic/question-%d/", topic)
	}
	for topic := range 6 {
		u, r, s := look(t, k, address(topic), plankPage(topic))
		if s.App.Name != "django-machina" || s.LevelName() != "thread" {
			t.Fatalf("page is %v", s)
		}
		if list, _ := s.Extract(u, r.Root()); len(list) > 0 {
			t.Fatalf("the template is read already: %v", list)
		}
		samples = append(samples, Sample{URL: u, Root: r.Root(), Level: s.LevelName()})
		if topic == 3 { // the same page under another address
			samples = append(samples, samples[len(samples)-1])
		}
	}
	d := Discover("post", samples)
	if d.Learned == nil {
		t.Fatalf("nothing was found: %+v", d)
	}
	app, err := k.Named("django-machina").Variant([]*Extraction{d.Learned}, false)
	if err != nil {
		t.Fatalf("%v in\n%s", err, AppendExtractions(nil, []*Extraction{d.Learned}))
	}
	k = k.With(app)
	for _, topic := range []int{7, 9, 11} { // that were not looked at
		u, r, s := look(t, k, address(topic), plankPage(topic))
		list, _ := s.Extract(u, r.Root())
		want := planksOf(topic)
		if len(list) != len(want) {
			t.Fatalf("topic %d: %d objects, want %d:\n%s", topic, len(list), len(want), AppendExtractions(nil, []*Extraction{d.Learned}))
		}
		for i, w := range want {
			if o := list[i]; o.ID != w.id || o.Author != w.author || o.Title != w.title || o.Text != w.text || o.Time.Format("2006-01-02") != w.day {
				t.Errorf("%+v, want %+v", o, w)
			}
		}
	}
}

// Pages that repeat nothing, or nothing with a time, or little beside their text, have no objects.
func TestDiscoverNothing(t *testing.T) {
	u, err := canon.Parse("http://example.org/topic/1")
	if err != nil {
		t.Fatal(err)
	}
	article := "<p>" + strings.Repeat("A long text that says one thing after the other. ", 40)
	for name, page := range map[string]string{
		"an article":            article,
		"a menu":                article + strings.Repeat(`<li class="item"><a href="/x">Home</a></li>`, 30),
		"a list of dates":       article + `<ul><li class="item">A <i title="2025-01-01">day</i><li class="item">B <i title="2025-01-02">day</i><li class="item">C <i title="2025-01-03">day</i><li class="item">D <i title="2025-01-04">day</i><li class="item">E <i title="2025-01-05">day</i></ul>`,
		"nothing":               "",
		"the same many times":   strings.Repeat(`<div class="ad"><b>Buy</b> this today <time datetime="2025-01-01">now</time></div>`, 50),
		"deep inside of itself": strings.Repeat(`<div class="post">one `, 600),
	} {
		if d := Discover("post", []Sample{{URL: u, Root: treeOf(page), Level: "thread"}}); d.Learned != nil {
			t.Errorf("%s: %s", name, AppendExtractions(nil, []*Extraction{d.Learned}))
		}
	}
}

// Pages that break every expression cost bounded time.
func TestDiscoverHostile(t *testing.T) {
	u, err := canon.Parse("http://example.org/topic/1")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, `<div class="a b%c c" title="2025-01-01">%d <i datetime="2025-01-02">x</i>`, 'a'+rune(i%26), i)
	}
	Discover("post", []Sample{{URL: u, Root: treeOf(b.String()), Level: "thread"}, {URL: u, Root: treeOf(strings.Repeat(b.String()[:20_000], 5)), Level: "thread"}})
}
