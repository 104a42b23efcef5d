package webapp

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"varve/page"
	"varve/web/canon"
	"varve/web/markup"
)

var update = flag.Bool("update", false, "write what is read as what is wanted")

// look reads a page as a crawl would.
func look(t testing.TB, k *Knowledge, address, body string) (canon.URL, *Reader, *Sight) {
	t.Helper()
	u, err := canon.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	r := k.NewReader()
	if _, err := page.NewReader().Read(page.Input{URL: address, MIME: "text/html; charset=utf-8", Body: []byte(body)}, page.Want{Brief: true, With: []markup.Subscriber{r}}); err != nil {
		t.Fatal(err)
	}
	return u, r, r.Sight(u, nil)
}

// Pages of real software are recognised, and what people wrote on them is read.
func TestPages(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no pages", err)
	}
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		u, r, s := look(t, Default(), strings.TrimSpace(string(ar.Files[0].Data)), string(ar.Files[1].Data))
		var got strings.Builder
		if s == nil {
			t.Errorf("%s: not recognised", name)
			continue
		}
		fmt.Fprintf(&got, "%s %s, %s, %.3f\n", s.App.Name, s.Version, s.LevelName(), s.Confidence)
		list, left := s.Extract(u, r.Root())
		for _, o := range list {
			fmt.Fprintf(&got, "%s %s reply=%s by=%q when=%q time=%s title=%q tags=%q link=%s\n  %s\n", o.Type, o.ID, o.Reply, o.Author, o.When, o.Time.Format("2006-01-02T15:04"), o.Title, o.Tags, o.Link, strings.ReplaceAll(o.Text, "\n", "\n  "))
		}
		if left > 0 {
			fmt.Fprintf(&got, "%d left out\n", left)
		}
		want := &ar.Files[2]
		if *update {
			want.Data = []byte(got.String())
			if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if !bytes.Equal(want.Data, []byte(got.String())) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got.String(), want.Data)
		}
	}
}

// Pages of no application that is known cost no tree and are recognised as nothing, also where they talk about one.
func TestOtherPages(t *testing.T) {
	for _, body := range []string{
		"", "<p>A page", "<p>How to install WordPress: put it below /wp-content/ and run MediaWiki beside it.",
		`<div class="post"><p>A word about phpBB and DokuWiki</p></div>`,
	} {
		if _, r, s := look(t, Default(), "http://example.org/article", body); s != nil {
			t.Errorf("%q is recognised as %v", body, s)
		} else if r.Root() != nil && !strings.Contains(body, "WordPress") && !strings.Contains(body, "phpBB") {
			t.Errorf("%q has a tree", body)
		}
	}
}

// Forms, orders and old versions are levels that are not visited; pages are.
func TestLevelsByAddress(t *testing.T) {
	for _, c := range []struct {
		app, address string
		follow       bool
	}{
		{"WordPress", "/2025/01/hello/", true},
		{"WordPress", "/2025/01/hello/?replytocom=7", false},
		{"WordPress", "/wp-login.php?redirect_to=x", false},
		{"WordPress", "/?s=words", false},
		{"MediaWiki", "/wiki/Port_1", true},
		{"MediaWiki", "/index.php?title=Port_1&action=edit", false},
		{"MediaWiki", "/index.php?title=Port_1&oldid=12", false},
		{"MediaWiki", "/wiki/Special:RecentChanges", false},
		{"MediaWiki", "/wiki/Special:AllPages", true},
		{"DokuWiki", "/doku.php?id=birds:bird1", true},
		{"DokuWiki", "/doku.php?id=birds:bird1&do=diff", false},
		{"DokuWiki", "/doku.php?id=birds:bird1&rev=1700000000", false},
		{"phpBB", "/viewtopic.php?f=2&t=10", true},
		{"phpBB", "/viewtopic.php?p=12#p12", false},
		{"phpBB", "/posting.php?mode=reply&t=10", false},
		{"phpBB", "/viewforum.php?f=2&sk=t&sd=d", false},
		{"django-machina", "/forum/forum/boats-2/topic/boats-question-5-6/", true},
		{"django-machina", "/forum/forum/boats-2/topic/boats-question-5-6/?page=2", true},
		{"django-machina", "/forum/forum/boats-2/topic/boats-question-5-6/?post=58", false},
		{"django-machina", "/forum/forum/boats-2/topic/boats-question-5-6/post/create/", false},
		{"FlaskBB", "/topic/12-hello?page=2", true},
		{"FlaskBB", "/topic/12-hello/post/new", false},
		{"Discourse", "/t/hello/12", true},
	} {
		u, err := canon.Parse("http://example.org" + c.address)
		if err != nil {
			t.Fatal(err)
		}
		a := Default().Named(c.app)
		if l := a.LevelOf(u, nil); (l == nil || l.Follows()) != c.follow {
			t.Errorf("%s %s: followed is %v", c.app, c.address, !c.follow)
		}
	}
}

// A forum of a known application in a template that is not known is read by what is known of other forums; a page without posts is not.
func TestUnknownTemplate(t *testing.T) {
	head := `<body id="phpbb" class="section-viewtopic"><p class="copyright"><a href="https://www.phpbb.com/">phpBB</a></p>`
	var posts strings.Builder
	for i := range 3 {
		fmt.Fprintf(&posts, `<article class="message" data-id="%d"><h4 class="message-name">user %d</h4><time datetime="2024-01-0%dT10:00:00Z">then</time><div class="message-body">Words of post %d.</div></article>`, 7+i, i, i+1, i)
	}
	u, r, s := look(t, Default(), "http://example.org/viewtopic.php?t=1", head+posts.String())
	list, _ := s.Extract(u, r.Root())
	if len(list) != 3 || list[2].ID != "9" || list[2].Author != "user 2" || list[2].Text != "Words of post 2." || list[2].Time.Day() != 3 {
		t.Errorf("%+v", list)
	}
	u, r, s = look(t, Default(), "http://example.org/viewtopic.php?t=1", head+`<div class="message"><p>You must log in to see this topic.</p></div><article><h3>News</h3></article>`)
	if list, _ := s.Extract(u, r.Root()); len(list) > 0 {
		t.Errorf("%+v", list)
	}
}

// A page that breaks every expression costs no more than its size times the expressions: each element is looked at once for each.
func TestHostilePages(t *testing.T) {
	head := `<meta name=generator content="WordPress 6.1"><link href="/wp-content/x"><body class="single">`
	for name, body := range map[string]string{
		"deep":     head + "<main>" + strings.Repeat(`<article class="hentry"><div class="entry-content">`, 3_000),
		"many":     head + strings.Repeat(`<ol class="comment-list"><li class="comment"><p class="comment-content">x</ol>`, 2_500),
		"replies":  head + `<ol class="comment-list">` + strings.Repeat(`<li class="comment" id="comment-1"><div class="comment-content">x</div><ol>`, 200),
		"unclosed": head + strings.Repeat(`<li class="comment"><time datetime="`, 3_000),
		"nothing":  head + strings.Repeat(`<main><article>`, 200) + strings.Repeat("<time></time><h1></h1>", 5_000),
	} {
		u, r, s := look(t, Default(), "http://example.org/2025/01/x/", body)
		if s == nil || s.App.Name != "WordPress" {
			t.Fatalf("%s: %v", name, s)
		}
		list, left := s.Extract(u, r.Root())
		if len(list) > maxObjects || name == "many" && left == 0 {
			t.Errorf("%s: %d objects, %d left out", name, len(list), left)
		}
		if name == "replies" && (len(list) != 200 || list[199].Reply != list[198].ID) {
			t.Errorf("replies: %d objects", len(list))
		}
	}
}

func FuzzSight(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(ar.Files[0].Data), string(ar.Files[1].Data))
	}
	f.Add("http://example.org/viewtopic.php?t=1", `<body id=phpbb class=section-viewtopic><div class=post id=p1><div class=content>x`)
	k := Default()
	f.Fuzz(func(t *testing.T, address, body string) {
		u, err := canon.Parse(strings.TrimSpace(address))
		if err != nil {
			return
		}
		r := k.NewReader()
		var w markup.Walker
		w.Walk([]byte(body), false, r)
		s := r.Sight(u, nil)
		if s == nil {
			return
		}
		if s.Confidence < enough || s.Confidence > 1 {
			t.Fatalf("confidence %v", s.Confidence)
		}
		for _, o := range first(s.Extract(u, r.Root())) {
			if o.Text == "" && o.Title == "" {
				t.Fatal("an object that says nothing")
			}
		}
	})
}

func first(list []Object, _ int) []Object { return list }
