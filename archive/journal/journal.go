package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"syscall"

	"varve/archive/whole"
)

// MaxLine bounds one line.
const MaxLine = 4 << 20

// Append adds values as lines. When it returns without an error they are durable; after an error
// none or all of them may be there. Missing folders are made.
func Append[T any](path string, values ...T) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, v := range values {
		before := b.Len()
		if err := enc.Encode(v); err != nil {
			return fmt.Errorf("append to %s: %w", path, err)
		}
		if n := b.Len() - before; n > MaxLine {
			return fmt.Errorf("append to %s: a line of %d bytes, at most %d are kept", path, n, MaxLine)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	if err := appendDurably(path, b.Bytes()); err != nil {
		return fmt.Errorf("append to %s: %w", path, err)
	}
	return nil
}

func appendDurably(path string, lines []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	size, torn, err := tail(f)
	if err != nil {
		return err
	}
	if torn {
		lines = append([]byte{'\n'}, lines...)
	}
	if _, err := f.Write(lines); err != nil {
		return errors.Join(err, f.Truncate(size)) // half a line is worse than none
	}
	if err := f.Sync(); err != nil || size > 0 {
		return err
	}
	return whole.SyncDir(filepath.Dir(path)) // the file is new
}

// tail tells how long a file is and whether its last line has no end.
func tail(f *os.File) (size int64, torn bool, err error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return 0, false, err
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], info.Size()-1); err != nil {
		return 0, false, err
	}
	return info.Size(), last[0] != '\n', nil
}

// Read gives the values of a file in the order they were written; none if the file is not there. A
// line that cannot be read gives an error that names it, and the reading goes on behind it.
func Read[T any](path string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(none, err)
			return
		}
		defer f.Close()
		from(f, path, yield)
	}
}

// Parse gives the values of a journal that is no file of ours; name is for errors.
func Parse[T any](r io.Reader, name string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) { from(r, name, yield) }
}

func from[T any](src io.Reader, name string, yield func(T, error) bool) {
	r := bufio.NewReaderSize(src, 64<<10)
	for n := 1; ; n++ {
		line, err := readLine(r)
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return
		}
		var v T
		if len(bytes.TrimSpace(line)) == 0 && err == nil {
			continue
		}
		if err == nil || errors.Is(err, io.EOF) {
			if bad := json.Unmarshal(line, &v); bad != nil {
				err = fmt.Errorf("%s, line %d: %w", name, n, bad)
			} else {
				err = nil
			}
		} else {
			err = fmt.Errorf("%s, line %d: %w", name, n, err)
		}
		if !yield(v, err) {
			return
		}
	}
}

// errLong is the error of a line over MaxLine.
var errLong = fmt.Errorf("longer than %d bytes", MaxLine)

// readLine gives the next line. Of one that is too long the rest is passed over.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > MaxLine {
			line, long = nil, true
		}
		if !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long && (err == nil || errors.Is(err, io.EOF)) {
			return []byte{'?'}, errLong
		}
		return line, err
	}
}
