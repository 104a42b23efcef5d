package page

import (
	"crypto/sha256"

	"varve/text/layer"
)

// Pair compares two captures of a page and reads them only as far as needed: captures with equal bytes are equal on
// all layers, and main and near are looked for only where the text differs. What it did not have to read is not
// in the digests; the comparison knows all wanted layers.
func (r *Reader) Pair(a, b Input, want layer.Set, cfg layer.Config) (layer.Comparison, layer.Digests, layer.Digests) {
	want = want.With(layer.Bytes)
	x, y := layer.Digests{Have: layer.SetOf(layer.Bytes)}, layer.Digests{Have: layer.SetOf(layer.Bytes)}
	x.Sums[0], y.Sums[0] = sha256.Sum256(a.Body), sha256.Sum256(b.Body)
	if x.Sums[0] == y.Sums[0] {
		return layer.Comparison{Compared: want, Equal: want}, x, y
	}
	cheap := want & layer.Cheap
	if want&^layer.Cheap != 0 {
		cheap = cheap.With(layer.Text)
	}
	x, y = r.Of(a, cheap), r.Of(b, cheap)
	c := layer.Compare(&x, &y, cfg)
	if want&^layer.Cheap != 0 && x.Layered && y.Layered && !c.Equal.Has(layer.Text) {
		x, y = r.Of(a, want), r.Of(b, want)
		return layer.Compare(&x, &y, cfg), x, y
	}
	c.Assume(want, cfg, !x.Layered && !y.Layered)
	return c, x, y
}
