package capture

import (
	"context"

	"varve/archive/cdxj"
	"varve/archive/warc"
)

// Scan gives the index lines of all captures of a WARC or ARC file, in the order of the file. The
// name is what the lines call the file. Findings go to opts.OnFinding; the policy decides what ends
// the scan.
func Scan(ctx context.Context, f *warc.File, name string, opts warc.Options, workers int, emit func(*cdxj.Record) error) error {
	n := &Noter{File: name}
	win := NewWindow(func(n *Note) error { return emit(&n.CDX) })
	if err := warc.Scan(ctx, f, opts, workers, n.Note, win.Add); err != nil {
		return err
	}
	return win.Flush()
}
