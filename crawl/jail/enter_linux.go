package jail

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// door is the descriptor on which the helper hands its listener over.
const door = 3

// Enter is the work of the helper: it opens the door and becomes the program, whose path and arguments are given.
// It returns only with an error, which the caller of Prepare was told.
func Enter(command []string) error {
	if len(command) == 0 {
		return errors.New("jail: no program")
	}
	runtime.LockOSThread() // privileges are those of a thread
	err := open()
	if err == nil {
		err = giveUp()
	}
	if err != nil {
		_ = unix.Sendto(door, []byte(err.Error()), 0, nil)
		return err
	}
	return fmt.Errorf("jail: %s: %w", command[0], unix.Exec(command[0], command, os.Environ()))
}

// open makes the listener and hands it over.
func open() error {
	if err := loopbackUp(); err != nil {
		return fmt.Errorf("jail: switch loopback on: %w", err)
	}
	l, err := net.Listen("tcp", Addr)
	if err != nil {
		return fmt.Errorf("jail: %w", err)
	}
	defer l.Close()
	f, err := l.(*net.TCPListener).File()
	if err != nil {
		return fmt.Errorf("jail: %w", err)
	}
	defer f.Close()
	if err := unix.Sendmsg(door, []byte("open"), unix.UnixRights(int(f.Fd())), nil, 0); err != nil {
		return fmt.Errorf("jail: hand over: %w", err)
	}
	unix.CloseOnExec(door)
	return nil
}

func loopbackUp() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(s, unix.SIOCGIFFLAGS, lo); err != nil {
		return err
	}
	lo.SetUint16(lo.Uint16() | unix.IFF_UP)
	return unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, lo)
}

// giveUp drops the capability that switched the loopback on, and the way to get others.
func giveUp() error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("jail: give up capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("jail: give up privileges: %w", err)
	}
	return nil
}
