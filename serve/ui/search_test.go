package ui_test

import (
	"context"
	"fmt"
	"html"
	"io"
	"log/slog"
	"mime/quotedprintable"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	parse "golang.org/x/net/html"

	"varve/archive/catalog"
	"varve/derive"
	"varve/lab/servetest"
	"varve/language/variant"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/ui"
)

// press are the screens of an archive with texts whose counts are known.
type press struct {
	*screens
	dir string
	now time.Time
}

var onePress = sync.OnceValues(func() (*servetest.Texts, error) {
	if err := servetest.Press(context.Background(), archive+"/press"); err != nil {
		return nil, err
	}
	return servetest.OpenTexts(archive + "/press")
})

func newPress(t testing.TB) *press {
	t.Helper()
	texts, err := onePress()
	if err != nil {
		t.Fatal(err)
	}
	dir := archive + "/press"
	cat := catalog.Open(dir)
	p := &press{screens: &screens{}, dir: dir, now: time.Date(2022, 6, 1, 0, 0, 0, 0, time.UTC)}
	p.UI, err = ui.New(ui.Config{
		Holdings: holdings.New(cat, time.Now), Texts: texts, Archive: dir, Gate: access.NewGate(access.GateConfig{Users: access.OpenUsers(t.TempDir()), Now: time.Now}),
		Replay: "http://localhost:8081", Now: func() time.Time { return p.now }, Log: slog.New(slog.DiscardHandler), Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *press) post(t *testing.T, role access.Role, name, target string, form url.Values) (int, string) {
	t.Helper()
	r := httptest.NewRequest("POST", target, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r = r.WithContext(access.With(r.Context(), access.Visitor{Name: name, Role: role, CSRF: "token"}))
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w.Code, w.Header().Get("Location")
}

// Each screen about texts says what it must, without scripts, and nothing that it must not.
func TestSearchScreens(t *testing.T) {
	p := newPress(t)
	for _, c := range []struct {
		path   string
		status int
		want   []string
	}{
		{"/search", 200, []string{"<b>361</b> of 361 versions", "Versions first seen in each month", "a.press.test", "German", "Versions of all times."}},
		{"/search?q=election", 200, []string{"<b>78</b> of 361", "Share of all versions", "2021-05: 8 of 10 versions", "<mark>election</mark>"}},
		{"/search?q=election&from=&to=&asof=&relation=&sort=", 200, []string{"<b>78</b>"}},
		{"/search?q=council&relation=within&from=2021&to=2021", 200, []string{"whole life lies in the span", "appeared and replaced from 2021-01-01 to 2021-12-31", "<b>11</b>"}},
		{"/search?q=council&relation=contains&from=2021-05-10&to=2021-05-20", 200, []string{"unchanged through the whole span"}},
		{"/search?q=council&asof=2021-05-20", 200, []string{"a visitor would have met at 2021-05-20", "as of 2021-05-20 <b"}},
		{"/search?q=election&host=a.press.test&lang=-de", 200, []string{"host: a.press.test", "language: not German", `aria-current="true"`}},
		{"/search?q=council&sort=oldest&limit=3", 200, []string{"more →"}},
		{"/search?collection=press&q=election", 200, []string{"<b>78</b>"}},
		{"/search?collection=nowhere&q=election", 200, nil},
		{"/search?q=%28election", 400, []string{`role="alert"`, `value="(election"`}},
		{"/search?q=f%C3%BCr+%C2%ABx", 400, []string{"für <mark>«</mark>x", "at character 5"}},
		{"/search?q=f%C3%BCr+%FFx", 400, []string{"für <mark>\uFFFD</mark>x", "not UTF-8"}},
		{"/search?q=%26+%21", 400, []string{"<mark>&amp;</mark> !", "no word in it"}},
		{"/search?q=election+%26+near", 200, []string{"<b>"}},
		{"/search?q=election&from=May", 400, []string{"is no time", `value="May"`}},
		{"/search?hots=a", 400, []string{"not known"}},
		{"/search?q=election+nowhereword&host=a.press.test", 200, []string{"Nothing fits", "election alone", "only the words, without any condition", "nothing either", "any one of the words"}},
		{"/search?q=nowhereword", 200, []string{"Nothing fits", "Check the spelling"}},
		{"/search?q=electoin+near", 200, []string{"election instead of electoin", "/search?q=election&#43;near", "78 versions"}},
		{"/search?q=election", 200, []string{"<h2>Who and what</h2>", `<span>Persons</span> <a href="/trends?q=election&amp;terms=person%3A%22Bob&#43;Ballot%22%2Cperson%3A%22Mayor%2C&#43;Ann%22"`, "/search?facet=person%3ABob&#43;Ballot&amp;q=election", "Mayor, Ann", "<span>Opinion about</span>", "the vote"}},
		{"/search?q=council&facet=person:Mayor,+Ann", 200, []string{"<b>216</b> of 361", "persons: Mayor, Ann", "Only those with Mayor, Ann (persons).", "typed: <code>council person:&#34;Mayor, Ann&#34;</code>", `aria-current="true"`, "/search?facet=person%3AMayor%2C&#43;Ann&amp;facet=person%3ABob&#43;Ballot"}},
		{"/search?q=council&facet=person:Mayor,+Ann&facet=-person:Bob+Ballot", 200, []string{"<b>177</b> of 361", "persons: not Bob Ballot", "without Bob Ballot (persons)", "<code>council person:&#34;Mayor, Ann&#34; -person:&#34;Bob Ballot&#34;</code>"}},
		{"/search?q=council+person:%22Mayor,+Ann%22+-person:%22Bob+Ballot%22", 200, []string{"<b>177</b> of 361"}},
		{"/search?q=election+OR+council&facet=person:Mayor,+Ann&facet=person:Bob+Ballot", 200, []string{"<code>(election OR council) (person:&#34;Mayor, Ann&#34; OR person:&#34;Bob Ballot&#34;)</code>"}},
		{"/search?q=council&from=2021-05&to=2021-05&relation=begins&names=rising", 200, []string{"<b>10</b> of 361", "Versions that were first seen from 2021-05-01 to 2021-05-31.", "First seen from 2021-05-01 to 2021-05-31, against the time before", "Bob Ballot: 8 of 10 versions, before 32 of 160", `name="names" value="rising"`}},
		{"/search?names=rising", 200, []string{"First seen since 2022-12-01, against the time before", "Nothing rose."}},
		{"/search?q=nowhereword&names=rising", 200, []string{"Nothing rose."}},
		{"/trends?q=election&terms=person:%22Bob+Ballot%22,person:%22Mayor,+Ann%22", 200, []string{`data-term="person:&#34;Bob Ballot&#34;"`, "/search?from=2021-05&amp;q=%28election%29&#43;person%3A%22Mayor%2C&#43;Ann%22&amp;to=2021-05"}},
		{"/search?q=person:%22bob+ballot%22+opinion:%3C0+about:%22the+vote%22", 200, []string{"<b>39</b> of 361"}},
		{"/search?q=person:%3Cscript*", 400, []string{"a number is missing"}},
		{"/search?q=persn:x", 400, []string{"there is no facet", "person, opinion"}},
		{"/search?facet=topic:x", 400, []string{"is not known"}},
		{"/search?facet=person", 400, []string{"is not NAME:VALUE"}},
		{"/trends?terms=person:%22Bob+Ballot%22", 200, []string{`data-hits="8" data-of="10"`}},
		{"/search?q=election&trend=day", 200, []string{"Share of all versions"}},
		{"/trends", 200, []string{"Which words?", `href="/cloud"`}},
		{"/trends?terms=election,ballotbox", 200, []string{`data-term="election"`, `data-hits="8" data-of="10"`, "80.0 %", "2021-05"}},
		{"/trends?terms=election,ballotbox&measure=count&bucket=year&from=2021", 200, []string{"Number of versions", `data-bucket="year"`}},
		{"/trends?terms=election&from=1990&to=1991", 200, []string{"Nothing was captured in this time"}},
		{"/trends?terms=election,%28", 400, []string{`role="alert"`, `value="election,("`}},
		{"/trends?terms=election&bucket=week", 400, []string{`role="alert"`}},
		{"/cloud?at=2021-05", 200, []string{"Which words rose in May 2021?", `class="w9 new"`, ">ballotbox</a>", "17 of 36", `rel="prev"`, "/search?from=2021-05&amp;q=ballotbox&amp;to=2021-05"}},
		{"/cloud?at=2021&bucket=year", 200, []string{"in 2021", "2 of 3"}},
		{"/cloud?at=1990-01", 200, []string{"1 of 36"}},
		{"/cloud?split=2021-05-01", 200, []string{"What was said before and after 2021-05-01?", "Before 2021-05-01 <small>161 versions first seen then, 200 on the other side", "Since 2021-05-01", ">ballotbox</a>", "/search?from=2021-05-01T00%3A00%3A00Z&amp;q=ballotbox&amp;relation=begins", "/cloud?of=person&amp;split=2021-05-01"}},
		{"/cloud?split=2021-05-01&of=person", 200, []string{">Bob Ballot</a>", "person%3A%22Bob&#43;Ballot%22"}},
		{"/cloud?split=2090&of=person&q=election", 200, []string{"Nothing was first seen on this side"}},
		{"/cloud?split=soon", 400, []string{"is no time"}},
		{"/cloud?split=2021&of=topic", 400, []string{"is not known"}},
		{"/cloud?at=yesterday", 400, []string{"names no interval"}},
		{"/cloud?q=%28", 400, []string{`role="alert"`}},
		{"/opinions", 200, []string{"Of 361 versions that fit, 0 judge something: 0 in favour, 0 against, 0 neither.", "the vote", "+39", "of 78", "/opinions?about=the&#43;vote"}},
		{"/opinions?about=the+vote", 200, []string{"How was the vote judged", "Of 361 versions that fit, 78 judge the vote: 39 in favour, 39 against, 0 neither.", "2021-05: 4 of 8 in favour", "/search?from=2021-05&amp;q=opinion%3A%3E%3D0.1&#43;about%3A%22the&#43;vote%22&amp;relation=begins&amp;to=2021-05", "By country", "none of a country", "German", "format=csv"}},
		{"/opinions?about=the+vote&q=council&split=2021-05-01&lang=de&by=person", 200, []string{"No name is judged", "Of 144 versions"}},
		{"/opinions?about=the+vote&split=2021-05-01", 200, []string{"Before 2021-05-01", "+16 −16", "+23 −23"}},
		{"/opinions?from=soon", 400, []string{`role="alert"`}},
		{"/opinions?by=topic", 400, []string{"is no facet of names"}},
		{"/document?url=http://a.press.test/", 200, []string{"Version 36 of 36", "80 % sure", "from meta", "English", "first", "version before"}},
		{"/document?url=http://a.press.test/&time=2021-05-20T00:00:00Z", 200, []string{"Version 17 of 36", "version after", "month 16 of the story"}},
		{"/document?url=http://a.press.test/&time=20210505120000&v=15", 200, []string{"Version 17 of 36", "16 to 30 of 36"}},
		{"/document?url=http://a.press.test/&time=soon", 400, []string{"is no time"}},
		{"/document", 400, []string{"names no url"}},
		{"/document?url=http://nowhere.test/", 404, []string{"Not in this archive"}},
		{"/searches", 200, []string{"No search is saved yet"}},
	} {
		status, body, _ := p.get(t, access.Viewer, c.path)
		if status != c.status {
			t.Errorf("%s: %d, want %d", c.path, status, c.status)
		}
		for _, w := range c.want {
			if !strings.Contains(body, w) {
				t.Errorf("%s does not say %q", c.path, w)
			}
		}
		harmless(t, c.path, body)
		if len(body) > 110<<10 {
			t.Errorf("%s has %d bytes", c.path, len(body))
		}
	}
}

// Titles, texts and questions are shown as text, whatever they hold.
// Other spellings are offered beside what was found, and looked for only when that is asked.
func TestSearchAlsoWritten(t *testing.T) {
	p := newPress(t)
	dir := p.dir + "/collections/press/derived"
	if err := derive.WriteVariants(dir, []variant.Pair{{Old: "e-lection<b>", New: "election", Turn: 2021}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = derive.WriteVariants(dir, nil) })
	status, body, _ := p.get(t, access.Viewer, "/search?q="+url.QueryEscape(`"e-lection<b>"`))
	for _, want := range []string{"<b>0</b> of 361", `Also written <b dir="auto">election (mostly from 2021 on)</b>`, "look for both", "78 versions", "+OR+"} {
		if status != 200 || !strings.Contains(html.UnescapeString(body), want) && !strings.Contains(body, want) {
			t.Errorf("status %d, no %q", status, want)
		}
	}
	if strings.Contains(body, "e-lection<b>") {
		t.Error("what was asked is not shown as text")
	}
}

func TestSearchShowsHostileTextAsText(t *testing.T) {
	p := newPress(t)
	evil := url.QueryEscape(servetest.Hostile)
	for _, path := range []string{
		"/search?q=hostileword", "/search?q=" + evil, "/search?host=" + evil, "/search?facet=person:" + evil, "/search?q=person:%22%3Cscript%22*", "/search?q=person:" + evil, "/search?collection=" + evil, "/search?from=" + evil, "/trends?terms=" + evil, "/trends?terms=hostileword&host=" + evil,
		"/opinions?about=" + evil, "/opinions?q=" + evil, "/opinions?by=" + evil, "/search?names=" + evil, "/search?names=rising&q=hostileword", "/cloud?split=2021&of=person&q=hostileword", "/cloud?split=" + evil, "/cloud?split=2021&of=" + evil, "/cloud?q=" + evil, "/cloud?at=" + evil, "/cloud?collection=" + evil, "/document?url=" + url.QueryEscape("http://b.press.test/hostile"), "/document?url=" + evil, "/document?url=http://a.press.test/&time=" + evil,
		"/searches?saved=" + evil,
	} {
		_, body, _ := p.get(t, access.Viewer, path)
		if strings.Contains(body, "<script>window") || strings.Contains(body, "<img src=x") {
			t.Errorf("%s: markup comes through", path)
		}
		onlyOurs(t, path, body)
	}
	_, body, _ := p.get(t, access.Viewer, "/search?q=hostileword")
	if !strings.Contains(body, html.EscapeString(`<script>window.hacked=1</script>`)) {
		t.Error("the title is not shown")
	}
	status, csv, h := p.get(t, access.Viewer, "/trends?format=csv&terms=election,"+url.QueryEscape("-sports"))
	if status != 200 || !strings.HasPrefix(h.Get("Content-Type"), "text/csv") || !strings.Contains(csv, "2021-05,10,8,0.800000") || !strings.Contains(csv, "'-sports") {
		t.Errorf("%d %v %.200s", status, h, csv)
	}
}

// onlyOurs reads a page as a browser does: all scripts are files of ours, no element has code or a picture from elsewhere.
func onlyOurs(t *testing.T, path, body string) {
	t.Helper()
	z := parse.NewTokenizer(strings.NewReader(body))
	for {
		switch z.Next() {
		case parse.ErrorToken:
			return
		case parse.StartTagToken, parse.SelfClosingTagToken:
			tag := z.Token()
			src := ""
			for _, a := range tag.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
					t.Errorf("%s: <%s %s=%q>", path, tag.Data, a.Key, a.Val)
				}
				if a.Key == "src" {
					src = a.Val
				}
			}
			if tag.Data == "img" || tag.Data == "script" && !strings.HasPrefix(src, "/assets/") {
				t.Errorf("%s: <%s src=%q>", path, tag.Data, src)
			}
		}
	}
}

var href = regexp.MustCompile(`href="(/[^"]*)"`)

// Without scripts, every link of the screens leads somewhere: a walk by plain HTTP.
func TestSearchWalk(t *testing.T) {
	p := newPress(t)
	seen, todo := map[string]bool{}, []string{"/search", "/trends?terms=election", "/cloud?at=2021-05"}
	for len(todo) > 0 && len(seen) < 120 {
		path := todo[0]
		todo = todo[1:]
		if seen[path] {
			continue
		}
		seen[path] = true
		status, body, _ := p.get(t, access.Viewer, path)
		if status != 200 {
			t.Errorf("%s: %d", path, status)
		}
		for i, m := range href.FindAllStringSubmatch(body, -1) {
			to, _, _ := strings.Cut(html.UnescapeString(m[1]), "#")
			for _, ours := range []string{"/search?", "/trends?", "/cloud?", "/document?", "/searches"} {
				if strings.HasPrefix(to, ours) && i%5 == len(seen)%5 { // a fifth of them: states are many
					todo = append(todo, to)
				}
			}
		}
	}
	if len(seen) < 100 {
		t.Errorf("the walk ended after %d pages", len(seen))
	}
}

func TestPagingReachesEverything(t *testing.T) {
	p := newPress(t)
	next, seen := "/search?q=election&sort=oldest", map[string]bool{}
	doc := regexp.MustCompile(`<h2[^>]*><a href="(/document[^"]*)"`)
	more := regexp.MustCompile(`<a href="([^"]*)" rel="next"`)
	for range 20 {
		_, body, _ := p.get(t, access.Viewer, next)
		for _, m := range doc.FindAllStringSubmatch(body, -1) {
			if seen[m[1]] {
				t.Errorf("twice: %s", m[1])
			}
			seen[m[1]] = true
		}
		m := more.FindStringSubmatch(body)
		if m == nil {
			break
		}
		next = html.UnescapeString(m[1])
	}
	if len(seen) != 78 {
		t.Errorf("%d of 78 results by paging", len(seen))
	}
}

func TestSavedSearches(t *testing.T) {
	p := newPress(t)
	save := func(name, query string) (int, string) {
		return p.post(t, access.Viewer, "eva", "/searches", url.Values{"name": {name}, "query": {query}})
	}
	p.now = time.Date(2021, 5, 1, 0, 0, 0, 0, time.UTC)
	status, to := save(`Elections <b>"`, "q=election&cursor=x")
	if status != http.StatusSeeOther || !strings.HasPrefix(to, "/searches?saved=") {
		t.Fatal(status, to)
	}
	id := strings.TrimPrefix(to, "/searches?saved=")
	if status, _ := save("", "q=election"); status != 400 {
		t.Error("no name:", status)
	}
	if status, _ := save("x", "hots=1"); status != 400 {
		t.Error("a bad query:", status)
	}
	if status, _ := save("x", "collection=none"); status != 404 {
		t.Error("a collection that is not there:", status)
	}
	_, body, _ := p.get(t, access.Viewer, to)
	for _, want := range []string{"Elections &lt;b&gt;", `href="/search?q=election"`, "<b>46</b>", "mark as seen", ">78<"} { // 20 months of 2, and 6 more
		if !strings.Contains(body, want) {
			t.Errorf("the list does not say %q: %s", want, body)
		}
	}
	form := url.Values{"collection": {"press"}}
	if status, _ := p.post(t, access.Viewer, "tom", "/searches/"+id+"/delete", form); status != http.StatusForbidden {
		t.Error("somebody else's:", status)
	}
	p.now = time.Date(2023, 5, 1, 0, 0, 0, 0, time.UTC)
	if status, _ := p.post(t, access.Viewer, "eva", "/searches/"+id+"/seen", form); status != http.StatusSeeOther {
		t.Error("seen:", status)
	}
	if _, body, _ = p.get(t, access.Viewer, "/searches"); strings.Contains(body, "mark as seen") {
		t.Error("still new")
	}
	for _, c := range []struct {
		path string
		want int
	}{{"/searches/" + id + "/forget", 404}, {"/searches/none/delete", 404}, {"/searches/" + id + "/delete", 303}} {
		if status, _ := p.post(t, access.Viewer, "eva", c.path, form); status != c.want {
			t.Errorf("%s: %d", c.path, status)
		}
	}
	if _, body, _ = p.get(t, access.Viewer, "/searches"); !strings.Contains(body, "No search is saved yet") {
		t.Error("not deleted")
	}
	if status, _, h := p.get(t, access.Nobody, "/search"); status != http.StatusSeeOther || !strings.HasPrefix(h.Get("Location"), "/login") {
		t.Error("nobody:", status)
	}
}

// A curator defines a selection, includes and excludes, and moves the threshold; a viewer may not.
func TestSelectionScreens(t *testing.T) {
	p := newPress(t)
	if status, body, _ := p.get(t, access.Viewer, "/selections"); status != http.StatusForbidden {
		t.Errorf("viewer: %d %.100s", status, body)
	}
	if _, body, _ := p.get(t, access.Viewer, "/search"); strings.Contains(body, "/selections") {
		t.Error("a viewer is led to selections")
	}
	define := url.Values{"collection": {"press"}, "name": {"vote"}, "topic": {"election ballotbox school <b>"}, "threshold": {"0.1"}}
	status, to := p.post(t, access.Curator, "eva", "/selections", define)
	if status != http.StatusSeeOther || to != "/selections/press/vote" {
		t.Fatal(status, to)
	}
	for bad, want := range map[string]int{"threshold=x&name=vote&topic=a&collection=press": 400, "name=../x&topic=a&collection=press": 400, "name=a&topic=a&collection=none": 404, "name=a&collection=press": 400} {
		form, err := url.ParseQuery(bad)
		if err != nil {
			t.Fatal(err)
		}
		if status, _ := p.post(t, access.Curator, "eva", "/selections", form); status != want {
			t.Errorf("%s: %d, want %d", bad, status, want)
		}
	}
	_, body, _ := p.get(t, access.Curator, to)
	onlyOurs(t, to, body)
	harmless(t, to, body)
	field := regexp.MustCompile(`name="url" value="([^"]*)"><input type="hidden" name="from" value="([^"]*)"`)
	found := field.FindAllStringSubmatch(body, -1)
	if len(found) < 8 || !strings.Contains(body, "/16/") { // May 2021 is what it is about
		t.Fatalf("%d proposals: %.300s", len(found), body)
	}
	decide := func(i int, do, note string) {
		t.Helper()
		form := url.Values{"do": {do}, "url": {found[i][1]}, "from": {found[i][2]}, "note": {note}, "back": {"state=proposed"}}
		status, at := p.post(t, access.Curator, "eva", to+"/decide", form)
		if status != http.StatusSeeOther || at != to+"?state=proposed" {
			t.Errorf("%s: %d %s", do, status, at)
		}
	}
	decide(0, "include", "why <i>")
	decide(1, "exclude", "")
	decide(2, "include-page", "")
	decide(3, "include", "")
	decide(3, "reset", "")
	for state, want := range map[string]int{"included": 2, "excluded": 1} {
		_, body, _ := p.get(t, access.Curator, to+"?state="+state)
		if n := strings.Count(body, "<tr data-row"); n != want {
			t.Errorf("%s: %d, want %d", state, n, want)
		}
	}
	for path, want := range map[string]int{to + "?state=lost": 400, "/selections/press/none": 404, "/selections/none/vote": 404, to + "?from=9999": 200, "/selections": 200} {
		if status, _, _ := p.get(t, access.Curator, path); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
	if status, _ := p.post(t, access.Curator, "eva", to+"/decide", url.Values{"do": {"include"}, "url": {"http://a.press.test/"}}); status != 400 {
		t.Error("no version:", status)
	}
	if status, _ := p.post(t, access.Curator, "eva", to+"/decide", url.Values{"do": {"burn-page"}, "url": {"http://a.press.test/"}}); status != 400 {
		t.Error("an unknown decision:", status)
	}
	define.Set("threshold", "0.9")
	p.post(t, access.Curator, "eva", "/selections", define)
	if _, body, _ := p.get(t, access.Curator, to+"?state=included"); strings.Count(body, "<tr data-row") != 2 {
		t.Error("decisions did not outlive another threshold")
	}
}

func BenchmarkSearchScreen(b *testing.B) {
	p := newPress(b)
	for _, path := range []string{"/search", "/search?q=election&from=2021-05&host=a.press.test", "/trends?terms=election,ballotbox,council", "/cloud?at=2021-05", "/document?url=http://a.press.test/"} {
		b.Run(fmt.Sprintf("%.20s", path), func(b *testing.B) {
			for b.Loop() {
				if status, _, _ := p.get(b, access.Viewer, path); status != 200 {
					b.Fatal(status)
				}
			}
		})
	}
}

// A version of a page is kept as a text file, or as a mail that is not sent yet; nothing of the page gets into the head of the mail.
func TestSaveDocument(t *testing.T) {
	s := newPress(t)
	code, text, h := s.get(t, access.Viewer, "/document?format=txt&url=http://a.press.test/&time=2021-05-20T00:00:00Z")
	if code != 200 || !strings.HasPrefix(h.Get("Content-Type"), "text/plain") || !strings.Contains(h.Get("Content-Disposition"), ".txt") {
		t.Fatalf("%d %v", code, h)
	}
	for _, want := range []string{"Address: http://a.press.test/\n", "First captured: 2021-05-", "PWID: urn:pwid:", "Memento: http", "month 16 of the story"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	code, raw, h := s.get(t, access.Viewer, "/document?format=eml&url="+url.QueryEscape("http://b.press.test/hostile"))
	if code != 200 || h.Get("Content-Type") != "message/rfc822" {
		t.Fatalf("%d %v", code, h)
	}
	m, err := mail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Header) != 6 || m.Header.Get("X-Unsent") != "1" || m.Header.Get("To") != "" {
		t.Errorf("the head: %v", m.Header)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if err != nil || !strings.Contains(string(body), "Address: http://b.press.test/hostile") {
		t.Errorf("%v: %s", err, body)
	}
	_, page, _ := s.get(t, access.Viewer, "/document?url=http://a.press.test/")
	for _, want := range []string{`href="/document?format=txt&amp;url=http`, `href="/document?format=eml`, `href="mailto:?body=`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
