package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ARC is read as a dialect: each record gets a header of WARC fields made from its line.
//
//	filedesc://name 0.0.0.0 date text/plain length      first record: "1 0 Owner", field names
//	URL IP-address archive-date content-type length      version 1
//	URL IP date type result checksum location offset filename length      version 2
//
// The URL may hold spaces, so a line is read from the right: the date is the field before which
// an address stands.
type arcDialect struct{ version int }

const maxArcLine = 64 << 10

var filedesc = []byte("filedesc:")

func looksLikeArc(b []byte) bool {
	return bytes.HasPrefix(b, filedesc) || len(b) < len(filedesc) && len(b) > 0 && bytes.HasPrefix(filedesc, b)
}

// startsArc tells whether the first bytes of a member may be an ARC record line: one that can be
// read, or the start of a long one.
func startsArc(b []byte) bool {
	if eol := bytes.IndexByte(b, '\n'); eol >= 0 {
		_, err := parseArcLine(string(b[:eol+1]))
		return err == nil
	}
	colon := bytes.IndexByte(b, ':')
	return colon > 0 && bytes.IndexByte(b[:colon], ' ') < 0 && len(b) > 80
}

// readArcLine parses the line at the start of the buffer and makes it the current record.
func (r *Reader) readArcLine() error {
	r.place()
	line, ok := r.arcLine()
	if !ok {
		r.find(Damage, RuleCutOff, "the file ends inside an ARC record line")
		r.win.use(len(r.win.bytes()))
		return nil
	}
	if r.arc == nil { // even if this line cannot be read, the next ones may
		r.arc = &arcDialect{version: 1}
	}
	fields, err := parseArcLine(line)
	if err != nil {
		r.find(Syntax, RuleArcLine, err.Error())
		return r.resync()
	}
	r.rec.Raw = line
	r.win.use(len(line))
	r.rec.Version = "ARC/" + strconv.Itoa(r.arc.version)
	r.rec.Header = fields.header(r.rec.Header)
	if _, err := parseArcDate(fields.date); err != nil {
		r.find(Spec, RuleDate, err.Error())
	}
	r.begin(fields.length)
	if strings.HasPrefix(fields.url, string(filedesc)) {
		r.arcVersion()
	}
	return nil
}

// arcLine gets the line into the buffer; ok is false if its end is not there.
func (r *Reader) arcLine() (string, bool) {
	for {
		b := r.win.bytes()
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			return string(b[:i+1]), true
		}
		if len(b) > maxArcLine {
			return string(b), false
		}
		if !r.win.open { // the line may go on in the next member
			if r.kind == Plain || !startsAddress(b) || r.win.next() != nil {
				return string(b), false
			}
			r.splitRecord()
		}
		if err := r.win.more(); err != nil && !errors.Is(err, io.EOF) {
			return "", false
		}
	}
}

// startsAddress tells whether bytes may be the start of an address, and so of an ARC line.
func startsAddress(b []byte) bool {
	for i, c := range b {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', i > 0 && (c == '+' || c == '-' || c == '.' || '0' <= c && c <= '9'):
		default:
			return i > 0 && c == ':'
		}
	}
	return len(b) > 0
}

// arcVersion looks at the version line at the start of the first record's block.
func (r *Reader) arcVersion() {
	if b, err := r.peek(2); err == nil && len(b) >= 2 && b[0] == '2' && b[1] == ' ' {
		r.arc.version = 2
	}
}

type arcFields struct {
	url, ip, date, mime string
	length              int64
}

// parseArcLine takes a line apart, from the right.
func parseArcLine(line string) (arcFields, error) {
	words := strings.Split(strings.TrimRight(line, "\r\n"), " ")
	n := len(words)
	if n < 5 {
		return arcFields{}, fmt.Errorf("ARC line of %d fields instead of 5: %q", n, clip(line))
	}
	length, err := strconv.ParseInt(words[n-1], 10, 64)
	if err != nil || length < 0 {
		return arcFields{}, fmt.Errorf("ARC line ends in %q instead of a length", clip(words[n-1]))
	}
	for i := n - 3; i >= 2; i-- {
		if isArcDate(words[i]) && isAddress(words[i-1]) {
			mime := words[i+1]
			if i+2 < n-1 && strings.HasSuffix(mime, ";") {
				mime += " " + words[i+2]
			}
			return arcFields{strings.Join(words[:i-1], " "), words[i-1], words[i], mime, length}, nil
		}
	}
	if isAddress(words[n-4]) { // a date that is none: "null" occurs
		return arcFields{strings.Join(words[:n-4], " "), words[n-4], words[n-3], words[n-2], length}, nil
	}
	return arcFields{}, fmt.Errorf("ARC line without address and date: %q", clip(line))
}

func isArcDate(s string) bool {
	return len(s) >= 8 && len(s) <= 17 && strings.Trim(s, "0123456789") == ""
}

func isAddress(s string) bool {
	return s == "-" || len(s) >= 3 && strings.Trim(s, "0123456789abcdefABCDEF.:") == "" && strings.ContainsAny(s, ".:")
}

// header gives the fields as WARC would name them.
func (f arcFields) header(h Header) Header {
	kind, contentType := TypeResource, f.mime
	switch {
	case strings.HasPrefix(f.url, string(filedesc)):
		kind = TypeWarcinfo
	case isWebURI(f.url):
		kind, contentType = TypeResponse, ContentTypeResponse
	}
	h.Add(FieldType, kind)
	h.Add(FieldTargetURI, f.url)
	if t, err := parseArcDate(f.date); err == nil {
		h.Add(FieldDate, FormatDate(t))
	}
	h.Add(FieldIPAddress, f.ip)
	h.Add(FieldContentType, contentType)
	h.Add(FieldContentLength, strconv.FormatInt(f.length, 10))
	h.Add("ARC-Content-Type", f.mime)
	return h
}

// endArcLine passes over the line ends behind an ARC block: one by the standard, more in use.
func (r *Reader) endArcLine() error {
	for {
		b, err := r.peek(1)
		if err != nil {
			return r.memberFailed(err)
		}
		if len(b) == 0 || b[0] != '\r' && b[0] != '\n' {
			return nil
		}
		r.win.use(1)
	}
}

// startOfArc finds a line that reads as an ARC record line.
func startOfArc(b []byte) int {
	for from := 0; ; {
		end := bytes.IndexByte(b[from:], '\n')
		if end < 0 {
			return -1
		}
		if end < maxArcLine {
			if _, err := parseArcLine(string(b[from : from+end+1])); err == nil {
				return from
			}
		}
		from += end + 1
	}
}
