package base

import (
	"encoding/binary"
	"math"

	"varve/archive/durable"
	"varve/entity"
)

// Fields of a record that not every entity has, as bits.
const (
	hasFrom = 1 << iota
	hasUntil
	hasPlace
)

// appendRecord writes an entity: id, label, description, popularity, bits, days and place by the bits, then lists.
func appendRecord(b []byte, e *entity.Entity) []byte {
	b = durable.AppendString(b, e.ID)
	b = durable.AppendString(b, e.Label)
	b = durable.AppendString(b, e.Description)
	b = binary.AppendUvarint(b, uint64(e.Popularity))
	var bits byte
	if e.Existence.From != entity.Unknown {
		bits |= hasFrom
	}
	if e.Existence.Until != entity.Unknown {
		bits |= hasUntil
	}
	if e.Place != nil {
		bits |= hasPlace
	}
	b = append(b, bits)
	if bits&hasFrom != 0 {
		b = binary.AppendUvarint(b, uint64(e.Existence.From))
	}
	if bits&hasUntil != 0 {
		b = binary.AppendUvarint(b, uint64(e.Existence.Until))
	}
	if bits&hasPlace != 0 { // to a ten-thousandth of a degree is 11 m; millionths cost no byte more
		b = binary.AppendVarint(b, int64(math.Round(e.Place.Latitude*1e6)))
		b = binary.AppendVarint(b, int64(math.Round(e.Place.Longitude*1e6)))
	}
	b = binary.AppendUvarint(b, uint64(len(e.IDs)))
	for _, id := range e.IDs {
		b = durable.AppendString(b, id)
	}
	b = binary.AppendUvarint(b, uint64(len(e.Kinds)))
	for _, k := range e.Kinds {
		b = durable.AppendString(b, k)
	}
	b = binary.AppendUvarint(b, uint64(len(e.Names)))
	for _, n := range e.Names {
		b = durable.AppendString(b, n.Text)
		b = append(b, byte(n.Origin))
		b = binary.AppendUvarint(b, uint64(n.Count))
	}
	b = binary.AppendUvarint(b, uint64(len(e.Phrases)))
	for _, p := range e.Phrases {
		b = durable.AppendString(b, p.Text)
		b = binary.AppendUvarint(b, uint64(p.Count))
	}
	return b
}

func parseRecord(b []byte) (*entity.Entity, error) {
	r := durable.NewReader(b)
	e := &entity.Entity{ID: r.String(), Label: r.String(), Description: r.String(), Popularity: r.Int64()}
	bits := r.Byte()
	if bits&hasFrom != 0 {
		e.Existence.From = entity.Day(r.Int())
	}
	if bits&hasUntil != 0 {
		e.Existence.Until = entity.Day(r.Int())
	}
	if bits&hasPlace != 0 {
		lat, lon := r.Varint(), r.Varint()
		e.Place = &entity.Place{Latitude: float64(lat) / 1e6, Longitude: float64(lon) / 1e6}
	}
	e.IDs = list(&r, func() string { return r.String() })
	e.Kinds = list(&r, func() string { return r.String() })
	e.Names = list(&r, func() entity.Name {
		return entity.Name{Text: r.String(), Origin: entity.Origin(r.Byte()), Count: r.Int64()}
	})
	e.Phrases = list(&r, func() entity.Phrase { return entity.Phrase{Text: r.String(), Count: r.Int64()} })
	return e, r.Done("entity")
}

func list[T any](r *durable.Reader, one func() T) []T {
	n := r.Upto(uint64(r.Len()))
	if n == 0 {
		return nil
	}
	out := make([]T, 0, n)
	for uint64(len(out)) < n {
		out = append(out, one())
	}
	return out
}
