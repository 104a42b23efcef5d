package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"varve"
	"varve/archive/warc"
)

// printJSON writes one line of JSON. Angle brackets stay readable: record ids have them.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// newFile writes a file that has its name only once it is whole: it is written as NAME.open,
// synced, and renamed. A file that is there is never replaced.
func newFile(name string, write func(io.Writer) error) (err error) {
	var disk warc.Disk
	if _, err := os.Lstat(name); err == nil {
		return writeError(name, os.ErrExist)
	}
	open := name + warc.OpenSuffix
	f, err := disk.Create(open)
	if err != nil {
		return writeError(name, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, disk.Remove(open))
		}
	}()
	if err := write(f); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return writeError(name, err)
	}
	if err := disk.Rename(open, name); err != nil {
		return writeError(name, err)
	}
	return disk.SyncDir(filepath.Dir(name))
}

func writeError(name string, err error) error {
	e := &varve.Error{Kind: varve.Unavailable, Op: "write " + name, Err: err}
	if errors.Is(err, os.ErrExist) {
		e.Kind, e.Hint = varve.Conflict, "nothing is overwritten: choose another name, or remove the old file"
	}
	return e
}

// packingOf tells by the end of a name how a file is to be packed; "" if it does not say.
func packingOf(name string) warc.Compression {
	switch {
	case strings.HasSuffix(name, ".gz"):
		return warc.Gzip
	case strings.HasSuffix(name, ".zst"):
		return warc.Zstd
	case strings.HasSuffix(name, ".warc"):
		return warc.Plain
	}
	return ""
}
