package frontier

import "encoding/binary"

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
	b = appendString(append(b, flags), it.Key)
	if !same {
		b = appendString(b, it.URL)
	}
	b = appendString(b, it.Via)
	b = appendString(b, it.HopPath)
	b = binary.AppendUvarint(b, uint64(toScore(it.Score)))
	b = binary.AppendUvarint(b, uint64(it.Depth))
	b = binary.AppendUvarint(b, uint64(it.Attempts))
	if len(it.Meta) > 0 {
		b = appendBytes(b, it.Meta)
	}
	return b
}

func decodeItem(v []byte) (Item, error) {
	r := reader{b: v}
	flags := r.byte()
	if flags&^itemKnown != 0 {
		r.fail(errShort)
	}
	it := Item{Band: flags & itemBand, Key: r.string()}
	it.URL = it.Key
	if flags&itemSameURL == 0 {
		it.URL = r.string()
	}
	it.Via, it.HopPath = r.string(), r.string()
	it.Score = score(min(r.uvarint(), scoreUnit)).float()
	it.Depth, it.Attempts = r.small(), r.small()
	if flags&itemHasMeta != 0 {
		it.Meta = r.clone()
	}
	return it, r.done("queue entry")
}
