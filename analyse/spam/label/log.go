package label

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Log is the label file of a collection. It may not exist yet.
type Log struct{ path string }

// Open gives the log of spam labels of a collection that lies in dir.
func Open(dir string) *Log { return &Log{filepath.Join(dir, "labels", "spam.jsonl")} }

// Path is where the log lies.
func (l *Log) Path() string { return l.path }

// All reads all entries, oldest line first; none where there is no file.
func (l *Log) All() (out []Entry, err error) {
	f, err := os.Open(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = Read(f, func(e Entry) error { out = append(out, e); return nil })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.path, err)
	}
	return out, nil
}

// Latest reads the entry in force of each host.
func (l *Log) Latest() (map[string]Entry, error) {
	all, err := l.All()
	return Latest(all), err
}

// Append adds entries and returns when they are on disk. All are checked before the first is written.
func (l *Log) Append(entries ...Entry) error {
	lines, err := appendLines(nil, entries)
	if err != nil || len(entries) == 0 {
		return err
	}
	return l.locked(func(f *os.File) error { return appendTo(f, lines) })
}

// locked opens the file for this process alone. Readers do not lock: they see whole lines, or pass over the last.
func (l *Log) locked(do func(*os.File) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(l.path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("lock %s: %w", l.path, err)
	}
	return do(f)
}

// appendTo writes lines behind the last whole one.
func appendTo(f *os.File, lines []byte) error {
	end, err := wholeLines(f)
	if err != nil {
		return err
	}
	if end == 0 {
		lines = append(appendHeader(nil), lines...)
	}
	if err := f.Truncate(end); err != nil {
		return err
	}
	if _, err := f.WriteAt(lines, end); err != nil {
		return errors.Join(err, f.Truncate(end))
	}
	return f.Sync()
}

// wholeLines is the size of a file without a last line that has no end. If that line is an entry, written by an
// editor, it gets its end.
func wholeLines(f *os.File) (int64, error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return 0, err
	}
	from := max(0, size-maxLine)
	tail := make([]byte, size-from)
	if _, err := f.ReadAt(tail, from); err != nil {
		return 0, err
	}
	at := bytes.LastIndexByte(tail, '\n') + 1
	rest := tail[at:]
	if len(rest) == 0 {
		return size, nil
	}
	if at == 0 && from > 0 {
		return 0, fmt.Errorf("the last line of %s is longer than %d bytes", f.Name(), maxLine)
	}
	if _, _, err := parse(rest, from == 0 && at == 0); err != nil {
		return from + int64(at), nil //nolint:nilerr // torn: it was never acknowledged
	}
	_, err = f.WriteAt([]byte{'\n'}, size)
	return size + 1, err
}
