package webapp

import (
	"fmt"
	"strings"
	"testing"

	"varve/web/canon"
)

// A blog in a template of its own: one post a page, remarks below some, neighbours, tags, and a list of what is new.
type leaf struct {
	id, title, author, day, text string
	remarks                      []planks
}

func leafOf(n int) leaf {
	l := leaf{
		id: fmt.Sprint(40 + n), title: fmt.Sprintf("%s, part %d", []string{"Rope", "Tar", "Sails"}[n%3], n), author: []string{"Ada Holm", "Bert"}[n/4%2], day: fmt.Sprintf("2025-%02d-%02d", 1+n%9, 1+n%28),
		text: fmt.Sprintf("It was %d fathoms deep. We cast the lead again at dawn.\nThe bottom was sand number %d, with shells in it.", n, 100+n),
	}
	for i := range n % 4 {
		l.remarks = append(l.remarks, planks{id: fmt.Sprint(900 + 10*n + i), author: fmt.Sprintf("Guest %d of %d", i, n), day: fmt.Sprintf("2025-10-%02d", 1+n%28), text: fmt.Sprintf("Remark %d to part %d, well said.", i, n)})
	}
	return l
}

// leafPage writes a post; style says where things stand.
func leafPage(n, style int) string {
	l := leafOf(n)
	var b strings.Builder
	fmt.Fprintf(&b, `<html><head><title>%s – The Log</title><meta name="generator" content="WordPress 6.1"><link rel="shortlink" href="http://log.example/?p=%s"></head><body class="single postid-%s"><h1><a href="/">The Log</a></h1><nav><a href="/">Home</a> <a href="/about/">About us</a></nav>`, l.title, l.id, l.id)
	text := "<p>" + strings.ReplaceAll(l.text, "\n", "</p><p>") + "</p>"
	switch style {
	case 0:
		fmt.Fprintf(&b, `<section class="leaf"><h2 class="leaf-head">%s</h2><p>put down by <em class="hand">%s</em>, <abbr title="%sT08:00:00Z">some day</abbr></p><div class="words">%s</div><p class="kinds">On <a>deep</a>, <a>%s</a></p></section>`, l.title, l.author, l.day, text, []string{"sand", "mud"}[n%2])
	case 1: // author and day in one line, the title below it, the text straight in the box
		fmt.Fprintf(&b, `<div id="page"><div class="box"><small>Written on %s by %s</small><h2>%s</h2><div class="entry">%s</div></div></div>`, l.day, l.author, l.title, text)
	}
	fmt.Fprintf(&b, `<p class="walk"><a href="/p%d">%s</a> <a href="/p%d">%s</a></p><div class="talk">`, n-1, leafOf(max(0, n-1)).title, n+1, leafOf(n+1).title)
	for _, r := range l.remarks {
		fmt.Fprintf(&b, `<div class="voice" id="voice-%s"><p>by <strong class="whose">%s</strong> <span title="%sT12:30:00Z">%s</span></p><div class="said"><p>%s</p></div></div>`, r.id, r.author, r.day, r.day, r.text)
	}
	b.WriteString(`</div><aside><h3>New</h3><ul>`)
	for i := range 5 {
		fmt.Fprintf(&b, `<li><a>%s</a> <time datetime="%s">then</time></li>`, leafOf(i).title, leafOf(i).day)
	}
	return b.String() + `</ul></aside><footer>Leave a remark below. Powered by <a>rope</a></footer></body></html>`
}

func TestDiscoverAlone(t *testing.T) {
	for style := range 2 {
		k := Default()
		address := func(n int) string { return fmt.Sprintf("http://log.example/p%d", n) }
		var samples []Sample
		for n := range 12 {
			u, r, s := look(t, k, address(n), leafPage(n, style))
			if s == nil || s.App.Name != "WordPress" || s.LevelName() != "post" {
				t.Fatalf("page is %v", s)
			}
			samples = append(samples, Sample{URL: u, Root: r.Root(), Level: s.LevelName()})
		}
		samples = append(samples, samples[3]) // the same page under another address
		var learned []*Extraction
		for _, d := range k.Named("WordPress").Discover(samples) {
			if d.Learned == nil {
				t.Fatalf("style %d: nothing was found: %+v", style, d)
			}
			learned = append(learned, d.Learned)
		}
		file := AppendExtractions(nil, learned)
		app, err := k.Named("WordPress").Variant(learned, true)
		if err != nil {
			t.Fatalf("%v in\n%s", err, file)
		}
		k = k.With(app)
		for n := 12; n < 20; n++ { // that were not looked at
			u, r, s := look(t, k, address(n), leafPage(n, style))
			list, _ := s.Extract(u, r.Root())
			want := leafOf(n)
			if len(list) != 1+len(want.remarks) {
				t.Fatalf("style %d, page %d: %d objects, want %d: %+v\n%s", style, n, len(list), 1+len(want.remarks), list, file)
			}
			if o := list[0]; o.Type != "post" || o.ID != want.id || o.Author != want.author || o.Title != want.title || o.Text != want.text || o.Time.Format("2006-01-02") != want.day {
				t.Errorf("style %d: %+v, want %+v\n%s", style, o, want, file)
			}
			for i, w := range want.remarks {
				if o := list[1+i]; o.Type != "comment" || o.ID != w.id || o.Author != w.author || o.Text != w.text || o.Time.Format("2006-01-02") != w.day {
					t.Errorf("style %d: %+v, want %+v\n%s", style, o, w, file)
				}
			}
		}
	}
}

// Pages that have nothing in common but their software, or all the same text, give nothing.
func TestDiscoverAloneNothing(t *testing.T) {
	a := Default().Named("WordPress")
	for name, page := range map[string]func(n int) string{
		"the same page": func(int) string { return leafPage(1, 0) },
		"nothing":       func(int) string { return "" },
		"titles only": func(n int) string {
			return fmt.Sprintf("<html><head><title>T%d</title></head><body><h1>T%d</h1><p class=x>Log in to read.</p>", n, n)
		},
		"each its own way": func(n int) string {
			return fmt.Sprintf("<html><head><title>T%d</title></head><body><h1>T%d</h1><p class=x%s>Words %d of %d.</p>", n, n, strings.Repeat("y", n), n, n)
		},
		"no title": func(n int) string { return fmt.Sprintf("<body><div class=a>Words %d of a page.</div>", n) },
	} {
		var samples []Sample
		for n := range 12 {
			u, err := canon.Parse(fmt.Sprintf("http://log.example/p%d", n))
			if err != nil {
				t.Fatal(err)
			}
			samples = append(samples, Sample{URL: u, Root: treeOf(page(n)), Level: "post"})
		}
		for _, d := range a.Discover(samples) {
			if d.Learned != nil {
				t.Errorf("%s: %s", name, AppendExtractions(nil, []*Extraction{d.Learned}))
			}
		}
	}
}

// A page on which everything is a title, a time and a comment costs as much as any.
func TestDiscoverAloneHostile(t *testing.T) {
	var samples []Sample
	for page := range 6 {
		var b strings.Builder
		fmt.Fprintf(&b, "<html><head><title>%d x</title></head><body>", page)
		for i := range 3000 {
			fmt.Fprintf(&b, `<div class="a b%c author" title="2025-01-%02d">by <i datetime="2025-01-02">%d x</i>`, 'a'+rune(i%26), 1+i%28, page)
		}
		u, err := canon.Parse(fmt.Sprintf("http://log.example/p%d", page))
		if err != nil {
			t.Fatal(err)
		}
		samples = append(samples, Sample{URL: u, Root: treeOf(b.String()), Level: "post"})
	}
	Default().Named("WordPress").Discover(samples)
}
