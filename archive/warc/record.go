package warc

import (
	"io"
	"strconv"
	"strings"
	"time"

	"varve/web/wire"
)

// Record is one record as it is read. It belongs to its Reader and is valid until the next call
// of Next; its strings may be kept for ever.
type Record struct {
	Version string // "WARC/1.1", or "ARC/1" for records of ARC files
	Header  Header // as written; for ARC, made from the ARC line
	Raw     string // the exact header bytes, blank line included

	// Block gives the bytes of the block. It ends with io.EOF after Content-Length bytes, or with
	// ErrShortBlock or the cause of the damage if they are not all there.
	Block io.Reader

	File   string // as named in Options
	Offset int64  // of the member, or of the record in plain files
	Inner  int64  // bytes of the unpacked member before the record; 0 in well-made files

	length  int64 // of the block by Content-Length
	size    int64 // of the record in the file; -1 until it is finished
	shared  bool  // others are in the same member; known when it is finished
	payload PayloadForm
	reader  *Reader
}

// Type gives the WARC-Type in lower case.
func (r *Record) Type() string {
	t := r.Header.Get(FieldType)
	for i := 0; i < len(t); i++ {
		if 'A' <= t[i] && t[i] <= 'Z' {
			return strings.ToLower(t)
		}
	}
	return t
}

// ID gives the WARC-Record-ID as written, with its angle brackets.
func (r *Record) ID() string { return r.Header.Get(FieldRecordID) }

// TargetURI gives the WARC-Target-URI, without the angle brackets that some writers put there.
func (r *Record) TargetURI() string { return trimURI(r.Header.Get(FieldTargetURI)) }

func trimURI(u string) string {
	if strings.HasPrefix(u, "<") && strings.HasSuffix(u, ">") {
		return u[1 : len(u)-1]
	}
	return u
}

// Date gives the WARC-Date, or an error if it is not there or not readable.
func (r *Record) Date() (time.Time, error) { return ParseDate(r.Header.Get(FieldDate)) }

// Length gives the length of the block as the header tells it.
func (r *Record) Length() int64 { return r.length }

// IsHTTP tells whether the block should hold an HTTP message.
func (r *Record) IsHTTP() bool {
	switch r.Type() {
	case TypeResponse, TypeRequest, TypeRevisit:
	default:
		return false
	}
	if ct := r.Header.Get(FieldContentType); ct != "" {
		return wire.MediaType(ct) == "application/http"
	}
	return isWebURI(r.TargetURI())
}

func isWebURI(u string) bool {
	return hasPrefixFold(u, "http://") || hasPrefixFold(u, "https://")
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// Finish reads the rest of the record and gives its size in the file: what an index needs beside
// the offset. In files with several records in a member the size is that of the unpacked record.
func (r *Record) Finish() (size int64, err error) {
	err = r.reader.finish()
	return r.size, err
}

// Shared tells whether other records lie in the compressed member of this one, which is known after
// Finish. Its size is then that of the unpacked record, and its offset alone does not find it.
func (r *Record) Shared() bool { return r.shared }

// PayloadForm tells what a payload digest was taken of.
type PayloadForm string

// The two readings of "payload" that are in use.
const (
	PayloadUnknown  PayloadForm = ""
	PayloadRaw      PayloadForm = "raw"       // the body as sent, chunk framing included
	PayloadUnframed PayloadForm = "dechunked" // the body without transfer coding
)

// PayloadForm tells which reading of "payload" the record's digest follows. It is known after
// Finish when the reader verifies digests and the digest matched.
func (r *Record) PayloadForm() PayloadForm { return r.payload }

// Clone gives a copy of the header that outlives the Reader; Block is not carried over.
func (r *Record) Clone() *Record {
	c := *r
	c.Header = r.Header.Clone()
	c.Block, c.reader = nil, nil
	return &c
}

// contentLength parses the length field; ok is false if it is missing or no number.
func contentLength(h Header) (n int64, ok bool) {
	v, found := h.Lookup(FieldContentLength)
	if !found {
		return 0, false
	}
	n, err := strconv.ParseInt(v, 10, 64)
	return n, err == nil && n >= 0
}
