package warc

import (
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

// pages are records of six pages, each with its request in front: the same address, the same date.
func pages(arc, declared bool) (records []string, bodies []string) {
	if arc {
		records = append(records, "filedesc://x.arc 0.0.0.0 20080430204825 text/plain 67\n1 0 Owner\nURL IP-address Archive-date Content-type Archive-length\n\n\n")
	}
	for i := range 6 {
		body := fmt.Sprintf("this is page %d %s", i, strings.Repeat("x", 50*i))
		block := "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
		url := fmt.Sprintf("http://example.com/%d", i)
		bodies = append(bodies, body)
		if arc {
			records = append(records, fmt.Sprintf("%s 192.0.2.7 2008043020482%d text/html %d\n%s\n", url, i, len(block), block))
			continue
		}
		head := fmt.Sprintf("WARC-Target-URI: %s\r\nWARC-Date: 2008-04-30T20:48:2%dZ\r\n", url, i)
		request := "GET / HTTP/1.0\r\n\r\n"
		records = append(records, fmt.Sprintf("WARC/1.0\r\nWARC-Type: request\r\nWARC-Record-ID: <urn:q%d>\r\n%sContent-Type: application/http;msgtype=request\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, head, len(request), request))
		if declared {
			sum := sha1.Sum([]byte(body))
			head += "WARC-Payload-Digest: " + FormatDigest("sha1", sum[:]) + "\r\n"
		}
		records = append(records, fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:%d>\r\n%sContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, head, len(block), block))
	}
	return records, bodies
}

// framings pack the records of a file in every way that is met.
var framings = map[string]func(records []string) []byte{
	"plain": func(records []string) []byte { return []byte(strings.Join(records, "")) },
	"whole": func(records []string) []byte { return members(strings.Join(records, "")) },
	"each":  func(records []string) []byte { return members(records...) },
	"three": func(records []string) []byte {
		var out []string
		for len(records) > 0 {
			n := min(3, len(records))
			out = append(out, strings.Join(records[:n], ""))
			records = records[n:]
		}
		return members(out...)
	},
	"misaligned": func(records []string) []byte {
		all := strings.Join(records, "")
		var out []string
		for len(all) > 0 {
			n := min(333, len(all))
			out = append(out, all[:n])
			all = all[n:]
		}
		return members(out...)
	},
}

func members(parts ...string) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(p))
		_ = z.Close()
	}
	return b.Bytes()
}

// indexed gives the places of the captures of a file, as an index has them.
func indexed(t *testing.T, f *File) (out []Place) {
	t.Helper()
	r, err := f.ReaderAt(0, Options{Policy: Silent()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type() != TypeResponse {
			continue
		}
		date, err := rec.Date()
		if err != nil {
			t.Fatal(err)
		}
		p := Place{Offset: rec.Offset, Inner: rec.Inner, URI: rec.TargetURI(), Date: date}
		sum := sha1.New()
		if h, err := rec.HTTP(); err != nil {
			t.Fatal(err)
		} else if _, err := io.Copy(sum, h.Payload()); err != nil {
			t.Fatal(err)
		}
		p.Digest = FormatDigest("sha1", sum.Sum(nil))
		out = append(out, p)
	}
}

func bodyAt(f *File, p Place) (string, error) {
	rec, r, err := f.Record(p, Options{Policy: Silent()})
	if err != nil {
		return "", err
	}
	defer r.Close()
	h, err := rec.HTTP()
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(h.Payload())
	return string(b), err
}

// A place gives its own record however the file is packed, with what our index knows and with what
// those of others do; what it does not mean is never given.
func TestRecordByPlace(t *testing.T) {
	for name, pack := range framings {
		for _, kind := range []struct{ arc, declared bool }{{false, true}, {false, false}, {true, false}} {
			t.Run(fmt.Sprintf("%s arc=%v declared=%v", name, kind.arc, kind.declared), func(t *testing.T) {
				records, bodies := pages(kind.arc, kind.declared)
				data := pack(records)
				f, err := NewFile("x", bytes.NewReader(data), int64(len(data)))
				if err != nil {
					t.Fatal(err)
				}
				places := indexed(t, f)
				if len(places) != len(bodies) {
					t.Fatalf("%d captures of %d", len(places), len(bodies))
				}
				for i, p := range places {
					if got, err := bodyAt(f, p); err != nil || got != bodies[i] {
						t.Errorf("%d: %.40q, %v", i, got, err)
					}
					foreign := p // an index of others: no inner offset
					foreign.Inner = 0
					if got, err := bodyAt(f, foreign); err != nil || got != bodies[i] {
						t.Errorf("%d without inner: %.40q, %v", i, got, err)
					}
					for what, spoil := range map[string]func(*Place){
						"address": func(p *Place) { p.URI += "/other" },
						"date":    func(p *Place) { p.Date = p.Date.Add(time.Hour) },
						"digest":  func(p *Place) { p.Digest = "sha1:" + strings.Repeat("A", 32) },
						"offset":  func(p *Place) { p.Offset++ },
					} {
						other := p
						spoil(&other)
						got, err := bodyAt(f, other)
						if m := (*Mismatch)(nil); !errors.As(err, &m) || got != "" {
							t.Errorf("%d with another %s: %.40q, %v", i, what, got, err)
						}
					}
				}
			})
		}
	}
}

// A long block without a digest of its own is hashed as it is read, and ends with an error if it is
// another one.
func TestRecordTellsAtTheEnd(t *testing.T) {
	body := strings.Repeat("long ", maxFirstPass/5+1)
	block := "HTTP/1.0 200 OK\r\n\r\n" + body
	data := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:1>\r\nWARC-Target-URI: http://a.test/\r\nWARC-Date: 2008-04-30T20:48:20Z\r\n"+
		"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
	f, err := NewFile("x", strings.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha1.Sum([]byte(body))
	p := Place{URI: "http://a.test/", Digest: FormatDigest("sha1", sum[:])}
	if got, err := bodyAt(f, p); err != nil || got != body {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	p.Digest = "sha1:" + strings.Repeat("A", 32)
	_, err = bodyAt(f, p)
	if m := (*Mismatch)(nil); !errors.As(err, &m) {
		t.Errorf("the wrong payload ended with %v", err)
	}
}
