package chromium

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// prefix is how the names of profile folders begin.
const prefix = "varve-browser-"

// lockName is the file in a profile folder whose lock says that the folder is in use.
const lockName = "varve.lock"

// young is the age below which a folder without a lock may be one that is just being made.
const young = time.Minute

// profile is the folder of one browser.
type profile struct {
	dir  string
	lock *os.File
}

func newProfile(root string) (*profile, error) {
	dir, err := os.MkdirTemp(root, prefix)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if !lock(f) {
		f.Close()
		return nil, fmt.Errorf("the new folder %s is locked", dir)
	}
	return &profile{dir, f}, nil
}

// remove deletes the folder. A dying child may still write to it, so it is tried more than once.
func (p *profile) remove() error {
	var err error
	for range 5 {
		if err = os.RemoveAll(p.dir); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	p.lock.Close()
	return err
}

// Sweep removes the profile folders in root (the temporary folder where it is empty) that killed
// processes left behind, and gives their number.
func Sweep(root string, now time.Time) int {
	if root == "" {
		root = os.TempDir()
	}
	found, err := filepath.Glob(filepath.Join(root, prefix+"*"))
	if err != nil {
		return 0
	}
	n := 0
	for _, dir := range found {
		if stale(dir, now) && os.RemoveAll(dir) == nil {
			n++
		}
	}
	return n
}

func stale(dir string, now time.Time) bool {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR, 0)
	if err != nil {
		info, statErr := os.Stat(dir)
		return os.IsNotExist(err) && statErr == nil && now.Sub(info.ModTime()) > young
	}
	defer f.Close()
	return lock(f)
}
