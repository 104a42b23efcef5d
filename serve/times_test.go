package serve_test

import (
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/lab/attack"
	"varve/serve"
	"varve/serve/access"
	"varve/serve/replay/replaytest"
)

// timesArchive has one page that rules withhold at some times: for curators in 2019 and 2021, open in 2020 and 2022.
func timesArchive(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	col, err := catalog.Open(dir).Collection("news")
	if err != nil {
		t.Fatal(err)
	}
	var pages []replaytest.Answer
	for _, year := range []string{"2019", "2020", "2021", "2022"} {
		pages = append(pages,
			replaytest.Answer{URL: "http://t.example/", Time: year + "-06-01T00:00:00Z", Header: "Content-Type: text/html\n", Body: "<p>STATE" + year + "</p>"},
			replaytest.Answer{URL: "http://t.example/part.js", Time: year + "-06-02T00:00:00Z", Header: "Content-Type: text/javascript\n", Body: "/* STATE" + year + " */"},
			replaytest.Answer{URL: "http://t.example/only" + year, Time: year + "-06-03T00:00:00Z", Header: "Content-Type: text/html\n", Body: "<p>STATE" + year + "</p>"})
	}
	replaytest.WriteInto(t, col.WarcDir(), pages...)
	rules := access.OpenDecisions(filepath.Join(dir, "access"), nil)
	for _, year := range []int{2019, 2021} {
		r := access.Rule{Collection: "news", From: time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(year+1, 1, 1, 0, 0, 0, 0, time.UTC), Level: access.Curators, Reason: "x"}
		if _, err := rules.Add(r, "test", access.Admin, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// What a script in a page asks for has no right beyond the time of its page: neither that in an open page of 2020 nor
// that in a withheld page of 2019, to which a curator has a key, gets what is withheld of 2021, by any way; nor is it told
// of it.
func TestRightsOfContentAreBoundByTime(t *testing.T) {
	dir := timesArchive(t)
	users := access.OpenUsers(filepath.Join(dir, "access"))
	tokens := map[string]string{}
	for name, role := range map[string]access.Role{"rita": access.Viewer, "kim": access.Curator, "ada": access.Admin} {
		if err := users.Put(name, role, "x", time.Now()); err != nil {
			t.Fatal(err)
		}
		token, _, err := users.NewToken(name, "", time.Now(), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		tokens[name] = token
	}
	free := start(t, dir, nil)
	closed := start(t, dir, func(c *serve.Config) { c.RequireLogin = true })
	free.waitForCapture("news", "http://t.example/only2022")
	for range 1000 {
		if status, b := closed.get(closed.replay+"/news/cdx?url=http://t.example/only2022", "Authorization", "Bearer "+tokens["ada"]); status == 200 && b != "" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	tally := attack.Count(t)
	for _, who := range []struct {
		name   string
		site   *site
		header []string
		sees   bool // what is withheld
	}{
		{"loopback", free, nil, true},
		{"reader", closed, []string{"Authorization", "Bearer " + tokens["rita"]}, false},
		{"curator", closed, []string{"Authorization", "Bearer " + tokens["kim"]}, true},
		{"admin", closed, []string{"Authorization", "Bearer " + tokens["ada"]}, true},
		{"reader by ticket", closed, closed.ticket("/news/2020/http://t.example/", tokens["rita"]), false},
		{"admin by ticket", closed, closed.ticket("/news/2020/http://t.example/", tokens["ada"]), true},
	} {
		pages := map[string]string{"the open page": "20200601000000"}
		if who.sees {
			pages["the withheld page"] = "20190601000000"
		} else if status, body := who.site.get(who.site.replay+"/news/20190601000000/http://t.example/", who.header...); status != 403 || strings.Contains(body, "STATE") {
			t.Errorf("%s opens the withheld page: %d", who.name, status)
		}
		for page, stamp := range pages {
			own, _ := who.site.content("/news/"+stamp+"/http://t.example/", who.header...)
			if status, body := who.site.ofContent(own, "Sec-Fetch-Dest", "iframe"); status != 200 || !strings.Contains(body, "STATE"+stamp[:4]) {
				t.Errorf("%s, %s itself: %d %.100s", who.name, page, status, body)
			}
			part := strings.Replace(own, stamp+"mp_/http://t.example/", stamp+"js_/http://t.example/part.js", 1)
			if status, body := who.site.ofContent(part, "Sec-Fetch-Dest", "script"); status != 200 || !strings.Contains(body, "STATE"+stamp[:4]) {
				t.Errorf("%s, a part of %s: %d %.100s", who.name, page, status, body)
			}
			origin := originOf.FindString(own)
			key, _, _ := strings.Cut(strings.TrimPrefix(own, origin+"/"), "/")
			key = "/" + key
			for _, ask := range []struct{ path, dest, datetime string }{
				{"/20210601000000mp_/http://t.example/", "empty", ""},
				{"/20210601000000id_/http://t.example/", "empty", ""},
				{"/20210601000000if_/http://t.example/", "iframe", ""},
				{"/20210601000000fr_/http://t.example/", "frame", ""},
				{"/20210602000000js_/http://t.example/part.js", "script", ""},
				{"/20210602000000cs_/http://t.example/part.js", "style", ""},
				{"/20210602000000im_/http://t.example/part.js", "image", ""},
				{"/20210602000000oe_/http://t.example/part.js", "object", ""},
				{"/20210602000000wkr_/http://t.example/part.js", "worker", ""},
				{"/20210601000000/http://t.example/", "empty", ""},
				{"/2021mp_/http://t.example/", "empty", ""},
				{"/2021id_/http://t.example/", "empty", ""},
				{"/2021/http://t.example/", "iframe", ""},
				{"/20200601000000mp_/http://t.example/only2021", "empty", ""},
				{"/20200601000000id_/http://t.example/only2021", "empty", ""},
				{"/mp_/http://t.example/only2021", "empty", ""},
				{"/http://t.example/only2021", "empty", ""},
				{"/mp_/http://t.example/", "empty", "Tue, 01 Jun 2021 00:00:00 GMT"},
				{"/id_/http://t.example/", "empty", "Tue, 01 Jun 2021 00:00:00 GMT"},
				{"/http://t.example/", "empty", "Tue, 01 Jun 2021 00:00:00 GMT"},
				{"/timegate/http://t.example/", "empty", "Tue, 01 Jun 2021 00:00:00 GMT"},
				{"/20200601000000mp_/http://t.example/", "empty", "Tue, 01 Jun 2021 00:00:00 GMT"},
				{"/timemap/link/http://t.example/", "empty", ""},
				{"/timemap/json/http://t.example/", "empty", ""},
				{"/timemap/cdxj/http://t.example/", "empty", ""},
				{"/timemap/link/http://t.example/only2021", "empty", ""},
				{"/cdx?url=http://t.example/", "empty", ""},
				{"/cdx?url=t.example/*&output=json", "empty", ""},
				{"/cdx?url=http://t.example/only2021&output=json", "empty", ""},
				{"-cdx?url=http://t.example/", "empty", ""},
				{"/*/http://t.example/", "empty", ""},
				{"/2021*/http://t.example/*", "empty", ""},
			} {
				for _, lead := range []string{key, "/news"} {
					tally.Try(1)
					header := append([]string{"Sec-Fetch-Dest", ask.dest, "Sec-Fetch-Site", "same-origin", "Referer", own}, who.header...) // a browser sends no rights, but if it did
					if ask.datetime != "" {
						header = append(header, "Accept-Datetime", ask.datetime)
					}
					status, body := who.site.follow(origin+lead+ask.path, header)
					for _, asked := range []string{stampOf.FindString(ask.path), ask.datetime} { // which an answer may say again
						if asked != "" {
							body = strings.ReplaceAll(body, asked, "")
						}
					}
					if told.MatchString(body) {
						tally.Through(1)
						t.Errorf("%s, a script in %s asks for %s%s as %s: %d %.200s", who.name, page, lead, ask.path, ask.dest, status, body)
					}
				}
			}
		}
	}
}

// ticket returns the cookie that a user gets on the replay host.
func (s *site) ticket(path, token string) []string {
	s.t.Helper()
	resp, _ := s.do(http.MethodGet, s.ui+"/open?path="+path, "", "Authorization", "Bearer "+token)
	resp, body := s.do(http.MethodGet, resp.Header.Get("Location"), "")
	if len(resp.Cookies()) == 0 {
		s.t.Fatalf("no cookie: %d %s", resp.StatusCode, body)
	}
	return []string{"Cookie", resp.Cookies()[0].String()}
}

// told finds what tells of a withheld capture: its content, or its time.
var (
	told    = regexp.MustCompile(`STATE2021|2021060[123]|2021-06-0[123]|Jun 2021`)
	stampOf = regexp.MustCompile(`\d{14}`)
)

var originOf = regexp.MustCompile(`^https?://[^/]+`)

// follow asks an origin of content and goes on where it leads, as far as a script of that origin may read.
func (s *site) follow(address string, header []string) (int, string) {
	s.t.Helper()
	from := originOf.FindString(address)
	for range 5 {
		resp, body := s.doContent(address, header...)
		to := resp.Header.Get("Location")
		if strings.HasPrefix(to, "/") {
			to = from + to
		}
		if resp.StatusCode/100 != 3 || originOf.FindString(to) != from {
			return resp.StatusCode, body + resp.Header.Get("Link") + resp.Header.Get("Memento-Datetime")
		}
		address = to
	}
	return 0, ""
}
