package survey

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"varve/spam/feature"
)

// File is a table that is being written; Close ends it, but not the file below.
type File interface {
	Writer
	io.Closer
}

// NewFile writes a table in the format that the end of a name tells: .arff, .csv or .parquet, with .gz packed. The columns are hostid, domain, address and linked_hosts, which are
// never features, then the features, then the class.
func NewFile(w io.Writer, name string) (File, error) {
	if plain, zipped := strings.CutSuffix(name, ".gz"); zipped {
		z := gzip.NewWriter(w)
		f, err := NewFile(z, plain)
		return &gzipped{f, z}, err
	}
	switch {
	case strings.HasSuffix(name, ".arff"):
		return &arff{w: bufio.NewWriter(w)}, nil
	case strings.HasSuffix(name, ".csv"):
		return &csvFile{w: csv.NewWriter(w)}, nil
	case strings.HasSuffix(name, ".parquet"):
		return &parquetFile{to: w}, nil
	}
	return nil, fmt.Errorf("%q ends with none of .arff, .csv, .parquet", name)
}

// gzipped ends the packing after the table.
type gzipped struct {
	File
	z *gzip.Writer
}

// Close ends the table, then the packing.
func (g *gzipped) Close() error { return errors.Join(g.File.Close(), g.z.Close()) }

// names are the columns that stand before the features.
var names = []string{"hostid", "domain", "address", "linked_hosts"}

// number writes a value as short as it can be read back; unknown is the empty string.
func number(v float64) string {
	if !feature.Known(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// arff writes the format of Weka.
type arff struct {
	w *bufio.Writer
}

// Begin writes the header.
func (a *arff) Begin(features []feature.Definition) error {
	fmt.Fprintf(a.w, "%% Features of hosts, by varve spam features; docs/algorithms/spam_features.md tells what they are.\n@relation hosts\n\n")
	for _, n := range names {
		fmt.Fprintf(a.w, "@attribute %s string\n", n)
	}
	for _, d := range features {
		fmt.Fprintf(a.w, "@attribute %s numeric\n", quote(d.Name))
	}
	_, err := fmt.Fprintf(a.w, "@attribute class {%s,%s}\n\n@data\n", Spam, Normal)
	return err
}

// quote puts a name in quotes where it must be.
func quote(s string) string {
	plain := s != "" && s != "?" && strings.IndexFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-:/", r)
	}) < 0
	if plain {
		return s
	}
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s) + "'"
}

// Write writes a row.
func (a *arff) Write(r *Row) error {
	for _, s := range []string{r.Host, r.Domain, r.Address, r.Links} {
		a.cell(quote(s), s == "")
		a.w.WriteByte(',')
	}
	for _, v := range r.Values {
		s := number(v)
		a.cell(s, s == "")
		a.w.WriteByte(',')
	}
	a.cell(r.Class, r.Class == "")
	return a.w.WriteByte('\n')
}

func (a *arff) cell(s string, missing bool) {
	if missing {
		s = "?"
	}
	a.w.WriteString(s) // errors come with the next write that gives one back, and with Close
}

// Close writes what is left.
func (a *arff) Close() error { return a.w.Flush() }

// csvFile writes CSV with names in the first line; unknown cells are empty.
type csvFile struct {
	w    *csv.Writer
	line []string
}

// Begin writes the names.
func (c *csvFile) Begin(features []feature.Definition) error {
	c.line = append(append(c.line[:0], names...), feature.Names("", features)...)
	return c.w.Write(append(c.line, "class"))
}

// Write writes a row.
func (c *csvFile) Write(r *Row) error {
	c.line = append(c.line[:0], r.Host, r.Domain, r.Address, r.Links)
	for _, v := range r.Values {
		c.line = append(c.line, number(v))
	}
	c.line = append(c.line, r.Class)
	return c.w.Write(c.line)
}

// Close writes what is left.
func (c *csvFile) Close() error {
	c.w.Flush()
	return c.w.Error()
}
