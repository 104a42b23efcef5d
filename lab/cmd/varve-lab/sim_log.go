package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"sync"
	"time"

	"varve/clock"
)

// lineFile is a file of lines that is written in large pieces, but is never long behind: a test that
// reads the log of a running server waits a tenth of a second at most. Without a file it does nothing.
type lineFile struct {
	mu  sync.Mutex
	f   *os.File
	buf *bufio.Writer
}

func openLines(path string) (*lineFile, error) {
	if path == "" {
		return &lineFile{}, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &lineFile{f: f, buf: bufio.NewWriterSize(f, 64<<10)}, nil
}

// writer is nil when there is no file.
func (l *lineFile) writer() io.Writer {
	if l.f == nil {
		return nil
	}
	return l
}

// Write takes a line.
func (l *lineFile) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

// flushUntil writes what has come together every tenth of a second until the context ends.
func (l *lineFile) flushUntil(ctx context.Context, c clock.Clock) {
	for c.Sleep(ctx, 100*time.Millisecond) == nil {
		_ = l.flush() // an error stays in the buffer and is told by Close
	}
}

func (l *lineFile) flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.buf == nil {
		return nil
	}
	return l.buf.Flush()
}

// Close writes the rest.
func (l *lineFile) Close() error {
	if l.f == nil {
		return nil
	}
	err := l.flush()
	if cerr := l.f.Close(); err == nil {
		err = cerr
	}
	return err
}
