package notes

import (
	"path/filepath"
	"sync"
	"time"
)

// Shelf is the notes of an archive. It is safe for concurrent use.
type Shelf struct {
	archive string
	now     func() time.Time

	mu    sync.Mutex
	books map[string]*Book
}

// OpenShelf gives the notes of all collections of an archive directory.
func OpenShelf(archive string, now func() time.Time) *Shelf {
	return &Shelf{archive: archive, now: now, books: map[string]*Book{}}
}

// mostBooks is how many collections are kept in memory at a time.
const mostBooks = 1000

// Of gives the notes of a collection, whose name must have been checked.
func (s *Shelf) Of(collection string) *Book {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.books[collection]
	if b == nil {
		if len(s.books) >= mostBooks {
			clear(s.books)
		}
		b = Open(filepath.Join(s.archive, "collections", collection), s.now)
		s.books[collection] = b
	}
	return b
}
