package websim

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strconv"
	"time"

	"github.com/klauspost/compress/flate"
)

// player gives the steps of a fault that shows on the wire.
func (f *Fault) player() func(*Answer) []Step {
	pause := time.Duration(cmp.Or(f.Delay, Duration(100*time.Millisecond)))
	switch f.Kind {
	case "drip":
		return func(a *Answer) []Step { return drip(a, int(cmp.Or(f.Bytes, 64)), pause) }
	case "truncate", "reset":
		end := map[string]End{"truncate": Close, "reset": Reset}[f.Kind]
		return func(a *Answer) []Step {
			return []Step{{Data: append(a.AppendHead(nil), a.Body[:len(a.Body)/2]...), Then: end}}
		}
	case "short-length", "no-length", "endless":
		return f.length
	case "broken-chunks", "cut-chunks":
		return f.chunks
	case "header-flood", "huge-header", "odd-head", "interim":
		return f.head
	case "garbage":
		return func(*Answer) []Step {
			return []Step{{Data: []byte("\x00\x01SSH-2.0-not http at all\r\n\xff\xfe\r\n\r\n"), Then: Close}}
		}
	}
	end := map[string]End{"reset-early": Reset, "close": Close, "hang": Hang}[f.Kind]
	return func(*Answer) []Step { return []Step{{Then: end}} }
}

func drip(a *Answer, n int, pause time.Duration) []Step {
	steps := []Step{{Data: a.AppendHead(nil)}}
	for rest := a.Body; len(rest) > 0; {
		k := min(len(rest), max(n, 1))
		steps = append(steps, Step{Pause: pause, Data: rest[:k]})
		rest = rest[k:]
	}
	return steps
}

// length plays bodies whose length is told wrong or not at all.
func (f *Fault) length(a *Answer) []Step {
	a.drop("Content-Length")
	a.drop("Transfer-Encoding")
	switch f.Kind {
	case "short-length":
		a.set("Content-Length", strconv.Itoa(max(0, len(a.Body)-int(cmp.Or(f.Bytes, 100)))))
		return []Step{{Data: append(a.AppendHead(nil), a.Body...), Then: Close}}
	case "no-length":
		a.set("Connection", "close")
		return []Step{{Data: append(a.AppendHead(nil), a.Body...), Then: Close}}
	}
	a.set("Connection", "close")
	block := bytes.Repeat(append(a.Body, '\n'), 1+(64<<10)/(len(a.Body)+1))
	times := int64(-1)
	if f.Bytes > 0 {
		times = max(1, f.Bytes/int64(len(block)))
	}
	return []Step{{Data: a.AppendHead(nil)}, {Data: block, Times: times, Then: Close}}
}

// chunks plays chunked bodies that break off.
func (f *Fault) chunks(a *Answer) []Step {
	a.drop("Content-Length")
	a.drop("Transfer-Encoding")
	a.set("Transfer-Encoding", "chunked")
	data := chunks(a.AppendHead(nil), a.Body[:len(a.Body)/2])
	if f.Kind == "broken-chunks" {
		data = append(data, "zz\r\nthis is no chunk size\r\n"...)
	} else {
		data = append(data, "400\r\nfewer bytes than were promised"...)
	}
	return []Step{{Data: data, Then: Close}}
}

// head plays heads that are too large or odd.
func (f *Fault) head(a *Answer) []Step {
	size := int(cmp.Or(f.Bytes, 1<<20))
	head := a.AppendHead(nil)
	var b []byte
	switch f.Kind {
	case "header-flood":
		b = append(b, head[:len(head)-2]...)
		for i := 0; len(b) < size; i++ {
			b = fmt.Appendf(b, "X-Flood-%d: %d bottles of beer on the wall\r\n", i, i)
		}
		b = append(b, "\r\n"...)
	case "huge-header":
		b = append(append(b, head[:len(head)-2]...), "X-Huge: "...)
		b = append(append(b, bytes.Repeat([]byte("a"), size)...), "\r\n\r\n"...)
	case "odd-head": // bare line feeds, a folded line, no space after the colon
		_, rest, _ := bytes.Cut(head, []byte("\r\n"))
		b = append(b, "HTTP/1.1 200\nX-Folded: one\n two\nX-Tight:value\n"...)
		b = append(b, bytes.ReplaceAll(rest, []byte("\r\n"), []byte("\n"))...)
	case "interim":
		b = append(b, "HTTP/1.1 103 Early Hints\r\nLink: </static/early.css>; rel=preload; as=style\r\n\r\n"...)
		b = append(b, head...)
	}
	return []Step{{Data: append(b, a.Body...)}}
}

// bomb makes the body a gzip file that unpacks to so many zeros. One packed megabyte is repeated:
// within a deflate stream a block that refers only to itself can stand any number of times.
func bomb(f *Fault, a *Answer) {
	const mega = 1 << 20
	n := int(max(1, cmp.Or(f.Bytes, 100*mega)/mega))
	zeros := make([]byte, mega)
	var block bytes.Buffer
	w, _ := flate.NewWriter(&block, flate.BestCompression) // the level is valid, so there is no error
	_, _ = w.Write(zeros)
	_ = w.Flush()
	sum := uint32(0)
	for range n {
		sum = crc32.Update(sum, crc32.IEEETable, zeros)
	}
	body := []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff")
	body = append(body, bytes.Repeat(block.Bytes(), n)...)
	body = append(body, 0x01, 0x00, 0x00, 0xff, 0xff) // an empty last block
	body = binary.LittleEndian.AppendUint32(body, sum)
	a.Body = binary.LittleEndian.AppendUint32(body, uint32(n*mega))
	a.drop("Content-Encoding")
	a.set("Content-Encoding", "gzip")
}
