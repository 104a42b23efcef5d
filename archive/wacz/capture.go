package wacz

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"varve/archive/capture"
	"varve/archive/warc"
	"varve/web/wire"
)

// Reasons why a WARC file cannot be packed.
var (
	// ErrArc is returned for ARC files: a WACZ holds WARC only.
	ErrArc = errors.New("an ARC file: WACZ holds WARC only")
	// ErrSharedMember is returned for files in which records cannot be read one by one.
	ErrSharedMember = errors.New("several records in one compressed member: an index cannot point to them")
)

// page is what a capture tells beside its index line: whether it may be a page, and what that says.
type page struct {
	html        bool
	title, text string
}

// noter makes notes of records; it is used by several goroutines at once.
type noter struct {
	capture.Noter
	src      io.ReaderAt
	wantText bool
	buffers  *sync.Pool
}

func newNoter(src io.ReaderAt, file string, wantText bool, buffers *sync.Pool) *noter {
	n := &noter{src: src, wantText: wantText, buffers: buffers}
	n.Noter = capture.Noter{File: file, Bare: true, Read: n.read}
	return n
}

// fits tells why a record cannot be packed as it lies.
func fits(rec *warc.Record) (struct{}, error) {
	if strings.HasPrefix(rec.Version, "ARC") {
		return struct{}{}, ErrArc
	}
	if rec.Inner != 0 {
		return struct{}{}, fmt.Errorf("record at %d: %w", rec.Offset, ErrSharedMember)
	}
	return struct{}{}, nil
}

// note reads a record to its end.
func (n *noter) note(rec *warc.Record) (*capture.Note, error) {
	if _, err := fits(rec); err != nil {
		return nil, err
	}
	out, err := n.Note(rec)
	if err != nil || !out.Capture {
		return out, err
	}
	if out.CDX.IsRevisit() {
		out.Data = page{html: out.CDX.Status == 200 && isHTML(out.MIME)}
	}
	return out, n.digest(out)
}

// digest adds the hash of the record as it lies in the file, so that a reader who loads only this
// record can verify it.
func (n *noter) digest(out *capture.Note) error {
	buf := n.buffers.Get().(*[]byte)
	defer n.buffers.Put(buf)
	h := sha256.New()
	section := io.NewSectionReader(n.src, out.CDX.Offset, out.CDX.Length)
	if _, err := io.CopyBuffer(onlyWriter{h}, section, *buf); err != nil {
		return fmt.Errorf("read record at %d: %w", out.CDX.Offset, err)
	}
	out.CDX.Set("recordDigest", formatSHA256(h.Sum(nil)))
	return nil
}

// onlyWriter hides all but Write, so that CopyBuffer uses its buffer.
type onlyWriter struct{ io.Writer }

// read takes title and text of a page.
func (n *noter) read(out *capture.Note, head *wire.Head, payload io.Reader) {
	if head != nil && head.Status != 200 || !isHTML(out.MIME) || !isWeb(out.URI) {
		return
	}
	p := page{html: true}
	contentType, content := "", io.NopCloser(payload)
	if head != nil {
		contentType = head.Header.Get("Content-Type")
		if c, err := wire.Decode(payload, head.Codings()); err == nil {
			content = c
		}
	}
	p.title, p.text = readHTML(content, contentType, n.wantText)
	_ = content.Close() // only decoders are freed
	out.Data = p
}

func isHTML(mime string) bool {
	return mime == "text/html" || mime == "application/xhtml+xml" || mime == "application/xhtml"
}

func isWeb(uri string) bool {
	return len(uri) > 8 && (strings.EqualFold(uri[:7], "http://") || strings.EqualFold(uri[:8], "https://"))
}
