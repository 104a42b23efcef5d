package memento

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/serve/replay/address"
)

// PageSize is the number of captures on a page of a time map.
const PageSize = 5000

// ErrFormat is returned for a format of time maps that does not exist.
var ErrFormat = errors.New("time maps come as link, json and cdxj")

// Span is one page of a time map, known by its first and last capture.
type Span struct {
	Page        int
	From, Until time.Time
}

// Map is one page of a time map.
type Map struct {
	Site     Site
	URL      string
	Page     int    // from 1
	Pages    []Span // all pages, in order
	Captures []varve.Capture
	Later    []bool // for each capture: another one of the same second stands before it, and that second names the other
}

// memento returns the address of the i-th capture on the page.
func (m *Map) memento(i int) string {
	c := &m.Captures[i]
	if i < len(m.Later) && m.Later[i] {
		return m.Site.Base + address.Address{Collection: m.Site.Collection, Kind: address.Capture, Time: address.StampWithin(c.Time, c.Within), Mod: address.Page, URL: c.URL}.String()
	}
	return m.Site.Memento(c.Time, c.URL)
}

// ContentType gives the media type of a format.
func ContentType(format string) (string, error) {
	switch format {
	case "link":
		return "application/link-format", nil
	case "json":
		return "application/json", nil
	case "cdxj":
		return "application/cdxj+ors", nil
	}
	return "", ErrFormat
}

// Write writes the page in a format.
func (m *Map) Write(w io.Writer, format string) error {
	b := bufio.NewWriter(w)
	switch format {
	case "link":
		m.link(b)
	case "json":
		if err := m.json(b); err != nil {
			return err
		}
	case "cdxj":
		m.cdxj(b)
	default:
		return ErrFormat
	}
	return b.Flush()
}

// rel tells the relation of the i-th capture on the page.
func (m *Map) rel(i int) string {
	first := m.Page == 1 && i == 0
	last := m.Page == len(m.Pages) && i == len(m.Captures)-1
	switch {
	case first && last:
		return "first last memento"
	case first:
		return "first memento"
	case last:
		return "last memento"
	}
	return "memento"
}

// link writes link format: one link a line.
func (m *Map) link(b *bufio.Writer) {
	n := len(m.Captures)
	fmt.Fprintf(b, `<%s>; rel="self"; type="application/link-format"; from="%s"; until="%s",`+"\n",
		m.Site.TimeMap("link", m.Page, m.URL), Date(m.Captures[0].Time), Date(m.Captures[n-1].Time))
	for _, p := range m.Pages {
		if p.Page != m.Page {
			fmt.Fprintf(b, `<%s>; rel="timemap"; type="application/link-format"; from="%s"; until="%s",`+"\n",
				m.Site.TimeMap("link", p.Page, m.URL), Date(p.From), Date(p.Until))
		}
	}
	fmt.Fprintf(b, `<%s>; rel="timegate",`+"\n", m.Site.TimeGate(m.URL))
	fmt.Fprintf(b, `<%s>; rel="original"`, address.Escape(m.URL))
	for i, c := range m.Captures {
		fmt.Fprintf(b, ",\n"+`<%s>; rel="%s"; datetime="%s"; collection="%s"`, m.memento(i), m.rel(i), Date(c.Time), m.Site.Collection)
	}
	b.WriteByte('\n')
}

type jsonMemento struct {
	URI      string `json:"uri"`
	Datetime string `json:"datetime"`
	Status   int    `json:"status,omitempty"`
	MIME     string `json:"mime,omitempty"`
	Digest   string `json:"digest,omitempty"`
}

type jsonPage struct {
	URI   string `json:"uri"`
	From  string `json:"from"`
	Until string `json:"until"`
}

// json writes the JSON that aggregators (MemGator) write.
func (m *Map) json(b *bufio.Writer) error {
	list := make([]jsonMemento, 0, len(m.Captures))
	for i, c := range m.Captures {
		list = append(list, jsonMemento{m.memento(i), c.Time.UTC().Format(time.RFC3339), c.Status, c.MIME, c.Digest})
	}
	pages := make([]jsonPage, 0, len(m.Pages))
	for _, p := range m.Pages {
		pages = append(pages, jsonPage{m.Site.TimeMap("json", p.Page, m.URL), p.From.UTC().Format(time.RFC3339), p.Until.UTC().Format(time.RFC3339)})
	}
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{
		"original_uri": m.URL,
		"self":         m.Site.TimeMap("json", m.Page, m.URL),
		"timegate_uri": m.Site.TimeGate(m.URL),
		"timemap_uri": map[string]string{
			"link_format": m.Site.TimeMap("link", 1, m.URL), "json_format": m.Site.TimeMap("json", 1, m.URL), "cdxj_format": m.Site.TimeMap("cdxj", 1, m.URL),
		},
		"pages":    pages,
		"mementos": map[string]any{"first": list[0], "last": list[len(list)-1], "list": list},
	})
}

// cdxj writes index lines with the address of each capture.
func (m *Map) cdxj(b *bufio.Writer) {
	fmt.Fprintf(b, "!context [\"http://tools.ietf.org/html/rfc7089\"]\n!meta {\"original_uri\":%q,\"timegate_uri\":%q}\n", m.URL, m.Site.TimeGate(m.URL))
	var line []byte
	for i, c := range m.Captures {
		r := cdxj.FromCapture(c)
		r.Set("uri", m.memento(i))
		r.Set("rel", m.rel(i))
		line = append(cdxj.Format{}.Append(line[:0], &r), '\n')
		b.Write(line)
	}
}
