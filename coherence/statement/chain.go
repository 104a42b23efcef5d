package statement

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"varve/archive/scan"
	"varve/archive/warc"
)

// chainStart is what the chain of an empty file is the hash of.
const chainStart = "varve-chain/1"

// markSize is how many bytes of a record's hash are its mark.
const markSize = 9

// Record is a record of a file as the chain sees it: everything from its start to the next record.
type Record struct {
	ID     string // without angle brackets and "urn:uuid:"; empty for bytes that belong to no record
	Offset int64
	Length int64
	Mark   string // base64 of the first 72 bits of the SHA-256 of its bytes in the file
}

// text is a record in a statement: "length mark id".
func (r *Record) text() string {
	return strconv.FormatInt(r.Length, 10) + " " + r.Mark + " " + r.ID
}

// parseRecord reads what text wrote; offset is where the record before it ended.
func parseRecord(s string, offset int64) (Record, error) {
	length, rest, ok := strings.Cut(s, " ")
	mark, id, ok2 := strings.Cut(rest, " ")
	n, err := strconv.ParseInt(length, 10, 64)
	if !ok || !ok2 || err != nil || n < 0 || strconv.FormatInt(n, 10) != length {
		return Record{}, fmt.Errorf("record %.80q: want length, mark and id", s)
	}
	return Record{ID: id, Offset: offset, Length: n, Mark: mark}, nil
}

// plainID cuts what all ids have in common.
func plainID(id string) string {
	id = strings.TrimSuffix(strings.TrimPrefix(id, "<"), ">")
	return strings.TrimPrefix(id, "urn:uuid:")
}

// File is the chain of one file.
type File struct {
	Name    string // without directories
	Size    int64
	Chain   string // hex
	Records []Record
}

// ReadChain reads a file and makes its chain.
func ReadChain(ctx context.Context, path string, workers int) (*File, error) {
	records, err := boundaries(ctx, path, workers)
	if err != nil {
		return nil, fmt.Errorf("records of %s: %w", path, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := &File{Name: filepath.Base(path), Records: records}
	out.Size, out.Chain, err = hashRecords(ctx, bufio.NewReaderSize(f, 1<<20), records)
	if err != nil {
		return nil, fmt.Errorf("hash %s: %w", path, err)
	}
	return out, nil
}

// boundaries finds where the records of a file begin. Several records in one member are one.
func boundaries(ctx context.Context, path string, workers int) (out []Record, err error) {
	f, err := warc.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	heads := scan.SinkFunc(func(t *scan.Taken) error {
		if n := len(out); n == 0 && t.Offset > 0 {
			out = append(out, Record{}) // a dictionary, or damage, before the first record
		} else if n > 0 && out[n-1].Offset == t.Offset {
			return nil
		}
		out = append(out, Record{ID: plainID(t.ID), Offset: t.Offset})
		return nil
	})
	if err := scan.Run(ctx, f, scan.Options{Name: path, Cores: workers, Policy: warc.Silent()}, &scan.Task{Sink: heads}); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		out = append(out, Record{})
	}
	for i := range out {
		end := f.Size()
		if i+1 < len(out) {
			end = out[i+1].Offset
		}
		out[i].Length = end - out[i].Offset
	}
	return out, nil
}

// hashRecords reads the records one after the other, fills their marks and gives the chain.
func hashRecords(ctx context.Context, r io.Reader, records []Record) (size int64, chain string, err error) {
	link := sha256.Sum256([]byte(chainStart))
	h := sha256.New()
	for i := range records {
		if err := ctx.Err(); err != nil {
			return 0, "", err
		}
		h.Reset()
		n, err := io.CopyN(h, r, records[i].Length)
		if err != nil {
			return 0, "", fmt.Errorf("record %d at %d: %w", i, records[i].Offset, err)
		}
		size += n
		sum := h.Sum(nil)
		records[i].Mark = base64.RawURLEncoding.EncodeToString(sum[:markSize])
		link = sha256.Sum256(append(link[:], sum...))
	}
	return size, hex.EncodeToString(link[:]), nil
}
