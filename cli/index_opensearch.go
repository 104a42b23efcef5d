package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"varve/archive/catalog"
	"varve/cluster"
	"varve/cluster/opensearch"
	"varve/index/fulltext"
)

// sentReport is what was sent to OpenSearch.
type sentReport struct {
	Text     *opensearch.TextReport    `json:"text,omitempty"` // nil: there is no table of versions yet
	Captures opensearch.CapturesReport `json:"captures"`
	Seconds  float64                   `json:"seconds"`
}

func (r *sentReport) print(w io.Writer) {
	if r == nil {
		return
	}
	c := r.Captures
	fmt.Fprintf(w, "  OpenSearch has %d captures of %d files; %d of them sent, %d files gone or changed\n", c.Lines, c.Sources, c.Sent, c.Dropped)
	if t := r.Text; t != nil {
		fmt.Fprintf(w, "  OpenSearch has the text of %d versions in %d years; %d of them sent (%.1f s)\n", t.Docs, t.Shards, t.Sent, r.Seconds)
		if t.Left > 0 {
			fmt.Fprintf(w, "  %d values of facets are too long for it and were left out\n", t.Left)
		}
	} else {
		fmt.Fprintln(w, "  OpenSearch has no text of it: 'varve derive' makes the table of versions")
	}
}

// sender returns what brings OpenSearch up to a collection; nil if that is not asked for.
func (o *indexOptions) sender(c *cobra.Command) (func(context.Context, *catalog.Collection) (*sentReport, error), error) {
	switch o.to {
	case cluster.KindEmbedded:
		return nil, nil
	case cluster.KindOpenSearch:
	default:
		return nil, UsageError(c, "--to "+o.to+": want embedded or opensearch")
	}
	cfg, err := cluster.ReadIndex(o.archive)
	if err != nil {
		return nil, err
	}
	client, err := cfg.Open()
	if err != nil {
		return nil, err
	}
	line := newIndexLine(c.ErrOrStderr())
	return func(ctx context.Context, col *catalog.Collection) (*sentReport, error) {
		defer line.clear()
		done := 0
		told := func(n int) {
			done += n
			line.file(fmt.Sprintf("%s: %d sent to OpenSearch", col.Name, done), 0, 1)
		}
		return sendIndexes(ctx, client, col, o.rebuild, told)
	}, nil
}

// sendIndexes brings what OpenSearch has of a collection up to its indexes and tables. The lock keeps them as they are meanwhile.
func sendIndexes(ctx context.Context, client *opensearch.Client, col *catalog.Collection, rebuild bool, told func(int)) (rep *sentReport, err error) {
	lock, err := col.Lock("varve index --to opensearch")
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	began := time.Now()
	rep = &sentReport{}
	if rep.Captures, err = client.LoadCaptures(ctx, col.Name, col.IndexDir("cdx"), rebuild, told); err != nil {
		return nil, opensearch.LoadError(col.Name, err)
	}
	versions := filepath.Join(col.Dir(), "derived", "versions.parquet")
	if _, err := os.Stat(versions); errors.Is(err, fs.ErrNotExist) {
		rep.Seconds = time.Since(began).Seconds()
		return rep, nil
	}
	labels, err := labelsOf(col)
	if err != nil {
		return nil, err
	}
	engine, err := fulltext.NewEngine()
	if err != nil {
		return nil, err
	}
	table, err := engine.OpenTable(versions, labels)
	if err != nil {
		return nil, InputError(versions, err)
	}
	text, err := client.LoadText(ctx, col.Name, table, rebuild, told)
	if err != nil {
		return nil, opensearch.LoadError(col.Name, err)
	}
	rep.Text, rep.Seconds = &text, time.Since(began).Seconds()
	return rep, nil
}
