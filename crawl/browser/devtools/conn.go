package devtools

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// ErrTooLarge is returned when the answer to a command is over the limit of the connection.
var ErrTooLarge = errors.New("the answer of the browser is too large")

// ErrClosed is wrapped when the connection to the browser has ended.
var ErrClosed = errors.New("the browser has gone")

// Conn is a connection to a browser. It is safe for concurrent use.
type Conn struct {
	r     io.ReadCloser
	w     io.WriteCloser
	limit int
	done  chan struct{}

	writing sync.Mutex

	mu       sync.Mutex
	last     int64
	waiting  map[int64]chan reply
	sessions map[string]*Session
	err      error
}

// reply is what came back for a command.
type reply struct {
	result []byte
	err    error
}

// message is what crosses the pipe, in both directions.
type message struct {
	ID        int64        `json:"id,omitempty"`
	SessionID string       `json:"sessionId,omitempty"`
	Method    string       `json:"method,omitempty"`
	Params    jsonv2.Value `json:"params,omitempty"`
	Result    jsonv2.Value `json:"result,omitempty"`
	Error     *Error       `json:"error,omitempty"`
}

// Error is what the browser says when it will not.
type Error struct {
	Code    int64  `json:"code"`
	Message string `json:"message"`
	Data    string `json:"data,omitempty"`
}

// Error gives the browser's words.
func (e *Error) Error() string {
	if e.Data != "" {
		return e.Message + " (" + e.Data + ")"
	}
	return e.Message
}

// New begins to read from r, which the browser writes to; commands go to w. Messages over limit
// bytes are dropped.
func New(r io.ReadCloser, w io.WriteCloser, limit int) *Conn {
	c := &Conn{r: r, w: w, limit: limit, done: make(chan struct{}), waiting: map[int64]chan reply{}, sessions: map[string]*Session{}}
	c.sessions[""] = &Session{conn: c}
	go c.read()
	return c
}

// Root gives the session with the browser itself.
func (c *Conn) Root() *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sessions[""]
}

// Done is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Close ends the connection, which makes the browser exit.
func (c *Conn) Close() error {
	c.fail(ErrClosed)
	err := errors.Join(c.w.Close(), c.r.Close())
	<-c.done
	return err
}

// read takes messages until the pipe ends.
func (c *Conn) read() {
	br := bufio.NewReaderSize(c.r, 64<<10)
	var buf []byte
	for {
		b, whole, err := readMessage(br, buf[:0], c.limit)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				err = fmt.Errorf("%w: %w", ErrClosed, err)
			} else {
				err = ErrClosed
			}
			c.fail(err)
			close(c.done)
			return
		}
		buf = b
		if !whole {
			c.tooLarge(b)
			continue
		}
		c.take(b)
	}
}

// readMessage reads up to the zero byte. Of a message over the limit it gives the start, and whole
// is false.
func readMessage(br *bufio.Reader, buf []byte, limit int) (b []byte, whole bool, err error) {
	whole = true
	for {
		part, err := br.ReadSlice(0)
		if whole {
			buf = append(buf, part...)
		}
		if len(buf) > limit {
			buf, whole = buf[:min(len(buf), 64)], false
		}
		switch {
		case err == nil:
			return bytes.TrimSuffix(buf, []byte{0}), whole, nil
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return nil, false, err
		}
	}
}

// tooLarge fails the command whose answer begins with b, if it is one.
func (c *Conn) tooLarge(b []byte) {
	rest, ok := bytes.CutPrefix(b, []byte(`{"id":`))
	if !ok {
		return
	}
	digits, _, _ := bytes.Cut(rest, []byte(","))
	if id, err := strconv.ParseInt(string(digits), 10, 64); err == nil {
		c.answer(id, reply{err: ErrTooLarge})
	}
}

// take hands a message to whom it is for.
func (c *Conn) take(b []byte) {
	var m message
	if jsonv2.Unmarshal(b, &m, jsonv2.AllowInvalidUTF8(true)) != nil {
		return // not of this protocol
	}
	if m.ID != 0 {
		r := reply{result: m.Result}
		if m.Error != nil {
			r.err = m.Error
		}
		c.answer(m.ID, r)
		return
	}
	c.mu.Lock()
	s := c.sessions[m.SessionID]
	c.mu.Unlock()
	if s == nil {
		return
	}
	if h := s.handler.Load(); h != nil {
		(*h)(m.Method, m.Params)
	}
}

// answer gives a reply to the caller who waits for it.
func (c *Conn) answer(id int64, r reply) {
	c.mu.Lock()
	ch := c.waiting[id]
	delete(c.waiting, id)
	c.mu.Unlock()
	if ch != nil {
		ch <- r
	}
}

// fail ends all that wait.
func (c *Conn) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
	for id, ch := range c.waiting {
		delete(c.waiting, id)
		ch <- reply{err: c.err}
	}
}
