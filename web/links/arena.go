package links

import "strings"

// arenaChunk is how many bytes of strings share one allocation.
const arenaChunk = 8 << 10

// arena makes strings out of bytes with one allocation per chunk instead of one per string. A builder never rewrites
// bytes that it has handed out, so the strings stay valid; each keeps its whole chunk alive.
type arena struct {
	b strings.Builder
}

// str copies p into the arena.
func (a *arena) str(p []byte) string {
	if len(p) == 0 {
		return ""
	}
	a.room(len(p))
	from := a.b.Len()
	a.b.Write(p)
	return a.b.String()[from:]
}

// join copies the concatenation of two strings into the arena.
func (a *arena) join(x, y string) string {
	a.room(len(x) + len(y))
	from := a.b.Len()
	a.b.WriteString(x)
	a.b.WriteString(y)
	return a.b.String()[from:]
}

// lower copies p into the arena with ASCII letters in lower case.
func (a *arena) lower(p []byte) string {
	a.room(len(p))
	from := a.b.Len()
	for _, c := range p {
		a.b.WriteByte(lowerByte(c))
	}
	return a.b.String()[from:]
}

// room makes sure that n more bytes fit without moving what is there.
func (a *arena) room(n int) {
	if a.b.Cap()-a.b.Len() >= n {
		return
	}
	a.b.Reset()
	a.b.Grow(max(n, arenaChunk))
}
