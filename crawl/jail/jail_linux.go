package jail

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Cut makes a command that has not been started one without any network. Where the system refuses, the start fails
// with an error that Refused knows.
func Cut(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	a := cmd.SysProcAttr
	a.Cloneflags |= syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET
	// Not root in there: the capabilities of the namespace end with the first program.
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: inside(os.Getuid()), HostID: os.Getuid(), Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: inside(os.Getgid()), HostID: os.Getgid(), Size: 1}}
}

func inside(id int) int {
	if id == 0 {
		return 65534
	}
	return id
}

// Refused tells whether a start failed because the system gives no namespaces.
func Refused(err error) bool {
	for _, e := range []error{syscall.EPERM, syscall.EACCES, syscall.ENOSPC, syscall.EINVAL, syscall.ENOSYS, syscall.EUSERS} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// Door is the way out of a jail.
type Door struct{ ours, theirs *os.File }

// Prepare puts a command that has not been started into a jail. The helper is a command that calls Enter with
// the arguments that follow its own.
func Prepare(cmd *exec.Cmd, helper []string) (*Door, error) {
	if cmd.Err != nil {
		return nil, cmd.Err
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if err := unix.SetNonblock(pair[0], true); err != nil { // so that waiting has an end
		_, _ = unix.Close(pair[0]), unix.Close(pair[1])
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	d := &Door{ours: os.NewFile(uintptr(pair[0]), "jail"), theirs: os.NewFile(uintptr(pair[1]), "jail")}
	cmd.Args = append(append(append([]string(nil), helper...), cmd.Path), cmd.Args[1:]...)
	cmd.Path = helper[0]
	cmd.ExtraFiles = append([]*os.File{d.theirs}, cmd.ExtraFiles...) // descriptor 3
	Cut(cmd)
	cmd.SysProcAttr.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN} // to switch the loopback on; Enter gives it up
	return d, nil
}

// Listener waits for the listener of a jail whose command was started.
func (d *Door) Listener(timeout time.Duration) (net.Listener, error) {
	d.theirs.Close()
	defer d.ours.Close()
	conn, err := net.FileConn(d.ours)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer conn.Close()
	if err := conn.SetReadDeadline(time.Now().Add(timeout)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	text, rights := make([]byte, 1<<10), make([]byte, unix.CmsgSpace(4))
	n, m, _, _, err := conn.(*net.UnixConn).ReadMsgUnix(text, rights)
	if err != nil || m == 0 {
		return nil, fmt.Errorf("%w: the helper said %q (%v)", ErrUnavailable, text[:n], err)
	}
	return received(rights[:m])
}

// received makes a listener of the descriptor that came with a message.
func received(rights []byte) (net.Listener, error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) != 1 {
		return nil, fmt.Errorf("%w: %d control messages (%v)", ErrUnavailable, len(messages), err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return nil, fmt.Errorf("%w: %d descriptors (%v)", ErrUnavailable, len(fds), err)
	}
	f := os.NewFile(uintptr(fds[0]), "jail listener")
	defer f.Close()
	return net.FileListener(f)
}

// Close gives the door of a command up that was not started.
func (d *Door) Close() error { return errors.Join(d.ours.Close(), d.theirs.Close()) }
