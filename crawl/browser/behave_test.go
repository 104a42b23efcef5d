package browser_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"varve/crawl/browser"
	"varve/crawl/collect"
	"varve/web/links"
)

// What a visitor's hands bring, page by page: links that must be found, requests that must be made, and
// those that must not.
func TestBehaviours(t *testing.T) {
	for _, tc := range []struct {
		name, page string
		links      []string // paths that must be among the links
		asked      []string // paths that must have been asked for
		never      []string // paths that must not
	}{
		{
			name: "button", page: `<button onclick="fetch('/a.json')">Open</button>`, asked: []string{"/a.json"},
		},
		{
			name: "listener without a word about it", page: `<div id=d>Some text</div><script>d.addEventListener('click', () => fetch('/b.json'))</script>`, asked: []string{"/b.json"},
		},
		{
			name: "pointer with a delegated listener", page: `<div style="cursor:pointer" data-x=1>Go</div><script>document.addEventListener('click', e => { if (e.target.dataset.x) fetch('/c.json') })</script>`, asked: []string{"/c.json"},
		},
		{
			name: "pressed down", page: `<div role=button id=d>Menu</div><script>d.addEventListener('pointerdown', () => fetch('/pd.json'))</script>`, asked: []string{"/pd.json"},
		},
		{
			name: "nothing that changes the world", page: `<button onclick="fetch('/bad/1')">Log out</button><button onclick="fetch('/bad/2')">Delete account</button>
<button onclick="fetch('/bad/3')">Jetzt kaufen</button><a href=# onclick="fetch('/bad/4')" aria-label="Sign out"><i>x</i></a><button onclick="fetch('/bad/5')" class="btn-delete">x</button>
<form method=post action=/bad/6><button>Go</button></form><a href="/bad/7">a link</a><button disabled onclick="fetch('/bad/8')">no</button><button onclick="fetch('/good')">Details</button>`,
			asked: []string{"/good"}, never: []string{"/bad/"}, links: []string{"/bad/7"},
		},
		{
			name: "more until there is no more", page: `<ul id=l></ul><button id=m>Load more</button><script>let n = 0; m.onclick = () => fetch('/more.json?n=' + ++n).then(() => { l.insertAdjacentHTML('beforeend', '<li><a href=/m/' + n + '>m' + n + '</a>'); if (n == 7) m.remove() })</script>`,
			asked: []string{"/more.json?n=7"}, links: []string{"/m/1", "/m/7"}, never: []string{"/more.json?n=8"},
		},
		{
			name: "more, in no word that is known", page: `<ul id=l></ul><div id=m>&rsaquo;</div><script>let n = 0; m.onclick = () => { if (n < 5) fetch('/on.json?n=' + ++n).then(() => { l.innerHTML = '<li><a href=/on/' + n + '>m' + n + '</a>' }) }</script>`,
			asked: []string{"/on.json?n=1", "/on.json?n=5"}, links: []string{"/on/1", "/on/5"},
		},
		{
			name: "no calendar without end", page: `<div class="calendar-nav"><span id=m>&rsaquo;</span></div><script>let n = 0; m.onclick = () => fetch('/cal.json?m=' + ++n)</script>`,
			asked: []string{"/cal.json?m=1"}, never: []string{"/cal.json?m=2"},
		},
		{
			name: "scroll without end, within a limit", page: `<div id=l style="min-height:3000px">x</div><script>let n = 0; addEventListener('scroll', () => { if (n < 6 && innerHeight + scrollY > document.body.scrollHeight - 50) { n++; l.style.minHeight = 3000 + n * 1500 + 'px'; fetch('/page.json?n=' + n).then(() => l.insertAdjacentHTML('beforeend', '<a href=/s/' + n + '>s</a>')) } })</script>`,
			asked: []string{"/page.json?n=1", "/page.json?n=6"}, links: []string{"/s/6"},
		},
		{
			name: "seen when near", page: `<div style="height:5000px"></div><img id=i data-later=/pic.svg><script>new IntersectionObserver((e, o) => { if (e[0].isIntersecting) { i.src = i.dataset.later; o.disconnect() } }).observe(i)</script>`,
			asked: []string{"/pic.svg"},
		},
		{
			name: "shadow roots, open and closed", page: `<x-a></x-a><x-b></x-b><script>for (const [n, mode] of [['x-a', 'open'], ['x-b', 'closed']]) customElements.define(n, class extends HTMLElement { connectedCallback() { this.attachShadow({mode}).innerHTML = '<a href=/shadow/' + mode + '>s</a>' } })</script>`,
			links: []string{"/shadow/open", "/shadow/closed"},
		},
		{
			name: "a router", page: `<main id=v></main><div role=link tabindex=0 onclick="go('/r/1')">one</div><div role=link tabindex=0 onclick="go('/r/2')">two</div><script>function go(u) { history.pushState(null, '', u); show() } function show() { if (location.pathname != '/page') fetch('/r.json?u=' + location.pathname).then(() => v.innerHTML = '<a href="' + location.pathname + '/more">more</a>'); else v.innerHTML = '' } onpopstate = show</script>`,
			links: []string{"/r/1", "/r/2", "/r/1/more", "/r/2/more"}, asked: []string{"/r.json?u=/r/1"},
		},
		{
			name: "routes behind a hash", page: `<a href="#/one">one</a> <a href="#/two">two</a><main id=v></main><script>onhashchange = () => fetch('/h.json?' + location.hash.slice(2)).then(() => v.innerHTML = '<a href="/item' + location.hash.slice(1) + '">x</a>')</script>`,
			asked: []string{"/h.json?one", "/h.json?two"}, links: []string{"/item/one", "/item/two"},
		},
		{
			name: "links that vanish", page: `<div id=d><a href=/gone/1>x</a></div><script>setTimeout(() => { d.innerHTML = '<a href=/gone/2>y</a>'; setTimeout(() => d.remove(), 100) }, 100)</script>`,
			links: []string{"/gone/1", "/gone/2"},
		},
		{
			name: "a window, a script's address, a door that opens by itself", page: `<button onclick="window.open('/popup')">w</button><a href="javascript:location='/js-' + (6 * 7)">j</a><script>setTimeout(() => location.href = '/door', 2000)</script>`,
			links: []string{"/popup", "/js-42", "/door"}, never: []string{"/popup", "/js-42", "/door"},
		},
		{
			name: "choices of a form", page: `<form action=/find><select name=t><option>a<option>b</select><select name=y><option>1<option>2</select><input type=hidden name=h value=z></form>`,
			links: []string{"/find?t=a&y=1&h=z", "/find?t=b&y=2&h=z"},
		},
		{
			name: "a list that a script listens to", page: `<select onchange="fetch('/opt.json?v=' + this.value)"><option>1<option>2<option>3</select>`, asked: []string{"/opt.json?v=2", "/opt.json?v=3"},
		},
		{
			name: "details and menus", page: `<details ontoggle="fetch('/toggle.json')"><summary>x</summary></details><nav><li onmouseover="fetch('/hover.json')">m</li></nav>`, asked: []string{"/toggle.json", "/hover.json"},
		},
		{
			name: "a cookie banner", page: `<div id=cookie-banner><p>We like cookies</p><button onclick="this.closest('div').remove(); fetch('/accepted.json')">Accept all</button><a href=/policy>Policy</a></div>`,
			asked: []string{"/accepted.json"}, links: []string{"/policy"},
		},
		{
			name: "frames", page: `<iframe src="http://other.test/frame"></iframe><iframe srcdoc="<a href=/in-srcdoc>x</a>"></iframe>`, links: []string{"/frame", "/in-frame", "/in-srcdoc"}, asked: []string{"/frame", "/frame.json"},
		},
		{
			name: "buttons in frames of one's own, not of others", page: `<iframe src="/inner"></iframe><iframe src="http://other.test/inner?other"></iframe>`, asked: []string{"/inner", "/pressed.json"}, never: []string{"/pressed.json?other"},
		},
		{
			name: "posts", page: `<button onclick="fetch('/post', {method: 'POST', body: 'page=2'}).then(r => r.text()).then(x => document.body.insertAdjacentHTML('beforeend', x))">Show</button>`, asked: []string{"/post"}, links: []string{"/from-post"},
		},
		{
			name: "media", page: `<video preload=none><source src=/clip.webm type=video/webm></video>`, asked: []string{"/clip.webm"},
		},
		{
			name: "dialogs", page: `<script>alert(1); if (confirm('x')) fetch('/bad/yes'); prompt('y'); onbeforeunload = e => { e.preventDefault(); return 'x' }; fetch('/after.json')</script>`, asked: []string{"/after.json"}, never: []string{"/bad/"},
		},
		{
			name: "a page that breaks the language", page: `<script>Array.prototype.map = Array.prototype.filter = JSON.stringify = document.querySelectorAll = Element.prototype.querySelectorAll = () => { throw 1 }; Object.freeze(window)</script><a href=/still>x</a><button onclick="fetch('/ok.json')">b</button>`,
			links: []string{"/still"}, asked: []string{"/ok.json"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := pages{
				"/page": "<!doctype html><title>Page</title>" + tc.page, "/frame": `<a href=/in-frame>x</a><script>fetch('/frame.json')</script>`,
				"/inner": `<button onclick="fetch('/pressed.json' + location.search)">Open</button>`,
				"/post":  `<a href=/from-post>x</a>`, "/more.json": "1", "/page.json": "1", "/r.json": "1", "/h.json": "1", "/pic.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
			}
			n := site(t, p)
			r := execute(t, shared(t), n, "http://www.test/page")
			found, asked := urls(r), n.asked()
			for _, want := range tc.links {
				if !ends(found, want) {
					t.Errorf("no link %s in %v", want, found)
				}
			}
			for _, want := range tc.asked {
				if !ends(asked, want) {
					t.Errorf("nobody asked for %s: %v", want, asked)
				}
			}
			for _, bad := range tc.never {
				if slices.ContainsFunc(asked, func(u string) bool { return strings.Contains(u, ".test"+bad) }) {
					t.Errorf("asked for %s: %v", bad, asked)
				}
			}
		})
	}
}

func ends(list []string, path string) bool {
	return slices.ContainsFunc(list, func(u string) bool { return strings.HasSuffix(u, ".test"+path) })
}

// What is kept of a page: its title, its text, how it was executed, kinds and words of its links.
func TestWhatIsKept(t *testing.T) {
	n := site(t, pages{"/page": `<title>Before</title><p id=p></p><a href=/x>An <b>anchor</b></a><img src=/pic.svg><script>document.title = 'After'; p.textContent = 'made by a script'; new WebSocket('ws://www.test/socket')</script>`, "/pic.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"})
	r := execute(t, special(t), n, "http://www.test/page")
	if r.Title != "After" {
		t.Errorf("title %q", r.Title)
	}
	if len(r.Resources) != 2 {
		t.Fatalf("%d resources", len(r.Resources))
	}
	text := make([]byte, r.Resources[0].Body.Size())
	if _, err := r.Resources[0].Body.ReadAt(text, 0); err != nil {
		t.Error(err)
	}
	if r.Resources[0].URI != "urn:text:http://www.test/page" || !strings.Contains(string(text), "made by a script") {
		t.Errorf("text %s %q", r.Resources[0].URI, text)
	}
	magic := make([]byte, 8)
	if _, err := r.Resources[1].Body.ReadAt(magic, 0); err != nil || string(magic[1:4]) != "PNG" || r.Resources[1].URI != "urn:view:http://www.test/page" {
		t.Errorf("picture %s %q %v", r.Resources[1].URI, magic, err)
	}
	fields := map[string]string{}
	for _, f := range r.Fields {
		fields[f.Name] = f.Value
	}
	if fields["webSocket"] != "ws://www.test/socket" || fields["browserSeed"] != "7" || fields["browserDate"] == "" || !strings.HasPrefix(fields["browser"], "Chrome/") {
		t.Errorf("fields %v", fields)
	}
	for _, l := range r.Links {
		if l.URL == "http://www.test/x" && (l.Anchor != "An anchor" || l.Kind.String() != "a-href" || l.Hop != links.HopLink) {
			t.Errorf("link %+v", l)
		}
		if l.URL == "http://www.test/pic.svg" && l.Hop != links.HopEmbed {
			t.Errorf("picture %+v", l)
		}
	}
	if r.Cost.CPU <= 0 || r.Cost.Requests < 2 || r.Cost.Wall <= 0 {
		t.Errorf("cost %+v", r.Cost)
	}
}

// TestBehaviourCuts: what the limits of the scripts keep out of a page is counted, and nothing else is.
func TestBehaviourCuts(t *testing.T) {
	for _, tc := range []struct {
		name, page string
		cut        int // at least; 0: none
	}{
		{"a page", `<a href=/x>x</a><form><select name=s><option>1<option>2</select></form><button onclick="fetch('/a.json')">Open</button>`, 0},
		{"windows", `<script>for (let i = 0; i < 205; i++) open('/w' + i)</script>`, 5},
		{"what vanished", `<div id=d></div><script>for (let i = 0; i < 3005; i++) { d.innerHTML = '<a href=/v' + i + '>v</a>'; } setTimeout(() => d.innerHTML = '', 50)</script>`, 5},
		{"very much that vanished", `<div id=d></div><script>const next = i => { d.innerHTML = ('<a href=/v' + i + '>' + 'x'.repeat(200000) + '</a>').repeat(2); if (i < 12) setTimeout(next, 10, i + 1) }; next(0)</script>`, 1},
		{"values of a form", `<form action=/f>` + selects(3, 10) + `</form>`, 1},
		{"a long select", `<form action=/f>` + selects(1, 70) + `</form>`, 1},
		{"shadow roots", `<div id=d></div><script>for (let i = 0; i < 505; i++) { const e = document.createElement('p'); d.append(e); e.attachShadow({mode: 'open'}).innerHTML = '<a href=/s' + i + '>s</a>' }</script>`, 1},
		{"more without end", `<ul id=l></ul><button id=m>Load more</button><script>let n = 0; m.onclick = () => { l.insertAdjacentHTML('beforeend', '<li><a href=/m/' + ++n + '>m' + n + '</a>') }</script>`, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := site(t, pages{"/page": "<!doctype html>" + tc.page, "/a.json": "{}"})
			r := execute(t, shared(t), n, "http://www.test/page")
			if r.Cut < tc.cut || tc.cut == 0 && r.Cut > 0 {
				t.Errorf("%d cut, want %d (%v)", r.Cut, tc.cut, r.Fields)
			}
		})
	}
}

func selects(n, options int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<select name=s%d>", i)
		for v := range options {
			fmt.Fprintf(&b, "<option>%d</option>", v)
		}
		b.WriteString("</select>")
	}
	return b.String()
}

// Two executions with one seed ask for the same; with another seed for something else.
func TestChanceIsRepeatable(t *testing.T) {
	p := pages{"/page": `<script>fetch('/r.json?' + [1, 2, 3].map(() => Math.random()).join())</script>`}
	ask := func(c *browser.Collector) string {
		n := site(t, p)
		execute(t, c, n, "http://www.test/page")
		return strings.Join(slices.DeleteFunc(n.asked(), func(u string) bool { return strings.HasSuffix(u, "/favicon.ico") }), " ")
	}
	a, b, c := ask(shared(t)), ask(shared(t)), ask(special(t))
	if a != b || a == c || !strings.Contains(a, "0.") {
		t.Errorf("%s\n%s\n%s", a, b, c)
	}
}

// A page that sets a cookie and asks for itself gets itself anew, once; the next page finds no cookie.
func TestReload(t *testing.T) {
	var mu sync.Mutex
	var cookies []string
	n := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path != "/page" {
			return
		}
		mu.Lock()
		cookies = append(cookies, r.Header.Get("Cookie"))
		mu.Unlock()
		if !strings.Contains(r.Header.Get("Cookie"), "human=1") {
			w.Write([]byte(`<script>document.cookie = 'human=1'; location.reload()</script>`))
			return
		}
		w.Write([]byte(`<a href=/inside>in</a>`))
	}))
	c := special(t)
	if r := execute(t, c, n, "http://www.test/page"); !ends(urls(r), "/inside") {
		t.Errorf("links %v, cookies %q", urls(r), cookies)
	}
	n.mu.Lock()
	clear(n.kept)
	n.mu.Unlock()
	execute(t, c, n, "http://www.test/page")
	if len(cookies) != 4 || cookies[2] != "" {
		t.Errorf("cookies %q", cookies)
	}
}

// A site's own behaviour is data.
func TestSiteRules(t *testing.T) {
	n := site(t, pages{"/page": `<p class=odd onmouseup="fetch('/odd.json?' + ++this.dataset.n)" data-n=0>delete</p><div class=veil>x</div>`})
	r := execute(t, special(t), n, "http://www.test/page")
	if !ends(n.asked(), "/odd.json?3") || ends(n.asked(), "/odd.json?4") {
		t.Errorf("asked %v", n.asked())
	}
	if text := make([]byte, r.Resources[0].Body.Size()); true {
		r.Resources[0].Body.ReadAt(text, 0)
		if strings.Contains(string(text), "x") {
			t.Errorf("the veil is there: %q", text)
		}
	}
}

// What the crawl refuses stays away, and the page lives on.
func TestRefused(t *testing.T) {
	n := site(t, pages{"/page": `<script>fetch('/no.json').then(r => fetch('/told.json?' + r.status + r.headers.get('x-varve-failed')))</script><img src=http://elsewhere.test/i.svg>`})
	n.refuse = func(u string) bool { return strings.Contains(u, "/no.json") || strings.Contains(u, "elsewhere") }
	r := execute(t, shared(t), n, "http://www.test/page")
	asked := slices.DeleteFunc(n.asked(), func(u string) bool { return strings.HasSuffix(u, "/favicon.ico") })
	if len(asked) != 2 || !strings.Contains(asked[1], "403") || !strings.Contains(asked[1], "out%20of%20scope") {
		t.Errorf("asked %v", asked)
	}
	if !ends(urls(r), "/no.json") {
		t.Error("what was refused is a link all the same: the engine decides")
	}
	var _ collect.Net = n
}
