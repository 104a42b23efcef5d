package links

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"varve/web/markup"

	"github.com/tdewolff/parse/v2"
	tdhtml "github.com/tdewolff/parse/v2/html"
	xhtml "golang.org/x/net/html"
	"golang.org/x/sys/unix"
)

var benchWords = strings.Fields(`archive library crawl memory page record layer sediment year river lake city parliament minister report study
history museum letter music weather garden market price number system network signal engine bridge station morning evening question answer
the of and to in a is that for it was on with as by at from are this be`)

// benchPage makes a page of about 15 KB with about 80 links, in the proportions of news pages: a head full of metadata,
// navigation, paragraphs with links, teasers with pictures, a footer, a little script, style and JSON-LD.
func benchPage(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 7))
	var b bytes.Buffer
	words := func(n int) string {
		var s []string
		for range n {
			s = append(s, benchWords[r.IntN(len(benchWords))])
		}
		return strings.Join(s, " ")
	}
	fmt.Fprintf(&b, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>%s | The Daily Layer</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="%s">
<meta name="robots" content="index, follow, max-image-preview:large">
<meta property="og:title" content="%s">
<meta property="og:url" content="https://www.daily-layer.example/politics/%d.html">
<meta property="og:image" content="https://media.daily-layer.example/images/%d/large.jpg">
<link rel="canonical" href="https://www.daily-layer.example/politics/%d.html">
<link rel="stylesheet" href="/static/css/main.3f2a1c.css">
<link rel="icon" href="/favicon.ico">
<link rel="alternate" type="application/rss+xml" title="News" href="/feed.xml">
<style>.hero{background:url(/static/img/hero.jpg) no-repeat;color:#333;margin:0 auto}.teaser{display:flex;padding:4px 8px}</style>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"%s","url":"https://www.daily-layer.example/politics/%d.html","image":["https://media.daily-layer.example/images/%d/large.jpg"]}</script>
<script>window.dataLayer=window.dataLayer||[];function track(e,t){dataLayer.push({event:e,target:t,time:Date.now()});}
var config={"apiBase":"/api/v2","locale":"en","features":["comments","share"]};if(config.locale!=="en"){document.cookie="l="+config.locale}</script>
<script src="/static/js/app.9d8c.js" defer></script>
</head>
<body class="article-page">
<header class="site-header" id="top"><nav class="main-nav"><ul>
`, words(6), words(20), words(6), r.IntN(1e6), r.IntN(1e6), r.IntN(1e6), words(6), r.IntN(1e6), r.IntN(1e6))
	for range 14 {
		w := benchWords[r.IntN(len(benchWords))]
		fmt.Fprintf(&b, "<li class=\"nav-item\"><a class=\"nav-link\" href=\"/%s/\">%s</a></li>\n", w, w)
	}
	b.WriteString("</ul></nav></header>\n<main><article>\n")
	fmt.Fprintf(&b, "<h1>%s</h1>\n", words(7))
	for range 11 {
		fmt.Fprintf(&b, "<p>%s <a href=\"/%s/%d/%s.html\">%s</a>, %s. %s <a href=\"https://%s.example.org/%s?id=%d&amp;ref=article\" rel=\"noopener\" target=\"_blank\">%s</a> %s &mdash; %s.</p>\n",
			words(34), words(1), r.IntN(3000), words(1), words(3), words(20), words(19), words(1), words(1), r.IntN(9999), words(2), words(29), words(20))
	}
	b.WriteString("</article><aside class=\"teasers\">\n")
	for range 7 {
		n := r.IntN(1e6)
		fmt.Fprintf(&b, `<div class="teaser"><a class="teaser-link" href="/story/%d.html" title="%s"><img class="thumb" src="/media/%d/small.jpg" srcset="/media/%d/small.jpg 1x, /media/%d/big.jpg 2x" alt="%s" width="160" height="90" loading="lazy"></a><span class="kicker">%s</span><p>%s</p></div>`+"\n",
			n, words(3), n, n, n, words(3), words(2), words(10))
	}
	b.WriteString("</aside></main>\n<footer><ul>\n")
	for range 8 {
		fmt.Fprintf(&b, "<li><a href=\"/about/%s.html\">%s</a></li>\n", words(1), words(2))
	}
	b.WriteString(`</ul><p>Copyright &copy; The Daily Layer</p></footer>
<script>(function(){var s=document.createElement("script");s.async=true;s.src="https://stats.daily-layer.example/collect.js";document.head.appendChild(s);})();</script>
</body>
</html>
`)
	return b.Bytes()
}

func benchPages() (pages [][]byte, size int) {
	for i := range 16 {
		p := benchPage(uint64(i))
		pages = append(pages, p)
		size += len(p)
	}
	return pages, size / len(pages)
}

// cpuTime is the processor time of this process, which neighbours on the machine do not stretch as they do wall time.
func cpuTime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &ts); err != nil {
		panic(err)
	}
	return time.Duration(ts.Nano())
}

// perCPU reports megabytes per CPU-second since start.
func perCPU(b *testing.B, size int, start time.Duration) {
	b.ReportMetric(float64(size)*float64(b.N)/1e6/(cpuTime()-start).Seconds(), "MB/cpu-s")
}

// BenchmarkExtract is the whole work: links, anchors, surroundings, text, title, everything resolved.
func BenchmarkExtract(b *testing.B) {
	pages, size := benchPages()
	e := New(Limits{})
	links := 0
	b.SetBytes(int64(size))
	b.ReportAllocs()
	start, block, best := cpuTime(), cpuTime(), time.Hour
	for i := 0; b.Loop(); i++ {
		if i%64 == 0 && i > 0 { // the best of many stretches: what the neighbours on the machine disturb least
			now := cpuTime()
			block, best = now, min(best, now-block)
		}
		_, err := e.Extract(Document{URL: "https://www.daily-layer.example/politics/1.html", MIME: "text/html; charset=utf-8", Body: pages[i%16]}, func(Link) { links++ })
		if err != nil {
			b.Fatal(err)
		}
	}
	perCPU(b, size, start)
	if b.N > 128 {
		b.ReportMetric(float64(size)*64/1e6/best.Seconds(), "best-MB/cpu-s")
	}
	b.ReportMetric(float64(links)/float64(b.N), "links/page")
	b.ReportMetric(float64(size), "B/page")
}

// BenchmarkFloor is the bare lexing of the same pages by ours, tdewolff's and x/net's.
func BenchmarkFloor(b *testing.B) {
	pages, size := benchPages()
	lexers := []struct {
		name string
		run  func([]byte) int
	}{{"ours", lexOurs}, {"tdewolff", lexTdewolff}, {"xnet", lexXnet}}
	for _, l := range lexers {
		b.Run(l.name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			n := 0
			start := cpuTime()
			for i := 0; b.Loop(); i++ {
				n += l.run(pages[i%16])
			}
			perCPU(b, size, start)
		})
	}
}

func lexOurs(src []byte) (n int) {
	l := markup.Lexer{Src: src}
	for {
		switch l.Next() {
		case markup.EOF:
			return n
		case markup.Start:
			switch {
			case equalFold(l.Name, "script"):
				n += len(l.Raw("script"))
			case equalFold(l.Name, "style"):
				n += len(l.Raw("style"))
			}
			for l.Attr() {
				n += len(l.Key) + len(l.Val)
			}
		}
	}
}

func lexTdewolff(src []byte) (n int) {
	l := tdhtml.NewLexer(parse.NewInputBytes(src))
	for {
		t, _ := l.Next()
		switch t {
		case tdhtml.ErrorToken:
			return n
		case tdhtml.AttributeToken:
			n += len(l.AttrKey()) + len(l.AttrVal())
		}
	}
}

func lexXnet(src []byte) (n int) {
	z := xhtml.NewTokenizer(bytes.NewReader(src))
	for {
		switch z.Next() {
		case xhtml.ErrorToken:
			if z.Err() != io.EOF {
				panic(z.Err())
			}
			return n
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			_, more := z.TagName()
			for more {
				var k, v []byte
				k, v, more = z.TagAttr()
				n += len(k) + len(v)
			}
		}
	}
}
