package modern_test

import (
	"strings"
	"testing"

	"varve/lab/websim"
	"varve/lab/websim/modern"
)

// The addresses of the site are there, with their types; the rest is not.
func TestAnswers(t *testing.T) {
	spec, err := websim.Load("modern", []byte(modern.Spec))
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 1, modern.Options()...)
	if err != nil {
		t.Fatal(err)
	}
	get := func(host, target string, header ...websim.Field) *websim.Answer {
		return web.Fetch(&websim.Request{Host: host, Target: target, Header: header}, web.Epoch())
	}
	for _, c := range []struct {
		host, target string
		status       int
		typ, body    string
	}{
		{modern.Host, "/", 200, "text/html", "Modern site"},
		{modern.Host, "/js/app.js", 200, "text/javascript", "location"},
		{modern.Host, "/clip.webm", 200, "video/webm", "webm"},
		{modern.Host, "/search?q=x", 200, "text/html", "Found: x"},
		{modern.Host, "/latin.html", 200, "text/html; charset=iso-8859-1", "K\xf6ln"},
		{modern.Host, "/old", 302, "", ""},
		{modern.Host, "/never.html", 404, "text/plain", "not found"},
		{modern.CDN, "/lib.js", 200, "text/javascript", "cdnLoaded"},
	} {
		a := get(c.host, c.target)
		if a.Status != c.status || !strings.HasPrefix(a.Get("Content-Type"), c.typ) || !strings.Contains(string(a.Body), c.body) {
			t.Errorf("%s%s: %d %s", c.host, c.target, a.Status, a.Get("Content-Type"))
		}
	}
	for _, url := range modern.Extra() {
		if a := get(modern.Host, strings.TrimPrefix(url, "http://"+modern.Host)); a.Status != 200 {
			t.Errorf("%s: %d", url, a.Status)
		}
	}
	whole := get(modern.Host, "/clip.webm").Body
	part := get(modern.Host, "/clip.webm", websim.Field{Name: "Range", Value: "bytes=4-9"})
	if part.Status != 206 || string(part.Body) != string(whole[4:10]) {
		t.Errorf("a part: %d, %d bytes", part.Status, len(part.Body))
	}
}
