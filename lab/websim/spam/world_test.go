package spam_test

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/spam"
	"varve/web/links"
)

func newWorld(t testing.TB, cfg spam.Config, seed uint64) (*spam.World, *websim.Web) {
	t.Helper()
	world, err := spam.New(cfg, seed)
	if err != nil {
		t.Fatal(err)
	}
	web, err := world.Web()
	if err != nil {
		t.Fatal(err)
	}
	return world, web
}

// The same seed gives the same world, another one another; nothing depends on the order of questions.
func TestSameEveryTime(t *testing.T) {
	a, webA := newWorld(t, spam.Config{Hosts: 120}, 3)
	b, webB := newWorld(t, spam.Config{Hosts: 120}, 3)
	c, _ := newWorld(t, spam.Config{Hosts: 120}, 4)
	at := a.Epoch().AddDate(1, 0, 0)
	same := 0
	for i, h := range a.Hosts() {
		o := b.Hosts()[len(a.Hosts())-1-i]
		webB.Get("http://"+o.Name+"/", at)
		if x, y := webA.Get("http://"+h.Name+"/", at), webB.Get("http://"+h.Name+"/", at); !bytes.Equal(x.Body, y.Body) || x.Status != 200 {
			t.Fatalf("%s: status %d, %d and %d bytes", h.Name, x.Status, len(x.Body), len(y.Body))
		}
		if c.Hosts()[i].Name == h.Name {
			same++
		}
	}
	if same > 5 {
		t.Errorf("%d hosts are the same with another seed", same)
	}
}

// Every generator makes hosts, with its share of spam.
func TestShares(t *testing.T) {
	w, _ := newWorld(t, spam.Config{Hosts: 500, Spam: 0.4}, 1)
	count, bad := map[string]int{}, 0
	for _, h := range w.Hosts() {
		count[h.Kind]++
		if h.Spam {
			bad++
		}
	}
	if len(w.Hosts()) != 500 || bad != 200 || len(count) != len(spam.Kinds()) {
		t.Errorf("%d hosts, %d spam, %v", len(w.Hosts()), bad, count)
	}
}

// page links of one answer.
func linksOf(t *testing.T, base string, body []byte) []string {
	t.Helper()
	var out []string
	_, err := links.New(links.Limits{}).Extract(links.Document{URL: base, MIME: "text/html", Body: body}, func(l links.Link) {
		if l.Hop == links.HopLink || l.Hop == links.HopRedirect {
			out = append(out, l.URL)
		}
	})
	if err != nil {
		t.Errorf("%s: %v", base, err)
	}
	return out
}

// A crawl from the famous hosts can reach nearly all: each host by links, and within it nearly all pages.
func TestReach(t *testing.T) {
	w, web := newWorld(t, spam.Config{Hosts: 150, Scale: 0.2}, 5)
	at := w.Epoch().AddDate(1, 6, 0)
	seen, queue := map[string]bool{}, w.Seeds(5)
	pages, missing, hosts := 0, 0, map[string]bool{}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		if seen[u] {
			continue
		}
		seen[u] = true
		a := web.Get(u, at)
		if a.Status != 200 {
			missing++
			continue
		}
		parsed, err := url.Parse(u)
		if err != nil {
			t.Fatal(err)
		}
		hosts[parsed.Host] = true
		pages++
		queue = append(queue, linksOf(t, u, a.Body)...)
	}
	all := 0
	for _, h := range w.Hosts() {
		all += h.Pages
	}
	if len(hosts) < 130 || pages < all*85/100 || missing > pages/20 {
		t.Errorf("%d of 150 hosts, %d of %d pages, %d missing", len(hosts), pages, all, missing)
	}
}

// Expired domains are normal until they turn, and are written otherwise afterwards; late farms are not there before.
func TestTime(t *testing.T) {
	w, web := newWorld(t, spam.Config{Hosts: 400}, 2)
	turned, late := 0, 0
	for _, h := range w.Hosts() {
		home := "http://" + h.Name + "/"
		if h.Kind == "expired" {
			turned++
			before, known := w.Label(h.Name, h.Turns.Add(-time.Hour))
			after, _ := w.Label(h.Name, h.Turns)
			if before || !known || !after || bytes.Equal(web.Get(home, h.Turns.Add(-time.Hour)).Body, web.Get(home, h.Turns).Body) {
				t.Errorf("%+v: spam before %v, after %v", h, before, after)
			}
		}
		if h.Born.After(w.Epoch()) {
			late++
			if _, known := w.Label(h.Name, w.Epoch()); known || web.Get(home, w.Epoch()).Status != 404 || web.Get(home, h.Born).Status != 200 {
				t.Errorf("%+v is there before it is born, or not after", h)
			}
		}
	}
	if turned == 0 || late == 0 {
		t.Errorf("%d expired, %d late", turned, late)
	}
}

// Crawlers and people are told different things by cloaked hosts only.
func TestCloaking(t *testing.T) {
	w, web := newWorld(t, spam.Config{Hosts: 300}, 6)
	at := w.Epoch().AddDate(1, 6, 0)
	for _, h := range w.Hosts() {
		r := websim.Request{Host: h.Name, Target: "/", Header: []websim.Field{{Name: "User-Agent", Value: "varve"}}}
		crawler := web.Fetch(&r, at)
		r.Header[0].Value = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
		if same := bytes.Equal(crawler.Body, web.Fetch(&r, at).Body); same == (h.Kind == "cloaked") {
			t.Errorf("%s (%s): the same %v", h.Name, h.Kind, same)
		}
	}
}

// Comments of spammers stand on normal hosts, and the truth knows where.
func TestComments(t *testing.T) {
	w, web := newWorld(t, spam.Config{Hosts: 200}, 7)
	at := w.Epoch().AddDate(0, 3, 0)
	marked, bad := 0, map[string]bool{}
	for _, h := range w.Hosts() {
		bad[h.Name] = h.Spam
	}
	for _, h := range w.Hosts() {
		if h.Kind != "blog" && h.Kind != "forum" {
			continue
		}
		home := "http://" + h.Name + "/"
		for _, u := range linksOf(t, home, web.Get(home, at).Body) {
			p, err := url.Parse(u)
			if err != nil || p.Host != h.Name || !w.Commented(h.Name, p.RequestURI(), at) {
				continue
			}
			marked++
			leads := false
			for _, l := range linksOf(t, u, web.Get(u, at).Body) {
				q, err := url.Parse(l)
				leads = leads || err == nil && bad[q.Host]
			}
			if !leads {
				t.Errorf("%s is marked and links no spam", u)
			}
		}
	}
	if marked < 5 {
		t.Errorf("only %d pages with spam in their comments", marked)
	}
}

func TestBadConfig(t *testing.T) {
	for _, cfg := range []spam.Config{{Hosts: 2}, {Spam: 1}, {Scale: 1e9}, {Kinds: []string{"nothing"}}, {Years: 100}, {Kinds: []string{"parked"}}} {
		if _, err := spam.New(cfg, 1); err == nil {
			t.Errorf("%+v was taken", cfg)
		}
	}
}

// FuzzAnswer asks for anything.
func FuzzAnswer(f *testing.F) {
	world, web := newWorld(f, spam.Config{Hosts: 60}, 1)
	f.Add(uint16(0), "/", int64(0))
	f.Add(uint16(40), "/?p=3", int64(1e9))
	f.Add(uint16(50), "/img/-1.jpg", int64(-5))
	f.Fuzz(func(t *testing.T, n uint16, target string, seconds int64) {
		h := world.Hosts()[int(n)%60]
		at := world.Epoch().Add(time.Duration(seconds%4e9) * time.Second)
		a := web.Fetch(&websim.Request{Host: h.Name, Target: target}, at)
		if a.Status == 200 && strings.Contains(a.Get("Content-Type"), "html") && !bytes.Contains(a.Body, []byte("</html>")) {
			t.Errorf("%s%s: %d bytes without an end", h.Name, target, len(a.Body))
		}
	})
}

func ExampleNew() {
	world, err := spam.New(spam.Config{Hosts: 60, Spam: 0.25}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	bad := 0
	for _, h := range world.Hosts() {
		if spam, _ := world.Label(h.Name, world.End()); spam {
			bad++
		}
	}
	fmt.Println(bad, "of", len(world.Hosts()), "hosts are spam")
	// Output: 15 of 60 hosts are spam
}

func BenchmarkPage(b *testing.B) {
	w, web := newWorld(b, spam.Config{}, 1)
	hosts, at := w.Hosts(), w.Epoch().AddDate(1, 6, 0)
	var bytes int64
	for i := 0; b.Loop(); i++ {
		bytes += int64(len(web.Get("http://"+hosts[i%len(hosts)].Name+"/", at).Body))
	}
	b.SetBytes(bytes / int64(b.N))
}

// Small worlds in which a host may find nobody to link still answer.
func TestLonelyHosts(t *testing.T) {
	for seed := range uint64(80) {
		w, err := spam.New(spam.Config{Hosts: 5, Spam: 0.2, Kinds: []string{"moved", "thin", "stuffed"}}, seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range w.Hosts() {
			if a := w.Answer(&websim.Request{Host: h.Name, Target: "/"}, w.End()); a == nil || a.Status != 200 {
				t.Errorf("seed %d, %s: %+v", seed, h.Name, a)
			}
		}
	}
}
