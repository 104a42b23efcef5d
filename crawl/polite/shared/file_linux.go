package shared

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"varve"
	"varve/crawl/polite"
)

// File is the politeness between the processes of a machine: a table in a file, changed under a lock of the operating
// system, which frees it when its holder dies. Each member holds a second lock, on a byte of its own far behind the
// table, for as long as it lives: that is how others know.
//
// It never fails: what cannot be asked is allowed, said once, and asked again after a while.
type File struct {
	log  *slog.Logger
	path string
	me   member

	mu    sync.Mutex
	f     *os.File
	table table
	down  time.Time     // until then nothing is asked, after a failure
	told  string        // the last failure that was said
	owed  []polite.Stay // that could not be ended yet
}

const (
	fileName = "slots-1"        // the 1 is the version: other layouts are other files
	patience = 2 * time.Second  // with the lock: its holder needs microseconds, so it is stopped
	restDown = 10 * time.Second // after a failure
)

// DefaultDir is where the processes of a user on this machine meet.
func DefaultDir() string {
	return filepath.Join(os.TempDir(), "varve-polite-"+strconv.Itoa(os.Geteuid()))
}

// Open joins the registry of a directory, which it makes if need be. It must belong to the user and be closed to
// others: whoever can write it decides when we contact a host. Trust leaves that check out, for a directory that the
// user has named and several users share.
func Open(dir string, trust bool, log *slog.Logger) (*File, error) {
	f, err := openTable(dir, trust)
	if err != nil {
		return nil, &varve.Error{
			Kind: varve.Unavailable, Op: "politeness between processes in " + dir, Err: err,
			Hint: "other crawls on this machine may contact the same hosts at the same time; --polite-dir names a directory of your own, 'none' says that it is meant so",
		}
	}
	id := rand.Uint64()>>2 | 1
	if err := setLock(f, unix.F_WRLCK, memberByte(id)); err != nil {
		return nil, errors.Join(fmt.Errorf("politeness between processes in %s: lock: %w", dir, err), f.Close())
	}
	s := &File{log: log, path: f.Name(), f: f}
	s.table.disk = f
	s.me = member{id, s.alive}
	return s, nil
}

// Close leaves the registry. Places that the process still has count as those of a dead one.
func (s *File) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.f.Close()
}

// Enter is part of polite.Shared.
func (s *File) Enter(claims []polite.Claim, now time.Time) (d polite.Denial, ok bool) {
	ok = true
	s.locked(now, func() (err error) {
		d, ok, err = s.table.enter(claims, s.me, now.UnixNano())
		return err
	})
	return d, ok
}

// Leave is part of polite.Shared.
func (s *File) Leave(stays []polite.Stay, now time.Time) {
	if !s.locked(now, func() error { return s.table.leave(stays, s.me, now.UnixNano()) }) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.owed = append(s.owed, stays...)
	}
}

// locked does something under the lock of the table, or says why not. What could not be done before comes first.
func (s *File) locked(now time.Time, do func() error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Before(s.down) {
		return false
	}
	err := s.lock()
	if err == nil {
		if len(s.owed) > 0 {
			if err = s.table.leave(s.owed, s.me, now.UnixNano()); err == nil {
				s.owed = nil
			}
		}
		if err == nil {
			err = do()
		}
		err = errors.Join(err, setLock(s.f, unix.F_UNLCK, 0))
	}
	if err != nil {
		s.down = now.Add(restDown)
		if err.Error() != s.told {
			s.told = err.Error()
			s.log.Warn("politeness between processes fails: this process goes on by itself; other crawls may contact the same hosts at the same time", "file", s.path, "err", err)
		}
	}
	if n := s.table.damaged + s.table.evicted; n > 0 {
		s.log.Warn("politeness between processes: slots lost", "file", s.path, "damaged", s.table.damaged, "too many", s.table.evicted)
		s.table.damaged, s.table.evicted = 0, 0
	}
	return err == nil
}

// lock waits for the lock of the table, but not for ever.
func (s *File) lock() error {
	wait := 20 * time.Microsecond
	for waited := time.Duration(0); ; waited += wait {
		err := setLock(s.f, unix.F_WRLCK, 0)
		if err == nil || !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EINTR) {
			return err
		}
		if waited > patience {
			return errors.New("another process holds its lock and does not go on; is one of them stopped?")
		}
		wait = min(2*wait, time.Millisecond)
		time.Sleep(wait)
	}
}

// alive reports whether a member holds its byte. The lock of the table is held.
func (s *File) alive(id uint64) bool {
	l := unix.Flock_t{Type: unix.F_WRLCK, Start: memberByte(id), Len: 1}
	if err := unix.FcntlFlock(s.f.Fd(), unix.F_OFD_GETLK, &l); err != nil {
		return true // not known: wait for it
	}
	return l.Type != unix.F_UNLCK
}

// memberByte is the byte that a member holds while it lives.
func memberByte(id uint64) int64 { return tableSize + int64(id&(1<<62-1)) }

// setLock takes or frees the lock on one byte. It belongs to the open file, not to the process: other members of this
// process count as others.
func setLock(f *os.File, how int16, at int64) error {
	l := unix.Flock_t{Type: how, Start: at, Len: 1}
	return unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &l)
}

// openTable opens the file of a directory so that nobody else can have put another one into its place.
func openTable(dir string, trust bool) (*os.File, error) {
	flags, perm := unix.O_DIRECTORY|unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW, uint32(0o600)
	if trust {
		flags, perm = flags&^unix.O_NOFOLLOW, 0o660
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	at, err := unix.Open(dir, flags, 0)
	if errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) {
		return nil, errors.New("is no directory, or a link to one")
	}
	if err != nil {
		return nil, err
	}
	defer unix.Close(at)
	if err := ours(at, unix.S_IFDIR, trust); err != nil {
		return nil, err
	}
	fd, err := unix.Openat(at, fileName, unix.O_RDWR|unix.O_CREAT|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK, perm)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fileName, err)
	}
	f := os.NewFile(uintptr(fd), filepath.Join(dir, fileName))
	err = ours(fd, unix.S_IFREG, trust)
	if err == nil {
		err = f.Truncate(tableSize)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", fileName, err), f.Close())
	}
	return f, nil
}

// ours checks that an open file is of the kind, belongs to the user, and is closed to others.
func ours(fd int, kind uint32, trust bool) error {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	switch {
	case st.Mode&unix.S_IFMT != kind:
		return errors.New("is not of the kind that is wanted here")
	case trust:
		return nil
	case int(st.Uid) != os.Geteuid():
		return fmt.Errorf("belongs to user %d, not to this one", st.Uid)
	case st.Mode&0o077 != 0:
		return fmt.Errorf("others may enter it (mode %04o, want 0700 or 0600)", st.Mode&0o777)
	case kind == unix.S_IFREG && st.Nlink != 1:
		return errors.New("has a second name")
	}
	return nil
}
