package whole

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Folder is a folder for temporary files that does not outlive its process for long: what a killed process left is removed when the
// next one makes a folder of the same kind there. The one who makes it holds a lock on it, which ends with the process.
type Folder struct {
	Path string
	lock *os.File
}

// NewFolder makes a folder .varve-KIND-* in dir (that of the system where dir is empty), and removes those of processes that are gone.
func NewFolder(dir, kind string) (_ *Folder, err error) {
	if dir == "" {
		dir = os.TempDir()
	}
	parent, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	prefix := ".varve-" + kind + "-"
	var left []string
	if syscall.Flock(int(parent.Fd()), syscall.LOCK_EX) == nil { // nobody makes one while we look; some file systems have no locks
		if left, err = filepath.Glob(filepath.Join(dir, prefix+"*")); err != nil {
			return nil, err
		}
	}
	for _, path := range left {
		if strings.Trim(strings.TrimPrefix(filepath.Base(path), prefix), "0123456789") != "" {
			continue // not one of ours
		}
		if lock, err := tryLock(path); err == nil {
			_ = os.RemoveAll(path) // somebody else's perhaps: then it stays
			lock.Close()
		}
	}
	f := &Folder{}
	if f.Path, err = os.MkdirTemp(dir, prefix); err != nil {
		return nil, err
	}
	f.lock, _ = tryLock(f.Path) // without a lock nobody can tell that it is left over, and it stays
	return f, nil
}

// Scratch makes a temporary file in dir (the folder of the system where dir is empty) that has no name any more when it is given: it goes when
// it is closed, and with the process however that ends.
func Scratch(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, ".varve-scratch-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// tryLock locks a folder that nobody has locked.
func tryLock(path string) (*os.File, error) {
	d, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Close removes the folder and all in it.
func (f *Folder) Close() error {
	err := os.RemoveAll(f.Path)
	if f.lock != nil {
		err = errors.Join(err, f.lock.Close())
	}
	return err
}
