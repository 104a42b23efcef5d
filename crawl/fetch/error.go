package fetch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// Class says what sort of failure ended a fetch, in words that stay the same in reports.
type Class string

// The classes of failure.
const (
	BadRequest Class = "bad-request"  // the request itself cannot be sent
	NoName     Class = "dns-no-name"  // the name does not exist
	DNSFailure Class = "dns"          // the lookup failed
	Guarded    Class = "guard"        // the address or port must not be reached
	NoConnect  Class = "connect"      // refused, unreachable
	BadProxy   Class = "proxy"        // the proxy would not
	BadTLS     Class = "tls"          // handshake or certificate
	Reset      Class = "reset"        // the peer cut the connection hard
	Disconnect Class = "disconnect"   // the peer closed before the end
	Protocol   Class = "protocol"     // the bytes are no HTTP
	HeadLarge  Class = "head-too-big" // head over the limit
	BodyLarge  Class = "too-large"    // body over the limit
	Declined   Class = "declined"     // the caller did not want the body
	TooSlow    Class = "too-slow"     // under the minimum rate
	Canceled   Class = "canceled"     // the caller gave up
	Local      Class = "local"        // this machine failed: disk, sockets

	DNSTimeout     Class = "timeout-dns"
	ConnectTimeout Class = "timeout-connect"
	TLSTimeout     Class = "timeout-tls"
	WriteTimeout   Class = "timeout-write"
	HeadTimeout    Class = "timeout-first-byte"
	IdleTimeout    Class = "timeout-idle"
	TotalTimeout   Class = "timeout-total"
)

// Error is what ended a fetch before the whole answer was there.
type Error struct {
	Class Class
	URL   string
	Err   error
}

func (e *Error) Error() string { return fmt.Sprintf("fetch %s: %s: %v", e.URL, e.Class, e.Err) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Timeout tells whether a deadline of ours ran out.
func (e *Error) Timeout() bool {
	switch e.Class {
	case DNSTimeout, ConnectTimeout, TLSTimeout, WriteTimeout, HeadTimeout, IdleTimeout, TotalTimeout, TooSlow:
		return true
	}
	return false
}

// Retry tells whether the same request may succeed later. What the server is, or what we refuse,
// does not change by trying again.
func (e *Error) Retry() bool {
	switch e.Class {
	case BadRequest, Guarded, Protocol, HeadLarge, BodyLarge, Declined, Canceled:
		return false
	}
	return true
}

// Broken tells whether the network or the server ended the answer, not a limit of ours: the rest of it may come another time.
func (e *Error) Broken() bool {
	return e.Class == Reset || e.Class == Disconnect || e.Class == IdleTimeout
}

// ClassOf gives the class of an error from this package, or "".
func ClassOf(err error) Class {
	var e *Error
	if errors.As(err, &e) {
		return e.Class
	}
	return ""
}

// Reason is why a recorded answer is not whole, in the words of WARC-Truncated.
type Reason string

// The reasons. Whole answers have the empty one.
const (
	Whole              Reason = ""
	TruncatedLength    Reason = "length"
	TruncatedTime      Reason = "time"
	TruncatedBroken    Reason = "disconnect"
	TruncatedOtherwise Reason = "unspecified"
)

// reason maps what ended a body to the word of the WARC standard.
func (e *Error) reason() Reason {
	switch {
	case e.Class == BodyLarge, e.Class == Declined:
		return TruncatedLength
	case e.Timeout():
		return TruncatedTime
	case e.Class == Reset || e.Class == Disconnect:
		return TruncatedBroken
	}
	return TruncatedOtherwise
}

// fault is an error whose class is known where it arises.
type fault struct {
	class Class
	err   error
}

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

// classIn gives the class that an error is marked with, or "".
func classIn(err error) Class {
	if err == nil {
		return ""
	}
	var f *fault
	if errors.As(err, &f) {
		return f.class
	}
	return ""
}

// as marks an error with its class, unless it has one.
func as(class Class, err error) error {
	if err == nil || classIn(err) != "" {
		return err
	}
	return &fault{class, err}
}

func faultf(class Class, format string, args ...any) error {
	return &fault{class, fmt.Errorf(format, args...)}
}

// broken classifies the error of a read or write on a connection; timedOut is the class that an
// expired deadline has in this phase.
func broken(err error, timedOut Class) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return as(timedOut, err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrClosedPipe):
		return as(Disconnect, err)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNABORTED):
		return as(Reset, err)
	}
	return as(Disconnect, err)
}
