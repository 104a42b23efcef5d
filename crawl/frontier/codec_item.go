package frontier

import (
	"encoding/binary"
	"fmt"

	"varve/archive/durable"
)

// The flags of an item value: the low half is the band.
const (
	itemBand    = 0x0f
	itemSameURL = 1 << 4 // URL equals Key and is left out
	itemHasMeta = 1 << 5
	itemKnown   = itemBand | itemSameURL | itemHasMeta
)

// appendItem writes the value of a queue entry. Host, Domain and NotBefore are not in it: they
// are told by the key.
func appendItem(b []byte, it *Item) []byte {
	flags := it.Band & itemBand
	same := it.URL == "" || it.URL == it.Key
	if same {
		flags |= itemSameURL
	}
	if len(it.Meta) > 0 {
		flags |= itemHasMeta
	}
	b = durable.AppendString(append(b, flags), it.Key)
	if !same {
		b = durable.AppendString(b, it.URL)
	}
	b = durable.AppendString(b, it.Via)
	b = durable.AppendString(b, it.HopPath)
	b = binary.AppendUvarint(b, uint64(toScore(it.Score)))
	b = binary.AppendUvarint(b, uint64(it.Depth))
	b = binary.AppendUvarint(b, uint64(it.Attempts))
	if len(it.Meta) > 0 {
		b = durable.AppendBytes(b, it.Meta)
	}
	return b
}

func decodeItem(v []byte) (Item, error) {
	r := durable.NewReader(v)
	flags := r.Byte()
	if flags&^itemKnown != 0 {
		r.Fail(fmt.Errorf("flags %#x are not known", flags))
	}
	it := Item{Band: flags & itemBand, Key: r.String()}
	it.URL = it.Key
	if flags&itemSameURL == 0 {
		it.URL = r.String()
	}
	it.Via, it.HopPath = r.String(), r.String()
	it.Score = score(min(r.Uvarint(), scoreUnit)).float()
	it.Depth, it.Attempts = r.Int(), r.Int()
	if flags&itemHasMeta != 0 {
		it.Meta = r.Bytes()
	}
	return it, r.Done("queue entry")
}
