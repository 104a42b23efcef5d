package derive

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"varve/page"
	"varve/text/charset"
	"varve/text/dating"
	"varve/text/lang"
	"varve/text/layer"
	"varve/text/near"
	"varve/web/canon"
	"varve/web/links"
)

// Limits of one page.
const (
	maxLinks  = 20_000 // rows of links
	maxAnchor = 300    // bytes of an anchor
)

// analyser reads the content of captures. It is not for concurrent use.
type analyser struct {
	opts *Options
	page *page.Reader
}

// answer is what the analyser is given of a capture.
type answer struct {
	url, mime, date, lastModified string
	at                            time.Time
	body                          []byte // content: transfer and content coding removed
}

// read fills the columns that come from the content.
func (a *analyser) read(ctx context.Context, in answer, p *PageRow) ([]Link, error) {
	var found []Link
	left := 0
	body, _ := a.page.Read(page.Input{URL: in.url, MIME: in.mime, Body: in.body}, page.Want{Layers: layer.All, Main: true, Dates: true, Links: func(l links.Link) {
		if len(found) >= maxLinks {
			left++
			return
		}
		found = append(found, Link{
			Source: in.url, Time: in.at, Target: strings.Clone(l.URL), Kind: l.Kind.String(), Hop: l.Hop.String(),
			Anchor: strings.Clone(clip(l.Anchor, maxAnchor)), Rel: strings.Clone(l.Rel),
		})
	}}) // what came before an error counts
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	info, digests := body.Info, body.Layers
	if !body.HTML { // the table has layers of pages alone
		digests = layer.Digests{Have: digests.Have, Sums: [5]layer.Sum{digests.Sums[0]}}
	}
	if left += info.Lost(); left > 0 {
		p.note("links beyond a limit: %d", left)
	}
	p.Detected, p.Charset = detected(info.Format, in.body), info.Charset
	p.Title, p.Generator, p.Canonical = info.Title, info.Generator, info.Canonical
	p.Links, p.Embeds = int32(info.Counts[links.HopLink]), int32(info.Counts[links.HopEmbed])
	p.sums(digests)
	p.Text = body.Main
	switch {
	case body.HTML:
	case p.Detected == "text/plain" && !isMedia(in.mime) && !isRobots(in.url):
		p.Text = plainText(in)
	case info.Format == links.PDF:
		p.Text = info.Text
	}
	if text, ok := a.document(p.Detected, in.body); ok {
		p.Text = text
	}
	if len(p.Text) > a.opts.MaxText {
		p.Text = clip(p.Text, a.opts.MaxText)
		p.note("text is kept up to %d bytes", a.opts.MaxText)
	}
	p.words(digests)
	a.language(p)
	a.date(in, body.Dates, body.HTML, p)
	return found, ctx.Err()
}

// isMedia reports whether a server said that an answer is for the eye or the ear: whatever its bytes look like, it is no text.
func isMedia(mime string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(mime)), "/")
	switch kind {
	case "image", "audio", "video", "font":
		return true
	}
	return false
}

// isRobots reports whether an address is that of a robots.txt: rules for crawlers are no text that anybody looks for.
func isRobots(url string) bool {
	u, err := canon.Parse(url)
	return err == nil && u.Path() == "/robots.txt" && u.Query() == ""
}

// plainText is the text of what is text already.
func plainText(in answer) string {
	text, _ := charset.ToUTF8(in.body, in.mime)
	return strings.TrimSpace(strings.ToValidUTF8(string(bytes.ReplaceAll(text, []byte{0}, nil)), "\ufffd"))
}

// document reads the text of formats that web/links does not read.
func (a *analyser) document(mime string, body []byte) (string, bool) {
	if a.opts.Document == nil {
		return "", false
	}
	text, ok, err := a.opts.Document(mime, body)
	return text, ok && err == nil
}

func (p *PageRow) sums(d layer.Digests) {
	for _, c := range []struct {
		name layer.Name
		to   *string
	}{
		{layer.Bytes, &p.DigestBytes},
		{layer.DOM, &p.DigestDOM},
		{layer.Text, &p.DigestText},
		{layer.Main, &p.DigestMain},
		{layer.Links, &p.DigestLinks},
	} {
		if sum, ok := d.Sum(c.name); ok && (d.Layered || c.name == layer.Bytes) {
			*c.to = hex.EncodeToString(sum)
		}
	}
}

// words takes the fingerprints of the text.
func (p *PageRow) words(d layer.Digests) {
	print := d.Print
	if !d.Layered {
		if p.Text == "" {
			return
		}
		print = near.Of(p.Text)
	}
	p.TextLength, p.Words = int32(len(p.Text)), int32(print.Tokens)
	p.Simhash = uint64(print.Simhash)
	if print.Tokens > 0 {
		p.Minhash = make([]byte, 0, 4*len(print.Minhash))
		for _, x := range print.Minhash {
			p.Minhash = binary.LittleEndian.AppendUint32(p.Minhash, x)
		}
	}
}

// minLanguage is the shortest text whose language is told.
const minLanguage = 20

func (a *analyser) language(p *PageRow) {
	if len(p.Text) < minLanguage {
		return
	}
	guess := lang.Default().Identify(p.Text)
	p.Language, p.Confidence = guess.Lang, float32(guess.Confidence)
}

func (a *analyser) date(in answer, stated dating.Stamps, isHTML bool, p *PageRow) {
	v := dating.Visit{At: in.at, Date: in.date, LastModified: in.lastModified, Stamps: stated}
	d, _ := dating.Of(v, nil)
	p.Dated, p.DateEarliest, p.DateLatest = d.Time, d.Earliest, d.Latest
	p.DateSource, p.DateConfidence = string(d.Source), float32(d.Confidence)
	if isHTML {
		pub := stated.Published(in.url, in.at)
		p.Published, p.PublishedSource, p.PublishedConfidence = pub.Day, string(pub.Source), float32(pub.Confidence)
	}
}

// detected names what the bytes are, whatever the server said.
func detected(f links.Format, body []byte) string {
	switch f {
	case links.HTML:
		return "text/html"
	case links.XHTML:
		return "application/xhtml+xml"
	case links.SVG:
		return "image/svg+xml"
	case links.CSS:
		return "text/css"
	case links.Script:
		return "text/javascript"
	case links.JSON:
		return "application/json"
	case links.PDF:
		return "application/pdf"
	case links.XML:
		return "application/xml"
	case links.Text:
		return "text/plain"
	}
	if len(body) == 0 {
		return ""
	}
	mime, _, _ := strings.Cut(http.DetectContentType(body[:min(len(body), 512)]), ";")
	return mime
}

// clip cuts text to at most n bytes, at a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

// ReadPage reads a content by itself as PagesMapper reads captures: the row has its text, title, language, dates and what else comes from the content.
func ReadPage(ctx context.Context, o Options, url, mime string, at time.Time, content []byte) (*PageRow, error) {
	a := &analyser{opts: o.withDefaults(), page: page.NewReader()}
	row := &PageRow{URL: url, Time: at, MIME: mime, Size: int64(len(content))}
	_, err := a.read(ctx, answer{url: url, mime: mime, at: at, body: content}, row)
	return row, err
}
