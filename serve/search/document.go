package search

import (
	"context"
	"strings"
	"time"

	"varve"
	"varve/derive"
	"varve/index/fulltext"
	"varve/page"
	"varve/serve/holdings"
	"varve/web/canon"
	"varve/web/links"
)

// Limits of a document.
const (
	maxVersions = 1000
	maxLinks    = 500
	maxContent  = 16 << 20
)

// Inlinks tells which pages that may be seen link to a page, by its index key.
type Inlinks interface {
	Inlinks(ctx context.Context, collection, surt string, most int) ([]derive.Inlink, error)
}

// Document is a version of a page and what surrounds it.
type Document struct {
	Collection      string    `json:"collection"`
	URL             string    `json:"url"`
	SURT            string    `json:"surt"`
	Title           string    `json:"title"`
	Host            string    `json:"host"`
	Domain          string    `json:"domain"`
	MIME            string    `json:"mime"`
	Language        string    `json:"lang"`
	Confidence      float32   `json:"langConfidence"`
	Words           int       `json:"words"`
	Size            int64     `json:"size"` // of the content, bytes
	From            time.Time `json:"from"`
	Last            time.Time `json:"last"`
	Until           time.Time `json:"until,omitzero"`
	Captures        int       `json:"captures"`
	Crawl           string    `json:"crawl"`
	Date            time.Time `json:"date,omitzero"` // that the content tells
	DateSource      string    `json:"dateSource,omitempty"`
	DateSure        float32   `json:"dateConfidence,omitempty"`
	Published       string    `json:"published,omitempty"` // day of publication as it is written: 2006-01-02, or a month or a year
	PublishedSource string    `json:"publishedSource,omitempty"`
	PublishedSure   float32   `json:"publishedConfidence,omitempty"`
	Digest          string    `json:"digest"`
	File            string    `json:"file"`
	Offset          int64     `json:"offset"`
	Anchors         []string  `json:"anchors"` // what links to the page call it, commonest first
	Text            string    `json:"text"`

	Versions []DocumentVersion `json:"versions"` // of the page, oldest first
	At       int               `json:"at"`       // which of them this one is
	In       []DocumentLink    `json:"in"`       // links to the page, from other hosts first
	Out      []DocumentLink    `json:"out"`      // links of this version
	Inlinks  int               `json:"inlinks"`  // how many there are: hosts and anchors
	Problem  string            `json:"problem,omitempty"`
}

// DocumentVersion is a version of a page in short.
type DocumentVersion struct {
	From     time.Time `json:"from"`
	Last     time.Time `json:"last"`
	Until    time.Time `json:"until,omitzero"`
	Captures int       `json:"captures"`
	Title    string    `json:"title"`
	Words    int       `json:"words"`
	Digest   string    `json:"digest"`
}

// DocumentLink is a link to or from a document.
type DocumentLink struct {
	URL    string    `json:"url"`
	Anchor string    `json:"anchor,omitempty"`
	Kind   string    `json:"kind,omitempty"` // a-href, ...
	Hop    string    `json:"hop,omitempty"`  // link, embed, ...
	First  time.Time `json:"first,omitzero"` // of a link to the document: seen first and last
	Last   time.Time `json:"last,omitzero"`
}

// Desk puts documents together.
type Desk struct {
	Texts    Texts
	Contents holdings.Contents // for the links of a version; nil for none
	Links    Inlinks           // nil for none
}

// Document gives the version of a page that was valid at an instant, or the newest one. Without a collection it is taken from
// the first one that has the page.
func (d *Desk) Document(ctx context.Context, collections, url string, at time.Time) (*Document, error) {
	sources, err := d.Texts.Sources(ctx, Collections(collections)...)
	if err != nil {
		return nil, err
	}
	surt := canon.SURT(url)
	for _, s := range sources {
		list, err := s.Index.Versions(surt, s.View, maxVersions)
		if err != nil {
			return nil, &varve.Error{Kind: varve.Unavailable, Op: "read the text index of " + s.Name, Err: err}
		}
		if len(list) > 0 {
			return d.document(ctx, s, list, at)
		}
	}
	return nil, &varve.Error{Kind: varve.NotFound, Op: "show " + url, Msg: "there is no version of it with a text", Hint: "its captures are at /api/collections/NAME/captures?url="}
}

func (d *Desk) document(ctx context.Context, s fulltext.Source, list []derive.VersionRow, at time.Time) (*Document, error) {
	i := len(list) - 1
	if !at.IsZero() {
		i = fulltext.At(list, at)
	}
	v := &list[i]
	out := &Document{
		Collection: s.Name, URL: v.URL, SURT: v.SURT, Title: v.Title, Host: v.Host, Domain: v.Domain, MIME: v.MIME, Language: v.Language, Confidence: v.Confidence,
		Words: int(v.Words), Size: v.Size, From: v.From, Last: v.Last, Until: v.Until, Captures: int(v.Captures), Crawl: v.Crawl, Date: v.Dated, DateSource: v.DateSource,
		DateSure: v.DateConfidence, Published: v.Published, PublishedSource: v.PublishedSource, PublishedSure: v.PublishedConfidence, Digest: v.Digest, File: v.File, Offset: v.Offset, Anchors: lines(v.Anchors), Text: v.Text, At: i, Inlinks: int(v.Inlinks),
	}
	for _, w := range list {
		out.Versions = append(out.Versions, DocumentVersion{w.From, w.Last, w.Until, int(w.Captures), w.Title, int(w.Words), w.Digest})
	}
	var problems []string
	var err error
	if out.In, err = d.in(ctx, s.Name, v.SURT); err != nil {
		problems = append(problems, "links to it: "+err.Error())
	}
	if out.Out, err = d.out(ctx, s.Name, v); err != nil {
		problems = append(problems, "its links: "+err.Error())
	}
	out.Problem = strings.Join(problems, "; ")
	return out, ctx.Err()
}

func lines(s string) []string {
	if s == "" {
		return []string{}
	}
	return strings.Split(s, "\n")
}

// in lists links to a page, of pages that may be seen.
func (d *Desk) in(ctx context.Context, collection, surt string) ([]DocumentLink, error) {
	out := []DocumentLink{}
	if d.Links == nil {
		return out, nil
	}
	list, err := d.Links.Inlinks(ctx, collection, surt, maxLinks)
	for _, l := range list {
		out = append(out, DocumentLink{URL: l.Source, Anchor: l.Anchor, Kind: "a-href", Hop: "link", First: l.First, Last: l.Last})
	}
	return out, err
}

// out reads the links of a version from its record.
func (d *Desk) out(ctx context.Context, collection string, v *derive.VersionRow) ([]DocumentLink, error) {
	out := []DocumentLink{}
	if d.Contents == nil {
		return out, nil
	}
	c, err := d.Contents.Content(ctx, collection, holdings.IndexedCapture{
		Key: v.SURT, Capture: varve.Capture{URL: v.URL, Digest: v.Digest, Location: varve.Location{File: v.File, Offset: v.Offset}},
	}, maxContent)
	if err != nil {
		return out, err
	}
	seen := map[string]bool{v.URL: true} // a page that names itself says nothing
	_, err = page.NewReader().Read(page.Input{URL: v.URL, MIME: c.MIME, Body: c.Body}, page.Want{Brief: true, Links: func(l links.Link) {
		if len(out) < maxLinks && !seen[l.URL] && (l.Hop == links.HopLink || l.Hop == links.HopFeed) {
			u := strings.Clone(l.URL)
			seen[u] = true
			out = append(out, DocumentLink{URL: u, Anchor: strings.Clone(l.Anchor), Kind: l.Kind.String(), Hop: l.Hop.String()})
		}
	}})
	return out, err
}
