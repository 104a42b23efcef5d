package cli

import (
	"bufio"
	"context"
	"io"
	"os"
	"sync"
	"time"

	"varve/clock"
)

// LineFile is a file of lines that is written in large pieces, but is never long behind: a test that
// reads the log of a running server waits a tenth of a second at most. Without a file it does nothing.
type LineFile struct {
	mu  sync.Mutex
	f   *os.File
	buf *bufio.Writer
}

// OpenLines creates the file; with an empty path it is one that takes nothing.
func OpenLines(path string) (*LineFile, error) {
	if path == "" {
		return &LineFile{}, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &LineFile{f: f, buf: bufio.NewWriterSize(f, 64<<10)}, nil
}

// Writer is nil when there is no file.
func (l *LineFile) Writer() io.Writer {
	if l.f == nil {
		return nil
	}
	return l
}

// Write takes a line.
func (l *LineFile) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

// FlushUntil writes what has come together every tenth of a second until the context ends.
func (l *LineFile) FlushUntil(ctx context.Context, c clock.Clock) {
	for c.Sleep(ctx, 100*time.Millisecond) == nil {
		_ = l.flush() // an error stays in the buffer and is told by Close
	}
}

func (l *LineFile) flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.buf == nil {
		return nil
	}
	return l.buf.Flush()
}

// Close writes the rest.
func (l *LineFile) Close() error {
	if l.f == nil {
		return nil
	}
	err := l.flush()
	if cerr := l.f.Close(); err == nil {
		err = cerr
	}
	return err
}
