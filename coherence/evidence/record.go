package evidence

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"io"
	"strings"
	"time"

	"varve/archive/capture"
	"varve/archive/warc"
	"varve/text/dating"
	"varve/text/layer"
	"varve/web/wire"
)

// reading is how the records of one source are read.
type reading struct {
	opts   *Options
	layers *readers
	number int // of the source
	side   int
}

// maxFields bounds the block of a metadata record that is read: via and pass come first.
const maxFields = 64 << 10

// maxStamps bounds the dates that are kept of a page.
const maxStamps = 12

// note reads what a record has to say; nil if that is nothing.
func (r *reading) note(rec *warc.Record) (*note, error) {
	uri := rec.TargetURI()
	if !isWeb(uri) && !strings.HasPrefix(uri, "dns:") {
		return nil, nil
	}
	at, err := rec.Date()
	if err != nil {
		return nil, nil // a record without a time proves nothing; the reader tells the finding
	}
	n := &note{With: rec.Header.Values(warc.FieldConcurrentTo)}
	c := &n.Capture
	c.URL, c.Time, c.Side = uri, at.UTC(), r.side
	c.Place = Place{Record: rec.ID(), File: r.number, Offset: rec.Offset, Inner: rec.Inner, Type: rec.Type()}
	switch {
	case capture.Is(rec) && rec.Type() != warc.TypeConversion:
		n.Kind = kindCapture
		err = r.capture(n, rec)
	case rec.Type() == warc.TypeRequest:
		n.Kind = kindRequest
		readRequest(c, rec)
	case rec.Type() == warc.TypeMetadata:
		n.Kind = kindMetadata
		err = readMetadata(c, rec)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if c.Place.Length, err = rec.Finish(); err != nil {
		return nil, err
	}
	c.Place.Shared = rec.Shared()
	return n, nil
}

func isWeb(uri string) bool {
	scheme, _, ok := strings.Cut(uri, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// capture reads an answer.
func (r *reading) capture(n *note, rec *warc.Record) error {
	c := &n.Capture
	c.Digest = rec.Header.Get(warc.FieldPayloadDigest)
	c.Truncated = rec.Header.Get(warc.FieldTruncated)
	var head *wire.Head
	payload := rec.Block
	if rec.IsHTTP() {
		if h, err := rec.HTTP(); err == nil {
			head, payload = &h.Head, h.Payload()
			readHead(c, head)
		}
	} else {
		c.Type = rec.Header.Get(warc.FieldContentType)
		c.MIME = wire.MediaType(c.Type)
	}
	if rec.Type() == warc.TypeRevisit {
		c.Step, c.NotModified = StepLost, warc.IsNotModified(rec) || c.Status == 304
		c.Truncated = "" // a revisit has no content of its own
		n.Refers = &refers{ID: rec.Header.Get(warc.FieldRefersTo), URI: trimURI(rec.Header.Get(warc.FieldRefersToURI))}
		n.Refers.Date, _ = warc.ParseDate(rec.Header.Get(warc.FieldRefersToDate)) // zero if it does not say
		return nil
	}
	if _, number, ok := warc.Segment(rec.Header); ok && number == 1 {
		c.Truncated = "segmented"
	}
	return r.content(c, head, payload)
}

func trimURI(u string) string {
	return strings.TrimSuffix(strings.TrimPrefix(u, "<"), ">")
}

// readHead takes what counts from the head of an answer.
func readHead(c *Capture, h *wire.Head) {
	c.Status, c.MIME = h.Status, h.MediaType()
	c.Type, c.ETag = h.Header.Get("Content-Type"), h.Header.Get("ETag")
	if c.Status/100 == 3 {
		c.Location = h.Header.Get("Location")
	}
	c.LastModified = httpDate(h.Header.Get("Last-Modified"))
	c.ServerDate = httpDate(h.Header.Get("Date"))
}

// httpDate reads the three forms of RFC 9110; zero for all else.
func httpDate(s string) time.Time {
	for _, layout := range []string{time.RFC1123, time.RFC850, time.ANSIC} {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// content digests the body of an answer: its payload if the record does not, and its layers.
func (r *reading) content(c *Capture, head *wire.Head, payload io.Reader) error {
	sum := sha1.New()
	body, whole, err := readUpTo(io.TeeReader(payload, sum), r.opts.MaxBody)
	if err != nil {
		c.Truncated = damaged(c.Truncated)
	}
	var codings []string
	if head != nil {
		codings = head.Codings()
	}
	if whole {
		content := decoded(body, codings, r.opts.MaxBody)
		want := shallow
		if r.opts.Lazy {
			want = layer.SetOf(layer.Bytes)
		}
		c.Bytes, c.Layers = int64(len(content)), r.layers.of(c, content, want)
		if c.Layers.HTML && c.OK() && !r.opts.Lazy {
			c.Stamps = dating.Read(content).List
			c.Stamps = c.Stamps[:min(len(c.Stamps), maxStamps)]
		}
	} else {
		// Too long to be held: the bytes of the payload stand for the content.
		long := newLongBody(body)
		if _, err := io.Copy(long, io.TeeReader(payload, sum)); err != nil {
			c.Truncated = damaged(c.Truncated)
		}
		c.Bytes, c.Layers = long.digests()
	}
	if c.Digest == "" {
		c.Digest = warc.FormatDigest("sha1", sum.Sum(nil))
	}
	return nil
}

func damaged(cut string) string {
	if cut == "" {
		return "damaged"
	}
	return cut
}

// readUpTo reads a body; whole is false if there is more than limit bytes of it.
func readUpTo(r io.Reader, limit int64) (body []byte, whole bool, err error) {
	body, err = io.ReadAll(io.LimitReader(r, limit+1))
	return body, int64(len(body)) <= limit, err
}

// decoded undoes content codings. Many archives hold bodies that are decoded already under a head
// that still names the coding: what cannot be decoded is taken as it is.
func decoded(body []byte, codings []string, limit int64) []byte {
	if len(codings) == 0 {
		return body
	}
	dec, err := wire.Decode(bytes.NewReader(body), codings)
	if err != nil {
		return body
	}
	defer dec.Close()
	content, err := io.ReadAll(io.LimitReader(dec, limit+1))
	if err != nil || int64(len(content)) > limit {
		return body
	}
	return content
}

// readRequest takes the method and the page that linked from a request.
func readRequest(c *Capture, rec *warc.Record) {
	h, err := rec.HTTP()
	if err != nil {
		return
	}
	c.Method = strings.ToUpper(h.Method)
	if via := h.Header.Get("Referer"); isWeb(via) {
		c.Via = via
	}
}

// readMetadata takes the fields that ours and Heritrix write.
func readMetadata(c *Capture, rec *warc.Record) error {
	lines := bufio.NewScanner(io.LimitReader(rec.Block, maxFields))
	lines.Buffer(nil, maxFields)
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), ":")
		if !ok {
			continue
		}
		switch value = strings.TrimSpace(value); strings.ToLower(name) {
		case "via":
			c.Via = value
		case "hopsfromseed":
			c.Hops = value
		case "pass":
			c.Pass = value
		case "group":
			c.Group = value
		case "fetchtimems":
			c.Known = true // every visit of a crawler that writes such records has it
		}
	}
	c.Known = c.Known || c.Via != "" || c.Hops != "" || c.Pass != ""
	return nil // a block that ends early has told what it could; the reader tells the finding
}
