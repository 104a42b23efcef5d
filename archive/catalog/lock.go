package catalog

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"varve"
)

// Lock is the right to write to a collection. The operating system frees it when the process
// ends, however that happens.
type Lock struct{ f *os.File }

// Lock takes the collection's lock for this process. Address says where the holder can be
// reached; it is shown to those who come too late.
func (c *Collection) Lock(address string) (*Lock, error) {
	if err := c.Create(); err != nil {
		return nil, err
	}
	path := filepath.Join(c.dir, "LOCK")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock collection %s: %w", c.Name, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, c.lockedBy(f)
		}
		return nil, fmt.Errorf("lock collection %s: %w", c.Name, err)
	}
	holder := fmt.Sprintf("pid %d\naddress %s\n", os.Getpid(), address)
	err = errors.Join(f.Truncate(0), writeAt(f, holder))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock collection %s: %w", c.Name, err), f.Close())
	}
	return &Lock{f}, nil
}

func writeAt(f *os.File, s string) error {
	_, err := f.WriteAt([]byte(s), 0)
	return err
}

// lockedBy says who holds the lock.
func (c *Collection) lockedBy(f *os.File) error {
	text, _ := io.ReadAll(io.LimitReader(f, 1<<10))
	holder := strings.Join(strings.Fields(string(text)), " ")
	return &varve.Error{
		Kind: varve.Conflict, Op: "lock collection " + c.Name,
		Msg:  "another process is writing to it (" + holder + ")",
		Hint: "wait until it has finished, or stop it",
	}
}

// Unlock gives the lock back.
func (l *Lock) Unlock() error { return l.f.Close() }
