//go:build !linux

package jail

import (
	"errors"
	"net"
	"os/exec"
	"time"
)

// Cut does nothing: only Linux gives programs a network of their own.
func Cut(*exec.Cmd) {}

// Refused tells whether a start failed because the system gives no namespaces.
func Refused(error) bool { return false }

// Door is the way out of a jail.
type Door struct{}

// Prepare says that there are no jails.
func Prepare(*exec.Cmd, []string) (*Door, error) { return nil, ErrUnavailable }

// Listener says that there are no jails.
func (*Door) Listener(time.Duration) (net.Listener, error) { return nil, ErrUnavailable }

// Close does nothing.
func (*Door) Close() error { return nil }

// Enter says that there are no jails.
func Enter([]string) error { return errors.New("jail: only on Linux") }
