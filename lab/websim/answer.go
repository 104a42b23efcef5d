package websim

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"varve/lab/websim/dice"
	"varve/lab/websim/truth"
)

// Field is one header field. Fields keep order and case.
type Field struct{ Name, Value string }

// Request is what a client asks.
type Request struct {
	Method string // GET where empty
	Scheme string // http where empty
	Host   string // with or without port
	Target string // path and query, as in the request line
	Header []Field
	Body   []byte
	Close  bool // the client wants the connection closed after the answer

	Attempt int // how often this URL was asked for before, as far as faults care; a Gate counts
}

// Get is the first value of a header field, or "".
func (r *Request) Get(name string) string {
	for _, f := range r.Header {
		if len(f.Name) == len(name) && strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Answer is what the web says to a request.
type Answer struct {
	Status  int
	Header  []Field
	Body    []byte // as sent, with content encoding and before transfer encoding
	Chunked bool
	Close   bool          // the connection ends after it
	Delay   time.Duration // before the first byte

	Page      PageID // NoPage when no page answered
	Version   truth.Version
	VersionID string // names the page and its version, or the body where there is no page
	Fault     string // the kind of fault that is played; "" is none

	play func(a *Answer) []Step // how a fault is played; nil is the plain way
}

// Get is the first value of a header field, or "".
func (a *Answer) Get(name string) string {
	for _, f := range a.Header {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

func (a *Answer) set(name, value string) { a.Header = append(a.Header, Field{name, value}) }

// drop removes a header field.
func (a *Answer) drop(name string) {
	out := a.Header[:0]
	for _, f := range a.Header {
		if !strings.EqualFold(f.Name, name) {
			out = append(out, f)
		}
	}
	a.Header = out
}

// AppendHead writes the status line and header as they go over the wire.
func (a *Answer) AppendHead(dst []byte) []byte {
	dst = append(dst, "HTTP/1.1 "...)
	dst = strconv.AppendInt(dst, int64(a.Status), 10)
	dst = append(append(append(dst, ' '), http.StatusText(a.Status)...), "\r\n"...)
	for _, f := range a.Header {
		dst = append(append(append(append(dst, f.Name...), ": "...), f.Value...), "\r\n"...)
	}
	return append(dst, "\r\n"...)
}

// pageVersion names a version of a page; volatile ones are named by the instant too.
func (s *site) pageVersion(i int, v truth.Version, volatile bool, at int64) string {
	b := append(make([]byte, 0, 40), 'p')
	b = strconv.AppendInt(b, int64(s.first)+int64(i), 10)
	b = v.Append(append(b, ':'))
	if volatile {
		b = strconv.AppendInt(append(b, ".x"...), at, 10)
	}
	return string(b)
}

// document is an answer that no page gives: named by its body.
func document(status int, contentType string, body []byte) *Answer {
	a := &Answer{Status: status, Body: body, Page: NoPage}
	a.VersionID = "d" + strconv.FormatUint(dice.String(string(body)), 16)
	if contentType != "" {
		a.set("Content-Type", contentType)
	}
	return a
}

// redirect is an answer that leads elsewhere.
func redirect(status int, to string) *Answer {
	a := document(status, "text/html", []byte("<!DOCTYPE html>\n<title>Moved</title>\n<a href=\""+escape(to)+"\">here</a>\n"))
	a.set("Location", to)
	return a
}
