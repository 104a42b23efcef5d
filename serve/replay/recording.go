package replay

import (
	"bytes"
	"context"
	"io"

	"varve/crawl/media"
	"varve/serve/replay/rewrite"
	"varve/web/canon"
)

// A live play list was captured many times, each time with other segments. The crawl has written a recording
// of all that it took (crawl/media), as a resource under urn:vod:URL. It is shown in place of the list, so
// that a player begins at the beginning and comes to the end. As it was (id_) is the list itself.

// recorded gives the recording of a live list, or the list itself where there is none or it is not live.
func (h *Handler) recorded(ctx context.Context, lang language, d *rewrite.Document, f *found, list []byte) []byte {
	if !live(lang, list) {
		return list
	}
	collection := d.Collection()
	found, err := h.cfg.Index.Closest(ctx, collection, canon.SURT(media.VODPrefix+f.URL), f.Time, 1)
	if err != nil || len(found) == 0 || h.cfg.Span >= 0 && distance(found[0].Time, f.Time) > h.cfg.Span {
		return list
	}
	rec, err := h.open(ctx, collection, found[0])
	if err != nil {
		h.log.Warn("recording of a live stream not shown", "url", f.URL, "err", err)
		return list
	}
	defer rec.Close()
	text, err := io.ReadAll(io.LimitReader(rec.payload, maxWhole+1))
	if err != nil || len(text) > maxWhole {
		h.log.Warn("recording of a live stream not shown", "url", f.URL, "bytes", len(text), "err", err)
		return list
	}
	return text
}

// live tells lists that go on.
func live(lang language, list []byte) bool {
	switch lang {
	case asHLS:
		return bytes.Contains(list, []byte("#EXTINF")) && !bytes.Contains(list, []byte("#EXT-X-ENDLIST"))
	case asDASH:
		head, _, _ := bytes.Cut(list[max(0, bytes.Index(list, []byte("<MPD"))):], []byte(">"))
		return bytes.Contains(head, []byte(`type="dynamic"`)) || bytes.Contains(head, []byte(`type='dynamic'`))
	}
	return false
}
