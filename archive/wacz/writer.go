package wacz

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path"
	"strings"
	"sync"

	"varve/archive/capture"
	"varve/archive/cdxj"
	"varve/archive/warc"
	"varve/archive/warc/tool"
	"varve/archive/whole"
)

// Writer makes one package: AddWARC and AddFile as often as needed, then Finish; Close always. It
// is for one goroutine.
type Writer struct {
	cfg    Config
	zip    *zipWriter
	sorter *cdxj.Sorter
	dir    string        // of our temporary files
	folder *whole.Folder // it
	detect *detector
	format cdxj.Format
	line   []byte

	pages, extra *spool
	spools       []*spool
	names        map[string]bool // paths taken
	resources    []Resource
	labels       map[string]bool // resource names taken
	sum          Summary
	mainURL      string
	mainDate     string
	buffers      sync.Pool
	failed       error
}

// NewWriter makes a Writer of a package that goes to out, from front to back. The caller must call
// Close at the end.
func NewWriter(out io.Writer, cfg Config) (*Writer, error) {
	folder, err := whole.NewFolder(cfg.Dir, "wacz") // what a killed export left goes with it
	if err != nil {
		return nil, fmt.Errorf("make a temporary directory: %w", err)
	}
	w := &Writer{
		cfg: cfg, dir: folder.Path, folder: folder, zip: newZipWriter(out, cfg.Created),
		sorter: cdxj.NewSorter(folder.Path, cdxj.SortOptions{Memory: cfg.SortMemory, Unique: true}),
		detect: newDetector(cfg.Seeds, cfg.MainPageURL),
		names:  map[string]bool{}, labels: map[string]bool{},
		mainURL: cfg.MainPageURL, mainDate: formatTime(cfg.MainPageDate),
	}
	w.buffers.New = func() any { b := make([]byte, 64<<10); return &b }
	if err := w.startPages(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// AddWARC puts a WARC file into archive/ and its captures into the index. The name is that of the
// file; its ending is made to tell the packing. The file must not change meanwhile.
func (w *Writer) AddWARC(ctx context.Context, name string, src io.ReaderAt, size int64) error {
	if w.failed != nil {
		return w.failed
	}
	if err := w.addWARC(ctx, name, src, size); err != nil {
		w.failed = fmt.Errorf("pack %s: %w", name, err)
	}
	return w.failed
}

func (w *Writer) addWARC(ctx context.Context, name string, src io.ReaderAt, size int64) (err error) {
	file, err := warc.NewFile(name, src, size)
	if err != nil {
		return err
	}
	if w.cfg.Remake != nil {
		again, err := w.remade(ctx, name, file, src, size)
		if err != nil {
			return err
		}
		if again != nil {
			defer func() { err = errors.Join(err, again.Close(), os.Remove(again.Name())) }()
			info, err := again.Stat()
			if err != nil {
				return err
			}
			src, size = again, info.Size()
			if file, err = warc.NewFile(name, src, size); err != nil {
				return err
			}
		}
	}
	packing, err := packingOf(file)
	if err != nil {
		return err
	}
	entry, err := warcName(name, packing)
	if err == nil {
		err = w.take(entry)
	}
	if err != nil {
		return err
	}
	if err := w.index(ctx, file, src, strings.TrimPrefix(entry, archiveDir)); err != nil {
		return err
	}
	return w.store(ctx, entry, src, size)
}

func packingOf(f *warc.File) (warc.Compression, error) {
	r, err := f.ReaderAt(0, warc.Options{Policy: warc.Silent()})
	if err != nil {
		return "", err
	}
	defer r.Close()
	return r.Compression(), nil
}

// remade writes a file that cannot be packed as it is once more, with a member for each record; nil if it can be.
func (w *Writer) remade(ctx context.Context, name string, file *warc.File, src io.ReaderAt, size int64) (out *os.File, err error) {
	err = warc.Scan(ctx, file, warc.Options{Policy: warc.Silent()}, max(1, w.cfg.Workers), fits, func(struct{}) error { return nil })
	if !errors.Is(err, ErrArc) && !errors.Is(err, ErrSharedMember) {
		return nil, err
	}
	if out, err = os.CreateTemp(w.dir, "remade-*.warc.gz"); err != nil {
		return nil, err
	}
	in, err := tool.NewInput(name, src, size)
	if err == nil {
		_, err = tool.Repair(ctx, in, tool.RepairOptions{Packing: warc.Packing{Kind: warc.Gzip}, ArcToWarc: true, Random: w.cfg.Remake, TempDir: w.dir}, out)
	}
	if err != nil {
		return nil, errors.Join(err, out.Close(), os.Remove(out.Name()))
	}
	return out, nil
}

// take reserves a path.
func (w *Writer) take(p string) error {
	if w.names[p] {
		return fmt.Errorf("%s is in the package already", p)
	}
	w.names[p] = true
	return nil
}

// index reads all records of a file.
func (w *Writer) index(ctx context.Context, file *warc.File, src io.ReaderAt, name string) error {
	n := newNoter(src, name, w.cfg.Text, &w.buffers)
	win := capture.NewWindow(w.capture)
	opts := warc.Options{Policy: warc.Lenient(), OnFinding: w.cfg.OnFinding}
	err := warc.Scan(ctx, file, opts, max(1, w.cfg.Workers), n.note, func(n *capture.Note) error {
		w.sum.Records++
		return win.Add(n)
	})
	if err != nil {
		return err
	}
	return win.Flush()
}

// capture writes the index line of a capture and notes the page that it is.
func (w *Writer) capture(n *capture.Note) error {
	if !w.cfg.GivenPages {
		if p, ok := w.detect.page(n); ok {
			if err := w.addPage(p); err != nil {
				return err
			}
		}
	}
	if n.NotModified && !w.cfg.NotModified {
		w.sum.NotModified++
		return nil
	}
	if err := n.CDX.Check(); err != nil {
		return fmt.Errorf("record at %d: %w", n.CDX.Offset, err)
	}
	w.line = w.format.Append(w.line[:0], &n.CDX)
	return w.sorter.Add(w.line)
}

// store copies the bytes of a file into the ZIP. The CRC stands before them, so they are read
// twice; a file that changes in between is noticed.
func (w *Writer) store(ctx context.Context, entry string, src io.ReaderAt, size int64) error {
	crc := crc32.NewIEEE()
	if _, err := io.Copy(crc, &section{ctx: ctx, r: io.NewSectionReader(src, 0, size)}); err != nil {
		return err
	}
	again, sum := crc32.NewIEEE(), sha256.New()
	r := io.TeeReader(&section{ctx: ctx, r: io.NewSectionReader(src, 0, size)}, io.MultiWriter(again, sum))
	e := zipEntry{name: entry, method: methodStore, crc: crc.Sum32(), packed: size, size: size}
	if err := w.zip.add(e, r); err != nil {
		return err
	}
	if again.Sum32() != e.crc {
		return errors.New("the file changed while it was packed")
	}
	w.list(entry, formatSHA256(sum.Sum(nil)), size)
	return nil
}

// section is a reader that ends with its context.
type section struct {
	ctx context.Context
	r   io.Reader
}

// Read gives bytes as long as nobody has stopped the work.
func (s *section) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

// spool makes a spool that Close removes.
func (w *Writer) spool(deflate bool) (*spool, error) {
	s, err := newSpool(w.dir, deflate)
	if s != nil {
		w.spools = append(w.spools, s)
	}
	return s, err
}

// addSpool writes a spool into the ZIP and removes it.
func (w *Writer) addSpool(p string, s *spool) error {
	e, r, err := s.flush(p)
	if err != nil {
		return err
	}
	if err := w.zip.add(e, r); err != nil {
		return err
	}
	w.list(p, formatSHA256(s.sum.Sum(nil)), s.size)
	return s.close()
}

// list enters a resource into the manifest, under a name that no other has.
func (w *Writer) list(p, hash string, size int64) {
	name := label(path.Base(p))
	if w.labels[name] {
		name = label(p)
	}
	for base, i := name, 2; w.labels[name]; i++ {
		name = fmt.Sprintf("%s-%d", base, i)
	}
	w.labels[name] = true
	w.resources = append(w.resources, Resource{Name: name, Path: p, Hash: hash, Bytes: size})
}

// label brings text into the form of Frictionless names: lower case letters, digits, ".", "-", "_".
func label(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '.', r == '-', r == '_':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, s)
}
