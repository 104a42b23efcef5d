package replay

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"varve/serve/replay/address"
	"varve/web/wire"
)

// A file may have been captured in parts: answers 206 to ranges, because the server gives nothing else, or
// because the whole was over the crawl's limit. What is asked for is put together of them:
//
//	captures of the address that are parts -> of the same file: size and validator -> in order
//	-> the bytes asked for, as far as they follow each other
//
// Cost: the head of each part is read once per request.

// maxParts bounds the captures of one address that are looked at, partSpan how far apart in time they may be.
const (
	maxParts = 4000
	partSpan = 24 * time.Hour
)

// part is a stretch of a file in a capture.
type part struct {
	from, to int64
	capture  Found
}

// partial tells whether a capture may be one of several parts of a file.
func (f *found) partial() bool {
	switch f.record.head.Status {
	case http.StatusPartialContent:
		return !total(&f.record.head)
	case http.StatusOK:
		return f.record.cut
	case http.StatusForbidden, http.StatusNotAcceptable, http.StatusRequestEntityTooLarge, http.StatusRequestedRangeNotSatisfiable:
		return true // servers that give ranges only say one of these to who asks for all
	}
	return false
}

// parts sends a file that was captured in parts; false where there are none that fit.
func (h *Handler) parts(w http.ResponseWriter, r *http.Request, a address.Address, f *found) bool {
	list, size, typ := h.partsOf(r.Context(), a.Collection, f)
	if len(list) == 0 {
		return false
	}
	from, to, status := int64(0), size, http.StatusOK
	if spec := r.Header.Get("Range"); spec != "" {
		var ok bool
		if from, to, ok = parseRange(spec, size); !ok {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", size))
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
			return true
		}
		status = http.StatusPartialContent
	}
	end := reach(list, from)
	switch {
	case end <= from:
		w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", size))
		w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		return true
	case end < to:
		to, status = end, http.StatusPartialContent
	}
	if status == http.StatusPartialContent {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to-1, size))
	}
	if typ != "" {
		w.Header().Set("Content-Type", clean(typ))
	}
	w.Header().Set("Content-Length", strconv.FormatInt(to-from, 10))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		h.sendParts(r.Context(), w, a.Collection, list, from, to)
	}
	return true
}

// partsOf finds the parts of the file that a capture is one of, in order, and the size of the file.
func (h *Handler) partsOf(ctx context.Context, collection string, f *found) (list []part, size int64, typ string) {
	captures, err := h.cfg.Index.Closest(ctx, collection, f.key(), f.Time, maxParts)
	if err != nil {
		return nil, 0, ""
	}
	tag := ""
	for _, c := range captures {
		if c.Status != http.StatusPartialContent && c.Status != http.StatusOK && c.Status != 0 || distance(c.Time, f.Time) > partSpan {
			continue
		}
		rec, err := h.open(ctx, collection, c)
		if err != nil {
			continue
		}
		p, n, ok := partOf(c, rec)
		switch head := &rec.head; {
		case !ok:
		case size == 0:
			size, tag, typ = n, head.Header.Get("ETag"), head.Header.Get("Content-Type")
			list = append(list, p)
		case n == size && head.Header.Get("ETag") == tag:
			list = append(list, p)
		}
		rec.Close()
	}
	slices.SortFunc(list, func(a, b part) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	return list, size, typ
}

// partOf tells which stretch of its file a record holds, and the size of the file.
func partOf(c Found, rec *record) (p part, size int64, ok bool) {
	if len(rec.body.Codings()) > 0 {
		return p, 0, false // a range of packed bytes
	}
	if rec.head.Status == http.StatusPartialContent {
		from, to, n, ok := contentRange(&rec.head)
		if rec.length >= 0 {
			to = min(to, from+rec.length)
		}
		return part{from, to, c}, n, ok && to > from
	}
	n, err := strconv.ParseInt(rec.head.Header.Get("Content-Length"), 10, 64)
	if err != nil || rec.length <= 0 || !rec.cut {
		return p, 0, false
	}
	return part{0, min(rec.length, n), c}, n, true
}

// contentRange reads bytes first-last/size.
func contentRange(head *wire.Head) (from, to, size int64, ok bool) {
	var last int64
	n, err := fmt.Sscanf(head.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &last, &size)
	return from, last + 1, size, err == nil && n == 3 && from >= 0 && last >= from && last < size
}

// reach tells how far the parts follow each other from an offset on.
func reach(list []part, from int64) int64 {
	for _, p := range list {
		if p.from > from {
			break
		}
		from = max(from, p.to)
	}
	return from
}

// sendParts sends a stretch that the parts cover.
func (h *Handler) sendParts(ctx context.Context, w io.Writer, collection string, list []part, from, to int64) {
	for _, p := range list {
		if p.to <= from || from >= to {
			continue
		}
		rec, err := h.open(ctx, collection, p.capture)
		if err != nil {
			h.log.Warn("part of a file not sent", "url", p.capture.URL, "from", p.from, "err", err)
			return
		}
		_, err = io.CopyN(io.Discard, rec.payload, from-p.from)
		if err == nil {
			_, err = io.CopyN(w, rec.payload, min(p.to, to)-from)
		}
		rec.Close()
		if err != nil {
			h.log.Debug("answer cut short", "url", p.capture.URL, "err", err)
			return
		}
		from = min(p.to, to)
	}
}
