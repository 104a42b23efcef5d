package replay

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"sync"

	"varve/archive/catalog"
	"varve/archive/warc"
)

// Files is a Records over WARC files, wherever they lie. It keeps the files used last open.
type Files struct {
	find func(collection, file string) (catalog.File, error)

	mu   sync.Mutex
	open map[string]*openFile
	use  int64
}

// openFile is an open file; it is closed when it has been put out of the cache and nobody reads it.
type openFile struct {
	*warc.File
	users int
	out   bool
	last  int64
}

// maxOpen bounds the files that are kept open.
const maxOpen = 128

// NewFiles makes a Files; find finds a file of a collection.
func NewFiles(find func(collection, file string) (catalog.File, error)) *Files {
	return &Files{find: find, open: map[string]*openFile{}}
}

// Record opens the record that a place means. Digests are compared while it is read: Record.Finish tells a
// *warc.Finding if the payload is not what the record itself says.
func (f *Files) Record(ctx context.Context, collection, file string, at warc.Place) (*warc.Record, io.Closer, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	found, err := f.find(collection, file)
	if err != nil {
		return nil, nil, err
	}
	opened, err := f.take(found)
	if err != nil {
		return nil, nil, err
	}
	opts := warc.Options{Name: filepath.Base(found.Path), Policy: warc.Silent(), Verify: true}
	opts.Policy.Digest = warc.Fail
	rec, reader, err := opened.Record(at, opts)
	if err != nil {
		f.give(opened)
		return nil, nil, err
	}
	return rec, &readerCloser{reader: reader, free: func() { f.give(opened) }}, nil
}

// Close closes all files; readers that are open keep theirs until they are closed.
func (f *Files) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for name, file := range f.open {
		file.out = true
		if file.users == 0 {
			errs = append(errs, file.Close())
		}
		delete(f.open, name)
	}
	return errors.Join(errs...)
}

// take gives an open file and counts its user.
func (f *Files) take(found catalog.File) (*openFile, error) {
	path := found.Path
	f.mu.Lock()
	defer f.mu.Unlock()
	f.use++
	if file := f.open[path]; file != nil {
		file.users++
		file.last = f.use
		return file, nil
	}
	opened, err := warc.OpenFrom(path, found.From)
	if err != nil {
		return nil, err
	}
	if len(f.open) >= maxOpen {
		f.evict()
	}
	file := &openFile{File: opened, users: 1, last: f.use}
	f.open[path] = file
	return file, nil
}

// evict puts the file used longest ago out.
func (f *Files) evict() {
	oldest := ""
	for name, file := range f.open {
		if oldest == "" || file.last < f.open[oldest].last {
			oldest = name
		}
	}
	file := f.open[oldest]
	delete(f.open, oldest)
	file.out = true
	if file.users == 0 {
		file.Close()
	}
}

// give ends the use of a file.
func (f *Files) give(file *openFile) {
	f.mu.Lock()
	defer f.mu.Unlock()
	file.users--
	if file.out && file.users == 0 {
		file.Close()
	}
}

// readerCloser closes a reader once and gives its file back.
type readerCloser struct {
	reader *warc.Reader
	free   func()
	once   sync.Once
}

// Close ends the reading of a record.
func (c *readerCloser) Close() error {
	var err error
	c.once.Do(func() {
		err = c.reader.Close()
		c.free()
	})
	return err
}
