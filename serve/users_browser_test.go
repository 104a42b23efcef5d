package serve_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"varve/serve/access"
)

// An administrator adds a user, gives a program a token, ends it and removes the user, all on the screen; each is in the audit log, and what was given counts from then on.
func TestBrowserUsers(t *testing.T) {
	b := newTab(t)
	s := start(t, searchable(t), nil)
	b.open(s.ui + "/access")
	b.click(`a[href="/access/users"]`)
	b.is("!!document.querySelector('#add')")
	b.do(`(() => { const f = document.querySelector('#add'); f.elements.name.value = 'eva'; f.elements.role.value = 'curator'; f.elements.password.value = 'a long password'; f.querySelector('button').click() })()`)
	b.is("location.search === '?put=eva' && document.querySelector('#user-eva h2').innerText.includes('curator')")
	b.fits(1400, false)
	b.do(`(() => { const f = document.querySelector('#user-eva form[action$="/tokens"]'); f.closest('details').open = true; f.elements.note.value = 'report'; f.querySelector('button').click() })()`)
	b.is("!!document.querySelector('#secret')")
	secret, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.querySelector('#secret').textContent"))
	if err != nil {
		t.Fatal(err)
	}
	as := func() string {
		_, body := s.get(s.ui+"/api/whoami", "Authorization", "Bearer "+secret)
		return body
	}
	if got := as(); !strings.Contains(got, `"eva"`) || !strings.Contains(got, "curator") {
		t.Fatalf("the token is of %s", got)
	}
	if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(390, 900)); err != nil {
		t.Fatal(err)
	}
	b.fits(390, false)
	b.shoot("users-390")
	b.do("window.confirm = () => true")
	b.click(`#user-eva form[action$="/end"] button`)
	b.is("location.search.startsWith('?ended=') && !document.querySelector('#secret')")
	if got := as(); strings.Contains(got, `"eva"`) {
		t.Errorf("an ended token is of %s", got)
	}
	b.do("window.confirm = () => true")
	b.click(`#user-eva form[action$="/remove"] button`)
	b.is("location.search === '?removed=eva' && !document.querySelector('#user-eva')")
	var did []string
	for e, err := range access.OpenAudit(s.dir + "/access").Entries() {
		if err != nil {
			t.Fatal(err)
		}
		did = append(did, e.Did)
	}
	if got := strings.Join(did, ", "); got != "user added or changed, token made, token revoked, user removed" {
		t.Errorf("the audit log has %s", got)
	}
}

// Nobody but administrators comes near users, no secret is kept by a cache, short passwords and one's own end are refused.
func TestUsersScreen(t *testing.T) {
	s := start(t, t.TempDir(), nil)
	users := access.OpenUsers(s.dir + "/access")
	token := map[access.Role]string{}
	for _, role := range []access.Role{access.Viewer, access.Curator, access.Admin} {
		hash, err := access.HashPassword("a long password")
		if err != nil {
			t.Fatal(err)
		}
		if err := users.Put(string(role), role, hash, time.Now()); err != nil {
			t.Fatal(err)
		}
		if token[role], _, err = users.NewToken(string(role), "", time.Now(), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	const form = "application/x-www-form-urlencoded"
	for _, c := range []struct {
		role       access.Role
		path, body string
		status     int
		says       string
	}{
		{access.Viewer, "/access/users", "name=mallory&role=admin&password=a+long+password", 403, ""},
		{access.Curator, "/access/users", "name=mallory&role=admin&password=a+long+password", 403, ""},
		{access.Curator, "/access/users/admin/tokens", "note=x", 403, ""},
		{access.Curator, "/access/users/viewer/remove", "", 403, ""},
		{access.Admin, "/access/users", "name=eva&role=viewer&password=short", 400, "password"},
		{access.Admin, "/access/users", "name=../eva&role=viewer&password=a+long+password", 400, "cannot be used"},
		{access.Admin, "/access/users", "name=eva&role=emperor&password=a+long+password", 400, "no role"},
		{access.Admin, "/access/users", "name=eva&role=viewer&password=", 400, "password"},
		{access.Admin, "/access/users", "name=admin&role=viewer", 409, "yourself"},
		{access.Admin, "/access/users/admin/remove", "", 409, "yourself"},
		{access.Admin, "/access/users/nobody/remove", "", 404, ""},
		{access.Admin, "/access/users/viewer/tokens", "note=x&days=-1", 400, "days"},
		{access.Admin, "/access/users/viewer/tokens", "note=x", 200, "varve_"},
	} {
		resp, body := s.do("POST", s.ui+c.path, c.body, "Authorization", "Bearer "+token[c.role], "Content-Type", form)
		if resp.StatusCode != c.status || !strings.Contains(body, c.says) {
			t.Errorf("%s posts %s %s: %s, want %d and %q\n%.300s", c.role, c.path, c.body, resp.Status, c.status, c.says, body)
		}
		if strings.Contains(body, "varve_") && resp.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("a token may be kept: %q", resp.Header.Get("Cache-Control"))
		}
	}
	if _, known, err := users.Get("eva"); known || err != nil {
		t.Error("eva is a user", err)
	}
}
