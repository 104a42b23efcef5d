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

	// Where no rest is due, the next request to a host follows at once: its place is kept for it, for a while.
	kept   map[string]keptPlace
	last   time.Time   // when a place was left to be kept
	ending *time.Timer // gives back what is kept too long; nil if nothing is
	closed bool
}

// keptPlace is what this process has at a key where it may come again at once.
type keptPlace struct {
	since time.Time // it was taken in the table
	free  int       // of its places, those where no request is
	used  int       // the others
}

const (
	fileName = "slots-1"        // the 1 is the version: other layouts are other files
	patience = 2 * time.Second  // with the lock: its holder needs microseconds, so it is stopped
	restDown = 10 * time.Second // after a failure

	// keeping is how long a place is kept without a look at the table, where others may wait for it.
	keeping = 100 * time.Millisecond
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
	s := &File{log: log, path: f.Name(), f: f, kept: map[string]keptPlace{}}
	s.table.disk = f
	s.me = member{id, s.alive}
	return s, nil
}

// Close leaves the registry. Places that the process still has count as those of a dead one.
func (s *File) Close() error {
	s.giveBack()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.ending != nil {
		s.ending.Stop()
	}
	return s.f.Close()
}

// Enter is part of polite.Shared.
func (s *File) Enter(claims []polite.Claim, now time.Time) (d polite.Denial, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.comeAgain(claims, now) {
		return polite.Denial{}, true
	}
	ok = true
	s.withTable(now, func() (err error) {
		for _, c := range claims {
			if err = s.drop(c.Key, now); err != nil {
				return err
			}
		}
		d, ok, err = s.table.enter(claims, s.me, now.UnixNano())
		if ok && err == nil {
			s.taken(claims, now)
		}
		return err
	})
	return d, ok
}

// Leave is part of polite.Shared.
func (s *File) Leave(stays []polite.Stay, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stays = s.keep(stays, now); len(stays) == 0 {
		return
	}
	if !s.withTable(now, func() error { return s.table.leave(stays, s.me, now.UnixNano()) }) {
		s.owed = append(s.owed, stays...)
	}
}

// taken notes the places that may be kept: those that leave no rest behind.
func (s *File) taken(claims []polite.Claim, now time.Time) {
	for _, c := range claims {
		if c.Rest == 0 {
			k := s.kept[c.Key]
			if k.used++; k.used == 1 {
				k.since = now
			}
			s.kept[c.Key] = k
		}
	}
}

// comeAgain takes kept places for a request, if there is one at each key.
func (s *File) comeAgain(claims []polite.Claim, now time.Time) bool {
	for _, c := range claims {
		if k := s.kept[c.Key]; c.Rest > 0 || k.free == 0 || !k.fresh(now) {
			return false
		}
	}
	for _, c := range claims {
		k := s.kept[c.Key]
		k.free--
		k.used++
		s.kept[c.Key] = k
	}
	return true
}

func (k keptPlace) fresh(now time.Time) bool {
	age := now.Sub(k.since)
	return age >= 0 && age < keeping
}

// keep keeps the places where the next request may follow at once, and returns the others.
func (s *File) keep(stays []polite.Stay, now time.Time) (others []polite.Stay) {
	for _, st := range stays {
		k, known := s.kept[st.Key]
		if known {
			if k.used--; !st.Next.After(now) && st.Trouble.IsZero() && k.fresh(now) {
				k.free++
				s.kept[st.Key], s.last = k, now
				if s.ending == nil {
					s.ending = time.AfterFunc(keeping, s.giveBack)
				}
				continue
			}
			s.note(st.Key, k)
		}
		others = append(others, st)
	}
	return others
}

// note keeps in mind what is left of the places at a key.
func (s *File) note(key string, k keptPlace) {
	if k.free+k.used > 0 {
		s.kept[key] = k
		return
	}
	delete(s.kept, key)
}

// drop gives the kept places of a key back. The lock of the table is held.
func (s *File) drop(key string, now time.Time) error {
	k := s.kept[key]
	for ; k.free > 0; k.free-- {
		if err := s.table.leave([]polite.Stay{{Key: key, Next: now}}, s.me, now.UnixNano()); err != nil {
			return err
		}
		s.note(key, keptPlace{since: k.since, free: k.free - 1, used: k.used})
	}
	return nil
}

// giveBack gives all kept places back; what fails is tried again.
func (s *File) giveBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ending = nil
	if s.closed {
		return
	}
	if !s.withTable(s.last, func() error {
		for key := range s.kept {
			if err := s.drop(key, s.last); err != nil {
				return err
			}
		}
		return nil
	}) {
		s.ending = time.AfterFunc(restDown, s.giveBack)
	}
}

// withTable does something under the lock of the table, or says why not. What could not be done before comes first.
func (s *File) withTable(now time.Time, do func() error) bool {
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
