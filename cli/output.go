package cli

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"varve"
	"varve/archive/warc"
)

// PrintJSON writes one line of JSON. Angle brackets stay readable: record ids have them.
func PrintJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// NewFile writes a file that has its name only once it is whole: it is written as NAME.open,
// synced, and renamed. A file that is there is never replaced; a NAME.open that a killed process left
// behind is written over, one that is being written is not.
func NewFile(name string, write func(io.Writer) error) (err error) {
	if _, err := os.Lstat(name); err == nil {
		return WriteError(name, os.ErrExist)
	}
	open := name + warc.OpenSuffix
	f, err := os.OpenFile(open, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return WriteError(name, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return errors.Join(&varve.Error{
			Kind: varve.Conflict, Op: "write " + name, Msg: "another process is writing it", Hint: "wait until it has finished, or choose another name",
		}, f.Close())
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(open))
		}
	}()
	if err := f.Truncate(0); err != nil {
		return errors.Join(WriteError(name, err), f.Close())
	}
	if err := write(f); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Sync(); err != nil {
		return errors.Join(WriteError(name, err), f.Close())
	}
	var disk warc.Disk
	if err := errors.Join(disk.Rename(open, name), f.Close()); err != nil {
		return WriteError(name, err)
	}
	return disk.SyncDir(filepath.Dir(name))
}

func WriteError(name string, err error) error {
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
