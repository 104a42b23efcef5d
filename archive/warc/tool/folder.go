package tool

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
)

// Folder is a directory that files are written into. Nothing is ever written outside of it, even
// through symbolic links in it, and nothing in it is replaced.
type Folder struct{ root *os.Root }

// OpenFolder makes the directory if need be.
func OpenFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{root}, nil
}

// Close closes the directory.
func (f *Folder) Close() error { return f.root.Close() }

// maxVariants bounds the search for a free name.
const maxVariants = 10_000

// create makes a new file of that name, or of a variant of it if the name is taken: first with
// the mark, then with the mark and a number.
func (f *Folder) create(name, mark string) (io.WriteCloser, string, error) {
	try := name
	for n := 1; n <= maxVariants; n++ {
		w, err := f.createNew(try)
		switch {
		case err == nil:
			return w, try, nil
		case errors.Is(err, fs.ErrExist):
			try = variant(name, mark)
			if n > 1 {
				try = variant(name, mark+"."+strconv.Itoa(n))
			}
		case blocked(err):
			// A file stands where a directory is needed: use a directory of another name.
			name = beside(name)
			try = name
		default:
			return nil, "", err
		}
	}
	return nil, "", &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
}

func (f *Folder) createNew(name string) (io.WriteCloser, error) {
	if dir := path.Dir(name); dir != "." {
		if err := f.root.MkdirAll(dir, 0o755); err != nil {
			if errors.Is(err, fs.ErrExist) {
				return nil, &fs.PathError{Op: "mkdir", Path: dir, Err: syscall.ENOTDIR}
			}
			return nil, err
		}
	}
	return f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// beside gives a name in a directory that no address leads to: leaves have an extension.
func beside(name string) string {
	host, _, _ := strings.Cut(name, "/")
	dir, file := path.Split(name)
	return path.Join(host, "~"+shortHash(dir), file)
}

func blocked(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EISDIR)
}

func (f *Folder) remove(name string) error { return f.root.Remove(name) }
