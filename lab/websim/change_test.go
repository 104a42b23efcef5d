package websim_test

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"varve/lab/websim"
	"varve/lab/websim/truth"
)

const oneDay = 24 * time.Hour

// seen is what a reader finds on each layer of an HTML body: by parsing it, not by asking the web.
func seen(t *testing.T, body []byte) map[truth.Layer]string {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	var text, main strings.Builder
	var links []string
	var walk func(n *html.Node, inMain bool)
	walk = func(n *html.Node, inMain bool) {
		if n.Type == html.ElementNode {
			if n.Data == "script" || n.Data == "style" || n.Data == "head" {
				inMain = false
			}
			if n.Data == "article" {
				inMain = true
			}
			for _, a := range n.Attr {
				if (a.Key == "href" || a.Key == "src") && n.Data != "link" || a.Key == "href" && n.Data == "link" && n.Attr[0].Val == "stylesheet" {
					links = append(links, a.Val)
				}
			}
		}
		if n.Type == html.TextNode && n.Parent.Data != "script" && n.Parent.Data != "style" && n.Parent.Data != "title" {
			text.WriteString(n.Data)
			if inMain {
				main.WriteString(n.Data)
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, inMain)
		}
	}
	walk(root, false)
	slices.Sort(links)
	masked := token.ReplaceAllString(string(body), "")
	// The line "Last modified" is a date of the main text; it changes with it.
	return map[truth.Layer]string{
		truth.Bytes: string(body), truth.DOM: masked, truth.Text: text.String(), truth.Main: main.String(),
		truth.LinkSet: strings.Join(slices.Compact(links), "\n"),
	}
}

var token = regexp.MustCompile(`content="[0-9a-z]{5,14}"|value="[0-9a-z]{5,14}"|<!-- rendered by node .*-->`)

// What the web says about a layer must be what a reader of the bodies sees, for every page, kind of
// change and layer.
func TestLayersAreWhatReadersSee(t *testing.T) {
	checked := map[truth.Layer][2]int{}
	for _, preset := range []string{"layers", "tiny", "blog"} {
		w := load(t, 5, preset)
		for i := 0; i < w.Len(); i += 1 + w.Len()/100 {
			if w.Page(id(i)).Type != websim.HTML {
				continue
			}
			from := w.Epoch().Add(oneDay * time.Duration(20+i%7))
			to := from.Add(oneDay * 2)
			a, b := w.Get(w.URL(id(i), from), from), w.Get(w.URL(id(i), to), to)
			if a.Status != 200 || b.Status != 200 || a.Version.Moves != b.Version.Moves {
				continue
			}
			left, right := seen(t, a.Body), seen(t, b.Body)
			for l := range left {
				want := left[l] != right[l]
				if got := w.Changed(id(i), from, to, l); got != want {
					t.Fatalf("%s page %d: layer %v changed: the web says %v, the bodies %v (%v -> %v)", preset, i, l, got, want, a.Version, b.Version)
				}
				n := checked[l]
				if want {
					n[1]++
				} else {
					n[0]++
				}
				checked[l] = n
			}
		}
	}
	for l, n := range checked {
		if n[0] < 5 || n[1] < 5 {
			t.Errorf("layer %v: %d unchanged and %d changed, so the test shows little", l, n[0], n[1])
		}
	}
}

// The links that the web tells are those of the body.
func TestLinksAreThoseOfTheBody(t *testing.T) {
	for _, preset := range []string{"tiny", "news", "bad", "hosts50"} {
		w := load(t, 2, preset)
		at := w.Epoch().Add(100 * oneDay)
		for i := 0; i < w.Len(); i += 1 + w.Len()/40 {
			a := w.Get(w.URL(id(i), at), at)
			if w.Page(id(i)).Type != websim.HTML || a.Status != 200 {
				continue
			}
			var told []string
			host := w.Page(id(i)).Host
			for _, l := range w.Links(id(i), at) {
				told = append(told, strings.TrimPrefix(l.URL, "http://"+host))
			}
			slices.Sort(told)
			if got := strings.Join(slices.Compact(told), "\n"); got != seen(t, a.Body)[truth.LinkSet] {
				t.Fatalf("%s page %d: told\n%s\nin the body\n%s", preset, i, got, seen(t, a.Body)[truth.LinkSet])
			}
		}
	}
}

// From the home page all pages that are there can be reached by links.
func TestAllPagesAreReached(t *testing.T) {
	for _, preset := range []string{"tiny", "flat5000", "blog", "ministry", "shop", "university"} {
		w := load(t, 1, preset)
		at := w.Epoch().Add(150 * oneDay)
		reached := make([]bool, w.Len())
		var queue []websim.PageID
		for _, h := range w.Hosts() {
			queue = append(queue, h.First)
			reached[h.First] = true
		}
		for len(queue) > 0 {
			for _, l := range w.Links(queue[0], at) {
				if l.To != websim.NoPage && !reached[l.To] {
					reached[l.To] = true
					queue = append(queue, l.To)
				}
			}
			queue = queue[1:]
		}
		for i, ok := range reached {
			p := w.Page(id(i))
			if p.Type != websim.HTML && w.Version(p.Parent, at).State != truth.Live {
				continue // a picture of a page that is not there
			}
			if live := w.Version(id(i), at).State == truth.Live; live && !ok {
				t.Fatalf("%s: %s is there, but nothing leads to it", preset, w.URL(id(i), at))
			}
		}
	}
}

// Counts of changes must match the rates of the rules, by depth and type.
func TestRatesByRule(t *testing.T) {
	w := load(t, 9, `
[[site]]
host = "r.sim.test"
pages = 3000
fanout = 50
assets = 500
[[site.change]]
type = ["html"]
depth = [0, 1]
every = "1d"
[[site.change]]
path = "/economy/**"
type = ["html"]
depth = [2, 9]
process = "bernoulli"
slot = "6h"
p = 0.01
[[site.change]]
type = ["pdf"]
every = "40d"
spread = "exponential"
[[site.change]]
type = ["html"]
every = "30d"
kinds = { token = 1 }
`)
	var got, want, variance [3]float64
	hours := w.End().Sub(w.Epoch()).Hours()
	for i := range w.Len() {
		p := w.Page(id(i))
		class := 0
		switch {
		case p.Type == websim.PDF:
			class = 1
		case p.Depth >= 2 || p.Type != websim.HTML:
			class = 2
		}
		n := float64(w.Changes(id(i), w.Epoch(), w.End(), truth.Main))
		mean := w.Rate(id(i), truth.Main) * hours
		got[class], want[class], variance[class] = got[class]+n, want[class]+mean, variance[class]+mean
	}
	for k, name := range []string{"front pages", "pdf", "others"} {
		if want[k] == 0 || math.Abs(got[k]-want[k]) > 5*math.Sqrt(variance[k]) {
			t.Errorf("%s: %v changes, want %.1f with standard deviation %.1f", name, got[k], want[k], math.Sqrt(variance[k]))
		}
	}
	if r := w.Rate(0, truth.Main); math.Abs(r-1.0/24) > 1e-12 {
		t.Errorf("rate of the home page %v per hour", r)
	}
}

// A change of content leaves most of the text as it was.
func TestChangeTouchesAPart(t *testing.T) {
	w := load(t, 4, "[[site]]\nhost='a.sim.test'\npages=4\nsize.html={mean=20000}\n[[site.change]]\nevery='5d'")
	para := regexp.MustCompile(`<p class="paragraph">.*?</p>`)
	kept, total := 0, 0
	for i := range w.Len() {
		for _, e := range w.History(id(i))[:10] {
			before := para.FindAllString(string(w.Get(w.URL(id(i), e.Time), e.Time.Add(-time.Millisecond)).Body), -1)
			after := para.FindAllString(string(w.Get(w.URL(id(i), e.Time), e.Time).Body), -1)
			same := 0
			for _, p := range before {
				if slices.Contains(after, p) {
					same++
				}
			}
			if same == len(before) {
				t.Fatal("a change that changes nothing")
			}
			kept, total = kept+same, total+len(before)
		}
	}
	if share := float64(kept) / float64(total); share < 0.55 || share > 0.75 {
		t.Errorf("a change keeps %.2f of the paragraphs, want about 2/3", share)
	}
}
