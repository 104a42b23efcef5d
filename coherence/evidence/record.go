package evidence

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/json"
	"io"
	"strings"
	"time"

	"varve/archive/scan"
	"varve/archive/warc"
	"varve/text/layer"
	"varve/web/wire"
)

// maxFields bounds the block of a metadata record that is read: via and pass come first.
const maxFields = 64 << 10

// maxStamps bounds the dates that are kept of a page.
const maxStamps = 12

// config is what makes a mapper.
type config struct {
	Lazy    bool
	MaxBody int64
}

// Mapper reads what records have to say: one note a capture, request, metadata and warcinfo record.
func Mapper(lazy bool, maxBody int64) *scan.Mapper {
	if maxBody <= 0 {
		maxBody = DefaultMaxBody
	}
	return newMapper(config{lazy, maxBody}, new(readers))
}

// MapperOf makes the mapper of a configuration, as a worker gets it.
func MapperOf(text []byte) (*scan.Mapper, error) {
	var c config
	err := json.Unmarshal(text, &c)
	return newMapper(c, new(readers)), err
}

func newMapper(c config, layers *readers) *scan.Mapper {
	return scan.New(scan.Mapper{Name: "evidence", Limits: scan.Limits{Content: c.MaxBody}, Wants: wants, Sums: true, Config: c, Trusted: scan.Plain}, func() func(context.Context, *scan.Item) (*note, error) {
		r := &reading{c, layers}
		return func(_ context.Context, it *scan.Item) (*note, error) { return r.note(it), nil }
	})
}

// wants wants all of captures, and what requests, metadata and warcinfo say.
func wants(it *scan.Item) scan.Part {
	switch kindOf(it) {
	case "":
		return scan.Nothing
	case kindCapture:
		return scan.Body
	}
	return scan.Head
}

// kindOf says what a record is about; "" if that is nothing. A record without a time proves nothing.
func kindOf(it *scan.Item) kind {
	switch {
	case it.Type == warc.TypeWarcinfo:
		return kindInfo
	case !isWeb(it.URI) && !strings.HasPrefix(it.URI, "dns:") || it.Time.IsZero():
	case it.Capture && it.Type != warc.TypeConversion:
		return kindCapture
	case it.Type == warc.TypeRequest:
		return kindRequest
	case it.Type == warc.TypeMetadata:
		return kindMetadata
	}
	return ""
}

// reading is how records are read.
type reading struct {
	config
	layers *readers
}

// note reads what a record has to say.
func (r *reading) note(it *scan.Item) *note {
	n := &note{Kind: kindOf(it), With: it.Header.Values(warc.FieldConcurrentTo)}
	c := &n.Capture
	c.URL, c.Time = it.URI, it.Time.UTC()
	c.Place = Place{Record: it.ID, Offset: it.Offset, Inner: it.Inner, Length: it.Length, Shared: it.Shared, Type: it.Type}
	switch n.Kind {
	case kindInfo:
		return &note{Kind: kindInfo, Capture: Observation{Crawl: crawlOf(it.Fields)}}
	case kindCapture:
		r.capture(n, it)
	case kindRequest:
		readRequest(c, it.Head)
	case kindMetadata:
		readMetadata(c, it.Fields)
	}
	return n
}

func isWeb(uri string) bool {
	scheme, _, ok := strings.Cut(uri, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// capture reads an answer.
func (r *reading) capture(n *note, it *scan.Item) {
	c := &n.Capture
	c.Digest = it.Header.Get(warc.FieldPayloadDigest)
	c.Truncated = it.Header.Get(warc.FieldTruncated)
	if it.Head != nil {
		readHead(c, it.Head)
	} else if !it.Record().IsHTTP() {
		c.Type = it.Header.Get(warc.FieldContentType)
		c.MIME = wire.MediaType(c.Type)
	}
	if it.Type == warc.TypeRevisit {
		c.Step, c.NotModified = StepLost, warc.IsNotModified(it.Record()) || c.Status == 304
		c.Truncated = "" // a revisit has no content of its own
		n.Refers = &refers{ID: it.Header.Get(warc.FieldRefersTo), URI: trimURI(it.Header.Get(warc.FieldRefersToURI))}
		n.Refers.Date, _ = warc.ParseDate(it.Header.Get(warc.FieldRefersToDate)) // zero if it does not say
		return
	}
	if _, number, ok := warc.Segment(it.Header); ok && number == 1 {
		c.Truncated = "segmented"
	}
	r.content(c, it)
}

func trimURI(u string) string {
	return strings.TrimSuffix(strings.TrimPrefix(u, "<"), ">")
}

// readHead takes what counts from the head of an answer.
func readHead(c *Observation, h *wire.Head) {
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
func (r *reading) content(c *Observation, it *scan.Item) {
	if it.Damage != "" {
		c.Truncated = damaged(c.Truncated)
	}
	switch {
	case int64(len(it.Body)) <= r.MaxBody:
		content := r.decoded(it)
		want := shallow
		if r.Lazy {
			want = layer.SetOf(layer.Bytes)
		}
		c.Bytes = int64(len(content))
		c.Layers, c.Stamps = r.layers.of(c, content, want)
		c.Stamps = c.Stamps[:min(len(c.Stamps), maxStamps)]
	case it.Rest == nil: // too long: the bytes of the payload stand for the content
		c.Bytes, c.Layers = int64(len(it.Body)), &layer.Digests{Have: layer.All, Sums: [5]layer.Sum{sha256.Sum256(it.Body)}}
	default:
		c.Bytes, c.Layers = it.Rest.Size, &layer.Digests{Have: layer.All, Sums: [5]layer.Sum{it.Rest.SHA256}}
	}
	switch {
	case c.Digest != "":
	case it.Rest != nil:
		c.Digest = warc.FormatDigest("sha1", it.Rest.SHA1)
	default:
		sum := sha1.Sum(it.Body)
		c.Digest = warc.FormatDigest("sha1", sum[:])
	}
}

// decoded is the content of an item, as the function decoded has it of a body.
func (r *reading) decoded(it *scan.Item) []byte {
	if it.Damage != "" {
		return decoded(it.Body, it.Codings(), r.MaxBody)
	}
	content, more, err := it.ContentUpTo(r.MaxBody)
	if err != nil || more {
		return it.Body
	}
	return content
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
func readRequest(c *Observation, h *wire.Head) {
	if h == nil {
		return
	}
	c.Method = strings.ToUpper(h.Method)
	if via := h.Header.Get("Referer"); isWeb(via) {
		c.Via = via
	}
}

// readMetadata takes the fields that ours and Heritrix write.
func readMetadata(c *Observation, block []byte) {
	lines := bufio.NewScanner(bytes.NewReader(block[:min(len(block), maxFields)]))
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
}

// crawlOf reads which crawl a file belongs to.
func crawlOf(block []byte) string {
	for line := range strings.Lines(string(block[:min(len(block), maxFields)])) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(name, "isPartOf") {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
