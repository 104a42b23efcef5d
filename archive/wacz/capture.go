package wacz

import (
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"sync"
	"time"

	"varve/archive/cdxj"
	"varve/archive/warc"
	"varve/web/canon"
	"varve/web/wire"
)

// Reasons why a WARC file cannot be packed.
var (
	// ErrArc is returned for ARC files: a WACZ holds WARC only.
	ErrArc = errors.New("an ARC file: WACZ holds WARC only")
	// ErrSharedMember is returned for files in which records cannot be read one by one.
	ErrSharedMember = errors.New("several records in one compressed member: an index cannot point to them")
)

// maxRequestBody is how much of a request's body is looked at for its key.
const maxRequestBody = 1 << 20

// noted is what one record tells the index. Captures become lines; requests and metadata tell more
// about the capture they belong to.
type noted struct {
	id    string
	uri   string
	peers []string // WARC-Concurrent-To

	capture  bool
	cdx      cdxj.Record
	time     time.Time
	status   int
	location string // of a redirect
	html     bool   // an answer that may be a page
	title    string
	text     string

	request bool
	method  string
	key     string // of the request
	body    string // as the index has it
	notPage bool   // the request was made for a part of a page

	hops string // of metadata: the way from the seed

	asked *noted // the request of a capture
}

// noter makes notes of records; it is used by several goroutines at once.
type noter struct {
	src      io.ReaderAt
	file     string // name in the index
	wantText bool
	buffers  *sync.Pool
}

// note reads a record to its end.
func (n *noter) note(rec *warc.Record) (*noted, error) {
	if strings.HasPrefix(rec.Version, "ARC") {
		return nil, ErrArc
	}
	if rec.Inner != 0 {
		return nil, fmt.Errorf("record at %d: %w", rec.Offset, ErrSharedMember)
	}
	out := &noted{id: rec.ID(), uri: rec.TargetURI(), peers: rec.Header.Values(warc.FieldConcurrentTo)}
	switch rec.Type() {
	case warc.TypeRequest:
		out.noteRequest(rec)
	case warc.TypeResponse, warc.TypeRevisit, warc.TypeResource, warc.TypeMetadata, warc.TypeConversion:
		if wire.MediaType(rec.Header.Get(warc.FieldContentType)) == warc.ContentTypeFields {
			out.noteFields(rec)
			break
		}
		n.noteCapture(out, rec)
	}
	size, err := rec.Finish()
	if err != nil {
		return nil, err
	}
	if out.capture {
		out.cdx.Length = size
		return out, n.digest(out)
	}
	return out, nil
}

// digest adds the hash of the record as it lies in the file, so that a reader who loads only this
// record can verify it.
func (n *noter) digest(out *noted) error {
	buf := n.buffers.Get().(*[]byte)
	defer n.buffers.Put(buf)
	h := sha256.New()
	section := io.NewSectionReader(n.src, out.cdx.Offset, out.cdx.Length)
	if _, err := io.CopyBuffer(onlyWriter{h}, section, *buf); err != nil {
		return fmt.Errorf("read record at %d: %w", out.cdx.Offset, err)
	}
	out.cdx.Set("recordDigest", formatSHA256(h.Sum(nil)))
	return nil
}

// onlyWriter hides all but Write, so that CopyBuffer uses its buffer.
type onlyWriter struct{ io.Writer }

// noteRequest takes the method and the key of the body, by which answers to POST are told apart.
func (out *noted) noteRequest(rec *warc.Record) {
	out.request = true
	h, err := rec.HTTP()
	if err != nil {
		return
	}
	out.method = strings.ToUpper(h.Method)
	out.notPage = partOfPage(h.Header)
	if out.method == "" || out.method == "GET" {
		return
	}
	body, _ := io.ReadAll(io.LimitReader(h.Payload(), maxRequestBody)) // what is there of a cut-off body
	out.key, out.body = canon.RequestKey(out.method, out.uri, h.Header.Get("Content-Type"), body)
}

// partOfPage tells by what browsers and scripts say about a request whether it was made by a page
// for itself.
func partOfPage(h wire.Header) bool {
	if dest := h.Get("Sec-Fetch-Dest"); dest != "" && dest != "document" {
		return true
	}
	return h.Has("X-Requested-With")
}

// noteFields takes the way from the seed that crawlers note in metadata records.
func (out *noted) noteFields(rec *warc.Record) {
	if rec.Type() != warc.TypeMetadata {
		return
	}
	b, _ := io.ReadAll(io.LimitReader(rec.Block, 64<<10))
	fields, _ := wire.ParseFields(nil, string(b), 1)
	out.hops = fields.Get("hopsFromSeed")
}

// noteCapture fills the index line.
func (n *noter) noteCapture(out *noted, rec *warc.Record) {
	date, err := rec.Date()
	if err != nil || out.uri == "" {
		return // the reader has told; without address or time nobody can ask for it
	}
	out.capture, out.time = true, date
	out.cdx = cdxj.Record{
		Key: canon.SURT(out.uri), Timestamp: cdxj.Timestamp(date), URL: out.uri,
		Digest: rec.Header.Get(warc.FieldPayloadDigest), Filename: n.file, Offset: rec.Offset,
		MIME: wire.MediaType(rec.Header.Get(warc.FieldContentType)),
	}
	if kind := rec.Header.Get("WARC-Resource-Type"); kind != "" && kind != "document" {
		out.notPage = true
	}
	var body io.Reader = rec.Block
	var head *wire.Head
	if rec.IsHTTP() {
		out.cdx.MIME = ""
		if h, err := rec.HTTP(); err == nil {
			head, body = &h.Head, h.Payload()
			out.cdx.MIME, out.cdx.Status, out.status = h.MediaType(), h.Status, h.Status
			out.location = h.Header.Get("Location")
		}
	}
	if rec.Type() == warc.TypeRevisit {
		out.html = out.status == 200 && isHTML(out.cdx.MIME)
		out.cdx.MIME = "warc/revisit"
		return
	}
	n.noteBody(out, head, body)
}

// noteBody reads the title, and the digest if the record has none.
func (n *noter) noteBody(out *noted, head *wire.Head, body io.Reader) {
	var sum hash.Hash
	if out.cdx.Digest == "" {
		sum = sha1.New()
		body = io.TeeReader(body, sum)
	}
	out.html = (out.status == 200 || head == nil) && isHTML(out.cdx.MIME) && isWeb(out.uri)
	if out.html {
		contentType, content := "", io.NopCloser(body)
		if head != nil {
			contentType = head.Header.Get("Content-Type")
			if c, err := wire.Decode(body, head.Codings()); err == nil {
				content = c
			}
		}
		out.title, out.text = readHTML(content, contentType, n.wantText)
		_ = content.Close() // only decoders are freed
	}
	if sum != nil {
		if _, err := io.Copy(io.Discard, body); err == nil {
			out.cdx.Digest = warc.FormatDigest("sha1", sum.Sum(nil))
		}
	}
}

func isHTML(mime string) bool {
	return mime == "text/html" || mime == "application/xhtml+xml" || mime == "application/xhtml"
}

func isWeb(uri string) bool {
	return len(uri) > 8 && (strings.EqualFold(uri[:7], "http://") || strings.EqualFold(uri[:8], "https://"))
}
