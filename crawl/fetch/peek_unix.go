//go:build unix

package fetch

import "syscall"

// quiet tells whether an idle connection is still open and has no bytes waiting. Bytes that came
// unasked would be taken for the next answer; a closed connection would cost a second try.
func (c *conn) quiet() bool {
	if c.sys == nil {
		return true
	}
	err := c.sys.Control(c.peek) // not Read: the deadline of an earlier read may have passed
	return err == nil && c.peeked == syscall.EAGAIN
}

func (c *conn) peekSocket(fd uintptr) {
	var b [1]byte
	_, _, c.peeked = syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
}
