package compare

import (
	"cmp"
	"slices"
	"strings"

	"varve/page"
	"varve/web/links"
)

// Document is one side: what a capture holds.
type Document struct {
	URL  string
	MIME string
	Body []byte // without transfer and content codings
}

// Result is what differs between two documents.
type Result struct {
	Same    bool      `json:"same"` // no byte differs
	Text    []Line    `json:"text"`
	Counts  Counts    `json:"counts"`
	Links   LinkDiff  `json:"links"`
	TitleA  string    `json:"titleA"`
	TitleB  string    `json:"titleB"`
	NoText  bool      `json:"noText"` // there is no text in it that could be compared
	Partial [2]string `json:"partial"`
}

// Counts are the sizes of the differences.
type Counts struct {
	Equal    int `json:"equal"` // lines
	Replaced int `json:"replaced"`
	Deleted  int `json:"deleted"`
	Inserted int `json:"inserted"`
	Moved    int `json:"moved"` // each once, though it stands on both sides
}

// Changed is the number of lines that differ.
func (c Counts) Changed() int { return c.Replaced + c.Deleted + c.Inserted + c.Moved }

// LinkDiff is what became of the links.
type LinkDiff struct {
	Added   []Link `json:"added"`
	Removed []Link `json:"removed"`
	Kept    int    `json:"kept"`
}

// Link is a link of a document.
type Link struct {
	URL    string `json:"url"`
	Hop    string `json:"hop"` // link, embed
	Anchor string `json:"anchor,omitempty"`
}

// Documents compares two documents.
func Documents(a, b Document) (*Result, error) {
	infoA, linksA, err := read(a)
	if err != nil {
		return nil, err
	}
	infoB, linksB, err := read(b)
	if err != nil {
		return nil, err
	}
	out := &Result{
		Same: string(a.Body) == string(b.Body), TitleA: infoA.Title, TitleB: infoB.Title,
		NoText: infoA.Text == "" && infoB.Text == "", Text: Texts(infoA.Text, infoB.Text), Links: diffLinks(linksA, linksB),
	}
	for _, l := range out.Text {
		switch l.Op {
		case Equal:
			out.Counts.Equal++
		case Replace:
			out.Counts.Replaced++
		case Delete:
			out.Counts.Deleted++
		case Insert:
			out.Counts.Inserted++
		case Move:
			if l.A > 0 {
				out.Counts.Moved++
			}
		}
	}
	return out, nil
}

// Text gives the visible text of a document, for telling whether two captures say the same.
func Text(d Document) (string, error) {
	p, err := page.NewReader().Read(d.input(), page.Want{})
	return p.Info.Text, err
}

func (d *Document) input() page.Input { return page.Input{URL: d.URL, MIME: d.MIME, Body: d.Body} }

func read(d Document) (links.Info, map[string]Link, error) {
	found := map[string]Link{}
	p, err := page.NewReader().Read(d.input(), page.Want{Links: func(l links.Link) {
		if _, ok := found[l.URL]; !ok {
			u := strings.Clone(l.URL)
			found[u] = Link{URL: u, Hop: l.Hop.String(), Anchor: strings.Clone(l.Anchor)}
		}
	}})
	return p.Info, found, err
}

func diffLinks(a, b map[string]Link) LinkDiff {
	var d LinkDiff
	for u, l := range b {
		if _, ok := a[u]; ok {
			d.Kept++
		} else {
			d.Added = append(d.Added, l)
		}
	}
	for u, l := range a {
		if _, ok := b[u]; !ok {
			d.Removed = append(d.Removed, l)
		}
	}
	order := func(x, y Link) int { return cmp.Compare(x.URL, y.URL) }
	slices.SortFunc(d.Added, order)
	slices.SortFunc(d.Removed, order)
	return d
}
