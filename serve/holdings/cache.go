package holdings

import (
	"os"
	"time"
)

// cached is what was read of a file, and of which state of it.
type cached struct {
	modified time.Time
	size     int64
	value    any
	err      error
}

// Bounds of what is kept: files, and bytes of them. What is read of a file takes about three times as much.
const (
	maxCached      = 20_000
	maxCachedBytes = 16 << 20
)

// load reads a file with the function, or gives what it gave for the same state of the file. Without holdings nothing
// is kept.
func load[T any](h *Holdings, path string, read func(path string) (T, error)) (T, error) {
	var none T
	info, err := os.Stat(path)
	if err != nil {
		return none, err
	}
	if h == nil || info.Size() > maxCachedBytes/4 {
		return read(path)
	}
	h.mu.Lock()
	old, ok := h.files[path]
	h.mu.Unlock()
	if !ok || !old.modified.Equal(info.ModTime()) || old.size != info.Size() {
		v, err := read(path)
		now := cached{info.ModTime(), info.Size(), v, err}
		h.mu.Lock()
		h.bytes += now.size - h.files[path].size
		h.files[path] = now
		for p, f := range h.files {
			if len(h.files) <= maxCached && h.bytes <= maxCachedBytes {
				break
			}
			if p != path {
				h.bytes -= f.size
				delete(h.files, p)
			}
		}
		h.mu.Unlock()
		old = now
	}
	v, _ := old.value.(T)
	return v, old.err
}
