package fetch

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"testing"

	"varve/lab/attack"
)

// answerMaker makes random, well-formed answers.
type answerMaker struct{ *rand.Rand }

func (m answerMaker) pick(s ...string) string { return s[m.IntN(len(s))] }

func (m answerMaker) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(m.IntN(256))
	}
	return b
}

// message makes an answer, its payload, and whether the connection is to be closed after it.
func (m answerMaker) message() (msg, payload []byte, closes bool) {
	var b bytes.Buffer
	for range m.IntN(3) / 2 {
		b.WriteString("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
	}
	eol := m.pick("\r\n", "\r\n", "\r\n", "\n")
	fmt.Fprintf(&b, "HTTP/1.1 %s%s", m.pick("200 OK", "404 Not Found", "301 ", "503", "299 odd reason: yes"), eol)
	for range m.IntN(12) {
		fmt.Fprintf(&b, "%s:%s%s%s", m.pick("X-a", "SERVER", "date", "set-cookie"), m.pick("", " ", "\t "), m.pick("v", "a, b;c=\"d\"", strings.Repeat("long ", m.IntN(60)), ""), eol)
	}
	payload = m.bytes(m.IntN(5) * m.IntN(9000))
	switch m.IntN(3) {
	case 0:
		fmt.Fprintf(&b, "%s: %d%s%s", m.pick("Content-Length", "content-length"), len(payload), eol, eol)
		b.Write(payload)
	case 1:
		fmt.Fprintf(&b, "Transfer-Encoding: %s%s%s", m.pick("chunked", "Chunked"), eol, eol)
		m.chunks(&b, payload)
	case 2:
		b.WriteString(eol)
		b.Write(payload)
		closes = true
	}
	return b.Bytes(), payload, closes
}

func (m answerMaker) chunks(b *bytes.Buffer, payload []byte) {
	for len(payload) > 0 {
		n := min(1+m.IntN(3000), len(payload))
		fmt.Fprintf(b, m.pick("%x%s\r\n", "%X%s\r\n", "0%x%s\r\n"), n, m.pick("", ";ext=1", " "))
		b.Write(payload[:n])
		b.WriteString("\r\n")
		payload = payload[n:]
	}
	b.WriteString("0\r\n" + m.pick("", "X-Trailer: t\r\n") + "\r\n")
}

// What is recorded must be what the server logged, byte for byte, over hundreds of random answers
// written in random pieces.
func TestExact(t *testing.T) {
	const answers = 600
	type entry struct {
		request      string
		msg, payload []byte
	}
	log := make(chan entry, 1)
	m := answerMaker{rand.New(rand.NewPCG(1, 2))}
	addr := listen(t, func(_ int, c net.Conn) {
		for {
			req, err := takeRequest(c)
			if err != nil {
				return
			}
			msg, payload, closes := m.message() // one request at a time: no lock needed
			log <- entry{req, msg, payload}
			for len(msg) > 0 {
				n := min(1+m.IntN(20_000), len(msg))
				if _, err := c.Write(msg[:n]); err != nil {
					return
				}
				msg = msg[n:]
			}
			if closes {
				return
			}
		}
	})
	cfg := quick()
	cfg.Limits.Head = 8 << 10
	c := newClient(t, cfg)
	reused := 0
	for i := range answers {
		x, err := c.Fetch(t.Context(), &Request{URL: fmt.Sprintf("http://%s/%d", addr, i), AllowLoopback: true})
		e := <-log
		if err != nil {
			t.Fatalf("%d: %v after %q", i, err, clip(string(e.msg)))
		}
		if string(x.RequestBytes) != e.request {
			t.Fatalf("%d: request recorded %q, received %q", i, x.RequestBytes, e.request)
		}
		want := string(e.msg)
		for range x.Interim {
			_, want, _ = strings.Cut(want, "\r\n\r\n")
		}
		if got := response(t, x); got != want {
			t.Fatalf("%d: recorded %d bytes, sent %d", i, len(got), len(want))
		}
		checkPayload(t, x, string(e.payload))
		if x.Reused {
			reused++
		}
		if err := x.Release(); err != nil {
			t.Fatal(err)
		}
	}
	if reused < answers/3 {
		t.Errorf("%d of %d on a kept connection", reused, answers)
	}
}

// A bomb costs no more than the limit of the reader.
func TestContentLimit(t *testing.T) {
	tally := attack.Count(t)
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 8 {
		_, _ = z.Write(make([]byte, 1<<20))
	}
	z.Close()
	addr := listen(t, func(_ int, c net.Conn) {
		play(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", bomb.Len(), bomb.String()))
	})
	c := newClient(t, quick())
	x, err := get(t, c, &Request{URL: "http://" + addr.String() + "/"})
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int64{0, 1, 1 << 20} {
		tally.Try(2)
		r, err := x.Content(limit)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, r)
		if n != limit || err != ErrLimit {
			t.Errorf("limit %d: %d bytes, %v", limit, n, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if b, err := x.AppendContent(nil, limit); int64(len(b)) != limit || err != ErrLimit {
			t.Errorf("append, limit %d: %d bytes, %v", limit, len(b), err)
		}
	}
	r, err := x.Content(8 << 20)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, r); n != 8<<20 || err != nil {
		t.Errorf("at the limit: %d bytes, %v", n, err)
	}
	_ = r.Close()
}
