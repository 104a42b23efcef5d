package scan

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"varve/archive/capture"
	"varve/archive/cdxj"
)

// Part is how much of a record a mapper wants.
type Part int

// The parts of a record, each with those before it.
const (
	Nothing Part = iota
	Head         // header, HTTP head, named fields
	Body         // the payload too: Item.Body, Item.Content
)

// Limits bound what a mapper may take for one item. Zero fields mean the defaults.
type Limits struct {
	Time    time.Duration // DefaultTime
	Memory  int64         // bytes of the heap of a worker; DefaultMemory. Without workers it is not held.
	Content int64         // bytes of content that it is given; DefaultContent
}

// The limits of a mapper that names none.
const (
	DefaultTime    = time.Minute
	DefaultMemory  = 512 << 20
	DefaultContent = 16 << 20
)

func (l Limits) complete() Limits {
	if l.Time <= 0 {
		l.Time = DefaultTime
	}
	if l.Memory <= 0 {
		l.Memory = DefaultMemory
	}
	if l.Content <= 0 {
		l.Content = DefaultContent
	}
	return l
}

// Mapper is one analysis of records. What it makes of an item must depend on the item and on Config alone.
type Mapper struct {
	Name   string
	Needs  []string // mappers whose results of the same item it reads (Item.Result)
	Limits Limits
	// Wants says by the head which part of a record the mapper is to get; Nothing passes it over. nil stands for the
	// payloads of all captures.
	Wants func(*Item) Part
	// Trusted reports whether an item may be mapped in this process though there are workers: for readers of our own whose time and
	// memory are bounded by the size of what they read. nil: none may.
	Trusted func(*Item) bool
	Sums    bool // it wants Item.Rest of payloads that are too long to be held

	// Config is what a worker needs beside the name to make the same mapper: Registry gets it as JSON.
	Config any

	open func() Func
}

// Func maps items, one after the other: it may keep buffers between them.
type Func func(ctx context.Context, it *Item) (any, error)

// New makes a mapper of a function from items to values of type T. The values go through encoding/gob when they come from
// a worker: T is a pointer to a struct with exported fields, a slice, a string, ...; nil is no result. open is called for each goroutine that maps.
func New[T any](m Mapper, open func() func(ctx context.Context, it *Item) (T, error)) *Mapper {
	var zero T
	gob.Register(zero)
	m.Limits = m.Limits.complete()
	m.open = func() Func {
		f := open()
		return func(ctx context.Context, it *Item) (any, error) {
			v, err := f(ctx, it)
			if r := reflect.ValueOf(&v).Elem(); err != nil || mayBeNil(r.Kind()) && r.IsNil() {
				return nil, err
			}
			return v, nil
		}
	}
	return &m
}

// trustedSize is how long a payload may be that is read without the care of a worker.
const trustedSize = 256 << 10

// Plain reports whether a payload is short and of a kind that needs no program of its own to be read: pages, styles, scripts, text; or one
// that is only digested: pictures, sounds, films, fonts. It is what Trusted is for readers that are linear in what they read.
func Plain(it *Item) bool {
	content, _ := it.Content()
	for _, magic := range []string{"%PDF", "PK\x03\x04", "\xd0\xcf\x11\xe0", "{\\rtf"} { // documents, whatever they are called
		if bytes.Contains(content[:min(len(content), 1<<10)], []byte(magic)) {
			return false
		}
	}
	kind, _, _ := strings.Cut(it.MIME, "/")
	switch kind {
	case "image", "audio", "video", "font":
		return true
	}
	if len(content) > trustedSize {
		return false
	}
	switch it.MIME {
	case "application/xhtml+xml", "application/javascript", "application/x-javascript", "application/json", "application/ld+json", "application/xml", "application/rss+xml", "application/atom+xml", "":
		return true
	}
	return kind == "text"
}

func mayBeNil(k reflect.Kind) bool {
	return k == reflect.Pointer || k == reflect.Slice || k == reflect.Map
}

func (m *Mapper) wants(it *Item) Part {
	switch {
	case m.Wants != nil:
		return m.Wants(it)
	case it.Capture:
		return Body
	}
	return Nothing
}

// Taken is what a sink gets of one record.
type Taken struct {
	*Item
	Note   *capture.Note // with the request and the metadata that belong to it
	Crawl  string        // isPartOf of the last warcinfo before it
	Result any           // of the sink's mapper; nil if it wanted nothing of the record, or failed
	Err    error         // why there is no result
}

// Sink takes the records of a file in order, all of them, once their requests and metadata are known. It must not keep
// them.
type Sink interface {
	Take(t *Taken) error
}

// SinkFunc is a function as a sink.
type SinkFunc func(t *Taken) error

// Take calls the function.
func (f SinkFunc) Take(t *Taken) error { return f(t) }

// Captures is a task that puts the index lines of all captures: it wants heads alone.
func Captures(put func(*cdxj.Record) error) *Task {
	return &Task{Sink: SinkFunc(func(t *Taken) error {
		if !t.Capture {
			return nil
		}
		return put(&t.Note.CDX)
	})}
}

// Why an item has no result.
var (
	ErrTime    = errors.New("took too long")
	ErrMemory  = errors.New("needs too much memory")
	ErrPanic   = errors.New("panic")
	ErrDied    = errors.New("the process that read it ended")
	ErrSkipped = errors.New("failed before")
)

// ordered sorts mappers so that each comes after those it needs.
func ordered(tasks []*Task) ([]*Task, error) {
	byName := map[string]*Task{}
	for _, t := range tasks {
		if t.Mapper == nil {
			continue
		}
		if byName[t.Mapper.Name] != nil {
			return nil, fmt.Errorf("two mappers are called %q", t.Mapper.Name)
		}
		byName[t.Mapper.Name] = t
	}
	const visiting, done = 1, 2
	state := map[*Task]int{}
	var out []*Task
	var visit func(t *Task) error
	visit = func(t *Task) error {
		switch state[t] {
		case visiting:
			return fmt.Errorf("mapper %q needs itself", t.Mapper.Name)
		case done:
			return nil
		}
		state[t] = visiting
		if t.Mapper != nil {
			for _, n := range t.Mapper.Needs {
				if byName[n] == nil {
					return fmt.Errorf("mapper %q needs %q, which is not there", t.Mapper.Name, n)
				}
				if err := visit(byName[n]); err != nil {
					return err
				}
			}
		}
		state[t] = done
		out = append(out, t)
		return nil
	}
	for _, t := range tasks {
		if err := visit(t); err != nil {
			return nil, err
		}
	}
	return out, nil
}
