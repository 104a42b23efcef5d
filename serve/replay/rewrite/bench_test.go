package rewrite_test

import (
	"bytes"
	"io"
	"strings"
	"syscall"
	"testing"
)

// benchPage is a page as they are: navigation, text, pictures, some script and style.
func benchPage() []byte {
	var b strings.Builder
	b.WriteString(`<!doctype html><html><head><meta charset="utf-8"><title>News</title><link rel="stylesheet" href="/css/main.css"><script>var a=window.location.href;if(top!==self){top.location=a}</script></head><body>`)
	for range 400 {
		b.WriteString(`<div class="teaser"><a href="/politik/artikel-4711.html?ref=home&amp;n=1"><img src="//cdn.example/img/4711-480.jpg" srcset="/i/a.jpg 480w, /i/b.jpg 960w" alt="Ein Bild" loading="lazy"></a><h2>Eine Überschrift mit Wörtern</h2><p style="color:#333">Der Rat der Stadt hat am Mittwoch beschlossen, das alte Rathaus zu sanieren. Die Arbeiten sollen im Frühjahr beginnen und drei Jahre dauern; die Kosten werden auf zwölf Millionen geschätzt.</p></div>` + "\n")
	}
	b.WriteString("<script>" + string(benchScript(20)) + "</script></body></html>")
	return []byte(b.String())
}

func benchScript(n int) []byte {
	return []byte(strings.Repeat(`function f(e,t){var n=t.offset(),r=n.top-e.scrollTop(),i={left:n.left,top:r};return /^https?:\/\/[^/]+/.test(document.location.href)?i:e.map(function(o){return o.location||window.location.hash.replace("#","")})}
var q=function(a,b){for(var i=0;i<a.length;i++){if(a[i]===b&&typeof a[i]=="string"){return i/2}}return -1};`+"\n", n))
}

// perCPU reports megabytes per second of CPU, which a busy machine does not change.
func perCPU(b *testing.B, size int) func() {
	used := func() float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
	}
	from := used()
	return func() { b.ReportMetric(float64(size)*float64(b.N)/1e6/(used()-from), "MB/CPU-s") }
}

func BenchmarkHTML(b *testing.B) {
	page := benchPage()
	b.SetBytes(int64(len(page)))
	defer perCPU(b, len(page))()
	b.ReportAllocs()
	for b.Loop() {
		if err := document(b).HTML(io.Discard, bytes.NewReader(page)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJS(b *testing.B) {
	src := benchScript(2000)
	b.SetBytes(int64(len(src)))
	defer perCPU(b, len(src))()
	var dst []byte
	d := document(b)
	for b.Loop() {
		dst = d.JS(dst[:0], src)
	}
}

func BenchmarkCSS(b *testing.B) {
	src := []byte(strings.Repeat(`.teaser>a:hover{color:#0f5c63;background:url("/img/back.png") no-repeat 0 0;margin:0 auto 1.5em}@media (max-width:600px){.x{display:none}}`+"\n", 2000))
	b.SetBytes(int64(len(src)))
	defer perCPU(b, len(src))()
	var dst []byte
	d := document(b)
	for b.Loop() {
		dst = d.CSS(dst[:0], src)
	}
}
