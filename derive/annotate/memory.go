package annotate

import "sync"

// remembered is how many bytes of what was found in texts a unit remembers.
const remembered = 16 << 20

type digest [32]byte

// memory has what was found in texts lately, the oldest is forgotten first. It saves time and changes no result, for what is
// found depends on the text alone. It is safe for concurrent use.
type memory[T any] struct {
	mu    sync.Mutex
	most  int // bytes
	held  int
	found map[digest]remembrance[T]
	order []digest // oldest first
}

type remembrance[T any] struct {
	what T
	size int
}

func newMemory[T any](most int) *memory[T] {
	return &memory[T]{most: most, found: map[digest]remembrance[T]{}}
}

func (m *memory[T]) find(text digest) (what T, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.found[text]
	return r.what, ok
}

// add remembers what was found in a text, about size bytes.
func (m *memory[T]) add(text digest, what T, size int) {
	const overhead = 150 // of an entry
	size += overhead
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, twice := m.found[text]; twice || size > m.most {
		return
	}
	m.found[text] = remembrance[T]{what, size}
	m.order = append(m.order, text)
	for m.held += size; m.held > m.most; m.order = m.order[1:] {
		m.held -= m.found[m.order[0]].size
		delete(m.found, m.order[0])
	}
}
