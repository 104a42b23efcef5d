package store

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	blockSize = 1 << 20
	maxRun    = 8 // blocks that are fetched at once for a reader that goes in order
)

// CacheConfig bounds a cache.
type CacheConfig struct {
	Memory int64  // bytes; at least two blocks are kept
	Dir    string // where blocks lie on disk; "": nowhere
	Disk   int64  // bytes on disk
}

// Cached is a store whose objects are read through a cache of blocks. What is deleted through it is deleted from the cache too.
type Cached struct {
	Store
	cfg CacheConfig

	mu      sync.Mutex
	blocks  map[blockID]*list.Element // of *block
	order   *list.List                // used last first
	bytes   int64
	fetches map[blockID]*fetch

	disk    map[string]*list.Element // of *diskBlock, by file name
	onDisk  *list.List
	diskSum int64
	fault   error // why nothing is kept on disk any more
}

type blockID struct {
	object string // key and digest: another object of the same key has other blocks
	n      int64
}

type block struct {
	id   blockID
	data []byte
}

type diskBlock struct {
	name string
	size int64
}

// fetch is a request under way: others that want its blocks wait for it.
type fetch struct {
	done chan struct{}
	err  error
}

// NewCached puts a cache before a store. Blocks that an earlier process left on disk are used, the oldest removed where they are too many.
func NewCached(s Store, cfg CacheConfig) *Cached {
	c := &Cached{
		Store: s, cfg: cfg, blocks: map[blockID]*list.Element{}, order: list.New(), fetches: map[blockID]*fetch{},
		disk: map[string]*list.Element{}, onDisk: list.New(),
	}
	if cfg.Dir != "" {
		c.fault = c.findDisk()
	}
	return c
}

// findDisk learns what lies in the folder of the cache.
func (c *Cached) findDisk() error {
	if err := os.MkdirAll(c.cfg.Dir, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(c.cfg.Dir)
	if err != nil {
		return err
	}
	type aged struct {
		diskBlock
		used time.Time
	}
	var found []aged
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if strings.HasPrefix(e.Name(), newBlock) && time.Since(info.ModTime()) > time.Hour { // of a process that was killed
			_ = os.Remove(filepath.Join(c.cfg.Dir, e.Name()))
		}
		if !strings.HasSuffix(e.Name(), blockSuffix) {
			continue
		}
		found = append(found, aged{diskBlock{e.Name(), info.Size()}, info.ModTime()})
	}
	slices.SortFunc(found, func(a, b aged) int { return a.used.Compare(b.used) })
	for _, f := range found {
		c.disk[f.name] = c.onDisk.PushFront(&f.diskBlock)
		c.diskSum += f.size
	}
	return c.shrinkDisk()
}

// Open opens an object. Its size and digest are asked for once.
func (c *Cached) Open(ctx context.Context, key string) (Object, error) {
	info, err := c.Stat(ctx, key)
	if err != nil {
		return nil, err
	}
	return c.OpenKnown(info)
}

var _ Opener = (*Cached)(nil)

// OpenKnown opens an object without asking the store.
func (c *Cached) OpenKnown(info Info) (Object, error) {
	return &cachedObject{cache: c, info: info, last: -2}, nil
}

// Delete removes an object, and what the cache has of it.
func (c *Cached) Delete(ctx context.Context, key string) error {
	return errors.Join(c.Store.Delete(ctx, key), c.Forget(key))
}

// Forget removes what the cache has of an object of this key: what was purged must not stay in it.
func (c *Cached) Forget(key string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, e := range c.blocks {
		if strings.HasPrefix(id.object, key+"\n") {
			c.drop(e)
		}
	}
	if c.cfg.Dir == "" {
		return nil
	}
	entries, err := os.ReadDir(c.cfg.Dir) // other processes put blocks there, too
	errs := []error{err}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), diskPrefix(key)) {
			errs = append(errs, c.dropDisk(e.Name()))
		}
	}
	return errors.Join(errs...)
}

// cachedObject reads one object through the cache.
type cachedObject struct {
	cache *Cached
	info  Info

	mu   sync.Mutex
	from Object // of the store; opened when the first block is missing
	last int64  // block that was missing last
	run  int64  // blocks fetched for it
	shut bool
}

// Size returns the size of the object.
func (o *cachedObject) Size() int64 { return o.info.Size }

// ReadAt reads from blocks.
func (o *cachedObject) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("read %s at %d", o.info.Key, off)
	}
	for n < len(p) && off < o.info.Size {
		data, err := o.block(off / blockSize)
		if err != nil {
			return n, fmt.Errorf("read %s at %d: %w", o.info.Key, off, err)
		}
		m := copy(p[n:], data[off%blockSize:])
		n += m
		off += int64(m)
	}
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

// Close ends the reading.
func (o *cachedObject) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.shut = true
	if o.from == nil {
		return nil
	}
	return o.from.Close()
}

// block returns a block: from memory, from the disk, or from the store together with those behind it.
func (o *cachedObject) block(n int64) ([]byte, error) {
	c, id := o.cache, blockID{o.info.Key + "\n" + o.info.SHA256, n}
	for {
		c.mu.Lock()
		if e := c.blocks[id]; e != nil {
			c.order.MoveToFront(e)
			c.mu.Unlock()
			return e.Value.(*block).data, nil
		}
		if f := c.fetches[id]; f != nil {
			c.mu.Unlock()
			<-f.done
			if f.err != nil {
				return nil, f.err
			}
			continue
		}
		f := &fetch{done: make(chan struct{})}
		ids := []blockID{id}
		for i, end := n+1, n+o.ahead(n); i < end && i*blockSize < o.info.Size; i++ {
			next := blockID{id.object, i}
			if c.blocks[next] != nil || c.fetches[next] != nil {
				break
			}
			ids = append(ids, next)
		}
		for _, i := range ids {
			c.fetches[i] = f
		}
		c.mu.Unlock()
		first, err := o.fetch(ids)
		c.mu.Lock()
		for _, i := range ids {
			delete(c.fetches, i)
		}
		c.mu.Unlock()
		f.err = err
		close(f.done)
		return first, err
	}
}

// ahead returns how many blocks are fetched when n is missing: more, the longer the reader goes in order.
func (o *cachedObject) ahead(n int64) int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n >= o.last && n <= o.last+max(1, o.run) {
		o.run = min(max(1, 2*o.run), maxRun)
	} else {
		o.run = 1
	}
	o.last = n
	return o.run
}

// fetch gets blocks that follow each other: the first ones from the disk as far as they are there, the others with one request.
func (o *cachedObject) fetch(ids []blockID) (first []byte, err error) {
	c := o.cache
	for len(ids) > 0 {
		data := c.fromDisk(o.info, ids[0])
		if data == nil {
			break
		}
		if first == nil {
			first = data
		}
		c.keep(ids[0], data)
		ids = ids[1:]
	}
	if len(ids) == 0 {
		return first, nil
	}
	if first != nil {
		return first, nil // what is missing behind it is fetched when it is wanted
	}
	from, err := o.opened()
	if err != nil {
		return nil, err
	}
	start := ids[0].n * blockSize
	data := make([]byte, min(int64(len(ids))*blockSize, o.info.Size-start))
	if n, err := from.ReadAt(data, start); n < len(data) {
		if err == nil || errors.Is(err, io.EOF) {
			err = fmt.Errorf("%w: %d bytes of %d", io.ErrUnexpectedEOF, n, len(data))
		}
		return nil, err
	}
	for i, id := range ids {
		part := data[int64(i)*blockSize : min(int64(i+1)*blockSize, int64(len(data)))]
		if len(ids) > 1 {
			part = slices.Clone(part) // so that one block in memory does not hold eight
		}
		if i == 0 {
			first = part
		}
		c.keep(id, part)
		c.toDisk(o.info, id, part)
	}
	return first, nil
}

// opened opens the object in the store, once.
func (o *cachedObject) opened() (Object, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.shut {
		return nil, fs.ErrClosed
	}
	if o.from == nil {
		from, err := o.cache.Store.Open(context.Background(), o.info.Key) // the time of a request is bounded by the store
		if err != nil {
			return nil, err
		}
		if from.Size() != o.info.Size {
			return nil, errors.Join(fmt.Errorf("it has %d bytes, recorded were %d", from.Size(), o.info.Size), from.Close())
		}
		o.from = from
	}
	return o.from, nil
}

// keep puts a block into memory and removes those used longest ago.
func (c *Cached) keep(id blockID, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.blocks[id] != nil {
		return
	}
	c.blocks[id] = c.order.PushFront(&block{id, data})
	c.bytes += int64(len(data))
	for c.bytes > max(c.cfg.Memory, 2*blockSize) {
		c.drop(c.order.Back())
	}
}

func (c *Cached) drop(e *list.Element) {
	b := e.Value.(*block)
	c.order.Remove(e)
	delete(c.blocks, b.id)
	c.bytes -= int64(len(b.data))
}

// A block on disk is a file: the bytes, then their SHA-256. A torn or changed one is not used.
const (
	blockSuffix = ".block"
	newBlock    = ".new-"
)

func diskPrefix(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:12]) + "-"
}

func diskName(info Info, n int64) string {
	return fmt.Sprintf("%s%.16s-%d%s", diskPrefix(info.Key), info.SHA256, n, blockSuffix)
}

// fromDisk reads a block of the cache on disk; nil if it is not there as it was.
func (c *Cached) fromDisk(info Info, id blockID) []byte {
	if c.cfg.Dir == "" || info.SHA256 == "" {
		return nil
	}
	name := diskName(info, id.n)
	c.mu.Lock()
	e := c.disk[name]
	if e != nil {
		c.onDisk.MoveToFront(e)
	}
	c.mu.Unlock()
	if e == nil {
		return nil
	}
	path := filepath.Join(c.cfg.Dir, name)
	b, err := os.ReadFile(path)
	want := min(blockSize, info.Size-id.n*blockSize)
	if err == nil && int64(len(b)) == want+sha256.Size {
		if sum := sha256.Sum256(b[:want]); string(sum[:]) == string(b[want:]) {
			now := time.Now()
			_ = os.Chtimes(path, now, now) // for the next process; it costs that block its age at most
			return b[:want:want]
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.dropDisk(name) // it is fetched again
	return nil
}

// toDisk keeps a block on disk. Where that fails, the cache goes on without a disk.
func (c *Cached) toDisk(info Info, id blockID, data []byte) {
	if c.cfg.Dir == "" || info.SHA256 == "" || c.cfg.Disk < blockSize {
		return
	}
	c.mu.Lock()
	off := c.fault != nil
	c.mu.Unlock()
	if off {
		return
	}
	name := diskName(info, id.n)
	sum := sha256.Sum256(data)
	err := writeBlock(filepath.Join(c.cfg.Dir, name), data, sum[:])
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && c.disk[name] == nil {
		size := int64(len(data) + len(sum))
		c.disk[name] = c.onDisk.PushFront(&diskBlock{name, size})
		c.diskSum += size
		err = c.shrinkDisk()
	}
	if err != nil {
		c.fault = err
	}
}

// writeBlock writes without syncing: what a power cut spoils has another digest.
func writeBlock(path string, data, sum []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), newBlock+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		_, err = f.Write(sum)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

func (c *Cached) shrinkDisk() error {
	var errs []error
	for c.diskSum > c.cfg.Disk && c.onDisk.Len() > 0 {
		errs = append(errs, c.dropDisk(c.onDisk.Back().Value.(*diskBlock).name))
	}
	return errors.Join(errs...)
}

func (c *Cached) dropDisk(name string) error {
	if e := c.disk[name]; e != nil {
		c.onDisk.Remove(e)
		delete(c.disk, name)
		c.diskSum -= e.Value.(*diskBlock).size
	}
	if err := os.Remove(filepath.Join(c.cfg.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Usage says how much the cache holds, and why it has given up its disk, if it has.
func (c *Cached) Usage() (memory, disk int64, fault error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes, c.diskSum, c.fault
}
