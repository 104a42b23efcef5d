package links

// Limits bound what one document may cost. A zero field means its default.
type Limits struct {
	Links   int // links emitted per document
	URL     int // bytes of one reference
	Text    int // bytes of visible text kept
	Anchor  int // bytes of an anchor text
	Around  int // bytes of text on each side of an anchor
	Depth   int // documents inside documents: srcdoc, markup in scripts, JSON in attributes
	Nesting int // nesting of JSON values and XML elements
	Inflate int // bytes decompressed from one PDF
	Expand  int // segment URLs expanded from the templates of one DASH manifest
}

// defaults are far beyond what honest documents need; the number of links is twice a full sitemap's.
var defaults = Limits{
	Links:   100_000,
	URL:     8 << 10,
	Text:    1 << 20,
	Anchor:  512,
	Around:  200,
	Depth:   3,
	Nesting: 512,
	Inflate: 32 << 20,
	Expand:  10_000,
}

// filled replaces zero fields by defaults.
func (l Limits) filled() Limits {
	for _, f := range []struct{ have, def *int }{
		{&l.Links, &defaults.Links},
		{&l.URL, &defaults.URL},
		{&l.Text, &defaults.Text},
		{&l.Anchor, &defaults.Anchor},
		{&l.Around, &defaults.Around},
		{&l.Depth, &defaults.Depth},
		{&l.Nesting, &defaults.Nesting},
		{&l.Inflate, &defaults.Inflate},
		{&l.Expand, &defaults.Expand},
	} {
		if *f.have <= 0 {
			*f.have = *f.def
		}
	}
	return l
}
