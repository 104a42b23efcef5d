package serve_test

import (
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"varve/serve/access"
)

// A rule shows what it withholds before it is made, asks for a word where that is much or final, and can be undone; and what it withholds is called withheld, not
// missing.
func TestRuleIsSeenBeforeItIsMade(t *testing.T) {
	s := start(t, copied(t), nil)
	s.indexed()
	form := func(more ...string) (int, string, string) {
		t.Helper()
		_, page := s.get(s.ui + "/access")
		token := regexp.MustCompile(`name="csrf" value="([^"]+)"`).FindStringSubmatch(page)
		if token == nil {
			t.Fatal("no form")
		}
		v := url.Values{"csrf": {token[1]}}
		for i := 1; i < len(more); i += 2 {
			v.Set(more[i], more[i+1])
		}
		resp, body := s.do("POST", s.ui+more[0], v.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Origin", s.ui)
		return resp.StatusCode, body, resp.Header.Get("Location")
	}
	rules := func() int {
		t.Helper()
		list, err := access.OpenDecisions(s.dir+"/access", nil).Rules()
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	before := s.captures(home)

	// One click takes nothing down.
	status, body, _ := form("/access/rules", "level", "blocked", "reason", "a letter")
	for _, want := range []string{"Take down?", "Every address", "all collections", "would be seen by nobody", "http://aachen.sim.test/", "type what it is about: <code>all collections</code>"} {
		if !strings.Contains(body, want) {
			t.Errorf("%d: the preview lacks %q", status, want)
		}
	}
	status, body, _ = form("/access/rules", "level", "blocked", "reason", "a letter", "make", "yes", "word", "yes")
	if status != 200 || !strings.Contains(body, "That is not what the rule is about") || rules() != 0 || s.captures(home) != before {
		t.Errorf("%d, %d rules", status, rules())
	}
	status, _, to := form("/access/rules", "level", "blocked", "reason", "a letter", "make", "yes", "word", "all collections")
	if status != 303 || rules() != 1 || s.captures(home) != 0 {
		t.Fatalf("%d, %d rules", status, rules())
	}

	// It is called withheld.
	if _, body := s.get(s.ui + "/"); !strings.Contains(body, "withheld by access rules") || strings.Contains(body, "nothing captured yet") {
		t.Error("the first page says that nothing was captured")
	}

	// And undone.
	_, page := s.get(s.ui + to)
	undo := regexp.MustCompile(`action="(/access/rules/[^"]+/undo)"`).FindStringSubmatch(page)
	if undo == nil {
		t.Fatal("no way back")
	}
	if status, _, to := form(undo[1]); status != 303 || to != "/access?undone" || rules() != 0 || s.captures(home) != before {
		t.Errorf("%d to %s, %d rules, %d captures of %d", status, to, rules(), s.captures(home), before)
	}

	// What is small is made without a word, and what changes nothing says so.
	if _, body, _ := form("/access/rules", "prefix", "nowhere.example", "level", "curators", "reason", "none"); !strings.Contains(body, "Nothing that is in the archive now would change") || strings.Contains(body, "type what it is about") {
		t.Error("a rule without effect")
	}
	if status, _, _ := form("/access/rules", "prefix", "nowhere.example", "level", "curators", "reason", "none", "make", "yes"); status != 303 || rules() != 1 {
		t.Errorf("%d, %d rules", status, rules())
	}

	// The same by the API.
	resp, body := s.do("POST", s.ui+"/api/access/preview", `{"collection":"aachen","level":"curators","reason":"look"}`, "Content-Type", "application/json")
	if resp.StatusCode != 200 || !regexp.MustCompile(`"withheld":\{"captures":[1-9]`).MatchString(body) || !strings.Contains(body, `"taken":{"captures":0`) || rules() != 1 {
		t.Errorf("%s: %s", resp.Status, body)
	}
}

// The same in a real browser, wide and on a phone, light and dark.
func TestRuleBrowser(t *testing.T) {
	b := newTab(t)
	s := start(t, copied(t), nil)
	s.indexed()
	for _, dark := range []bool{false, true} {
		for _, width := range []int64{390, 1280} {
			b.dark(dark)
			if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 900)); err != nil {
				t.Fatal(err)
			}
			b.open(s.ui + "/access")
			b.is("window.htmx && document.documentElement.scrollWidth <= window.innerWidth")
			b.do("(f => { f.level.value = 'blocked'; f.reason.value = 'a letter'; f.querySelector('button.first').click() })(document.querySelector('form.filter'))")
			b.is("document.querySelector('h1').textContent === 'Take down?' && document.querySelector('#effect').textContent.includes('would be seen by nobody')")
			b.is("document.documentElement.scrollWidth <= window.innerWidth")
			if dir := os.Getenv("VARVE_SHOTS"); dir != "" {
				shot, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
				if err == nil {
					err = os.WriteFile(fmt.Sprintf("%s/rule-%d-%v.png", dir, width, dark), shot, 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			b.do("document.querySelector('button.first').click()") // without the word it stays
			b.is("document.querySelector('input[name=word]:invalid') && document.querySelector('h1').textContent === 'Take down?'")
			b.do("document.querySelector('input[name=word]').value = 'all collections'; document.querySelector('button.first').click()")
			b.is("location.pathname === '/access' && document.querySelector('#made button').textContent === 'Undo'")
			b.click("#made button")
			b.is("location.search === '?undone' && document.querySelector('[role=status]').textContent.includes('undone')")
			b.quiet()
		}
	}
}
