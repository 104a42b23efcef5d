package warc

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"

	"varve"
)

// OpenSuffix marks a file that is still being written.
const OpenSuffix = ".open"

// WriterConfig says where and how records are written.
type WriterConfig struct {
	Dir     string
	FS      FS                 // Disk{} if nil
	Name    func(n int) string // file name without extension for the n-th file of this writer
	Packing Packing
	MaxSize int64 // a file that has reached it is closed; DefaultMaxSize if 0
	// Info makes the first record of a file, usually warcinfo; nil for none.
	Info func(fileName string) (*Entry, error)
	// Finished is called with each file that got its final name; nil for nobody.
	Finished func(fileName string)
}

// DefaultMaxSize is the size of files that the field is used to.
const DefaultMaxSize = 1 << 30

// spoolLimit is the unpacked size up to which a group of records is compressed in memory, outside
// the lock. Larger ones are streamed to the file inside it.
const spoolLimit = 4 << 20

// Writer appends records to a series of WARC files in a directory. It is safe for concurrent use:
// callers compress in parallel, append one after the other, and share syncs. A write is
// acknowledged only after it is durable.
//
//	name-00000.warc.gz.open ──(MaxSize or Close: sync, rename, sync directory)──> name-00000.warc.gz
//
// After a failed sync nothing is known about the file any more, so the writer refuses all further
// work; Recover sorts it out.
type Writer struct {
	cfg   WriterConfig
	spool sync.Pool // *spool

	mu     sync.Mutex
	file   Handle
	name   string // final base name of the open file
	size   int64
	count  int             // of the next file's name
	taken  map[string]bool // names that were there before
	broken error           // sticky

	syncs syncGroup
}

type spool struct {
	enc *Encoder
	buf bytes.Buffer
	at  []int64 // end of each record in buf
}

// NewWriter makes a writer. It creates the directory, and no file before the first record.
func NewWriter(cfg WriterConfig) (*Writer, error) {
	if cfg.FS == nil {
		cfg.FS = Disk{}
	}
	if cfg.MaxSize <= 0 {
		cfg.MaxSize = DefaultMaxSize
	}
	if cfg.Name == nil {
		return nil, errors.New("warc writer: no file names given")
	}
	if _, err := NewEncoder(cfg.Packing); err != nil {
		return nil, err
	}
	if err := cfg.FS.MkdirAll(cfg.Dir); err != nil {
		return nil, err
	}
	names, err := cfg.FS.List(cfg.Dir)
	if err != nil {
		return nil, err
	}
	w := &Writer{cfg: cfg, taken: map[string]bool{}}
	for _, n := range names {
		w.taken[strings.TrimSuffix(n, OpenSuffix)] = true
	}
	w.spool.New = func() any {
		enc, _ := NewEncoder(cfg.Packing) // tried above
		return &spool{enc: enc}
	}
	return w, nil
}

// Ticket is a write that was appended and may not be durable yet.
type Ticket struct {
	Locations []varve.Location
	w         *Writer
	seq       uint64
}

// Wait returns once the write is durable, or tells why it never will be.
func (t *Ticket) Wait() error { return t.w.syncs.wait(t.seq) }

// Write appends the records of one capture next to each other in one file and returns when they
// are durable.
func (w *Writer) Write(entries ...*Entry) ([]varve.Location, error) {
	t, err := w.Append(entries...)
	if err != nil {
		return nil, err
	}
	return t.Locations, t.Wait()
}

// Append is Write without the waiting: the records are only promised once Ticket.Wait returns.
func (w *Writer) Append(entries ...*Entry) (*Ticket, error) {
	if len(entries) == 0 {
		return nil, errors.New("warc writer: nothing to write")
	}
	var total int64
	for _, e := range entries {
		total += e.Block.Size()
	}
	s := w.spool.Get().(*spool)
	defer w.putSpool(s)
	if total <= spoolLimit {
		if err := s.pack(entries); err != nil {
			return nil, err
		}
		return w.append(s, nil)
	}
	return w.append(s, entries)
}

func (w *Writer) putSpool(s *spool) {
	if s.buf.Cap() <= 2*spoolLimit {
		w.spool.Put(s)
	}
}

// pack compresses entries into the spool.
func (s *spool) pack(entries []*Entry) error {
	s.buf.Reset()
	s.at = s.at[:0]
	for _, e := range entries {
		if err := s.enc.Encode(&s.buf, e); err != nil {
			return err
		}
		s.at = append(s.at, int64(s.buf.Len()))
	}
	return nil
}

// append puts what is in the spool, or the entries if they are large, at the end of the file.
func (w *Writer) append(s *spool, entries []*Entry) (*Ticket, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken != nil {
		return nil, w.broken
	}
	if err := w.ready(); err != nil {
		return nil, err
	}
	start, locations, err := w.size, []varve.Location(nil), error(nil)
	if entries == nil {
		_, err = w.file.Write(s.buf.Bytes())
		w.size += int64(s.buf.Len())
		locations = place(w.name, start, s.at)
	} else {
		locations, err = w.stream(s.enc, entries)
	}
	if err != nil {
		return nil, w.undo(start, err)
	}
	return &Ticket{Locations: locations, w: w, seq: w.syncs.note(w.file)}, nil
}

func place(name string, start int64, ends []int64) []varve.Location {
	out := make([]varve.Location, len(ends))
	from := int64(0)
	for i, end := range ends {
		out[i] = varve.Location{File: name, Offset: start + from, Length: end - from}
		from = end
	}
	return out
}

// stream encodes large records straight into the file.
func (w *Writer) stream(enc *Encoder, entries []*Entry) ([]varve.Location, error) {
	out := make([]varve.Location, 0, len(entries))
	for _, e := range entries {
		start := w.size
		if err := enc.Encode(&sizedFile{w}, e); err != nil {
			return nil, err
		}
		out = append(out, varve.Location{File: w.name, Offset: start, Length: w.size - start})
	}
	return out, nil
}

type sizedFile struct{ w *Writer }

func (s *sizedFile) Write(p []byte) (int, error) {
	n, err := s.w.file.Write(p)
	s.w.size += int64(n)
	return n, err
}

// undo cuts a write that failed half way (a full disk), so that the file stays sound. If even
// that fails the writer is broken.
func (w *Writer) undo(size int64, cause error) error {
	cause = fmt.Errorf("append to %s: %w", w.name, cause)
	if err := w.file.Truncate(size); err != nil {
		w.broken = fmt.Errorf("%w; and cutting the torn tail failed: %w", cause, err)
		return w.broken
	}
	w.size = size
	return cause
}
