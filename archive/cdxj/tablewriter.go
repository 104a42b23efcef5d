package cdxj

import "io"

// TableBlockLines is the number of lines in a block of a Table: small, since a lookup unpacks a whole
// block; twice as many save a twentieth of the bytes and take twice the time (BenchmarkTable).
// ZipNum files for others have DefaultBlockLines.
const TableBlockLines = 64

// TableWriter writes the three files of a Table. Data and idx are a ZipNum file of the WACZ kind,
// which other tools read too.
type TableWriter struct {
	zip   *ZipWriter
	pager *pager
}

// NewTableWriter makes a TableWriter. The option WACZ is implied, and the default of Lines is
// TableBlockLines. The caller must call Close at the end.
func NewTableWriter(data, idx, fences io.Writer, o ZipOptions) *TableWriter {
	if o.Lines <= 0 {
		o.Lines = TableBlockLines
	}
	o.WACZ = true
	p := &pager{idx: idx, fences: fences}
	return &TableWriter{zip: NewZipWriter(data, p, o), pager: p}
}

// WriteLine writes a line, which must not be less than the one before it.
func (w *TableWriter) WriteLine(line []byte) error { return w.zip.WriteLine(line) }

// Close writes the last block and fence. It does not close the files.
func (w *TableWriter) Close() error {
	if err := w.zip.Close(); err != nil {
		return err
	}
	return w.pager.finish(w.zip.block.Seq, w.zip.Lines())
}
