package websim

import (
	"net/http"
	"strconv"
	"time"
)

// End says what happens to the connection after a step.
type End uint8

// The ends of a connection.
const (
	Go    End = iota // it goes on with the next step or request
	Close            // it is closed in good order
	Reset            // it is reset
	Hang             // nothing more comes, and it is not closed
)

// Step is one act of sending an answer: wait, send, perhaps end the connection. Servers and
// transports play the steps of an answer in order.
type Step struct {
	Pause time.Duration // before each sending
	Data  []byte
	Times int64 // how often Data is sent; 0 is once, -1 is without end
	Then  End
}

// Plain tells whether the answer goes over the wire as head and body in one piece, without a delay:
// the common case, which a server can do faster than by steps.
func (a *Answer) Plain() bool { return a.play == nil && !a.Chunked && a.Delay == 0 }

// Script gives the steps of sending the answer to a request of the given method.
func (a *Answer) Script(method string) []Step {
	bare := method == http.MethodHead || a.Status == http.StatusNotModified
	var steps []Step
	switch {
	case a.play != nil && !bare:
		steps = a.play(a)
	case bare:
		steps = []Step{{Data: a.AppendHead(nil)}}
	case a.Chunked:
		steps = []Step{{Data: append(chunks(a.AppendHead(nil), a.Body), "0\r\n\r\n"...)}}
	default:
		steps = []Step{{Data: append(a.AppendHead(nil), a.Body...)}}
	}
	steps[0].Pause += a.Delay
	if last := &steps[len(steps)-1]; a.Close && last.Then == Go {
		last.Then = Close
	}
	return steps
}

const chunkSize = 4096

// chunks appends a body in chunks, without the last one of length 0.
func chunks(dst, body []byte) []byte {
	for len(body) > 0 {
		n := min(len(body), chunkSize)
		dst = strconv.AppendInt(dst, int64(n), 16)
		dst = append(append(append(dst, "\r\n"...), body[:n]...), "\r\n"...)
		body = body[n:]
	}
	return dst
}
