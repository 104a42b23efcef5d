package extract

import (
	"context"
	"errors"
	"io"
	"os"

	"varve/archive/wacz"
	"varve/archive/whole"
)

// Formats are the formats of File, with their media types.
var Formats = map[string]string{"warc": "application/warc", "wacz": "application/wacz"}

// File makes a whole file: WARC, or WACZ around it. copied writes the records, by Write or WriteCaptures. Nothing is sent before
// all of them were: begin is called with the name of the file when it is sure that there are some, and gives where it goes.
func File(ctx context.Context, format, name string, cfg wacz.Config, copied func(w io.Writer) (Summary, error), begin func(name string) io.Writer) (sum Summary, err error) {
	f, err := whole.Scratch("")
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if sum, err = copied(f); err != nil || sum.Records == 0 {
		return sum, err
	}
	size, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return sum, err
	}
	if format == "wacz" {
		return sum, pack(ctx, begin(name+".wacz"), f, name+".warc.gz", size, cfg)
	}
	_, err = io.Copy(begin(name+".warc.gz"), io.NewSectionReader(f, 0, size))
	return sum, err
}

func pack(ctx context.Context, out io.Writer, f *os.File, name string, size int64, cfg wacz.Config) (err error) {
	w, err := wacz.NewWriter(out, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := w.AddWARC(ctx, name, io.NewSectionReader(f, 0, size), size); err != nil {
		return err
	}
	_, err = w.Finish(ctx)
	return err
}
