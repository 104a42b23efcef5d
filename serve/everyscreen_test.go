package serve_test

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/klauspost/compress/gzip"

	"varve/archive/catalog"
	"varve/lab/servetest"
	"varve/serve"
	"varve/serve/access"
)

//go:embed testdata/axe/axe.min.js.gz
var packedAxe []byte

func axe(t *testing.T) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packedAxe))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// missing is an address that no screen answers.
const missing = "/no/such/screen"

// noScreens are patterns that answer with something else than a page.
var noScreens = []string{
	"GET /assets/{name}", "GET /favicon.svg", "GET /open", "GET /suggest", "GET /language", "GET /collections/{collection}/picture", "GET /collections/{collection}/thumb", "GET " + access.OIDCPath, "GET " + access.OIDCCallback,
}

// screenAddresses names pages for each pattern of the screens: full ones, empty ones, ones with an error.
func screenAddresses(crawl, town string) map[string][]string {
	page := url.QueryEscape(home)
	const aachen = "/collections/aachen"
	return map[string][]string{
		"GET /{$}":                                            {"/", "/?collection=aachen"},
		"GET /collections":                                    {"/collections"},
		"GET /collections/{collection}":                       {aachen, "/collections/web"},
		"GET /collections/{collection}/pages":                 {aachen + "/pages"},
		"GET /collections/{collection}/page":                  {aachen + "/page?url=" + page},
		"GET /collections/{collection}/calendar":              {aachen + "/calendar?url=" + page},
		"GET /collections/{collection}/compare":               {aachen + "/compare?url=" + page, aachen + "/compare?view=links&url=" + page, aachen + "/compare?view=side&url=" + page},
		"GET /collections/{collection}/map":                   {aachen + "/map"},
		"GET /collections/{collection}/crawls/{id}":           {crawl, town},
		"GET /collections/{collection}/crawls/{id}/coherence": {crawl + "/coherence", town + "/coherence"},
		"GET /collections/{collection}/crawls/{id}/events":    {crawl + "/events", crawl + "/events?event=file&q=warc", town + "/events?q=nothingofthekind&from=never"},
		"GET /collections/{collection}/crawls/{id}/review":    {town + "/review"},
		"GET /collections/{collection}/crawls/{id}/about":     {crawl + "/about"},
		"GET /collections/{collection}/assess":                {"/collections/web/assess", aachen + "/assess"},
		"GET /collections/{collection}/notes":                 {aachen + "/notes"},
		"GET /collections/{collection}/emerging":              {"/collections/press/emerging", "/collections/press/emerging?show=all", aachen + "/emerging"},
		"GET /collections/{collection}/plan":                  {aachen + "/plan"},
		"GET /collections/{collection}/plan/new":              {aachen + "/plan/new"},
		"GET /collections/{collection}/plan/{name}":           {aachen + "/plan/regular"},
		"GET /collections/{collection}/plan/{name}/edit":      {aachen + "/plan/regular/edit"},
		"GET /collections/{collection}/proposals/{name}":      {aachen + "/proposals/regular"},

		"GET /search": {"/search", "/search?collection=press&q=council", "/search?collection=gazette&q=%22housing+grant%22", "/search?q=nothingofthekind"},
		"GET /trends": {"/trends", "/trends?collection=press&terms=council,election"},
		"GET /cloud":  {"/cloud?collection=press", "/cloud?collection=press&split=2021-05-01"},
		"GET /beside": {"/beside", "/beside?a=gazette&b=herald&of=pension", "/beside?a=gazette&b=herald&of=pension&split=2007&bucket=month", "/beside?a=gazette&b=gazette&of=pension"},

		"GET /collections/{collection}/terms":   {"/collections/gazette/terms", "/collections/gazette/terms?term=pension", "/collections/gazette/terms?term=housing+grant", "/collections/gazette/terms?term=nothingofthekind", aachen + "/terms"},
		"GET /collections/{collection}/names":   {"/collections/gazette/names", "/collections/gazette/names?name=Ministry+of+Welfare+and+Work", "/collections/gazette/names?name=nobody", aachen + "/names"},
		"GET /collections/{collection}/phrases": {"/collections/gazette/phrases", "/collections/gazette/phrases?from=2008&to=2009&least=0.1", aachen + "/phrases"},

		"GET /opinions":        {"/opinions?collection=press&about=the+vote"},
		"GET /facts":           {"/facts", "/facts?of=Diego+Lopez", "/facts?of=Germany&when=2010", "/facts?of=Nobody"},
		"GET /facts/page":      {"/facts/page", "/facts/page?collection=aachen&url=" + page},
		"GET /fact":            {"/fact?subject=Diego+Lopez&relation=spouse&object=Victoria+Adams", "/fact?subject=Diego+Lopez&relation=spouse&object=Paula+Stone"},
		"GET /entity/{entity}": {"/entity/Q1", "/entity/Q1?asof=2020-03-01", "/entity/Q6"},
		"GET /document":        {"/document?collection=aachen&url=" + page},
		"GET /knowledge":       {"/knowledge", "/knowledge?query=" + url.QueryEscape(knownVersions), "/knowledge?view=graph&query=" + url.QueryEscape(knownVersions), "/knowledge?view=timeline&query=" + url.QueryEscape(knownVersions)},
		"GET /types":           {"/types", "/types?text=" + url.QueryEscape("Angela Merkel met Barack Obama in Berlin."), "/types?taxonomy=figer&text=" + url.QueryEscape("Angela Merkel met Barack Obama in Berlin."), "/types?text=nothing"},
		"GET /statistics":      {"/statistics", "/statistics?text=" + url.QueryEscape("Angela Merkel met Barack Obama in Berlin."), "/statistics?method=words&text=nothing"},
		"GET /searches":        {"/searches"},
		"GET /selections":      {"/selections"},

		"GET /selections/{collection}/{selection}": {"/selections/press/council"},

		"GET /media":        {"/media"},
		"GET /tray":         {"/tray", "/tray?show=aside"},
		"GET /access/users": {"/access/users"},
		"GET /api/{$}":      {"/api/"},
		"GET /login":        {"/login"},
		"GET /access":       {"/access"},
		"GET /retention":    {"/retention"},
		"GET /health":       {"/health"},

		"GET /collections/{collection}/retention": {aachen + "/retention", aachen + "/retention?show=held", "/collections/web/retention"},

		"GET /find":   {"/find?q=nowhere.example", "/find?q=aachen.sim.test", "/find?q=2021-05", "/find"},
		"GET /new":    {"/new"},
		"GET /crawls": {"/crawls"},
		"/":           {missing},
	}
}

// Every screen at three widths in both themes: it fits, the console is silent, and axe-core finds nothing serious. The list
// comes from the routes: a new screen that names no address here fails. VARVE_DRILL=1 runs axe-core at all widths in both
// themes; else on the phone in the light and wide in the dark.
func TestEveryScreen(t *testing.T) {
	script := axe(t)
	b := newTab(t)
	dir := searchable(t)
	measured(t, dir, "aachen")
	for _, make := range []func(context.Context, string) error{servetest.People, servetest.Careers, servetest.Gazettes} {
		if err := make(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
	}
	spamHosts(t, dir, 24)
	known(t, dir, "aachen")
	seed, _ := moody(t)
	town := townOf(t, dir, seed)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, func(c *serve.Config) { c.Program, c.Nodes, c.Store = self, someNodes{}, "s3" })
	s.indexed()
	for _, x := range [][2]string{
		{"/api/searches", `{"collection":"press","name":"The council","query":"q=council&collection=press"}`},
		{"/api/collections/press/selections", `{"name":"council","topic":"council election vote","threshold":0.05}`},
		{"/api/collections/aachen/notes", `{"kind":"question","url":"` + home + `","text":"Since when does the home page have no notices?"}`},
	} {
		if resp, body := s.do("POST", s.ui+x[0], x[1], "Content-Type", "application/json"); resp.StatusCode/100 != 2 {
			t.Fatalf("%s: %d: %s", x[0], resp.StatusCode, body)
		}
	}
	col, err := catalog.Open(dir).Collection("aachen")
	if err != nil {
		t.Fatal(err)
	}
	ids, err := col.Crawls()
	if err != nil || len(ids) == 0 {
		t.Fatal(ids, err)
	}
	pages := screenAddresses("/collections/aachen/crawls/"+ids[len(ids)-1], town)
	only := os.Getenv("VARVE_SCREENS_ONLY")
	for _, pattern := range s.screens {
		if strings.HasPrefix(pattern, "POST ") || slices.Contains(noScreens, pattern) {
			continue
		}
		if len(pages[pattern]) == 0 {
			t.Errorf("%s: a screen that nobody looked at: name an address in screenAddresses", pattern)
		}
		for _, path := range pages[pattern] {
			if only != "" && !strings.Contains(path, only) {
				continue
			}
			t.Run(path, func(t *testing.T) {
				b.t = t
				b.everyWidth(s.ui+path, script)
			})
		}
	}
}

// refused reports whether an address is answered with an error on purpose, of which the browser tells.
func refused(target string) bool {
	return slices.ContainsFunc([]string{missing, "term=nothingofthekind", "name=nobody", "a=gazette&b=gazette&of=pension"}, func(end string) bool { return strings.HasSuffix(target, end) })
}

// everyWidth looks at a page at all widths in both themes.
func (b *tab) everyWidth(target, script string) {
	b.t.Helper()
	b.dark(false)
	b.console()
	if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(1400, 900)); err != nil {
		b.t.Fatal(err)
	}
	b.open(target)
	b.is("document.readyState === 'complete' && window.htmx")
	b.settle()
	// A drawing can be taken along, with its data.
	b.is("[...document.querySelectorAll('[data-plot]')].every(x => x.querySelector('.takeaway button') && (x.querySelector('table') || x.querySelector('a[href*=\"format=csv\"]')))")
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[any](script+";null")); err != nil {
		b.t.Fatal(err)
	}
	for _, dark := range []bool{false, true} {
		b.dark(dark)
		for _, width := range []int64{1400, 800, 390} {
			if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
				b.t.Fatal(err)
			}
			b.fits(width, dark)
			if os.Getenv("VARVE_DRILL") != "" || dark == (width == 1400) && width != 800 {
				b.axe(width, dark)
			}
			if to := os.Getenv("VARVE_SCREENS"); to != "" && dark == (width == 800) {
				raw, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
				if err == nil {
					name := strings.Map(func(r rune) rune {
						if strings.ContainsRune("/?&=:", r) {
							return '_'
						}
						return r
					}, strings.TrimPrefix(target, "http://"))
					err = os.WriteFile(filepath.Join(to, fmt.Sprintf("%.60s-%d.png", name[strings.Index(name, "_")+1:], width)), raw, 0o644)
				}
				if err != nil {
					b.t.Error(err)
				}
			}
		}
	}
	if said := b.console(); len(said) > 0 && !(refused(target) && len(said) == 1 && strings.Contains(said[0], "the server responded with a status of 40")) {
		b.t.Errorf("the console says %q", said)
	}
}

// settle waits until charts and graphs, where there are some, are drawn.
func (b *tab) settle() {
	b.t.Helper()
	b.is("[...document.querySelectorAll('[data-chart], #graph[data-graph]')].every(x => x.dataset.ready)")
}

// fits checks that nothing makes the page scroll sideways.
func (b *tab) fits(width int64, dark bool) {
	b.t.Helper()
	// ResizeObservers draw charts anew; the frame after the next has them.
	const wide = `(async () => { await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));
		const over = document.documentElement.scrollWidth - innerWidth;
		if (over <= 0) return '';
		const who = [...document.querySelectorAll('main *, header *, footer *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll'));
		return over + ' px too wide: ' + who.slice(0, 4).map(e => e.tagName + '.' + e.className + ' ' + e.textContent.trim().slice(0, 40)).join(' | ') })()`
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](wide, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	if got != "" {
		b.t.Errorf("at %d px (dark %v): %s", width, dark, got)
	}
}

// axe fails for what axe-core calls serious or critical.
func (b *tab) axe(width int64, dark bool) {
	b.t.Helper()
	// What fades in is pale until it is there.
	const run = `Promise.allSettled(document.getAnimations().filter(a => a.effect.getComputedTiming().endTime < 5000).map(a => a.finished)).then(() => axe.run(document, {iframes: false, resultTypes: ['violations']}).then(r => JSON.stringify(r.violations
		.filter(v => v.impact === 'serious' || v.impact === 'critical')
		.map(v => v.id + ' (' + v.impact + ', ' + v.nodes.length + '): ' + v.help + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' ' + (n.any[0] || n.all[0] || n.none[0] || {message: ''}).message).join(' || ')))))`
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](run, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	var found []string
	if err := json.Unmarshal([]byte(got), &found); err != nil {
		b.t.Fatal(err)
	}
	for _, f := range found {
		b.t.Errorf("at %d px (dark %v), axe-core: %s", width, dark, f)
	}
}
