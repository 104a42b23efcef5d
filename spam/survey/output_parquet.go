package survey

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"varve/spam/feature"
)

// parquetFile writes Parquet: text columns and optional doubles. The columns of a Parquet group are in the order of their names.
type parquetFile struct {
	to     io.Writer
	w      *parquet.GenericWriter[any]
	places []int // of hostid, domain, address, linked_hosts, the features and the class
	row    parquet.Row
	held   int
}

// Begin makes the schema.
func (p *parquetFile) Begin(features []feature.Definition) error {
	text := parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
	group := parquet.Group{"class": text}
	all := append([]string(nil), names...)
	for _, n := range names {
		group[n] = text
	}
	for _, d := range features {
		if group[d.Name] != nil {
			return fmt.Errorf("the column %q is there twice", d.Name)
		}
		group[d.Name] = parquet.Optional(parquet.Leaf(parquet.DoubleType))
		all = append(all, d.Name)
	}
	schema := parquet.NewSchema("hosts", group)
	order := map[string]int{}
	for i, path := range schema.Columns() {
		order[path[0]] = i
	}
	for _, n := range append(all, "class") {
		p.places = append(p.places, order[n])
	}
	p.row = make(parquet.Row, len(p.places))
	p.w = parquet.NewGenericWriter[any](p.to, schema, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("varve", "spam", "1"))
	return nil
}

// Write writes a row.
func (p *parquetFile) Write(r *Row) error {
	put := func(i int, v parquet.Value, known bool) {
		level := 1
		if !known {
			v, level = parquet.NullValue(), 0
		}
		p.row[p.places[i]] = v.Level(0, level, p.places[i])
	}
	for i, s := range []string{r.Host, r.Domain, r.Address, r.Links} {
		put(i, parquet.ByteArrayValue([]byte(s)), s != "")
	}
	for i, v := range r.Values {
		put(len(names)+i, parquet.DoubleValue(v), feature.Known(v))
	}
	put(len(p.places)-1, parquet.ByteArrayValue([]byte(r.Class)), r.Class != "")
	if _, err := p.w.WriteRows([]parquet.Row{p.row}); err != nil {
		return err
	}
	const group = 32 << 20
	if p.held += 9 * len(p.row); p.held > group {
		p.held = 0
		return p.w.Flush()
	}
	return nil
}

// Close writes the end of the file.
func (p *parquetFile) Close() error {
	if p.w == nil {
		return nil
	}
	return p.w.Close()
}
