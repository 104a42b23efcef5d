package varve

import (
	"errors"
	"net/http"
	"strings"
)

// Kind says what sort of failure an Error is. It decides the HTTP status and the exit code, once.
type Kind string

// The kinds of failure.
const (
	Invalid     Kind = "invalid"     // the caller's input is wrong
	NotFound    Kind = "not_found"   // what was asked for is not there
	Conflict    Kind = "conflict"    // it is there, but someone else holds or changed it
	Forbidden   Kind = "forbidden"   // it is there, but not for this caller
	Unavailable Kind = "unavailable" // the environment fails: disk, network, a missing program
	Internal    Kind = "internal"    // our own mistake
)

// Error is the one error type that reaches people: what was tried, what went wrong, what to do next.
type Error struct {
	Kind Kind
	Op   string // what was tried: "open collection news"
	Msg  string // what went wrong, in plain words
	Hint string // what to do next; may be empty
	Err  error  // the cause; may be nil
}

// Error gives one line: operation, message, cause.
func (e *Error) Error() string {
	parts := make([]string, 0, 3)
	for _, s := range []string{e.Op, e.Msg} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	if len(parts) == 0 {
		return string(e.Kind)
	}
	return strings.Join(parts, ": ")
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf tells the kind of any error: that of the first *Error in its chain, else Internal.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok && e.Kind != "" {
		return e.Kind
	}
	return Internal
}

// HintOf gives the advice that comes with an error, or "".
func HintOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Hint
	}
	return ""
}

// HTTPStatus maps an error to the status of a problem+json answer.
func HTTPStatus(err error) int {
	switch KindOf(err) {
	case Invalid:
		return http.StatusBadRequest
	case NotFound:
		return http.StatusNotFound
	case Conflict:
		return http.StatusConflict
	case Forbidden:
		return http.StatusForbidden
	case Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// The exit codes of every command.
const (
	ExitDone     = 0 // done
	ExitFindings = 1 // done with findings, or stopped early
	ExitFailed   = 2 // could not: usage, input, lock, environment
)

// ErrFindings is returned by a command that did its work and has findings to report.
var ErrFindings = errors.New("done with findings")

// ExitCode maps the error of a command to its exit code.
func ExitCode(err error) int {
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, ErrFindings):
		return ExitFindings
	}
	return ExitFailed
}
