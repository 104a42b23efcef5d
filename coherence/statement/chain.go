package statement

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"varve/archive/scan"
	"varve/archive/store"
	"varve/archive/warc"
	"varve/archive/whole"
	"varve/coherence/evidence"
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
func ReadChain(ctx context.Context, src evidence.Source, workers int) (out *File, err error) {
	out = &File{Name: filepath.Base(src.Path)}
	c, err := openChain(ctx, src, func(r *Record) error { out.Records = append(out.Records, *r); return nil })
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.file.Close()) }()
	if err := heads(ctx, src, workers, &c.cutter); err != nil {
		return nil, fmt.Errorf("chain of %s: %w", src.Path, err)
	}
	out.Size, out.Chain = c.size, c.hex()
	return out, nil
}

// heads hands the records of a file to a cutter.
func heads(ctx context.Context, src evidence.Source, workers int, c *cutter) error {
	if err := scan.File(ctx, src.Path, scan.Options{Name: src.Path, From: src.From, Cores: workers, Policy: warc.Silent()}, &scan.Task{Sink: c}); err != nil {
		return err
	}
	return c.end()
}

// boundaries finds where the records of a file begin. Several records in one member are one.
func boundaries(ctx context.Context, src evidence.Source, workers int) (out []Record, err error) {
	info, err := store.Stat(src.Path, src.From)
	if err != nil {
		return nil, err
	}
	c := &cutter{size: info.Size, emit: func(r *Record) error { out = append(out, *r); return nil }}
	return out, heads(ctx, src, workers, c)
}

// cutter tells where the records of a file lie, as a scan comes to them: each reaches to the next one.
type cutter struct {
	size  int64 // of the file
	emit  func(*Record) error
	begun bool
	now   Record // whose end is not known yet; before the first one a dictionary, or damage
}

// Take is told of the next record of the file.
func (c *cutter) Take(t *scan.Taken) error {
	if c.begun && c.now.Offset == t.Offset {
		return nil // it shares the member
	}
	if c.begun || t.Offset > 0 {
		c.now.Length = t.Offset - c.now.Offset
		if err := c.emit(&c.now); err != nil {
			return err
		}
	}
	c.begun, c.now = true, Record{ID: plainID(t.ID), Offset: t.Offset}
	return nil
}

// end tells the last record.
func (c *cutter) end() error {
	c.now.Length = c.size - c.now.Offset
	return c.emit(&c.now)
}

// chain hashes the records of a file one after the other.
type chain struct {
	cutter
	ctx  context.Context
	file store.Object
	sum  hash.Hash
	link [sha256.Size]byte
	give func(*Record) error // gets each record with its mark
}

// openChain begins the chain of a file. The caller closes the file.
func openChain(ctx context.Context, src evidence.Source, give func(*Record) error) (*chain, error) {
	f, err := store.Open(src.Path, src.From)
	if err != nil {
		return nil, err
	}
	c := &chain{ctx: ctx, file: f, sum: sha256.New(), link: sha256.Sum256([]byte(chainStart)), give: give}
	c.cutter = cutter{size: f.Size(), emit: c.add}
	return c, nil
}

// add reads a record, which the scan has just read, gives it its mark and adds it to the chain.
func (c *chain) add(r *Record) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	c.sum.Reset()
	if n, err := io.Copy(c.sum, io.NewSectionReader(c.file, r.Offset, r.Length)); err != nil || n != r.Length {
		return fmt.Errorf("hash the record at %d: %w", r.Offset, cmp.Or(err, io.ErrUnexpectedEOF))
	}
	sum := c.sum.Sum(nil)
	r.Mark = base64.RawURLEncoding.EncodeToString(sum[:markSize])
	c.link = sha256.Sum256(append(c.link[:], sum...))
	return c.give(r)
}

func (c *chain) hex() string { return hex.EncodeToString(c.link[:]) }

// Chains makes the chains of files in the scans that read them for their evidence (evidence.Options.Beside). Records wait in temporary
// files, so memory does not grow with them.
type Chains struct {
	ctx  context.Context
	dir  string
	want func(path string) bool

	mu   sync.Mutex
	made map[string]*chained
}

// chained is a chain as it stands in a statement.
type chained struct {
	name, chain   string
	size, records int64
	text          *os.File  // of the records, with commas between them
	source        io.Closer // while it is read
}

// NewChains makes chains of the files that want names; nil: of all. Temporary files are in a directory. Close them when the statement is made.
func NewChains(ctx context.Context, dir string, want func(path string) bool) *Chains {
	return &Chains{ctx: ctx, dir: dir, want: want, made: map[string]*chained{}}
}

// Open makes what takes the records of a file.
func (c *Chains) Open(src evidence.Source) (evidence.Sink, error) {
	path := src.Path
	if c.want != nil && !c.want(path) {
		return nil, nil
	}
	text, err := whole.Scratch(c.dir)
	if err != nil {
		return nil, err
	}
	k := &chainSink{chains: c, path: path, text: bufio.NewWriterSize(text, 1<<16), chained: &chained{name: filepath.Base(path), text: text}}
	if k.chain, err = openChain(c.ctx, src, k.write); err != nil {
		return nil, errors.Join(err, text.Close())
	}
	k.source = k.file
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.made[path]; old != nil {
		err = old.close()
	}
	c.made[path] = k.chained
	return k, err
}

// of returns the chain of a file; nil if it was not made, or the file is another now.
func (c *Chains) of(src evidence.Source) *chained {
	if c == nil {
		return nil
	}
	info, err := store.Stat(src.Path, src.From)
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.made[src.Path]; k != nil && k.chain != "" && err == nil && info.Size == k.size {
		return k
	}
	return nil
}

// Close removes the temporary files.
func (c *Chains) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var err error
	for _, k := range c.made {
		err = errors.Join(err, k.close())
	}
	clear(c.made)
	return err
}

func (k *chained) close() error {
	err := k.text.Close()
	if k.source != nil {
		err = errors.Join(err, k.source.Close())
	}
	return err
}

// chainSink makes the chain of one file.
type chainSink struct {
	*chain
	*chained
	chains *Chains
	path   string
	text   *bufio.Writer
	buf    []byte
}

func (k *chainSink) write(r *Record) error {
	k.buf = k.buf[:0]
	if k.records > 0 {
		k.buf = append(k.buf, ',')
	}
	k.records++
	k.buf = appendString(k.buf, r.text())
	_, err := k.text.Write(k.buf)
	return err
}

// Close ends the chain.
func (k *chainSink) Close() error {
	err := errors.Join(k.end(), k.text.Flush(), k.file.Close())
	k.chains.mu.Lock()
	defer k.chains.mu.Unlock()
	if k.source = nil; err == nil {
		k.chained.size, k.chained.chain = k.cutter.size, k.hex()
	}
	return err
}
