package serve_test

import (
	"html"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"varve/serve"
	"varve/serve/access"
)

var frameSource = regexp.MustCompile(`<iframe id="page"[^>]* src="([^"]+)" sandbox="([^"]+)"`)

// content opens a page in its frame and returns the address of the content and what it may do.
func (s *site) content(path string, header ...string) (address, sandbox string) {
	s.t.Helper()
	status, body := s.get(s.replay+path, append([]string{"Sec-CH-UA", `"Chromium";v="156"`}, header...)...)
	m := frameSource.FindStringSubmatch(body)
	if status != 200 || m == nil {
		s.t.Fatalf("%s: %d, no frame in %.300s", path, status, body)
	}
	return html.UnescapeString(m[1]), m[2]
}

// ofContent asks an origin of content, as a browser does that finds all names below localhost on this machine.
func (s *site) ofContent(address string, header ...string) (int, string) {
	s.t.Helper()
	resp, body := s.doContent(address, header...)
	return resp.StatusCode, body
}

func (s *site) doContent(address string, header ...string) (*http.Response, string) {
	s.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		s.t.Fatal(err)
	}
	base, err := url.Parse(s.replay)
	if err != nil {
		s.t.Fatal(err)
	}
	host := u.Host
	u.Host = base.Host
	return s.do(http.MethodGet, u.String(), "", append([]string{"Host", host, "Sec-CH-UA", `"Chromium";v="156"`}, header...)...)
}

// What archived content may ask for by itself is what everybody may see, although the visitor is admin; a page that is
// withheld gets a key for its collection, which is good for no other.
func TestContentHasNoRightsOfTheVisitor(t *testing.T) {
	s := start(t, hostileArchive(t, hostilePages), nil)
	s.waitForCapture("open", "http://withheld.example/")
	s.waitForCapture("secret", "http://s.example/")
	open, sandbox := s.content("/open/20260102030405/http://evil.example/plain.html")
	if strings.Contains(open, "~") || !strings.HasPrefix(open, "http://open.localhost:") || !strings.Contains(sandbox, "allow-same-origin") {
		t.Errorf("an open page: %s (%s)", open, sandbox)
	}
	withheld, _ := s.content("/open/20260102030405/http://withheld.example/")
	secret, _ := s.content("/secret/20260102030405/http://s.example/")
	if !strings.Contains(withheld, "/open~w") || !strings.HasPrefix(secret, "http://secret.localhost:") {
		t.Errorf("withheld pages: %s, %s", withheld, secret)
	}
	key := regexp.MustCompile(`~[^/]*`)
	port := regexp.MustCompile(`:\d+`).FindString(s.replay)
	swapped := key.ReplaceAllString(secret, key.FindString(withheld)) // the key of the open collection for the other
	for address, want := range map[string]int{
		open: 200, withheld: 200, secret: 200, swapped: 401, strings.Replace(withheld, "~w", "~wX", 1): 401,
		strings.Replace(withheld, "mp_/", "id_/", 1): 200,
		// as a script of an open page would ask
		"http://open.localhost" + port + "/open/20260102030405mp_/http://withheld.example/": 403,
		"http://open.localhost" + port + "/open/20260102030405id_/http://withheld.example/": 403,
		"http://secret.localhost" + port + "/secret/20260102030405id_/http://s.example/":    403,
		"http://open.localhost" + port + "/secret/20260102030405id_/http://s.example/":      307, // to where scripts cannot read it
	} {
		status, body := s.ofContent(address, "Sec-Fetch-Dest", "empty")
		if status != want || status != 200 && strings.Contains(body, "TOPSECRET") {
			t.Errorf("%s: %d, want %d: %.100s", address, status, want, body)
		}
	}
	// A link from an open page to one that only curators see leads over the host that knows the visitor.
	u := strings.Replace(open, "http://evil.example/plain.html", "http://withheld.example/", 1)
	if status, _ := s.ofContent(u, "Sec-Fetch-Dest", "iframe"); status != 307 {
		t.Errorf("a link to a withheld page: %d", status)
	}
}

// With a login, content is asked for by key and without a cookie.
func TestContentBehindLogin(t *testing.T) {
	dir := hostileArchive(t, hostilePages)
	users := access.OpenUsers(filepath.Join(dir, "access"))
	if err := users.Put("eva", access.Viewer, "x", time.Now()); err != nil {
		t.Fatal(err)
	}
	token, _, err := users.NewToken("eva", "", time.Now(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, func(c *serve.Config) { c.RequireLogin = true })
	bearer := []string{"Authorization", "Bearer " + token}
	for range 1000 {
		if status, b := s.get(s.replay+"/open/cdx?url=http://evil.example/plain.html", bearer...); status == 200 && b != "" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	open, _ := s.content("/open/20260102030405/http://evil.example/plain.html", bearer...)
	if !strings.Contains(open, "/open~o") {
		t.Fatalf("no key in %s", open)
	}
	if status, body := s.ofContent(open, "Sec-Fetch-Dest", "iframe"); status != 200 || !strings.Contains(body, `/open~o`) {
		t.Errorf("%d %.200s", status, body)
	}
	if status, _ := s.ofContent(regexp.MustCompile(`~[^/]*`).ReplaceAllString(open, ""), "Sec-Fetch-Dest", "empty"); status != 401 {
		t.Errorf("content without a key: %d", status)
	}
	if status, body := s.ofContent(strings.Replace(open, "mp_/http://evil.example/plain.html", "id_/http://withheld.example/", 1)); status != 403 || strings.Contains(body, "TOPSECRET") {
		t.Errorf("what a viewer may not see: %d", status)
	}
	// In a browser without scripts the name of the view stands behind the key.
	plain := []string{"Sec-CH-UA", ""}
	viewed, sandbox := s.content("/open/20260102030405/http://evil.example/plain.html", append(bearer, plain...)...)
	if status, _ := s.ofContent(viewed, append(plain, "Sec-Fetch-Dest", "iframe")...); status != 200 || !regexp.MustCompile(`/open~o[^~/]+~[A-Z2-7]{26}/`).MatchString(viewed) || strings.Contains(sandbox, "allow-scripts") {
		t.Errorf("without scripts: %d at %s (%s)", status, viewed, sandbox)
	}
	if status, _ := s.ofContent(regexp.MustCompile(`~o[^~]*~`).ReplaceAllString(viewed, "~~"), append(plain, "Sec-Fetch-Dest", "empty")...); status != 401 {
		t.Errorf("a view without its key: %d", status)
	}
	if status, _ := s.ofContent(strings.Split(open, "/open~")[0] + "/_varve/shim.js"); status != 200 {
		t.Errorf("the shim: %d", status)
	}
}
