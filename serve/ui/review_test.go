package ui_test

import (
	"net/http"
	"strings"
	"testing"

	"varve/serve/access"
)

const reviewLog = `2026-03-01T06:22:44.341Z    -2          0 http://a.example/a L http://a.example/ - #000 20260301062244341+0 - - connect
2026-03-01T06:22:45.341Z   404        155 http://a.example/x.css E http://a.example/ text/plain #000 20260301062245341+0 sha1:R6XJ - -
2026-03-01T06:22:46.341Z   503        155 http://a.example/"><script>alert(1)</script> L javascript:alert(2) text/plain #000 20260301062246341+0 sha1:R6XJ - "</td><script>alert(3)</script>"
nonsense
`

func TestReviewScreen(t *testing.T) {
	const base = "/collections/news/crawls/20260301T060000Z"
	s, _ := reviewScreens(t, map[string]string{
		"crawls/20260301T060000Z/crawl.log":       reviewLog,
		"crawls/20260301T060000Z/definition.json": `{"name":"daily","seeds":["http://a.example/"],"contact":"https://my.library/crawler"}`,
		"crawls/20260302T060000Z/definition.json": `{"name":"daily","seeds":["http://a.example/"]}`,
		"crawls/20260303T060000Z/crawl.log":       "",
	})
	_, body, _ := s.get(t, access.Curator, base+"/review")
	harmless(t, base, body)
	for _, want := range []string{
		"connect", "x.css", "part of pages", "&lt;script&gt;", "1 line of the log", "2 addresses failed", "Pages that lack parts",
		"varve crawl --seeds recrawl-20260301T060000Z.txt --scope page --collection news --contact https://my.library/crawler",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("does not say %q", want)
		}
	}
	code, list, h := s.get(t, access.Curator, base+"/review?list=recrawl")
	if code != 200 || !strings.HasPrefix(h.Get("Content-Type"), "text/plain") || !strings.Contains(list, "\nhttp://a.example/a\n") || strings.Contains(list, "x.css") {
		t.Errorf("%d %v %q", code, h, list)
	}
	for path, want := range map[string]string{"20260302T060000Z": "There is no log", "20260303T060000Z": "Nothing is missing"} {
		if _, body, _ := s.get(t, access.Curator, "/collections/news/crawls/"+path+"/review"); !strings.Contains(body, want) {
			t.Errorf("%s does not say %q", path, want)
		}
	}
	if code, _, _ := s.get(t, access.Viewer, base+"/review"); code != http.StatusForbidden {
		t.Errorf("a viewer sees it: %d", code)
	}
	for role, want := range map[access.Role]bool{access.Viewer: false, access.Curator: true} {
		if _, body, _ := s.get(t, role, base); strings.Contains(body, base+"/review") != want {
			t.Errorf("%s is led there: %v", role, !want)
		}
	}
}
