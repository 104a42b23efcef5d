package devtools

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// Handler takes an event as it is read. It must not wait for an answer of the browser, since it is
// in the way of that; Send is fine.
type Handler func(method string, params []byte)

// Session is a conversation with one target.
type Session struct {
	conn    *Conn
	id      string
	handler atomic.Pointer[Handler]
}

// Attach gives the session of an id that Target.attachToTarget or Target.attachedToTarget told.
func (c *Conn) Attach(id string, h Handler) *Session {
	s := &Session{conn: c, id: id}
	s.handler.Store(&h)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions[id] = s
	return s
}

// Detach forgets the session: its events are dropped.
func (s *Session) Detach() {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	if s.id != "" {
		delete(s.conn.sessions, s.id)
	}
}

// Handle sets the handler of the session's events.
func (s *Session) Handle(h Handler) { s.handler.Store(&h) }

// Call runs a command and waits for its result.
func Call[P, R any](ctx context.Context, s *Session, cmd cdp.Command[P, R], params P) (R, error) {
	var result R
	b, err := jsonv2.Marshal(params, jsonv2.AllowInvalidUTF8(true))
	if err != nil {
		return result, fmt.Errorf("%s: %w", cmd.Method, err)
	}
	raw, err := s.call(ctx, cmd.Method, b)
	if err != nil {
		return result, fmt.Errorf("%s: %w", cmd.Method, err)
	}
	if err := jsonv2.Unmarshal(raw, &result, jsonv2.AllowInvalidUTF8(true)); err != nil {
		return result, fmt.Errorf("%s: read the result: %w", cmd.Method, err)
	}
	return result, nil
}

// Send gives a command to the browser and does not wait. What becomes of it nobody learns.
func Send[P, R any](s *Session, cmd cdp.Command[P, R], params P) error {
	b, err := jsonv2.Marshal(params, jsonv2.AllowInvalidUTF8(true))
	if err != nil {
		return fmt.Errorf("%s: %w", cmd.Method, err)
	}
	_, _, err = s.send(cmd.Method, b, nil)
	return err
}

// Decode reads the parameters of an event.
func Decode[E any](_ cdp.Event[E], params []byte) (E, error) {
	var e E
	err := jsonv2.Unmarshal(params, &e, jsonv2.AllowInvalidUTF8(true))
	return e, err
}

func (s *Session) call(ctx context.Context, method string, params []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	id, ch, err := s.send(method, params, make(chan reply, 1))
	if err != nil {
		return nil, err
	}
	select {
	case r := <-ch:
		return r.result, r.err
	case <-ctx.Done():
		s.conn.mu.Lock()
		delete(s.conn.waiting, id)
		s.conn.mu.Unlock()
		return nil, context.Cause(ctx)
	}
}

// send writes a command; where somebody waits, the reply goes to ch.
func (s *Session) send(method string, params []byte, ch chan reply) (int64, chan reply, error) {
	c := s.conn
	c.mu.Lock()
	if c.err != nil {
		defer c.mu.Unlock()
		return 0, nil, c.err
	}
	c.last++
	id := c.last
	if ch != nil {
		c.waiting[id] = ch
	}
	c.mu.Unlock()
	if bytes.Equal(params, []byte("null")) {
		params = nil
	}
	b, err := jsonv2.Marshal(message{ID: id, SessionID: s.id, Method: method, Params: params}, jsonv2.AllowInvalidUTF8(true))
	if err == nil {
		c.writing.Lock()
		_, err = c.w.Write(append(b, 0))
		c.writing.Unlock()
	}
	if err != nil {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
		return 0, nil, fmt.Errorf("%w: %w", ErrClosed, err)
	}
	return id, ch, nil
}
