package layer

import "crypto/sha256"

// Pair compares two captures of a page and reads them only as far as needed: captures with equal bytes are equal on
// all layers, and the tree for main and near is built only where the text differs. What it did not have to read is not
// in the digests; the comparison knows all wanted layers.
func (r *Reader) Pair(a, b Input, want Set, cfg Config) (Comparison, Digests, Digests) {
	want = want.With(Bytes)
	x, y := Digests{Have: SetOf(Bytes)}, Digests{Have: SetOf(Bytes)}
	x.Sums[0], y.Sums[0] = sha256.Sum256(a.Body), sha256.Sum256(b.Body)
	if x.Sums[0] == y.Sums[0] {
		return Comparison{Compared: want, Equal: want}, x, y
	}
	cheap := want & Cheap
	if want&^Cheap != 0 {
		cheap = cheap.With(Text)
	}
	x, y = r.Of(a, cheap), r.Of(b, cheap)
	c := Compare(&x, &y, cfg)
	if want&^Cheap != 0 && x.HTML && y.HTML && !c.Equal.Has(Text) {
		x, y = r.Of(a, want), r.Of(b, want)
		return Compare(&x, &y, cfg), x, y
	}
	c.assume(want, cfg, !x.HTML && !y.HTML)
	return c, x, y
}

// assume adds layers that need not be read: they are equal where the text is, and different where one capture is no
// HTML.
func (c *Comparison) assume(want Set, cfg Config, opaque bool) {
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
