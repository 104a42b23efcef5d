// Package warcspeed measures how fast archive/warc reads and writes, beside the floor that does
// only the unavoidable work (inflate or deflate, and the digests) and beside zcat.
package warcspeed

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"varve/archive/warc"
)

// capture is one request, response and metadata of a made-up page.
type capture struct{ entries []*warc.Entry }

// captures makes n captures whose pages look and compress like real ones (about 4:1): Zipf words
// in nested markup with attributes that repeat, and one in eight an image that does not compress.
func captures(n int, seed uint64) []capture {
	rng := rand.New(rand.NewPCG(seed, 1))
	words := vocabulary(rng, 8000)
	zipf := rand.NewZipf(rng, 1.2, 4, uint64(len(words)-1))
	date := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	out := make([]capture, n)
	for i := range out {
		uri := fmt.Sprintf("https://example.org/section-%d/page-%d.html", i%40, i)
		mime, body := "text/html; charset=utf-8", page(rng, zipf, words, i)
		if i%8 == 7 {
			mime, body = "image/jpeg", noise(rng, 2000+rng.IntN(16000))
		}
		out[i] = makeCapture(rng, uri, mime, body, date.Add(time.Duration(i)*time.Second))
	}
	return out
}

func makeCapture(rng *rand.Rand, uri, mime string, body []byte, date time.Time) capture {
	head := fmt.Sprintf("HTTP/1.1 200 OK\r\nDate: %s\r\nServer: Apache/2.4\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: keep-alive\r\n\r\n",
		date.Format(time.RFC1123), mime, len(body))
	block := append([]byte(head), body...)
	id := func() string {
		s, _ := warc.NewID(randomReader{rng})
		return s
	}
	sums, _ := warc.Sum(warc.Bytes(block), int64(len(head)), false)
	response := warc.New(warc.TypeResponse, id(), date, warc.Bytes(block)).
		With(warc.FieldTargetURI, uri).With(warc.FieldContentType, warc.ContentTypeResponse).
		With(warc.FieldIPAddress, "192.0.2.7").With(warc.FieldBlockDigest, sums.Block).With(warc.FieldPayloadDigest, sums.Payload)
	request := warc.New(warc.TypeRequest, id(), date, warc.Bytes("GET / HTTP/1.1\r\nHost: example.org\r\nUser-Agent: varve\r\nAccept: */*\r\n\r\n")).
		With(warc.FieldTargetURI, uri).With(warc.FieldContentType, warc.ContentTypeRequest).
		With(warc.FieldConcurrentTo, response.Header.Get(warc.FieldRecordID))
	return capture{[]*warc.Entry{response, request}}
}

type randomReader struct{ rng *rand.Rand }

func (r randomReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r.rng.Uint32())
	}
	return len(p), nil
}

func vocabulary(rng *rand.Rand, n int) []string {
	out := make([]string, n)
	for i := range out {
		w := make([]byte, 2+rng.IntN(9))
		for j := range w {
			w[j] = "etaoinshrdlucmfwypvbgk"[min(rng.IntN(22), rng.IntN(22))]
		}
		out[i] = string(w)
	}
	return out
}

func page(rng *rand.Rand, zipf *rand.Zipf, words []string, n int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!doctype html><html lang=en><head><title>Page %d</title><link rel=stylesheet href=/style.css></head><body>\n", n)
	for range 20 + rng.IntN(40) {
		b.WriteString(`<div class="story teaser"><h2><a href="/section-`)
		b.WriteString(strconv.Itoa(rng.IntN(40)) + "/page-" + strconv.Itoa(rng.IntN(9000)))
		b.WriteString(`.html">`)
		sentence(&b, rng, zipf, words, 6)
		b.WriteString("</a></h2>\n<p class=summary>")
		sentence(&b, rng, zipf, words, 30+rng.IntN(60))
		b.WriteString("</p></div>\n")
	}
	b.WriteString("</body></html>\n")
	return b.Bytes()
}

func sentence(b *bytes.Buffer, _ *rand.Rand, zipf *rand.Zipf, words []string, n int) {
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(words[zipf.Uint64()])
	}
}

func noise(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}
