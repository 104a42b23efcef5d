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

// ErrTorn is the error of a last line that a crash cut: nobody was told that it was written.
var ErrTorn = errors.New("cut by a crash")

// MaxLine bounds one line.
const MaxLine = 4 << 20

// Append adds values as lines. When it returns without an error they are durable; after an error
// none or all of them may be there. Missing folders are made.
func Append[T any](path string, values ...T) error { return AppendAs(path, 0o644, values...) }

// AppendAs is Append for files that not everybody may read: perm is that of a file that is made.
func AppendAs[T any](path string, perm fs.FileMode, values ...T) error {
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
	return Update(path, perm, func(int64) ([]byte, error) { return b.Bytes(), nil })
}

// Update appends the lines that add gives, which may depend on what is in the file: no other process writes to it
// while add runs. Add is told the size of the file, 0 for a new one; where it gives none, nothing happens.
func Update(path string, perm fs.FileMode, add func(size int64) (lines []byte, err error)) error {
	if err := update(path, perm, add); err != nil {
		return fmt.Errorf("append to %s: %w", path, err)
	}
	return nil
}

func update(path string, perm fs.FileMode, add func(int64) ([]byte, error)) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, perm|perm>>2&0o111); err != nil { // who may read the file may look into the folder
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, perm)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	end, err := mend(f)
	if err != nil {
		return err
	}
	lines, err := add(end)
	if err != nil || len(lines) == 0 {
		return err
	}
	if _, err := f.WriteAt(lines, end); err != nil {
		return errors.Join(err, f.Truncate(end)) // half a line is worse than none
	}
	if err := f.Sync(); err != nil || end > 0 {
		return err
	}
	return errors.Join(whole.SyncDir(dir), whole.SyncDir(filepath.Dir(dir))) // the file is new, and maybe its folder
}

// mend gives a file an end behind a whole line and tells where. A last line without an end is a torn write, which was
// never acknowledged: it is cut. If it can be read, an editor left it so: it gets its end.
func mend(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	size := info.Size()
	last, err := lastLine(f, size)
	switch {
	case err != nil || len(last) == 0:
		return size, err
	case json.Valid(last):
		_, err = f.WriteAt([]byte{'\n'}, size)
		return size + 1, err
	}
	return size - int64(len(last)), f.Truncate(size - int64(len(last)))
}

// lastLine gives what follows the last end of a line.
func lastLine(f *os.File, size int64) ([]byte, error) {
	for length := int64(4 << 10); ; length *= 8 {
		from := max(0, size-length)
		b := make([]byte, size-from)
		if _, err := f.ReadAt(b, from); err != nil {
			return nil, err
		}
		i := bytes.LastIndexByte(b, '\n')
		if i >= 0 || from == 0 {
			return b[i+1:], nil
		}
		if length > MaxLine {
			return nil, fmt.Errorf("the last line is longer than %d bytes", MaxLine)
		}
	}
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

// Each gives the values of a file to take, in the order they were written, in the manner of all readers of this program: a line that
// cannot be read, or that take refuses, loses only itself. Such lines are counted and named by the error, which is a *BadLines
// then; with any other error the file was not read to its end. A line that a crash cut was never acknowledged and is not told of.
func Each[T any](path string, take func(T) error) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return EachOf(f, path, take)
}

// EachOf is Each for what is no file of ours; name is for errors.
func EachOf[T any](r io.Reader, name string, take func(T) error) (unread error) {
	var bad BadLines
	lines(r, name, func(v T, n int, err error) bool {
		switch {
		case errors.Is(err, ErrTorn):
			return true
		case n == 0:
			unread = err
			return false
		case err == nil:
			if err = take(v); err != nil {
				err = fmt.Errorf("%s, line %d: %w", name, n, err)
			}
		}
		if err != nil {
			bad.Add(err)
		}
		return true
	})
	if unread != nil {
		return unread
	}
	return bad.Err()
}

// namedLines is how many bad lines are named.
const namedLines = 20

// BadLines are lines of a journal that cannot be read. They hide nothing else: all others were read.
type BadLines struct {
	N     int     // how many
	Lines []error // the first of them, with their numbers
}

// Add counts a line, and keeps what is wrong with it if it is one of the first.
func (e *BadLines) Add(err error) {
	if e.N++; e.N <= namedLines {
		e.Lines = append(e.Lines, err)
	}
}

// Err gives the lines as an error, nil where there are none.
func (e *BadLines) Err() error {
	if e == nil || e.N == 0 {
		return nil
	}
	return e
}

// Error names the lines.
func (e *BadLines) Error() string {
	text := errors.Join(e.Lines...).Error()
	if more := e.N - len(e.Lines); more > 0 {
		text += fmt.Sprintf("\nand %d more", more)
	}
	return text
}

// Unwrap gives the errors of the lines that are named.
func (e *BadLines) Unwrap() []error { return e.Lines }

// Lost parts an error of Each: what the lines that were passed over say, nil for none, and what kept the rest from being read.
func Lost(err error) (lines *BadLines, unread error) {
	if errors.As(err, &lines) {
		return lines, nil
	}
	return nil, err
}

// Parse gives the values of a journal that is no file of ours; name is for errors.
func Parse[T any](r io.Reader, name string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) { from(r, name, yield) }
}

func from[T any](src io.Reader, name string, yield func(T, error) bool) {
	lines(src, name, func(v T, _ int, err error) bool { return yield(v, err) })
}

// lines gives the values with the numbers of their lines. An error without a number is the last: what follows cannot be read.
func lines[T any](src io.Reader, name string, yield func(v T, n int, err error) bool) {
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
		switch ended := err == nil; {
		case ended || errors.Is(err, io.EOF):
			if err = json.Unmarshal(line, &v); err != nil && !ended {
				err = fmt.Errorf("%w: %w", ErrTorn, err)
			}
		case !errors.Is(err, errLong): // the disk: reading on would give the same again, for ever
			yield(v, 0, fmt.Errorf("%s, line %d: %w", name, n, err))
			return
		}
		if err != nil {
			err = fmt.Errorf("%s, line %d: %w", name, n, err)
		}
		if !yield(v, n, err) {
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
