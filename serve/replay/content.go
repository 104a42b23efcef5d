package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"varve/archive/warc"
	"varve/serve/replay/address"
	"varve/web/wire"
)

// content sends what was archived.
func (h *Handler) content(w http.ResponseWriter, r *http.Request, a address.Address, f *found) {
	head := w.Header()
	h.headers(w, r, a, f)
	if to, ok := location(f.URL, &f.record.head); ok {
		head.Set("Location", a.Sibling(f.Time, a.Mod, to))
		if a.Mod == address.Identity { // the answer as it was, but for where it leads
			h.identity(w, r, f)
			return
		}
		head.Del("Content-Type")
		w.WriteHeader(redirectStatus(f.record.head.Status))
		return
	}
	if a.Mod == address.Identity {
		h.identity(w, r, f)
		return
	}
	if f.partial() && h.parts(w, r, a, f) {
		return
	}
	h.body(w, r, a, f)
}

// redirectStatus keeps redirects that browsers follow; others (300, 305) become one.
func redirectStatus(s int) int {
	switch s {
	case 301, 302, 303, 307, 308:
		return s
	}
	return http.StatusFound
}

// headers sets ours and renames those of then.
func (h *Handler) headers(w http.ResponseWriter, r *http.Request, a address.Address, f *found) {
	head := w.Header()
	for _, field := range f.record.head.Header {
		switch strings.ToLower(field.Name) {
		case "content-type", "content-language", "content-disposition":
			head.Set(field.Name, clean(field.Value))
		case "connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade", "":
		default:
			if validName(field.Name) {
				head.Add("X-Archive-Orig-"+field.Name, clean(field.Value))
			}
		}
	}
	head.Set("Content-Security-Policy", h.inertPolicy())
	if dest := r.Header.Get("Sec-Fetch-Dest"); a.Mod == address.Worker && (dest == "" && isJavaScript(wire.MediaType(head.Get("Content-Type"))) || strings.HasSuffix(dest, "worker")) {
		// There is no worker where no script started it, and none has RTCPeerConnection. Chromium does not say who asks for one.
		head.Set("Content-Security-Policy", h.contentPolicy(r, a, true))
	}
	h.letRead(head, r, a)
	head.Set("Content-Location", a.Sibling(f.Time, a.Mod, f.URL))
	head.Set("Cache-Control", "private, no-cache")
	if a.Mod.Embedded() {
		head.Set("Cache-Control", "private, max-age=300")
	}
	h.site(a.Collection).SetMemento(head, h.place(r, a, f))
	h.fits(w, r, a, f.URL, address.Stamp(f.Time), f.fit.String(), f.record.head.Status)
	head.Set("Accept-Ranges", "bytes")
}

// letRead lets documents for themselves read what they ask for; the key says what that may be. A redirect needs it too, or the browser does not follow it.
func (h *Handler) letRead(head http.Header, r *http.Request, a address.Address) {
	if h.shared() && a.Key != "" && r.Header.Get("Origin") == "null" {
		head.Set("Access-Control-Allow-Origin", "null")
	}
}

// clean makes a value of then fit for a header of now.
func clean(v string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\t' || c == 0x7f {
			return -1
		}
		return c
	}, v)
}

// validName tells whether a name of then may be a header of now.
func validName(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`()<>@,;:\"/[]?={}`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

// identity sends the payload as it was stored, with its content coding.
func (h *Handler) identity(w http.ResponseWriter, r *http.Request, f *found) {
	head := w.Header()
	if v := f.record.body.Header.Get("Content-Encoding"); v != "" {
		head.Set("Content-Encoding", clean(v))
	}
	if v := f.record.head.Header.Get("Location"); v != "" && f.record.head.Status/100 == 3 {
		head.Set("X-Archive-Orig-Location", clean(v))
	}
	status := f.record.head.Status
	if status < 200 || status == http.StatusNotModified || status > 599 {
		status = http.StatusOK // no answer with these has a body
	}
	body, length := f.record.payload, f.record.length
	if small, err := io.ReadAll(io.LimitReader(body, maxVerified+1)); err != nil {
		body = io.MultiReader(bytes.NewReader(small), failed{err})
	} else if len(small) > maxVerified {
		body = io.MultiReader(bytes.NewReader(small), body, &ending{h, f})
	} else {
		if finding := f.record.finding(); finding != "" {
			head.Set("Varve-Finding", clean(finding))
			h.log.Warn("a record is not what it says", "url", f.URL, "time", f.Time, "file", f.File, "offset", f.Offset, "finding", finding)
		}
		body, length = bytes.NewReader(small), int64(len(small))
	}
	h.stream(w, r, status, body, length, total(&f.record.head))
}

// maxVerified is the longest payload that is read before its first byte is sent, so that the answer can say whether it is what
// the record says. What is longer is told in the log.
const maxVerified = 4 << 20

// finding reads the record to its end and tells what is wrong with its digests; "" if nothing is. Other damage is told to whoever
// reads the body.
func (r *record) finding() string {
	if r.finish == nil {
		return ""
	}
	var f *warc.Finding
	if _, err := r.finish(); errors.As(err, &f) {
		return f.Message
	}
	return ""
}

// ending is the end of a long payload: nothing, but that it says what is wrong with it.
type ending struct {
	h *Handler
	f *found
}

// Read ends the body.
func (e *ending) Read([]byte) (int, error) {
	if finding := e.f.record.finding(); finding != "" {
		e.h.log.Warn("a record is not what it says", "url", e.f.URL, "time", e.f.Time, "file", e.f.File, "offset", e.f.Offset, "finding", finding)
	}
	return 0, io.EOF
}

// stream sends bytes that are not changed, or the part of them that was asked for.
func (h *Handler) stream(w http.ResponseWriter, r *http.Request, status int, body io.Reader, length int64, whole bool) {
	if status == http.StatusPartialContent && whole {
		status = http.StatusOK // the part that was captured is all of it
	}
	spec := r.Header.Get("Range")
	if status != http.StatusOK || spec == "" || length < 0 {
		if length >= 0 {
			w.Header().Set("Content-Length", strconv.FormatInt(length, 10))
		}
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			h.copy(w, body)
		}
		return
	}
	from, to, ok := parseRange(spec, length)
	if !ok {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", length))
		w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		return
	}
	w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to-1, length))
	w.Header().Set("Content-Length", strconv.FormatInt(to-from, 10))
	w.WriteHeader(http.StatusPartialContent)
	if r.Method == http.MethodHead {
		return
	}
	if _, err := io.CopyN(io.Discard, body, from); err == nil {
		h.copy(w, io.LimitReader(body, to-from))
	}
}

// copy sends the rest. The reader of the record tells when it is damaged; the browser sees a short answer.
func (h *Handler) copy(w io.Writer, r io.Reader) {
	if _, err := io.Copy(w, r); err != nil {
		h.cutShort(err)
	}
}

// cutShort tells of an answer that was begun and cannot be finished. One that turned out to be of another record than the index
// means is broken off, so that nobody takes it for whole.
func (h *Handler) cutShort(err error) {
	if m := (*warc.Mismatch)(nil); errors.As(err, &m) {
		h.log.Error("answer broken off", "err", err)
		panic(http.ErrAbortHandler)
	}
	h.log.Debug("answer cut short", "err", err)
}

// total tells whether a captured part (206) is the whole.
func total(head *wire.Head) bool {
	if head.Status != http.StatusPartialContent {
		return false
	}
	from, to, size, ok := contentRange(head)
	return ok && from == 0 && to == size
}

// parseRange reads a range of bytes, the first if there are several.
func parseRange(spec string, size int64) (from, to int64, ok bool) {
	spec, ok = strings.CutPrefix(spec, "bytes=")
	if !ok {
		return 0, 0, false
	}
	spec, _, _ = strings.Cut(spec, ",")
	a, b, ok := strings.Cut(strings.TrimSpace(spec), "-")
	if !ok {
		return 0, 0, false
	}
	if a == "" {
		n, err := strconv.ParseInt(b, 10, 64)
		if err != nil || n <= 0 {
			return 0, 0, false
		}
		return max(size-n, 0), size, size > 0
	}
	from, err := strconv.ParseInt(a, 10, 64)
	if err != nil || from < 0 || from >= size {
		return 0, 0, false
	}
	to = size
	if b != "" {
		last, err := strconv.ParseInt(b, 10, 64)
		if err != nil || last < from {
			return 0, 0, false
		}
		to = min(last+1, size)
	}
	return from, to, true
}

// peek gives the first bytes of a reader, and a reader of all of it.
func peek(r io.Reader, n int) ([]byte, io.Reader) {
	buf := make([]byte, n)
	got, err := io.ReadFull(r, buf)
	buf = buf[:got]
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return buf, io.MultiReader(bytes.NewReader(buf), failed{err})
	}
	return buf, io.MultiReader(bytes.NewReader(buf), r)
}

type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }
