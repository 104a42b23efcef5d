package derive

import (
	"fmt"
	"io"
	"sort"

	"github.com/parquet-go/parquet-go"
)

// NewSortedTable makes a table whose rows are added in the order of one of its columns, to be read by RowsFrom: with small pages, and
// whole keys in the index of the columns, so that a key is found by reading one page.
func NewSortedTable[T any](w io.Writer) *Table[T] {
	return tableTo[T](w, parquet.ColumnIndexSizeLimit(func([]string) int { return 4 << 10 }), parquet.PageBufferSize(64<<10))
}

// RowsFrom calls each for the rows of a table that is sorted by a column of strings, from a row on before which a key cannot be. A false ends it. Rows must not be kept.
func RowsFrom[T any](path, column, key string, each func(*T) (bool, error)) error {
	return readTable(path, func(pf *parquet.File) error {
		row := int64(0)
		err := noPanic(func() (err error) { row, err = firstRow(pf, column, key); return err })
		if err != nil {
			return err
		}
		return rowsFrom(pf, row, each)
	})
}

// firstRow gives a row before which the key cannot be: the begin of the first page whose greatest key is not less.
func firstRow(pf *parquet.File, name, key string) (int64, error) {
	column, ok := pf.Schema().Lookup(name)
	if !ok {
		return 0, fmt.Errorf("there is no column %s", name)
	}
	before := int64(0)
	for _, g := range pf.RowGroups() {
		chunk := g.ColumnChunks()[column.ColumnIndex]
		index, err := chunk.ColumnIndex()
		if err != nil {
			return 0, err
		}
		offsets, err := chunk.OffsetIndex()
		if err != nil {
			return 0, err
		}
		pages := index.NumPages()
		i := sort.Search(pages, func(i int) bool { return string(index.MaxValue(i).ByteArray()) >= key })
		if i < pages {
			return before + offsets.FirstRowIndex(i), nil
		}
		before += g.NumRows()
	}
	return before, nil
}
