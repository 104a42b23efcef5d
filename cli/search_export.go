package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/wacz"
	"varve/index/fulltext"
	"varve/serve"
	"varve/serve/extract"
	"varve/serve/search"
)

// exportFlags say where the whole result goes instead of a page of it.
type exportFlags struct {
	table, warc, wacz string
	parts             bool
}

func (e *exportFlags) any() bool { return e.table != "" || e.warc != "" || e.wacz != "" }

// runSearchExport writes all hits.
func runSearchExport(c *cobra.Command, o *searchOptions, q fulltext.Query) error {
	texts := o.texts(c)
	if o.export.table != "" {
		if _, known := search.Formats[o.export.table]; !known {
			return UsageError(c, fmt.Sprintf("--export %q: it is csv or jsonl", o.export.table))
		}
		n, err := search.WriteHits(c.Context(), c.OutOrStdout(), o.export.table, texts, o.collection, q, search.MaxExport)
		if err == nil && n == 0 {
			return varve.ErrFindings
		}
		return err
	}
	sum, err := o.exportRecords(c.Context(), texts, q)
	if err != nil {
		return err
	}
	if sum.Records == 0 {
		return varve.ErrFindings
	}
	printCopied(c.ErrOrStderr(), orElse(o.export.warc, o.export.wacz), sum)
	return nil
}

// printCopied tells what a file of copied records holds.
func printCopied(w io.Writer, path string, sum extract.Summary) {
	fmt.Fprintf(w, "%s: %s of %s\n", path, count(int64(sum.Records), "record"), count(int64(sum.Versions), "version"))
	if sum.Parts+sum.Absent > 0 {
		fmt.Fprintf(w, "%s are parts of these pages; of %s there is no capture near\n", count(int64(sum.Parts), "record"), count(int64(sum.Absent), "part"))
	}
}

// exportRecords copies the captures of all hits.
func (o *searchOptions) exportRecords(ctx context.Context, texts *localTexts, q fulltext.Query) (sum extract.Summary, err error) {
	local := serve.OpenLocal(texts.archive)
	defer func() { err = errors.Join(err, local.Close()) }()
	sources, err := texts.Sources(ctx, search.Collections(o.collection)...)
	if err != nil {
		return sum, err
	}
	prov := extract.Provenance{
		Software: "varve " + Version, Description: "records that a search found, copied byte for byte", Asked: o.values.Encode(), Now: time.Now(), Random: rand.Reader, Parts: o.export.parts,
	}
	for _, s := range sources {
		prov.Collections = append(prov.Collections, s.Name)
	}
	return exportFile(ctx, orElse(o.export.warc, o.export.wacz), o.export.wacz != "", orElse(o.values.Get("q"), "search"), prov, func(w io.Writer) (extract.Summary, error) {
		return extract.Write(ctx, w, local, prov, search.Versions(ctx, texts, o.collection, q, search.MaxExport, true))
	})
}

// exportFile writes copied records to a new file; one that is there is not touched.
func exportFile(ctx context.Context, path string, packed bool, title string, prov extract.Provenance, copied func(io.Writer) (extract.Summary, error)) (sum extract.Summary, err error) {
	format, hint := "warc", ".warc.gz"
	if packed {
		format, hint = "wacz", ".wacz"
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return sum, &varve.Error{Kind: varve.Invalid, Op: "write " + path, Err: err, Hint: "name a file that does not exist, ending in " + hint}
	}
	cfg := wacz.Config{Title: title, Description: prov.Description + ": " + prov.Asked, Software: prov.Software, Created: prov.Now.UTC(), Workers: runtime.NumCPU(), SortMemory: 16 << 20}
	sum, err = extract.File(ctx, format, "search", cfg, copied, func(string) io.Writer { return f })
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil || sum.Records == 0 {
		err = errors.Join(err, os.Remove(path))
	}
	return sum, err
}
