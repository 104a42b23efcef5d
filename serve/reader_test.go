package serve_test

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/serve/access"
)

// Curators see which captures readers do not, and can look at the archive as a reader does, and come back.
func TestSeeAsReader(t *testing.T) {
	dir := copied(t)
	s := start(t, dir, nil)
	s.indexed()
	rules := access.OpenDecisions(filepath.Join(dir, "access"), access.OpenAudit(filepath.Join(dir, "access")))
	if _, err := rules.Add(access.Rule{Collection: "aachen", Prefix: home, Level: access.Curators, Reason: "a letter"}, "eva", access.Admin, time.Now()); err != nil {
		t.Fatal(err)
	}
	page := s.ui + "/collections/aachen/page?url=" + url.QueryEscape(home)
	said := func(target string, header ...string) (int, string) {
		resp, body := s.do("GET", target, "", header...)
		return resp.StatusCode, body
	}
	if status, body := said(page); status != 200 || !strings.Contains(body, "withheld from readers") || !strings.Contains(body, "See as a reader") {
		t.Errorf("a curator is not told: %d", status)
	}
	if _, body := said(s.ui + "/collections/aachen/pages"); !strings.Contains(body, "withheld from readers") {
		t.Error("the list of pages does not tell a curator")
	}
	resp, _ := s.do("POST", s.ui+"/reader", "on=1&back="+url.QueryEscape("/collections"), "Content-Type", "application/x-www-form-urlencoded")
	cookie, _, _ := strings.Cut(resp.Header.Get("Set-Cookie"), ";")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/collections" || cookie != "varve-as-reader=1" {
		t.Fatalf("%d %v", resp.StatusCode, resp.Header)
	}
	if status, body := said(page, "Cookie", cookie); status != 404 || strings.Contains(body, "withheld from readers") || !strings.Contains(body, "You see the screens as a reader does") {
		t.Errorf("a reader sees %d: %s", status, body)
	}
	if status, _ := said(s.ui+"/access", "Cookie", cookie); status != 403 {
		t.Errorf("a reader sees the rules: %d", status)
	}
	if _, body := said(s.ui+"/api/collections/aachen/captures?url="+url.QueryEscape(home), "Cookie", cookie); strings.Contains(body, `"timestamp"`) || strings.Contains(body, `"digest"`) {
		t.Errorf("the interface tells a reader: %s", body)
	}
	resp, _ = s.do("POST", s.ui+"/reader", "back=/collections", "Content-Type", "application/x-www-form-urlencoded", "Cookie", cookie)
	if resp.StatusCode != 303 || !strings.Contains(resp.Header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("no way back: %d %v", resp.StatusCode, resp.Header)
	}
	// Where a page of an archived site sets the cookie it takes rights away, and gives none.
	if status, _ := said(s.ui+"/access", "Cookie", "varve-as-reader=admin"); status != 200 {
		t.Errorf("another value counts: %d", status)
	}
}
