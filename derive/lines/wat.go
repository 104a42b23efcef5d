package lines

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"varve/archive/scan"
	"varve/archive/warc"
	pages "varve/page"
	"varve/web/links"
	"varve/web/wire"
)

// Limits of one line.
const (
	maxBody  = 16 << 20
	maxLinks = 20_000
)

// wat is a line. The names are those of the WAT files of the field.
type wat struct {
	Container container `json:"Container"`
	Envelope  envelope  `json:"Envelope"`
}

type container struct {
	Filename   string `json:"Filename"`
	Compressed bool   `json:"Compressed"`
	Offset     string `json:"Offset"`
}

type envelope struct {
	Format       string            `json:"Format"` // WARC
	HeaderLength string            `json:"WARC-Header-Length"`
	Header       map[string]string `json:"WARC-Header-Metadata"`
	Payload      *payload          `json:"Payload-Metadata,omitempty"`
}

type payload struct {
	ContentType string     `json:"Actual-Content-Type,omitempty"`
	Response    *response  `json:"HTTP-Response-Metadata,omitempty"`
	Request     *request   `json:"HTTP-Request-Metadata,omitempty"`
	Fields      []fieldOf  `json:"WARC-Info-Metadata,omitempty"`
	Metadata    *warcinfos `json:"WARC-Metadata-Metadata,omitempty"`
}

type warcinfos struct {
	Records []fieldOf `json:"Metadata-Records"`
}

type fieldOf struct {
	Name  string `json:"Name"`
	Value string `json:"Value"`
}

type response struct {
	Message struct {
		Status  string `json:"Status"`
		Version string `json:"Version"`
		Reason  string `json:"Reason"`
	} `json:"Response-Message"`
	Headers map[string]string `json:"Headers"`
	Length  string            `json:"Headers-Length"`
	Entity  string            `json:"Entity-Length,omitempty"` // of the content, without codings
	HTML    *htmlMetadata     `json:"HTML-Metadata,omitempty"`
}

type request struct {
	Message struct {
		Method  string `json:"Method"`
		Path    string `json:"Path"`
		Version string `json:"Version"`
	} `json:"Request-Message"`
	Headers map[string]string `json:"Headers"`
	Length  string            `json:"Headers-Length"`
}

type htmlMetadata struct {
	Head  head   `json:"Head"`
	Links []link `json:"Links,omitempty"`
	Cut   int    `json:"Links-Cut,omitempty"` // links that a limit kept out, at least; not in other WAT files
}

type head struct {
	Base    string `json:"Base,omitempty"`
	Title   string `json:"Title,omitempty"`
	Metas   []meta `json:"Metas,omitempty"`
	Link    []link `json:"Link,omitempty"`
	Scripts []link `json:"Scripts,omitempty"`
}

type meta struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

type link struct {
	Path string `json:"path"`
	URL  string `json:"url"`
	Text string `json:"text,omitempty"`
	Rel  string `json:"rel,omitempty"`
}

// Mapper makes a line of each record.
func Mapper() *scan.Mapper {
	wants := func(it *scan.Item) scan.Part {
		if it.Capture && it.Head != nil && it.Type != warc.TypeRevisit {
			return scan.Body
		}
		return scan.Head
	}
	return scan.New(scan.Mapper{Name: "wat", Limits: scan.Limits{Content: maxBody}, Wants: wants, Trusted: scan.Plain}, func() func(context.Context, *scan.Item) ([]byte, error) {
		return func(_ context.Context, it *scan.Item) ([]byte, error) {
			line, err := json.Marshal(watOf(it))
			return append(line, '\n'), err
		}
	})
}

func watOf(it *scan.Item) *wat {
	out := &wat{
		Container: container{Filename: it.File, Compressed: strings.HasSuffix(it.File, ".gz"), Offset: strconv.FormatInt(it.Offset, 10)},
		Envelope:  envelope{Format: "WARC", HeaderLength: strconv.Itoa(it.Raw), Header: fields(it.Header)},
	}
	switch {
	case it.Type == warc.TypeWarcinfo || it.Type == warc.TypeMetadata:
		out.Envelope.Payload = fieldPayload(it)
	case it.Head != nil:
		out.Envelope.Payload = httpPayload(it)
	}
	return out
}

// fields joins fields that are repeated.
func fields(h wire.Header) map[string]string {
	out := map[string]string{}
	for _, f := range h {
		name := strings.ToValidUTF8(f.Name, "\uFFFD")
		value := strings.ToValidUTF8(f.Value, "\uFFFD")
		if old, ok := out[name]; ok {
			value = old + ", " + value
		}
		out[name] = value
	}
	return out
}

// fieldPayload is that of records that hold named fields.
func fieldPayload(it *scan.Item) *payload {
	list, _ := wire.ParseFields(nil, string(it.Fields), 1)
	var out []fieldOf
	for _, f := range list {
		out = append(out, fieldOf{strings.ToValidUTF8(f.Name, "\uFFFD"), strings.ToValidUTF8(f.Value, "\uFFFD")})
	}
	p := &payload{ContentType: warc.ContentTypeFields}
	if it.Type == warc.TypeWarcinfo {
		p.Fields = out
	} else {
		p.Metadata = &warcinfos{out}
	}
	return p
}

func httpPayload(it *scan.Item) *payload {
	h := it.Head
	p := &payload{ContentType: it.Header.Get(warc.FieldContentType)}
	if !h.IsResponse() {
		q := &request{Headers: fields(h.Header), Length: strconv.Itoa(h.Size)}
		q.Message.Method, q.Message.Path, q.Message.Version = h.Method, strings.ToValidUTF8(h.Target, "\uFFFD"), h.Proto
		p.Request = q
		return p
	}
	r := &response{Headers: fields(h.Header), Length: strconv.Itoa(h.Size)}
	r.Message.Status, r.Message.Version, r.Message.Reason = strconv.Itoa(h.Status), h.Proto, strings.ToValidUTF8(h.Reason, "\uFFFD")
	p.Response = r
	if !it.HasBody {
		return p
	}
	if body, long, err := it.ContentUpTo(maxBody); err == nil {
		if !long {
			r.Entity = strconv.Itoa(len(body))
		}
		if mime := h.MediaType(); mime == "text/html" || mime == "application/xhtml+xml" {
			if r.HTML = htmlOf(it.URI, h.Header.Get("Content-Type"), body); r.HTML != nil && long {
				r.HTML.Cut = max(r.HTML.Cut, 1)
			}
		}
	}
	return p
}

func htmlOf(url, mime string, body []byte) *htmlMetadata {
	out := &htmlMetadata{}
	n := 0
	p, err := pages.NewReader().Read(pages.Input{URL: url, MIME: mime, Body: body}, pages.Want{Brief: true, Links: func(l links.Link) {
		if l.Hop == links.HopSpeculative {
			return
		}
		if n++; n > maxLinks {
			out.Cut++
			return
		}
		one := link{Path: pathOf(l.Kind.String()), URL: strings.Clone(l.Raw), Text: strings.Clone(l.Anchor), Rel: strings.Clone(l.Rel)}
		switch {
		case strings.HasPrefix(one.Path, "LINK@"):
			out.Head.Link = append(out.Head.Link, one)
		case one.Path == "SCRIPT@/src":
			out.Head.Scripts = append(out.Head.Scripts, one)
		default:
			out.Links = append(out.Links, one)
		}
	}})
	if err != nil {
		return nil
	}
	info := p.Info
	out.Cut += info.Lost()
	out.Head.Title = info.Title
	if info.Base != url {
		out.Head.Base = info.Base
	}
	for _, m := range []meta{{"generator", info.Generator}, {"robots", strings.Join(info.Robots, ", ")}} {
		if m.Content != "" {
			out.Head.Metas = append(out.Head.Metas, m)
		}
	}
	return out
}

// pathOf writes a kind of link as WAT files do: a-href is A@/href.
func pathOf(kind string) string {
	tag, attr, ok := strings.Cut(kind, "-")
	if !ok {
		return strings.ToUpper(kind)
	}
	switch tag {
	case "css", "style":
		return "STYLE/#text"
	case "link": // named by what it is for
		attr = "href"
	}
	return strings.ToUpper(tag) + "@/" + attr
}
