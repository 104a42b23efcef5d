package eval

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// SetName is the name of a file or folder of data in summaries: its last part without .gz and without an ending.
func SetName(path string) string {
	name := strings.TrimSuffix(filepath.Base(filepath.Clean(path)), ".gz")
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// Open opens a file of data, unpacked when it ends in .gz. Of a folder it opens the file called name, packed or not.
func Open(path, name string) (io.ReadCloser, error) {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		path = filepath.Join(path, name)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			path += ".gz"
		}
	}
	f, err := os.Open(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return f, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return packed{z, f}, nil
}

type packed struct {
	*gzip.Reader
	file io.Closer
}

func (p packed) Close() error { return errors.Join(p.Reader.Close(), p.file.Close()) }
