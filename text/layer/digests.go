package layer

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"varve/text/near"
)

// Sum is the digest of a layer: SHA-256 for bytes, its first 128 bits for the others. The links of an empty set have
// a sum as well.
type Sum [sha256.Size]byte

// cut is how much of a sum is kept of layers other than bytes: enough that no two pages of an archive meet by chance.
const cut = 16

// Digests are the layers of one capture.
type Digests struct {
	Have    Set              // which layers were computed
	Layered bool             // false: every layer equals bytes
	Sums    [5]Sum           // of Bytes, DOM, Text, Main and, at the place of Near, Links
	Print   near.Fingerprint // of the main text: its words, simhash and minhash
}

// MinWords is the number of words below which two texts are nearly equal only if they are equal: with fewer than
// four shingles the estimate says nothing.
const MinWords = 8

// place is where the sum of a layer stands in Sums.
func place(n Name) int {
	i := n.index()
	if n == Links {
		i--
	}
	return i
}

// SumOf hashes what a layer shows.
func SumOf(text string) Sum { return short(sha256.Sum256([]byte(text))) }

// SumOfSet hashes a sorted set of keys, each with its length so that no two sets read alike.
func SumOfSet(keys []string) Sum {
	var b []byte
	for _, k := range keys {
		b = binary.AppendUvarint(b, uint64(len(k)))
		b = append(b, k...)
	}
	return short(sha256.Sum256(b))
}

// short keeps the first 128 bits.
func short(sum [sha256.Size]byte) (s Sum) {
	copy(s[:cut], sum[:])
	return s
}

// Put keeps the digest of a layer other than bytes and near, of what has layers.
func (d *Digests) Put(n Name, sum Sum) {
	d.Sums[place(n)] = sum
	d.Have = d.Have.With(n)
}

// PutMain keeps the digest of the main text and its fingerprint.
func (d *Digests) PutMain(text string) {
	d.Sums[place(Main)] = SumOf(text)
	d.Print = near.Of(text)
}

// Sum gives the digest of a layer, false if it was not computed. For near it is a near.Fingerprint, which
// is compared by resemblance and not by equality. Of what has no layers it is the sum of bytes for each layer.
func (d *Digests) Sum(n Name) ([]byte, bool) {
	switch {
	case !d.Have.Has(n):
		return nil, false
	case n == Bytes || !d.Layered:
		return d.Sums[0][:], true
	case n == Near:
		b, _ := d.Print.MarshalBinary()
		return b, true
	}
	return d.Sums[place(n)][:cut], true
}

// All goes through the layers that were computed with their digests: what a history keeps of the capture.
func (d *Digests) All() iter.Seq2[Name, []byte] {
	return func(yield func(Name, []byte) bool) {
		for n := range d.Have.All() {
			if sum, ok := d.Sum(n); ok && !yield(n, sum) {
				return
			}
		}
	}
}

// Set puts in the digest of a layer, as Sum or All gave it. The sums of one capture may come in any order, but must be
// all of what has layers or all of what has none.
func (d *Digests) Set(n Name, sum []byte) error {
	whole := len(sum) == sha256.Size
	others := d.Have&^SetOf(Bytes) != 0
	switch {
	case !n.Valid():
		return fmt.Errorf("digest of layer %q: there is no such layer", n)
	case n == Bytes && whole && (!others || d.Layered || d.Sums[0] == Sum(sum)):
		copy(d.Sums[0][:], sum)
	case n != Bytes && whole && (d.Have == 0 || !d.Layered && d.Sums[0] == Sum(sum)): // of what has none
		copy(d.Sums[0][:], sum)
	case n != Bytes && !whole && (d.Layered || !others):
		return d.setHTML(n, sum)
	default:
		return fmt.Errorf("digest of layer %s: %d bytes do not fit the other layers", n, len(sum))
	}
	d.Have = d.Have.With(n)
	return nil
}

// setHTML puts in the digest of a layer other than bytes.
func (d *Digests) setHTML(n Name, sum []byte) error {
	switch {
	case n == Near:
		var f near.Fingerprint
		if err := f.UnmarshalBinary(sum); err != nil {
			return fmt.Errorf("digest of layer near: %w", err)
		}
		d.Print = f
	case len(sum) == cut:
		copy(d.Sums[place(n)][:], sum)
	default:
		return fmt.Errorf("digest of layer %s: %d bytes", n, len(sum))
	}
	d.Layered, d.Have = true, d.Have.With(n)
	return nil
}

// MarshalJSON writes an object with one member for each layer: "sha256:HEX", cut to 128 bits for all but bytes, and
// "near:BASE64" for near.
func (d Digests) MarshalJSON() ([]byte, error) {
	m := make(map[Name]string)
	for n, sum := range d.All() {
		if n == Near && d.Layered {
			m[n] = "near:" + base64.RawStdEncoding.EncodeToString(sum)
			continue
		}
		m[n] = "sha256:" + hex.EncodeToString(sum)
	}
	return json.Marshal(m)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (d *Digests) UnmarshalJSON(b []byte) error {
	var m map[Name]string
	if err := json.Unmarshal(b, &m); err != nil {
		return fmt.Errorf("digests: %w", err)
	}
	*d = Digests{}
	for _, n := range order {
		text, ok := m[n]
		if !ok {
			continue
		}
		sum, err := decodeSum(text)
		if err == nil {
			err = d.Set(n, sum)
		}
		if err != nil {
			return fmt.Errorf("digest of layer %s: %w", n, err)
		}
	}
	return nil
}

func decodeSum(s string) ([]byte, error) {
	if rest, ok := strings.CutPrefix(s, "near:"); ok {
		return base64.RawStdEncoding.DecodeString(rest)
	}
	if rest, ok := strings.CutPrefix(s, "sha256:"); ok {
		return hex.DecodeString(rest)
	}
	return nil, fmt.Errorf("%q is neither sha256:HEX nor near:BASE64", s)
}

func marshalNames(names []Name) ([]byte, error) {
	if names == nil {
		names = []Name{}
	}
	return json.Marshal(names)
}

func unmarshalNames(b []byte) (names []Name, err error) {
	err = json.Unmarshal(b, &names)
	return names, err
}
