package cdx

import (
	"bufio"
	"context"
	"encoding/xml"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// The XML queries of old Wayback machines, still sent by Heritrix and the Web Curator Tool:
//
//	?q=type:urlquery+url:http%3A%2F%2Fexample.org%2F+limit:10
//
// and type:prefixquery. Words are separated by blanks; the value of url is encoded once more.

// legacy tells whether a request is one of these.
func legacy(v url.Values) bool { return !v.Has("url") && strings.Contains(v.Get("q"), "type:") }

// fromLegacy turns the words into parameters of today.
func fromLegacy(q string) (url.Values, error) {
	v := url.Values{"dialect": {string(Pywb)}}
	for _, word := range strings.Fields(q) {
		name, value, _ := strings.Cut(word, ":")
		switch name {
		case "type":
			switch value {
			case "urlquery":
				v.Set("matchType", "exact")
			case "prefixquery":
				v.Set("matchType", "prefix")
			default:
				return nil, invalid("type %q: want urlquery or prefixquery", clip(value))
			}
		case "url":
			plain, err := url.QueryUnescape(value)
			if err != nil {
				return nil, invalid("url %q: %v", clip(value), err)
			}
			v.Set("url", plain)
		case "limit", "offset":
			v.Set(name, value)
		case "startdate":
			v.Set("from", value)
		case "enddate":
			v.Set("to", value)
		}
	}
	return v, nil
}

// legacyResult is one capture.
type legacyResult struct {
	XMLName  xml.Name `xml:"result"`
	Offset   string   `xml:"compressedoffset"`
	MIME     string   `xml:"mimetype"`
	File     string   `xml:"file"`
	Redirect string   `xml:"redirecturl"`
	Key      string   `xml:"urlkey"`
	Digest   string   `xml:"digest"`
	Status   string   `xml:"httpresponsecode"`
	Flags    string   `xml:"robotflags"`
	URL      string   `xml:"url"`
	Date     string   `xml:"capturedate"`
}

func (h *Handler) serveLegacy(ctx context.Context, w http.ResponseWriter, r *http.Request, v url.Values) {
	params, err := fromLegacy(v.Get("q"))
	var req *Request
	if err == nil {
		req, err = Parse(params, h.cfg.Defaults)
	}
	var a *answer
	if err == nil {
		a, err = req.run(ctx, h.ix, h.allow(r))
	}
	if err != nil {
		problem(w, 0, err)
		return
	}
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	out := &counted{w: w}
	buf := bufio.NewWriterSize(out, 32<<10)
	err = writeLegacy(buf, req, a)
	if err == nil {
		err = buf.Flush()
	}
	h.end(w, r, out.n > 0, err)
}

func writeLegacy(buf *bufio.Writer, req *Request, a *answer) error {
	enc := xml.NewEncoder(buf)
	_, _ = buf.WriteString(xml.Header + "<wayback>\n<results>\n")
	n := 0
	for row, err := range a.rows {
		if err != nil {
			return err
		}
		n++
		word := func(f string) string { return row.word(f, IA) }
		err = enc.Encode(legacyResult{
			Offset: word("offset"), MIME: word("mime"), File: word("filename"), Redirect: word("redirect"), Key: row.Key,
			Digest: word("digest"), Status: word("status"), Flags: "-", URL: word("url"), Date: row.Timestamp,
		})
		if err != nil {
			return err
		}
		_ = buf.WriteByte('\n')
	}
	_, _ = buf.WriteString("</results>\n<request>\n<type>urlquery</type><url>")
	_ = xml.EscapeText(buf, []byte(req.target))
	_, err := buf.WriteString("</url><numreturned>" + strconv.Itoa(n) + "</numreturned>\n</request>\n</wayback>\n")
	return err
}
