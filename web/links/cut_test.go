package links

import (
	"fmt"
	"strings"
	"testing"
)

// TestCut: what a limit keeps out is counted, and nothing else is.
func TestCut(t *testing.T) {
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	long := strings.Repeat("x", 9000)
	for _, c := range []struct {
		name, mime, body string
		lost             int
	}{
		{"a page", "text/html", "<base href=/d/><a href=x title=y " + many(maxAttrs+9, "a%d=%[1]d ") + ">", 0},
		{"base", "text/html", "<base href=/" + long + "/><a href=x>", 1},
		{"base of a document in an attribute", "text/html", "<iframe srcdoc='<base href=/" + long + "/><a href=x>'></iframe>", 1},
		{"attributes", "text/html", "<a " + many(maxAttrs, "data-n%d=/x ") + " href=/y>", 1},
		{"attributes of XML", "text/xml", "<r " + many(maxAttrs, "n%d='x' ") + " href='/y'/>", 1},
		{"bases of XML", "text/xml", "<r>" + many(maxBases+3, "<a xml:base='/b%d/' href='x'/>") + "</r>", 5},
		{"text of XML", "text/xml", "<r><url>" + strings.Repeat(" ", defaults.Text) + "/x</url></r>", 1},
		{"a string of PDF", "application/pdf", "%PDF-1.4\n1 0 obj<</S/URI/URI(http://h.example/" + strings.Repeat("x", 20000) + ")>>endobj", 1},
		{"strings of PDF that end", "application/pdf", "%PDF-1.4\n1 0 obj<</S/URI/URI(http://h.example/x)/X(" + strings.Repeat("x", 20000) + ")>>endobj", 0},
		{"a timeline", "application/dash+xml", "<MPD><Period><AdaptationSet><SegmentTemplate media='s$Number$'><SegmentTimeline>" + strings.Repeat("<S d='1'/>", maxRuns+2) + "</SegmentTimeline></SegmentTemplate></AdaptationSet></Period></MPD>", 2},
		{"a data URL", "text/html", "<iframe src='data:text/html," + strings.Repeat(" ", maxData) + "<a href=http://h.example/x>y</a>'></iframe>", 1},
		{"a picture in a data URL", "text/html", "<img src='data:image/png;base64," + strings.Repeat("A", 2*maxData) + "'>", 0},
		{"markup in a script", "text/javascript", "x = '" + strings.Repeat(" ", maxValue) + "<a href=/x>'", 1},
		{"a long text in a script", "text/javascript", "x = '" + strings.Repeat(" y", maxValue) + "'", 0},
		{"strings of a script", "text/javascript", "x = 'http://h.example/" + strings.Repeat("x", maxGuess) + "'; fetch('http://h.example/?" + long + "')", 2},
		{"names of a script", "text/javascript", many(256, "var v%d = '/a%[1]d/x';\n") + "var b = '/deep/'; fetch(b + 'x.json')", 1},
		{"a name set again behind the limit", "text/javascript", many(256, "var v%d = '/a%[1]d/';\n") + "v7 = '/" + long[:600] + "/'; fetch(v7 + 'x.json')", 1},
		{"a long name of a script", "text/javascript", "var b = '/" + long[:600] + "/'; fetch(b + 'x.json')", 1},
		{"bytes of names", "text/javascript", "var b = '/" + long[:500] + "/'; " + many(maxFolded/500, "fetch(b + 'x.json');"), 1},
		{"templates in templates", "text/javascript", "x = `${f(`${f(`${f(`${f(`${f('/x.html')}`)}`)}`)}`)}`", 1},
		{"expressions of a template", "text/javascript", "x = `" + many(65, "${f('/x%d.html')}") + "`", 1},
		{"brackets of a script", "text/javascript", strings.Repeat("(", maxFrames) + "fetch('list.json')" + strings.Repeat(")", maxFrames), 0},
		{"an unusual name in brackets of a script", "text/javascript", strings.Repeat("(", maxFrames) + "fetch('list/of')" + strings.Repeat(")", maxFrames), 1},
		{"functions of CSS", "text/css", "a { background: image-set(" + strings.Repeat("f(", maxFunctions) + "'x.png' }", 1},
		{"fields of a form", "text/html", "<form action=/f>" + many(500, "<input name=n%d value=0123456789>") + "</form>", 1},
		{"a dictionary of PDF", "application/pdf", "%PDF-1.4\n1 0 obj<</Type/ObjStm/X(" + strings.Repeat("x", 600) + ")/Filter/FlateDecode>>stream\n", 1},
		{"variables of HLS", "application/vnd.apple.mpegurl", "#EXTM3U\n" + many(65, "#EXT-X-DEFINE:NAME=\"n%d\",VALUE=\"v\"\n") + "a.ts\n", 1},
	} {
		info, err := Extract(Document{URL: "http://h.example/", MIME: c.mime, Body: []byte(c.body)}, func(Link) {})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if info.Lost() != c.lost {
			t.Errorf("%s: %d lost, want %d (%+v)", c.name, info.Lost(), c.lost, info.Cut)
		}
	}
}
