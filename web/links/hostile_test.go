package links

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"

	"golang.org/x/sys/unix"
)

// hostile are patterns that, repeated, make careless readers slow: every delimiter that may stay open, every look ahead.
var hostile = []struct{ mime, head, unit string }{
	{"text/html", "", "<"},
	{"text/html", "", "<a "},
	{"text/html", "", "<a href="},
	{"text/html", "", `<a href="`},
	{"text/html", "", `<a href='x' a=">`},
	{"text/html", "<a ", "b "},
	{"text/html", "<a ", "src=b "},
	{"text/html", "<a ", `data-x='["/a` + "`"},
	{"text/html", "", "<!--"},
	{"text/html", "", "<!-- <a href=x> --!"},
	{"text/html", "", "<!---"},
	{"text/html", "", "<![CDATA["},
	{"text/html", "<svg>", "<![CDATA[ ]]"},
	{"text/html", "", "<script>"},
	{"text/html", "<script>", "<!--<script>"},
	{"text/html", "<script>", "</scrip"},
	{"text/html", "<script><!--", "<script></script>"},
	{"text/html", "<textarea>", "</text"},
	{"text/html", "", "&"},
	{"text/html", "", "&a"},
	{"text/html", "", "&#1"},
	{"text/html", "<a href='", "&copy="},
	{"text/html", "", "<iframe srcdoc='<iframe srcdoc="},
	{"text/html", "", "<a href='javascript:`${"},
	{"text/html", "", "<form><input name=a value=b><select name=c><option value=/x/y.html>"},
	{"text/html", "", "<template><noscript><svg><math>"},
	{"text/html", "", "<a>x</a><a href=y>"},
	{"text/html", "", "http://a.example/("},
	{"text/html", "", "http://a.example/)).,)"},
	{"text/html", "", "<img srcset='a (,b (,"},
	{"text/html", "<img srcset='", "a (b, "},
	{"text/html", "", "<base href=x>"},
	{"text/html", "", "<object codebase=a/ data=b>"},
	{"text/css", "", "url("},
	{"text/css", "", "url(;"},
	{"text/css", "", "@import"},
	{"text/css", "", `"\`},
	{"text/css", "", "/*"},
	{"text/css", "", `\`},
	{"text/css", "", "a("},
	{"text/css", "", "url(data:text/css,url("},
	{"text/javascript", "", "/["},
	{"text/javascript", "", "=/a"},
	{"text/javascript", "", "`${"},
	{"text/javascript", "", "`${`"},
	{"text/javascript", "", "`${'a'}"},
	{"text/javascript", "", `["a`},
	{"text/javascript", "", `["a",`},
	{"text/javascript", "", `atob("`},
	{"text/javascript", "", "fromCharCode(1,"},
	{"text/javascript", `x="/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/";`, "x+"},
	{"text/javascript", "x='aaaaaaaaaaaaaaaaaa';", "x=x+x;"},
	{"text/javascript", "", "'<a b='+"},
	{"text/javascript", "", `"<script>'<script>\"`},
	{"text/javascript", "", "((((f("},
	{"text/javascript", "", "/*"},
	{"application/json", "", "["},
	{"application/json", "", `{"a":`},
	{"application/json", "", `"\`},
	{"application/json", "", `["<a href=x>",`},
	{"application/json", "", "]"},
	{"application/xml", "<x>", "<a>"},
	{"application/xml", "<x>", "</b>"},
	{"application/xml", "<x>", "<a></b>"},
	{"application/xml", "<x ", "a='b' "},
	{"application/xml", "<!DOCTYPE x ", `SYSTEM "a" `},
	{"application/xml", "<!DOCTYPE x ", "PUBLIC "},
	{"application/xml", "<!DOCTYPE [", "<!DOCTYPE ["},
	{"application/xml", "<x>", "<?xml-stylesheet href='a'?>"},
	{"application/xml", "<rss><channel>", "<item><link>x"},
	{"application/xml", "<urlset>", "<url><loc>http://a.example/"},
	{"application/xml", "<x>", "<a xml:base='b'>"},
	{"application/xml", "<MPD><Period duration='PT9999999S'><AdaptationSet>", "<SegmentTemplate media='$Number$' duration='1'><Representation/>"},
	{"application/xml", "<MPD><Period><AdaptationSet><SegmentTemplate media='$Time$'>", "<S d='1' r='-1'/><Representation/>"},
	{"application/pdf", "%PDF-", "/URI("},
	{"application/pdf", "%PDF-", "/URI<41"},
	{"application/pdf", "%PDF-", "/URI<</Base("},
	{"application/pdf", "%PDF-", "/Launch /F("},
	{"application/pdf", "%PDF-", "/ObjStm /Fl stream\nx"},
	{"application/pdf", "%PDF-", "/Encrypt "},
	{"application/vnd.apple.mpegurl", "#EXTM3U\n", "#EXT-X-MEDIA:URI=\""},
	{"application/vnd.apple.mpegurl", "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"bbbbbbbb\"\n", "{$a}"},
	{"text/vtt", "WEBVTT\n", "a.jpg#xywh=\n"},
	{"text/plain", "", "http://a"},
	{"text/plain", "", "://"},
}

// threadTime is the processor time of the current thread.
func threadTime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		panic(err)
	}
	return time.Duration(ts.Nano())
}

// cost is the least CPU time of a few extractions.
func cost(e *Extractor, doc Document, runs int) time.Duration {
	least := time.Duration(1 << 62)
	for range runs {
		start := threadTime()
		_, _ = e.Extract(doc, func(Link) {})
		least = min(least, threadTime()-start)
	}
	return least
}

// TestLinear shows that hostile input costs what its length says: eight times the bytes, about eight times the CPU
// time, where a quadratic reader would need sixty-four.
func TestLinear(t *testing.T) {
	tally := attack.Count(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const small, times = 16 << 10, 8
	for _, h := range hostile {
		tally.Try(1)
		doc := func(n int) Document {
			return Document{URL: "http://h.example/x", MIME: h.mime, Body: []byte(h.head + strings.Repeat(h.unit, n/len(h.unit)))}
		}
		e := New(Limits{})
		if cost(e, doc(small*times), 1) < 10*time.Millisecond {
			continue // at most 80 ns a byte: fast whatever its growth
		}
		big := cost(e, doc(small*times), 3)
		if base := max(cost(e, doc(small), 3), 200*time.Microsecond); big > 4*times*base {
			t.Errorf("%s %q...%q: %v for %d bytes, %v for %d", h.mime, h.head, h.unit, base, small, big, small*times)
		}
	}
}

// TestHugeTag reads a tag of many megabytes, closed and unclosed.
func TestHugeTag(t *testing.T) {
	tally := attack.Count(t)
	for _, end := range []string{`">x</a>`, ``} {
		tally.Try(1)
		body := []byte(`<p>a<a title="` + strings.Repeat("x y ", 2<<20) + end)
		info, err := Extract(Document{URL: "http://h.example/", MIME: "text/html", Body: body}, func(Link) {})
		if err != nil || len(info.Text) > 16 {
			t.Errorf("end %q: text of %d bytes, error %v", end, len(info.Text), err)
		}
	}
}
