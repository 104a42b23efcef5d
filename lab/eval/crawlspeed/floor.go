package crawlspeed

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"os"
	"time"

	"github.com/klauspost/compress/gzip"

	"varve/archive/warc"
)

// syncEvery is how many captures share a sync in the floor: what the crawler comes to on a
// machine with a fast disk (5,500 captures in about 180 groups).
const syncEvery = 30

// floor is the bare loop: ask, hash, pack, write.
type floor struct {
	addr string
	conn net.Conn
	host string
	in   []byte // what was read of one answer
	out  bytes.Buffer
	head []byte
	zip  *gzip.Writer
	ids  io.Reader    // randomness of record ids
	sums [3]hash.Hash // block sha1, payload sha1, payload sha256
}

// Floor fetches what the plan says from addr over kept connections, one request at a time, and
// writes for each answer a response, a request and a metadata record into the file.
func Floor(planFile, addr, file string) (err error) {
	steps, err := readPlan(planFile)
	if err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	l := &floor{
		addr: addr, in: make([]byte, 0, 64<<10), ids: bufio.NewReaderSize(rand.Reader, 4<<10),
		sums: [3]hash.Hash{sha1.New(), sha1.New(), sha256.New()},
	}
	if l.zip, err = gzip.NewWriterLevel(nil, warc.DefaultLevel); err != nil {
		return err
	}
	for i, s := range steps {
		if err := l.capture(s); err != nil {
			return fmt.Errorf("capture %s: %w", s.url, err)
		}
		if _, err := f.Write(l.out.Bytes()); err != nil {
			return err
		}
		if i%syncEvery == syncEvery-1 {
			if err := f.Sync(); err != nil {
				return err
			}
		}
	}
	if l.conn != nil {
		err = l.conn.Close()
	}
	return errors.Join(err, f.Sync())
}

// capture makes the records of one URL in out.
func (l *floor) capture(s step) error {
	date := warc.FormatDate(time.Now())
	body, err := l.ask(s)
	if err != nil {
		return err
	}
	for _, h := range l.sums {
		h.Reset()
	}
	l.sums[0].Write(l.in)
	l.sums[1].Write(l.in[body:])
	l.sums[2].Write(l.in[body:])
	l.out.Reset()
	id := l.id()
	digests := "WARC-IP-Address: 127.0.0.1\r\nWARC-Protocol: http/1.1\r\nWARC-Block-Digest: " + warc.FormatDigest("sha1", l.sums[0].Sum(nil)) +
		"\r\nWARC-Payload-Digest: " + warc.FormatDigest("sha1", l.sums[1].Sum(nil)) + "\r\n"
	with := "WARC-Concurrent-To: " + id + "\r\n"
	strong := append(hex.AppendEncode([]byte("payload-sha256: sha256:"), l.sums[2].Sum(nil)), "\r\n"...)
	return errors.Join(
		l.record(warc.TypeResponse, id, date, s.url, warc.ContentTypeResponse, digests, l.in, nil),
		l.record(warc.TypeRequest, l.id(), date, s.url, warc.ContentTypeRequest, with, s.request, nil),
		l.record(warc.TypeMetadata, l.id(), date, s.url, warc.ContentTypeFields, with, strong, s.metadata))
}

// record packs one record, whose block comes in two parts, into out.
func (l *floor) record(kind, id, date, url, mime, more string, block, rest []byte) error {
	l.head = fmt.Appendf(l.head[:0], "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: %s\r\nWARC-Date: %s\r\nContent-Length: %d\r\nWARC-Target-URI: %s\r\nContent-Type: %s\r\n%s\r\n",
		kind, id, date, len(block)+len(rest), url, mime, more)
	l.zip.Reset(&l.out)
	for _, p := range [...][]byte{l.head, block, rest, []byte("\r\n\r\n")} {
		if _, err := l.zip.Write(p); err != nil {
			return err
		}
	}
	return l.zip.Close()
}

func (l *floor) id() string {
	id, _ := warc.NewID(l.ids) // this source does not fail
	return id
}

// ask sends the request and reads the answer into in; it tells where the body begins.
func (l *floor) ask(s step) (body int, err error) {
	if l.conn == nil || l.host != s.host {
		if err := l.dial(s.host); err != nil {
			return 0, err
		}
	}
	if _, err := l.conn.Write(s.request); err != nil {
		return 0, err
	}
	l.in = l.in[:0]
	for body == 0 {
		if err := l.read(); err != nil {
			return 0, err
		}
		if i := bytes.Index(l.in, []byte("\r\n\r\n")); i >= 0 {
			body = i + 4
		}
	}
	size, err := contentLength(l.in[:body])
	if err != nil {
		return 0, err
	}
	for len(l.in) < body+size {
		if err := l.read(); err != nil {
			return 0, err
		}
	}
	return body, nil
}

func (l *floor) dial(host string) (err error) {
	if l.conn != nil {
		_ = l.conn.Close()
	}
	l.host = host
	l.conn, err = net.Dial("tcp", l.addr)
	return err
}

func (l *floor) read() error {
	if cap(l.in)-len(l.in) < 16<<10 {
		l.in = append(make([]byte, 0, 2*cap(l.in)), l.in...)
	}
	n, err := l.conn.Read(l.in[len(l.in):cap(l.in)])
	l.in = l.in[:len(l.in)+n]
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return err
}

// contentLength finds the length in a head. The simulated sites of the benchmark always say it.
func contentLength(head []byte) (n int, err error) {
	const name = "\r\nContent-Length: "
	i := bytes.Index(head, []byte(name))
	if i < 0 {
		return 0, errors.New("answer without Content-Length")
	}
	if _, err := fmt.Sscanf(string(head[i+len(name):min(len(head), i+len(name)+20)]), "%d", &n); err != nil {
		return 0, fmt.Errorf("Content-Length: %w", err)
	}
	return n, nil
}
