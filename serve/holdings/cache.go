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

// maxCached bounds the files whose content is kept.
const maxCached = 20_000

// load reads a file with the function, or gives what it gave for the same state of the file.
func load[T any](h *Holdings, path string, read func(path string) (T, error)) (T, error) {
	var none T
	info, err := os.Stat(path)
	if err != nil {
		return none, err
	}
	h.mu.Lock()
	old, ok := h.files[path]
	h.mu.Unlock()
	if !ok || !old.modified.Equal(info.ModTime()) || old.size != info.Size() {
		v, err := read(path)
		old = cached{info.ModTime(), info.Size(), v, err}
		h.mu.Lock()
		if len(h.files) >= maxCached {
			clear(h.files)
		}
		h.files[path] = old
		h.mu.Unlock()
	}
	v, _ := old.value.(T)
	return v, old.err
}
