package layer

// Defect says what is wrong with a pair of captures; pages that are missing are told by the caller, who knows of them.
type Defect string

// The defects that a comparison finds.
const (
	NoDefect      Defect = ""
	ContentDefect Defect = "content"
	LinksDefect   Defect = "links"
)

// Config says how captures are compared. Zero fields mean the defaults.
type Config struct {
	Near  float64 `toml:"near" json:"near"`   // resemblance from which texts are nearly equal; default 0.8
	Level Name    `toml:"level" json:"level"` // the coarsest layer that may rescue a page; default near
}

// WithDefaults fills every unset field.
func (c Config) WithDefaults() Config {
	if c.Near == 0 {
		c.Near = 0.8
	}
	if c.Level == "" {
		c.Level = Near
	}
	return c
}

// Comparison is what two captures have in common.
type Comparison struct {
	Compared   Set     `json:"compared"`             // layers that both have
	Equal      Set     `json:"equal"`                // of these: layers on which they are equal
	Rescued    Name    `json:"rescued,omitempty"`    // the first layer that is equal where bytes are not
	Similarity float64 `json:"similarity,omitempty"` // estimated resemblance of the main texts, where near was compared
	Defect     Defect  `json:"defect,omitempty"`     // what remains
}

// Same tells whether the captures are equal on a layer, and whether that is known.
func (c *Comparison) Same(n Name) (same, known bool) { return c.Equal.Has(n), c.Compared.Has(n) }

// Compare compares two captures on the layers that both have.
func Compare(a, b *Digests, cfg Config) Comparison {
	cfg = cfg.WithDefaults()
	c := Comparison{Compared: a.Have & b.Have}
	for n := range c.Compared.All() {
		if equal(a, b, n, cfg, &c) {
			c.Equal = c.Equal.With(n)
		}
	}
	c.close(!a.Layered && !b.Layered, cfg)
	return c
}

func equal(a, b *Digests, n Name, cfg Config, c *Comparison) bool {
	switch {
	case n == Bytes || !a.Layered || !b.Layered:
		return a.Layered == b.Layered && a.Sums[0] == b.Sums[0] || n == Bytes && a.Sums[0] == b.Sums[0]
	case n == Near:
		c.Similarity = a.Print.Minhash.Similarity(&b.Print.Minhash)
		if min(a.Print.Tokens, b.Print.Tokens) < MinWords {
			return a.Print.Tokens == b.Print.Tokens && c.Similarity == 1
		}
		return c.Similarity >= cfg.Near
	}
	return a.Sums[place(n)] == b.Sums[place(n)]
}

// Assume adds layers that need not be read: they are equal where the text is, and different where one capture is no
// HTML. opaque says that neither is.
func (c *Comparison) Assume(want Set, cfg Config, opaque bool) {
	if c.Equal.Has(Text) {
		c.Equal |= want &^ Cheap
	}
	if c.Equal.Has(Near) {
		c.Similarity = 1
	}
	c.Compared = want
	c.Equal &= want
	c.close(opaque, cfg.WithDefaults())
}

// close finds the layer that rescued and the defect. Equality on a layer implies that on all coarser ones, though a
// rule or an extractor may see it otherwise: a page that is equal in a finer way is not called different.
func (c *Comparison) close(opaque bool, cfg Config) {
	same := false
	c.Rescued, c.Defect = "", NoDefect
	for _, n := range order[:place(Near)+1] {
		if same && c.Compared.Has(n) {
			c.Equal = c.Equal.With(n)
		}
		if !same && c.Equal.Has(n) {
			same = true
			if n != Bytes {
				c.Rescued = n
			}
		}
	}
	switch rescued := c.Rescued == "" || c.Rescued.index() <= cfg.Level.index(); {
	case c.Equal.Has(Bytes):
		c.Equal = c.Compared
	case !opaque && c.Compared.Has(Links) && !c.Equal.Has(Links):
		c.Defect = LinksDefect
	case !same || !rescued:
		c.Defect = ContentDefect
	}
}
