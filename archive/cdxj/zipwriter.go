package cdxj

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// DefaultBlockLines is the number of lines in a block, as others have it.
const DefaultBlockLines = 3000

var newline = []byte{'\n'}

// ZipOptions says how a ZipNum file is written.
type ZipOptions struct {
	Lines int    // in a block; 0 means DefaultBlockLines
	WACZ  bool   // write the idx of WACZ instead of the classic one
	Name  string // of the data: the shard in a classic idx, the file name in a WACZ idx
	Level int    // of gzip, 1 (fast) to 9 (small); 0 means the default
}

// ZipWriter writes sorted lines as gzip members, and an idx over them.
type ZipWriter struct {
	data, idx io.Writer
	opts      ZipOptions
	zip       *gzip.Writer
	buf       bytes.Buffer // the block under construction, compressed
	block     Block
	inBlock   int
	lines     int64
	order     order
	started   bool
	err       error
}

// NewZipWriter makes a ZipWriter. The caller must call Close at the end.
func NewZipWriter(data, idx io.Writer, o ZipOptions) *ZipWriter {
	if o.Lines <= 0 {
		o.Lines = DefaultBlockLines
	}
	w := &ZipWriter{data: data, idx: idx, opts: o}
	zip, err := gzip.NewWriterLevel(&w.buf, level(o.Level))
	if err != nil { // no such level
		w.err = err
	}
	w.zip = zip
	return w
}

func level(n int) int {
	if n == 0 {
		return gzip.DefaultCompression
	}
	return n
}

// Lines gives the number of lines written.
func (w *ZipWriter) Lines() int64 { return w.lines }

// WriteLine writes a line, which must not be less than the one before it.
func (w *ZipWriter) WriteLine(line []byte) error {
	if w.err != nil {
		return w.err
	}
	if err := w.accept(line); err != nil {
		return err
	}
	w.err = w.write(line)
	return w.err
}

// accept refuses lines that would break the file; it changes nothing then.
func (w *ZipWriter) accept(line []byte) error {
	if startOf(line) == nil || line[0] == '!' || bytes.ContainsAny(line, "\r\n") {
		return &LineError{w.lines + 1, fmt.Errorf("%q is no CDXJ line", clip(string(line)))}
	}
	return w.order.check(line, w.lines+1)
}

// startOf gives the key and timestamp of a line, or nil.
func startOf(line []byte) []byte {
	i := bytes.IndexByte(line, ' ')
	if i <= 0 || bytes.IndexByte(line[:i], '\t') >= 0 {
		return nil
	}
	j := bytes.IndexByte(line[i+1:], ' ')
	if j <= 0 || bytes.IndexByte(line[i+1:i+1+j], '\t') >= 0 {
		return nil
	}
	return line[:i+1+j]
}

func (w *ZipWriter) write(line []byte) error {
	if err := w.start(); err != nil {
		return err
	}
	if w.inBlock == 0 {
		w.block.Start = string(startOf(line))
	}
	w.lines++
	w.inBlock++
	if _, err := w.zip.Write(line); err != nil {
		return err
	}
	if _, err := w.zip.Write(newline); err != nil {
		return err
	}
	if w.inBlock < w.opts.Lines {
		return nil
	}
	return w.endBlock()
}

// start writes the header of a WACZ idx.
func (w *ZipWriter) start() error {
	if w.started {
		return nil
	}
	w.started = true
	if strings.ContainsAny(w.opts.Name, "\t\r\n") {
		return fmt.Errorf("ZipNum name %q holds a tab or line end", clip(w.opts.Name))
	}
	if !w.opts.WACZ {
		return nil
	}
	_, err := io.WriteString(w.idx, waczMeta{waczFormat, w.opts.Name}.header()+"\n")
	return err
}

// endBlock writes the block and its idx line.
func (w *ZipWriter) endBlock() error {
	if err := w.zip.Close(); err != nil {
		return err
	}
	b := &w.block
	b.Shard, b.Length, b.Seq = w.opts.Name, int64(w.buf.Len()), b.Seq+1
	line := b.classic()
	if w.opts.WACZ {
		sum := sha256.Sum256(w.buf.Bytes())
		b.Digest = "sha256:" + hex.EncodeToString(sum[:])
		line = b.wacz()
	}
	if _, err := w.data.Write(w.buf.Bytes()); err != nil {
		return fmt.Errorf("write block %d: %w", b.Seq, err)
	}
	if _, err := io.WriteString(w.idx, line+"\n"); err != nil {
		return fmt.Errorf("write idx line %d: %w", b.Seq, err)
	}
	b.Offset += b.Length
	w.inBlock = 0
	w.buf.Reset()
	w.zip.Reset(&w.buf)
	return nil
}

// Close writes the last block. It does not close the files.
func (w *ZipWriter) Close() error {
	if w.err != nil {
		return w.err
	}
	w.err = w.start()
	if w.err == nil && w.inBlock > 0 {
		w.err = w.endBlock()
	}
	if w.err != nil {
		return w.err
	}
	w.err = errors.New("ZipNum writer is closed")
	return nil
}

func sortedNames(s Shards) []string { return slices.Sorted(maps.Keys(s)) }
