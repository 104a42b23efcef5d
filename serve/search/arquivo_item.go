package search

import (
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve/derive"
	"varve/index/fulltext"
)

// versionOf is a version of an address.
type versionOf = derive.VersionRow

// arquivoItem is a result, by the names that Arquivo.pt gives.
type arquivoItem map[string]any

// item describes a hit.
func (a *Arquivo) item(h *fulltext.Hit) arquivoItem {
	stamp := h.From.UTC().Format("20060102150405")
	id := url.QueryEscape(h.URL + "/" + stamp)
	out := arquivoItem{
		"title": h.Title, "originalURL": h.URL, "tstamp": stamp, "date": strconv.FormatInt(h.From.Unix(), 10), "mimeType": h.MIME, "contentLength": h.Size, "digest": h.Digest,
		"collection": h.Collection, "fileName": h.File, "offset": h.Offset, "encoding": "", "id": h.URL + "/" + stamp,
		"linkToArchive": a.Replay(h.Collection, h.URL, "", h.From), "linkToNoFrame": a.Replay(h.Collection, h.URL, "mp_", h.From), "linkToOriginalFile": a.Replay(h.Collection, h.URL, "id_", h.From),
		"linkToExtractedText": a.Base + "/textextracted?m=" + id, "linkToMetadata": a.Base + "/textsearch?metadata=" + id, "linkToScreenshot": "",
	}
	if len(h.Snippet) > 0 {
		out["snippet"] = emphasised(h.Snippet)
	}
	return out
}

// version describes a version of an address.
func (a *Arquivo) version(source string, v *versionOf) arquivoItem {
	return a.item(&fulltext.Hit{
		Collection: source, URL: v.URL, Title: v.Title, From: v.From, MIME: v.MIME, Size: v.Size, Digest: v.Digest, File: v.File, Offset: v.Offset,
	})
}

// emphasised is a snippet as HTML, with the words in em.
func emphasised(pieces []fulltext.Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.Hit {
			b.WriteString("<em>" + html.EscapeString(p.Text) + "</em>")
		} else {
			b.WriteString(html.EscapeString(p.Text))
		}
	}
	return b.String()
}

// pick keeps some fields; none named keeps all.
func (i arquivoItem) pick(fields []string) map[string]any {
	if len(fields) == 0 {
		return i
	}
	out := map[string]any{}
	for _, f := range fields {
		if v, ok := i[f]; ok {
			out[f] = v
		}
	}
	return out
}

func list2set(values []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(list(values))))
}

// arquivoPage says which part of an answer is given, and how many items of one site or address.
type arquivoPage struct {
	offset, most, each int
	by                 string
}

func arquivoPageOf(v url.Values) (p arquivoPage, err error) {
	if p.most, err = number(v, "maxItems"); err != nil {
		return p, err
	}
	if p.most == 0 {
		p.most = 50
	}
	p.most = min(p.most, 500)
	if p.offset, err = number(v, "offset"); err != nil {
		return p, err
	}
	if p.offset+p.most > arquivoDepth {
		return p, invalid("offset and maxItems reach beyond %d results: /api/search has a cursor", arquivoDepth)
	}
	if p.each, err = number(v, "dedupValue"); err != nil {
		return p, err
	}
	if p.each == 0 {
		if p.each, err = number(v, "itemsPerSite"); err != nil {
			return p, err
		}
	}
	switch p.by = v.Get("dedupField"); p.by {
	case "", "site", "url":
	default:
		return p, invalid("dedupField=%q is neither site nor url", p.by)
	}
	return p, nil
}

// arquivoTime reads 4 to 14 digits, or what the search reads.
func arquivoTime(s string, end bool) (time.Time, error) {
	switch len(s) {
	case 6:
		s = s[:4] + "-" + s[4:]
	case 8:
		s = s[:4] + "-" + s[4:6] + "-" + s[6:]
	}
	return parseTime(s, end)
}
