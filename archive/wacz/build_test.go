package wacz

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"varve/archive/warc"
)

var testTime = time.Date(2026, 3, 4, 5, 6, 8, 0, time.UTC)

// warcMaker writes the records of a test.
type warcMaker struct {
	t   testing.TB
	enc *warc.Encoder
	buf bytes.Buffer
	n   int
}

func newMaker(t testing.TB, p warc.Packing) *warcMaker {
	t.Helper()
	enc, err := warc.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	m := &warcMaker{t: t, enc: enc}
	m.buf.Write(enc.Preamble())
	m.add(warc.TypeWarcinfo, "", warc.ContentTypeFields, "software: test\r\n")
	return m
}

// add writes one record and gives its id.
func (m *warcMaker) add(kind, uri, contentType, block string, fields ...string) string {
	m.t.Helper()
	m.n++
	id := fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", m.n)
	e := warc.New(kind, id, testTime.Add(time.Duration(m.n)*time.Second), warc.Bytes(block))
	e.With(warc.FieldTargetURI, uri).With(warc.FieldContentType, contentType)
	for i := 0; i+1 < len(fields); i += 2 {
		e.With(fields[i], fields[i+1])
	}
	if err := m.enc.Encode(&m.buf, e); err != nil {
		m.t.Fatal(err)
	}
	return id
}

// response writes an answer with its payload digest.
func (m *warcMaker) response(uri string, status int, header, body string, fields ...string) string {
	head := fmt.Sprintf("HTTP/1.1 %d X\r\n%s\r\n", status, header)
	sums, err := warc.Sum(warc.Bytes(head+body), int64(len(head)), false)
	if err != nil {
		m.t.Fatal(err)
	}
	fields = append(fields, warc.FieldPayloadDigest, sums.Payload)
	return m.add(warc.TypeResponse, uri, warc.ContentTypeResponse, head+body, fields...)
}

func (m *warcMaker) request(uri, method, header, body string, fields ...string) string {
	return m.add(warc.TypeRequest, uri, warc.ContentTypeRequest, fmt.Sprintf("%s /x HTTP/1.1\r\n%s\r\n%s", method, header, body), fields...)
}

func htmlDoc(title, body string) string {
	return "<!doctype html><html><head><title>" + title + "</title></head><body>" + body + "</body></html>"
}

const htmlType = "Content-Type: text/html; charset=utf-8\r\n"

// site is a small crawl with what is odd about crawls.
func site(t testing.TB, p warc.Packing) []byte {
	m := newMaker(t, p)
	m.response("http://example.com/", 301, "Location: https://www.example.com/start\r\n", "")
	page := m.response("https://www.example.com/start", 200, htmlType, htmlDoc("Start &amp; more", "<p>Hello <b>wor</b>ld</p><p>again"))
	m.request("https://www.example.com/start", "GET", "", "", warc.FieldConcurrentTo, page)
	m.response("https://www.example.com/style.css", 200, "Content-Type: text/css\r\n", "p{}")
	frame := m.response("https://www.example.com/frame", 200, htmlType, htmlDoc("Frame", ""))
	m.request("https://www.example.com/frame", "GET", "Sec-Fetch-Dest: iframe\r\n", "", warc.FieldConcurrentTo, frame)
	embed := m.response("https://www.example.com/embed", 200, htmlType, htmlDoc("Embed", ""))
	m.add(warc.TypeMetadata, "https://www.example.com/embed", warc.ContentTypeFields, "via: x\r\nhopsFromSeed: LER\r\n", warc.FieldConcurrentTo, embed)
	m.response("https://www.example.com/missing", 404, htmlType, htmlDoc("Not here", ""))
	m.request("https://www.example.com/api", "POST", "Content-Type: application/x-www-form-urlencoded\r\n", "q=one", "X-None", "")
	m.response("https://www.example.com/api", 200, "Content-Type: application/json\r\n", `{"n":1}`)
	answer := m.response("https://www.example.com/api", 200, "Content-Type: application/json\r\n", `{"n":2}`)
	m.request("https://www.example.com/api", "POST", "Content-Type: application/json\r\n", `{"q":"two"}`, warc.FieldConcurrentTo, answer)
	m.response("https://www.example.com/latin", 200, "Content-Type: text/html; charset=iso-8859-1\r\n", htmlDoc("Caf\xe9", ""))
	m.add(warc.TypeRevisit, "https://www.example.com/start", warc.ContentTypeResponse, "HTTP/1.1 200 OK\r\n"+htmlType+"\r\n",
		warc.FieldProfile, warc.ProfileIdentical, warc.FieldPayloadDigest, digestOf(t, htmlDoc("Start &amp; more", "<p>Hello <b>wor</b>ld</p><p>again")),
		warc.FieldRefersToURI, "https://www.example.com/start", warc.FieldRefersToDate, warc.FormatDate(testTime.Add(3*time.Second)))
	m.add(warc.TypeResource, "urn:text:https://www.example.com/start", "text/plain", "Hello world")
	m.add(warc.TypeResource, "https://www.example.com/nodigest.txt", "text/plain", "no digest here")
	return m.buf.Bytes()
}

func digestOf(t testing.TB, body string) string {
	sums, err := warc.Sum(warc.Bytes(body), 0, false)
	if err != nil {
		t.Fatal(err)
	}
	return sums.Payload
}

// packed is a WARC file by name.
type packed struct {
	name string
	data []byte
}

// build makes a package of WARC files.
func build(t testing.TB, cfg Config, files ...packed) ([]byte, *Summary) {
	t.Helper()
	if cfg.Created.IsZero() {
		cfg.Created = testTime
	}
	cfg.Dir = t.TempDir()
	var out bytes.Buffer
	w, err := NewWriter(&out, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}()
	ctx := context.Background()
	for _, f := range files {
		if err := w.AddWARC(ctx, f.name, bytes.NewReader(f.data), int64(len(f.data))); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := w.Finish(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), sum
}

func open(t testing.TB, data []byte) *Package {
	t.Helper()
	p, err := Open("test.wacz", bytes.NewReader(data), int64(len(data)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// mustBeValid checks a package with all there is.
func mustBeValid(t testing.TB, data []byte) *Report {
	t.Helper()
	rep, err := Check(context.Background(), open(t, data), CheckOptions{Records: -1, Deep: true, Workers: 2, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rep.Findings {
		t.Errorf("finding: %v", f.Error())
	}
	return rep
}
