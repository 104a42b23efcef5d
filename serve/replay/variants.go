package replay

import (
	"bytes"
	"context"
	"strings"
	"time"

	"varve/serve/replay/address"
	"varve/serve/replay/rewrite"
	"varve/web/canon"
)

// maxVariants bounds the renditions of a video that are looked up.
const maxVariants = 64

// captured takes the renditions that were not captured out of a master play list, so that a player does not choose
// one of them: a crawl keeps one or two of many. A list of which none was captured stays as it is.
func (h *Handler) captured(ctx context.Context, d *rewrite.Document, list []byte) []byte {
	if !bytes.Contains(list, []byte("#EXT-X-STREAM-INF")) {
		return list
	}
	collection := d.Collection()
	at, err := address.Latest(d.Time)
	if err != nil {
		return list
	}
	var out, tag []byte
	kept, n := 0, 0
	for line := range bytes.Lines(list) {
		text := strings.TrimSpace(string(line))
		switch {
		case strings.HasPrefix(text, "#EXT-X-STREAM-INF"):
			tag = line
		case tag != nil && text != "" && text[0] != '#':
			if n++; n <= maxVariants && h.has(ctx, collection, d, text, at) {
				out = append(append(out, tag...), line...)
				kept++
			}
			tag = nil
		default:
			out = append(out, line...)
		}
	}
	if kept == 0 {
		return list
	}
	return out
}

// has tells whether a reference of a document was captured.
func (h *Handler) has(ctx context.Context, collection string, d *rewrite.Document, ref string, at time.Time) bool {
	u, err := d.Base.Resolve(ref)
	if err != nil {
		return false
	}
	found, err := h.cfg.Index.Closest(ctx, collection, canon.SURT(u.String()), at, 1)
	return err == nil && len(found) > 0
}
