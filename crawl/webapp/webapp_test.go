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
		{"Drupal", "/node/7", true},
		{"Drupal", "/node/7/edit", false},
		{"Drupal", "/search-lights", true},
		{"XenForo", "/threads/help-me.4/page-2", true},
		{"XenForo", "/threads/help-me.4/add-reply", false},
		{"vBulletin", "/showthread.php?t=4&page=2", true},
		{"vBulletin", "/newreply.php?do=newreply&p=12", false},
		{"NodeBB", "/topic/4/nets?page=2", true},
		{"NodeBB", "/topic/4/nets?sort=newest_to_oldest", false},
		{"Blogger", "/2024/03/nets.html", true},
		{"Blogger", "/2024/03/nets.html?showComment=1", false},
		{"Ghost", "/nets/", true},
		{"Joomla", "/nets?tmpl=component&print=1", false},
		{"TYPO3", "/news/nets", true},
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

// Pages as these applications write them, by memory of their markup.
func TestMarkupFromMemory(t *testing.T) {
	for _, c := range []struct{ app, address, body, want string }{
		{"Drupal", "/node/7", `<meta name="Generator" content="Drupal 10 (https://www.drupal.org)"><h1 class="page-title">Nets</h1><article data-history-node-id="7" class="node node--type-article node--view-mode-full"><footer class="node__meta">by <a rel="author">Ida</a> <time datetime="2024-03-02T10:00:00Z">then</time></footer><div class="node__content"><div class="field field--name-body">Mend them.</div><div class="field--name-field-tags"><a>nets</a></div></div></article><article class="comment" id="comment-3"><span class="username">Ole</span><time datetime="2024-03-03T10:00:00Z">x</time><div class="field--name-comment-body">Well said.</div></article>`, "post 7 Ida 2024-03-02 Nets: Mend them. | comment 3 Ole 2024-03-03 : Well said."},
		{"Joomla", "/nets", `<meta name="generator" content="Joomla! - Open Source Content Management"><div class="com-content-article item-page"><div class="page-header"><h1>Nets</h1></div><dl class="article-info"><dd class="createdby"><span itemprop="author"><span itemprop="name">Ida</span></span></dd><dd class="published"><time datetime="2024-03-02T10:00:00+00:00">then</time></dd></dl><div itemprop="articleBody">Mend them.</div></div>`, "post  Ida 2024-03-02 Nets: Mend them."},
		{"TYPO3", "/news/nets", `<meta name="generator" content="TYPO3 CMS"><div class="news news-single"><div class="article"><h1 itemprop="headline">Nets</h1><span class="news-list-date"><time itemprop="datePublished" datetime="2024-03-02">then</time></span><span class="news-list-author">Ida</span><div class="news-text-wrap" itemprop="articleBody">Mend them.</div></div></div>`, "post  Ida 2024-03-02 Nets: Mend them."},
		{"Ghost", "/nets/", `<meta name="generator" content="Ghost 5.82"><body class="post-template"><article class="gh-article post"><h1 class="gh-article-title">Nets</h1><h4 class="author-name"><a>Ida</a></h4><time class="byline-meta-date" datetime="2024-03-02">then</time><section class="gh-content">Mend them.</section></article>`, "post  Ida 2024-03-02 Nets: Mend them."},
		{"Blogger", "/2024/03/nets.html", `<meta content='blogger' name='generator'/><div class="blog-posts"><div class="post-outer"><div class="post hentry"><h3 class="post-title entry-title">Nets</h3><div class="post-body entry-content" id="post-body-99">Mend them.</div><span class="post-author vcard"><span class="fn">Ida</span></span><abbr class="published" title="2024-03-02T10:00:00Z">then</abbr></div></div></div><div id="comments"><ol><li class="comment" id="c5"><cite class="user"><a>Ole</a></cite><span class="datetime"><a href="/x#c5">3 March 2024 at 10:00</a></span><p class="comment-content">Well said.</p></li></ol></div>`, "post 99 Ida 2024-03-02 Nets: Mend them. | comment 5 Ole 2024-03-03 : Well said."},
		{"vBulletin", "/showthread.php?t=4", `<meta name="generator" content="vBulletin 4.2.2"><ol id="postlist"><li class="postbitlegacy" id="post_12"><span class="postdate"><span class="date">2024-03-02</span></span><a class="username"><strong>Ida</strong></a><h2 class="title">Nets</h2><blockquote class="postcontent">Mend them.</blockquote></li></ol>`, "post 12 Ida 2024-03-02 Nets: Mend them."},
		{"XenForo", "/threads/nets.4/", `<html id="XF"><h1 class="p-title-value">Nets</h1><article class="message message--post" data-author="Ida" data-content="post-12"><div class="message-inner"><time datetime="2024-03-02T10:00:00+0000">then</time><article class="message-body"><div class="bbWrapper">Mend them.</div></article></div></article>`, "post 12 Ida 2024-03-02 : Mend them."},
		{"NodeBB", "/topic/4/nets", `<script src="/assets/nodebb.min.js"></script><ul component="topic"><li component="post" data-pid="12" data-username="Ida"><time datetime="2024-03-02T10:00:00Z">then</time><div component="post/content">Mend them.</div></li></ul>`, "post 12 Ida 2024-03-02 : Mend them."},
	} {
		u, r, s := look(t, Default(), "http://example.org"+c.address, c.body)
		if s == nil || s.App.Name != c.app {
			t.Errorf("%s is recognised as %v", c.app, s)
			continue
		}
		var got []string
		list, _ := s.Extract(u, r.Root())
		for _, o := range list {
			got = append(got, fmt.Sprintf("%s %s %s %s %s: %s", o.Type, o.ID, o.Author, o.Time.Format("2006-01-02"), o.Title, o.Text))
		}
		if strings.Join(got, " | ") != c.want {
			t.Errorf("%s, %s:\n got %s\nwant %s", c.app, s.LevelName(), strings.Join(got, " | "), c.want)
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
