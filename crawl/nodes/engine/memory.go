package engine

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
)

// Memory is an engine within a process. Handles made by Join share its content; each can be cut off.
type Memory struct {
	mu      sync.Mutex
	changed *sync.Cond
	rev     uint64
	keys    map[string]Entry
	gone    map[string]Entry // deleted keys, for those who watch
	log     []Message        // in order; trimmed ones are taken out
	seq     uint64
	objects map[string][]byte
}

// NewMemory returns an empty engine.
func NewMemory() *Memory {
	m := &Memory{keys: map[string]Entry{}, gone: map[string]Entry{}, objects: map[string][]byte{}}
	m.changed = sync.NewCond(&m.mu)
	return m
}

// Join returns a handle on the engine, as one node has it.
func (m *Memory) Join() *Handle { return &Handle{m: m} }

// Handle is how one node reaches a Memory.
type Handle struct {
	m   *Memory
	cut bool // of m.mu
}

var _ Engine = (*Handle)(nil)

// ErrCut is what a handle returns that was cut off.
var ErrCut = errors.New("the engine cannot be reached")

// Cut cuts the node off, or puts it back. Watchers and followers go on where they were.
func (h *Handle) Cut(off bool) {
	h.m.mu.Lock()
	defer h.m.mu.Unlock()
	h.cut = off
	h.m.changed.Broadcast()
}

// begin locks the engine, unless it cannot be reached.
func (h *Handle) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	h.m.mu.Lock()
	if h.cut {
		h.m.mu.Unlock()
		return ErrCut
	}
	return nil
}

// Get is part of Table.
func (h *Handle) Get(ctx context.Context, key string) (Entry, error) {
	if err := h.begin(ctx); err != nil {
		return Entry{}, err
	}
	defer h.m.mu.Unlock()
	e, ok := h.m.keys[key]
	if !ok {
		return Entry{}, ErrNotFound
	}
	return e, nil
}

// Put is part of Table.
func (h *Handle) Put(ctx context.Context, key string, value []byte, last uint64) (uint64, error) {
	if err := h.begin(ctx); err != nil {
		return 0, err
	}
	defer h.m.mu.Unlock()
	if h.m.keys[key].Revision != last {
		return 0, ErrConflict
	}
	h.m.rev++
	h.m.keys[key] = Entry{Key: key, Value: append([]byte{}, value...), Revision: h.m.rev}
	delete(h.m.gone, key)
	h.m.changed.Broadcast()
	return h.m.rev, nil
}

// Delete is part of Table.
func (h *Handle) Delete(ctx context.Context, key string, last uint64) error {
	if err := h.begin(ctx); err != nil {
		return err
	}
	defer h.m.mu.Unlock()
	if e, ok := h.m.keys[key]; !ok || e.Revision != last {
		return ErrConflict
	}
	h.m.rev++
	delete(h.m.keys, key)
	h.m.gone[key] = Entry{Key: key, Revision: h.m.rev}
	h.m.changed.Broadcast()
	return nil
}

// List is part of Table.
func (h *Handle) List(ctx context.Context, prefix string) ([]Entry, error) {
	if err := h.begin(ctx); err != nil {
		return nil, err
	}
	defer h.m.mu.Unlock()
	var out []Entry
	for key, e := range h.m.keys {
		if strings.HasPrefix(key, prefix) {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Key, b.Key) })
	return out, nil
}

// Watch is part of Table.
func (h *Handle) Watch(ctx context.Context, prefix string, each func(Entry)) error {
	m := h.m
	stop := context.AfterFunc(ctx, m.wakeAll)
	defer stop()
	var seen uint64
	for {
		m.mu.Lock()
		news := h.newsOf(prefix, seen)
		for len(news) == 0 && ctx.Err() == nil {
			m.changed.Wait()
			news = h.newsOf(prefix, seen)
		}
		m.mu.Unlock()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, e := range news {
			each(e)
			seen = e.Revision
		}
	}
}

// newsOf returns what changed behind a revision, in order.
func (h *Handle) newsOf(prefix string, seen uint64) (news []Entry) {
	if h.cut || h.m.rev <= seen {
		return nil
	}
	for _, all := range []map[string]Entry{h.m.keys, h.m.gone} {
		for key, e := range all {
			if e.Revision > seen && strings.HasPrefix(key, prefix) {
				news = append(news, e)
			}
		}
	}
	slices.SortFunc(news, func(a, b Entry) int { return int(a.Revision) - int(b.Revision) })
	return news
}

func (m *Memory) wakeAll() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.changed.Broadcast()
}

// Append is part of Log.
func (h *Handle) Append(ctx context.Context, messages ...Message) (uint64, error) {
	if err := h.begin(ctx); err != nil {
		return 0, err
	}
	defer h.m.mu.Unlock()
	for _, msg := range messages {
		h.m.seq++
		msg.Seq, msg.Data = h.m.seq, bytes.Clone(msg.Data)
		h.m.log = append(h.m.log, msg)
	}
	h.m.changed.Broadcast()
	return h.m.seq, nil
}

// Last is part of Log.
func (h *Handle) Last(ctx context.Context) (uint64, error) {
	if err := h.begin(ctx); err != nil {
		return 0, err
	}
	defer h.m.mu.Unlock()
	return h.m.seq, nil
}

// Follow is part of Log.
func (h *Handle) Follow(ctx context.Context, subjects []string, after uint64, each func(Message) error) error {
	m := h.m
	stop := context.AfterFunc(ctx, m.wakeAll)
	defer stop()
	for {
		m.mu.Lock()
		news := h.messages(subjects, after, m.seq)
		for len(news) == 0 && ctx.Err() == nil {
			m.changed.Wait()
			news = h.messages(subjects, after, m.seq)
		}
		m.mu.Unlock()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for i, msg := range news {
			msg.Left = int64(len(news) - 1 - i)
			if err := each(msg); err != nil {
				return err
			}
			after = msg.Seq
		}
	}
}

// Read is part of Log.
func (h *Handle) Read(ctx context.Context, subjects []string, after, upTo uint64, each func(Message) error) error {
	if err := h.begin(ctx); err != nil {
		return err
	}
	news := h.messages(subjects, after, upTo)
	h.m.mu.Unlock()
	for _, msg := range news {
		if err := each(msg); err != nil {
			return err
		}
	}
	return nil
}

func (h *Handle) messages(subjects []string, after, upTo uint64) (out []Message) {
	if h.cut {
		return nil
	}
	from, _ := slices.BinarySearchFunc(h.m.log, after+1, func(m Message, seq uint64) int { return int(m.Seq) - int(seq) })
	for _, msg := range h.m.log[from:] {
		if msg.Seq <= upTo && slices.Contains(subjects, msg.Subject) {
			out = append(out, msg)
		}
	}
	return out
}

// Trim is part of Log.
func (h *Handle) Trim(ctx context.Context, subject string, upTo uint64) error {
	if err := h.begin(ctx); err != nil {
		return err
	}
	defer h.m.mu.Unlock()
	h.m.log = slices.DeleteFunc(h.m.log, func(m Message) bool { return m.Subject == subject && m.Seq <= upTo })
	return nil
}

// Store is part of Shelf.
func (h *Handle) Store(ctx context.Context, name string, r io.Reader) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := h.begin(ctx); err != nil {
		return err
	}
	defer h.m.mu.Unlock()
	h.m.objects[name] = b
	return nil
}

// Fetch is part of Shelf.
func (h *Handle) Fetch(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := h.begin(ctx); err != nil {
		return nil, err
	}
	defer h.m.mu.Unlock()
	b, ok := h.m.objects[name]
	if !ok {
		return nil, ErrNotFound
	}
	return io.NopCloser(bytes.NewReader(b)), nil
}

// Remove is part of Shelf.
func (h *Handle) Remove(ctx context.Context, name string) error {
	if err := h.begin(ctx); err != nil {
		return err
	}
	defer h.m.mu.Unlock()
	delete(h.m.objects, name)
	return nil
}
