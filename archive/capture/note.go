package capture

import (
	"crypto/sha1"
	"hash"
	"io"
	"strings"
	"time"

	"varve/archive/cdxj"
	"varve/archive/warc"
	"varve/text/dating"
	"varve/web/canon"
	"varve/web/wire"
)

// maxRequestBody is how much of a request's body is looked at for its key.
const maxRequestBody = 1 << 20

// Note is what one record tells an index.
type Note struct {
	ID    string
	URI   string
	Peers []string // WARC-Concurrent-To

	Capture  bool
	CDX      cdxj.Record // of a capture
	Time     time.Time
	MIME     string // of the content; CDX.MIME says "warc/revisit" of a revisit
	Location string // of a redirect, as sent
	Part     bool   // made for a part of a page, as browsers tell it

	NotModified bool // a revisit by which the server said that nothing changed

	Request bool
	Method  string
	Agent   string // the User-Agent that asked
	Key     string // index key of a request that is not a GET
	Body    string // the body as the index has it

	Hops string // of metadata, and of the capture it belongs to: the way from the seed

	Asked *Note // the request of a capture

	Head *wire.Head // of the HTTP message in the record; nil if there is none

	Data any // what Noter.Read found out for its caller
}

// Noter makes notes of the records of one file. It is safe for concurrent use.
type Noter struct {
	File string // the name of the file in the index
	Bare bool   // only the fields that every tool writes: nothing of redirects, dates and revisits
	// Read, if set, gets the head (nil if the record holds no HTTP) and the payload of each capture
	// that is not a revisit, before the payload is passed over.
	Read func(n *Note, head *wire.Head, payload io.Reader)
}

// Note reads a record to its end.
func (n *Noter) Note(rec *warc.Record) (*Note, error) {
	out := &Note{ID: rec.ID(), URI: rec.TargetURI(), Peers: rec.Header.Values(warc.FieldConcurrentTo)}
	switch {
	case rec.Type() == warc.TypeRequest:
		out.noteRequest(rec)
	case rec.Type() == warc.TypeMetadata:
		out.noteFields(rec)
	case Is(rec):
		n.noteCapture(out, rec)
	}
	size, err := rec.Finish()
	if err != nil {
		return nil, err
	}
	if out.Capture {
		out.CDX.Length = size
	}
	return out, nil
}

// Is tells whether a record stands for what was at its address. Metadata never does, whatever it is
// written in (warc-fields, the text/anvl of Heritrix 1, JSON): it tells about the address. Nor do fields
// under another type, as converters of old files leave them, nor the later parts of a segmented record.
func Is(rec *warc.Record) bool {
	if !warc.MayBeCapture(rec.Type()) || isFields(rec) {
		return false
	}
	_, number, ok := warc.Segment(rec.Header)
	return !ok || number <= 1
}

// isFields tells blocks of named fields, in the words of WARC 1.0 and of the drafts before it.
func isFields(rec *warc.Record) bool {
	switch wire.MediaType(rec.Header.Get(warc.FieldContentType)) {
	case warc.ContentTypeFields, "text/anvl":
		return true
	}
	return false
}

// noteRequest takes the method and the key of the body, by which answers to POST are told apart.
func (out *Note) noteRequest(rec *warc.Record) {
	out.Request = true
	h, err := rec.HTTP()
	if err != nil {
		return
	}
	out.Head = &h.Head
	out.Method = strings.ToUpper(h.Method)
	out.Agent = h.Header.Get("User-Agent")
	dest := h.Header.Get("Sec-Fetch-Dest")
	out.Part = dest != "" && dest != "document" || h.Header.Has("X-Requested-With")
	if out.Method == "" || out.Method == "GET" {
		return
	}
	body, _ := io.ReadAll(io.LimitReader(h.Payload(), maxRequestBody)) // what is there of a cut-off body
	out.Key, out.Body = canon.RequestKey(out.Method, out.URI, h.Header.Get("Content-Type"), body)
}

// noteFields takes the way from the seed that crawlers note in metadata records.
func (out *Note) noteFields(rec *warc.Record) {
	if !isFields(rec) {
		return
	}
	b, _ := io.ReadAll(io.LimitReader(rec.Block, 64<<10))
	fields, _ := wire.ParseFields(nil, string(b), 1)
	out.Hops = fields.Get("hopsFromSeed")
}

// noteCapture fills the index line.
func (n *Noter) noteCapture(out *Note, rec *warc.Record) {
	date, err := rec.Date()
	if err != nil || out.URI == "" {
		return // the reader has told; without address or time nobody can ask for it
	}
	out.Capture, out.Time = true, date
	out.CDX = cdxj.Record{
		Key: canon.SURT(out.URI), Timestamp: cdxj.Timestamp(date), URL: out.URI,
		Digest: rec.Header.Get(warc.FieldPayloadDigest), Filename: n.File, Offset: rec.Offset,
		MIME: wire.MediaType(rec.Header.Get(warc.FieldContentType)),
	}
	if kind := rec.Header.Get("WARC-Resource-Type"); kind != "" && kind != "document" {
		out.Part = true
	}
	out.CDX.SetInner(rec.Inner) // several records in a member: the offset alone does not find it
	var payload io.Reader = rec.Block
	var head *wire.Head
	if rec.IsHTTP() {
		out.CDX.MIME = ""
		if h, err := rec.HTTP(); err == nil {
			head, payload = &h.Head, h.Payload()
			out.CDX.MIME, out.CDX.Status, out.Location = h.MediaType(), h.Status, h.Header.Get("Location")
		}
	}
	out.MIME, out.Head = out.CDX.MIME, head
	if !n.Bare {
		out.CDX.Within = cdxj.Within(date)
		out.noteHead(head)
		out.noteHow(rec, head)
	}
	if rec.Type() == warc.TypeRevisit {
		out.CDX.MIME = "warc/revisit"
		out.NotModified = out.CDX.Status == 304 || out.CDX.Status == 0 && warc.IsNotModified(rec)
		return
	}
	n.notePayload(out, head, payload)
}

// noteHead takes where an answer leads and when its content changed.
func (out *Note) noteHead(h *wire.Head) {
	if h == nil {
		return
	}
	if h.Status >= 300 && h.Status < 400 && out.Location != "" {
		out.CDX.Set("redirect", absolute(out.URI, out.Location))
	}
	if modified, ok := dating.Modified(h.Header.Get("Last-Modified"), h.Header.Get("Date"), out.Time); ok {
		out.CDX.Set("modified", cdxj.Timestamp(modified))
	}
}

// maxRedirect bounds the target of a redirect in the index.
const maxRedirect = 2 << 10

// absolute resolves a Location; what cannot be resolved stays as it is.
func absolute(base, ref string) string {
	if u, err := canon.Parse(base); err == nil {
		if r, err := u.Resolve(ref); err == nil {
			ref = r.String()
		}
	}
	return ref[:min(len(ref), maxRedirect)]
}

// noteHow takes what the record says of how it came about: cut off, or referring to another.
func (out *Note) noteHow(rec *warc.Record, head *wire.Head) {
	if t := rec.Header.Get(warc.FieldTruncated); t != "" && rec.Type() != warc.TypeRevisit {
		out.CDX.Set("truncated", t)
	}
	if rec.Type() != warc.TypeRevisit {
		return
	}
	if date, err := warc.ParseDate(rec.Header.Get(warc.FieldRefersToDate)); err == nil {
		out.CDX.Set("refersDate", cdxj.Timestamp(date))
	}
	if uri := strings.Trim(rec.Header.Get(warc.FieldRefersToURI), "<>"); uri != "" && uri != out.URI {
		out.CDX.Set("refersUrl", uri)
	}
	if warc.IsNotModified(rec) {
		out.CDX.Set("notModified", validator(head))
	}
}

// validator tells what a 304 rests on: a strong ETag, a weak one, or a date.
func validator(head *wire.Head) string {
	if head == nil {
		return "date"
	}
	switch etag := head.Header.Get("ETag"); {
	case etag == "":
		return "date"
	case strings.HasPrefix(etag, "W/"):
		return "weak"
	}
	return "strong"
}

// notePayload digests the payload if the record does not tell its digest, and hands it to Read.
func (n *Noter) notePayload(out *Note, head *wire.Head, payload io.Reader) {
	var sum hash.Hash
	if out.CDX.Digest == "" {
		sum = sha1.New()
		payload = io.TeeReader(payload, sum)
	}
	if n.Read != nil {
		n.Read(out, head, payload)
	}
	if sum == nil {
		return
	}
	if _, err := io.Copy(io.Discard, payload); err == nil {
		out.CDX.Digest = warc.FormatDigest("sha1", sum.Sum(nil))
	}
}
