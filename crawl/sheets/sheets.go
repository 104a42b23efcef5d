// Package sheets is the stage of a crawl that leaves out pictures of style sheets that no page shows. The sheet of a forum may name two
// thousand of them, one for each emoji that somebody could write, which cost its server more requests than all that people wrote.
//
//	Admit, of a picture that a sheet names       the first 64 of a sheet come as parts ever do; the others when all pages are done
//	Examine, of a sheet                          which class names and IDs its rules ask for (selector.go)
//	Examine, of pages, scripts and data          which words stand in them, wherever: in attributes, in code, in text
//	Admit, of a picture whose turn has come      refused if its rules ask for names, and none of them stood anywhere
//	Idle, nothing is left                        pictures that were refused and whose names were met since are asked for
//
// A rule of a sheet can hold only where an element has its names. They stand in the page, or in a script, which may also put them together:
// a script that has "tw-" in quotation marks may make every name that begins so, and all of these are taken. Pages that are executed ask
// for what they show themselves. So what is left out is nothing that a page of the crawl can show, but for names that a script makes in
// another way ("ico" + name) on a page that is not executed; the report counts what was left out.
//
// Words are remembered by a bit each, at the place that their hash says: a name that shares its bit with a word of another spelling counts
// as met, and its picture is taken. They cost about a millisecond for each megabyte, and are collected from the first pages of a run on, and
// no further if no such sheet was met until then. A run that is resumed has not seen all pages, and leaves out nothing; nor does one whose order is planned, or one beyond the
// limits below.
package sheets

import (
	"bytes"
	"strings"
	"sync"

	"varve/crawl"
	"varve/crawl/frontier"
	"varve/web/canon"
)

// Limits, beyond which everything is taken.
const (
	few       = 64        // pictures of a sheet that are taken whether they are shown or not
	first     = 256       // answers that are looked at for words before any such sheet was met
	wordBits  = 24        // 2 to this many bits for words, 2 MB
	maxWords  = 1_000_000 // bits that are set, beyond which too many names would share one
	maxAbout  = 50_000    // pictures whose names are remembered
	maxPrefix = 256       // beginnings of names that scripts have
	maxBytes  = 8 << 20   // of an answer that are looked at
)

// why is what is told of pictures that are left out.
const why = "a picture of a style sheet that no page shows"

// Stage remembers words, and the pictures whose names they may be.
type Stage struct {
	r *crawl.Run

	mu       sync.Mutex
	off      bool // everything is taken
	looked   int
	words    []uint64 // one bit for each hash of a word
	set      int      // bits
	prefixes map[string]struct{}
	about    map[string][]string // names by key of the picture; an empty list: it may be shown anywhere
	named    map[*crawl.Visit]int
	left     map[string]frontier.Item // refused, by key
}

var _ interface {
	crawl.Stage
	crawl.Opener
	crawl.Idler
} = (*Stage)(nil)

// New returns the stage.
func New() *Stage {
	return &Stage{
		words: make([]uint64, 1<<wordBits/64), prefixes: map[string]struct{}{},
		about: map[string][]string{}, named: map[*crawl.Visit]int{}, left: map[string]frontier.Item{},
	}
}

// Open is told of the run.
func (s *Stage) Open(r *crawl.Run) error {
	s.r, s.off = r, r.Resumed() || r.Ordered()
	return nil
}

// Admit has pictures of large sheets wait, and refuses those that nothing shows.
func (s *Stage) Admit(a *crawl.Admission) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.off:
	case a.Taken:
		if names := s.about[a.Item.Key]; len(names) > 0 && a.Item.Band == crawl.BandSpare && !s.met(names) {
			s.left[a.Item.Key] = *a.Item
			a.Refuse(why)
		}
	case a.Link != nil && a.Visit != nil && a.Link.Kind.String() == "css-url" && a.Item.Band == crawl.BandPart:
		if s.named[a.Visit]++; s.named[a.Visit] > few {
			a.Item.Band = crawl.BandSpare
		}
	}
}

// Examine reads sheets for names, and all else for words.
func (s *Stage) Examine(v *crawl.Visit, a *crawl.Answer) {
	s.mu.Lock()
	off, many := s.off, s.named[v] > few
	delete(s.named, v)
	s.mu.Unlock()
	kind := mediaType(a)
	switch {
	case off:
	case kind == "text/css":
		if many {
			s.readSheet(a)
		}
	case strings.HasPrefix(kind, "text/"), strings.Contains(kind, "script"), strings.Contains(kind, "json"), strings.Contains(kind, "xml"):
		s.readWords(a.Body)
	}
}

func mediaType(a *crawl.Answer) string {
	kind, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// readSheet notes which names the pictures of a sheet ask for.
func (s *Stage) readSheet(a *crawl.Answer) {
	names := map[string][]string{} // by the address as it stands there; an empty list: anywhere
	pictures(a.Body, func(address string, ask []string) {
		if was, known := names[address]; known && len(was) == 0 || len(ask) == 0 {
			names[address] = []string{}
		} else {
			names[address] = append(was, ask...)
		}
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range a.Links {
		l := &a.Links[i]
		ask := names[l.Raw]
		if l.Kind.String() != "css-url" || ask == nil {
			continue
		}
		key, ok := keyOf(l.URL)
		if was, known := s.about[key]; !ok || known && len(was) == 0 {
			continue
		} else if len(ask) == 0 {
			s.about[key] = []string{}
		} else {
			s.about[key] = append(was[:len(was):len(was)], ask...)
		}
	}
	if len(s.about) > maxAbout {
		s.stop()
	}
}

// readWords remembers the words of an answer, and the beginnings of names that stand in quotation marks.
func (s *Stage) readWords(body []byte) {
	if len(body) > maxBytes {
		s.mu.Lock()
		s.stop()
		s.mu.Unlock()
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.off {
		return
	}
	for i := 0; i < len(body); i++ {
		if lowered[body[i]] == 0 {
			continue
		}
		from, h := i, hashBegin
		for ; i < len(body) && lowered[body[i]] != 0; i++ {
			h = (h ^ uint64(lowered[body[i]])) * hashPrime
		}
		s.remember(h)
		if end := body[i-1]; (end == '-' || end == '_') && i-from > 1 && isQuote(body, i) {
			s.prefixes[string(bytes.ToLower(body[from:i]))] = struct{}{}
		}
	}
	if s.looked++; s.looked > first && len(s.about) == 0 || s.set > maxWords || len(s.prefixes) > maxPrefix {
		s.stop()
	}
}

// The hash of a word is FNV-1a of its letters in lower case.
const (
	hashBegin uint64 = 14695981039346656037
	hashPrime uint64 = 1099511628211
)

func hashOf(word string) uint64 {
	h := hashBegin
	for i := range len(word) {
		h = (h ^ uint64(lowered[word[i]])) * hashPrime
	}
	return h
}

// lowered has the characters of names in lower case, and 0 for all others.
var lowered = func() (t [256]byte) {
	for c := range t {
		if b := byte(c); isName(b) {
			t[c] = b
			if b >= 'A' && b <= 'Z' {
				t[c] += 'a' - 'A'
			}
		}
	}
	return t
}()

// place is where the bit of a hash is.
func place(h uint64) (word int, bit uint64) {
	h >>= 64 - wordBits
	return int(h / 64), 1 << (h % 64)
}

func (s *Stage) remember(h uint64) {
	if w, bit := place(h); s.words[w]&bit == 0 {
		s.words[w] |= bit
		s.set++
	}
}

// isQuote reports whether the character at a place ends a string of a script, or goes on with a value in it.
func isQuote(b []byte, i int) bool {
	return i < len(b) && (b[i] == '"' || b[i] == '\'' || b[i] == '`' || b[i] == '$' || b[i] == '{')
}

// stop has everything taken from here on. The lock is held.
func (s *Stage) stop() {
	s.off, s.words = true, nil
	clear(s.named)
	clear(s.prefixes)
}

// met reports whether one of the names stood somewhere, or may be made by a script. The lock is held.
func (s *Stage) met(names []string) bool {
	for _, n := range names {
		if w, bit := place(hashOf(n)); s.words[w]&bit != 0 {
			return true
		}
		for i := range n {
			if n[i] != '-' && n[i] != '_' {
				continue
			}
			if _, ok := s.prefixes[n[:i+1]]; ok {
				return true
			}
		}
	}
	return false
}

// Settle notes nothing: a run that is resumed takes everything.
func (s *Stage) Settle([]*crawl.Visit, *crawl.Notes) error { return nil }

// Idle asks for pictures that were refused, and whose names were met since, or which are not known for sure any more.
func (s *Stage) Idle(exhausted bool) bool {
	if !exhausted {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var again []frontier.Item
	for key, it := range s.left {
		if s.off || s.met(s.about[key]) {
			it.Band = crawl.BandPart
			again = append(again, it)
			delete(s.left, key)
		}
	}
	if len(again) == 0 {
		return false
	}
	if _, err := s.r.Frontier().Add(again...); err != nil {
		s.r.Fail(err)
	}
	return true
}

func keyOf(address string) (string, bool) {
	u, err := canon.Parse(address)
	if err != nil {
		return "", false
	}
	return u.WithoutFragment().FrontierKey(), true
}
