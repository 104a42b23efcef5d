package notes

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"varve"
	"varve/archive/journal"
)

// maxLines bounds a file: what comes behind is not read, and nothing more is written.
const maxLines = 100_000

// File is where the notes of a collection are.
func File(dir string) string { return filepath.Join(dir, "labels", "notes.jsonl") }

// Book is the notes of a collection. It is safe for concurrent use.
type Book struct {
	path string
	now  func() time.Time

	mu    sync.Mutex
	state fs.FileInfo // of the file that was read; nil: none
	pages pages
}

// pages is what a file says.
type pages struct {
	threads []*Thread // in the order they were begun
	by      map[string]*Thread
	lines   int
	bad     error // the first line that could not be read
	badN    int
}

// Open gives the notes in the directory of a collection; there need not be any.
func Open(dir string, now func() time.Time) *Book { return &Book{path: File(dir), now: now} }

// load reads the file if it changed. The lock is held.
func (b *Book) load() error {
	info, err := os.Stat(b.path)
	if errors.Is(err, fs.ErrNotExist) {
		b.state, b.pages = nil, pages{by: map[string]*Thread{}}
		return nil
	}
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "read notes", Err: err}
	}
	if b.state != nil && b.state.Size() == info.Size() && b.state.ModTime().Equal(info.ModTime()) {
		return nil
	}
	b.state, b.pages = info, read(journal.Read[Line](b.path))
	return nil
}

// read makes threads of lines.
func read(lines iter.Seq2[Line, error]) pages {
	p := pages{by: map[string]*Thread{}}
	for l, err := range lines {
		if p.lines++; p.lines > maxLines {
			p.fail(fmt.Errorf("there are more than %d lines", maxLines))
			break
		}
		if err == nil {
			err = p.take(l)
		}
		if err != nil {
			p.fail(err)
		}
	}
	return p
}

func (p *pages) fail(err error) {
	p.badN++
	p.bad = cmp.Or(p.bad, err)
}

// take adds a line to its thread.
func (p *pages) take(l Line) error {
	if err := l.check(); err != nil {
		return fmt.Errorf("line %d: %w", p.lines, err)
	}
	if l.Do == Say {
		if p.by[l.ID] != nil || !noteID.MatchString(l.ID) {
			return fmt.Errorf("line %d: its id %.20q is there already, or is none", p.lines, l.ID)
		}
		t := &Thread{Line: l, Answers: []Line{}, Last: l.At}
		p.threads, p.by[l.ID] = append(p.threads, t), t
		return nil
	}
	t := p.by[l.Re]
	if t == nil {
		return fmt.Errorf("line %d: there is no note %s", p.lines, l.Re)
	}
	t.take(l)
	return nil
}

// Query chooses threads.
type Query struct {
	Subject *Subject // about this alone; a page without a time means its captures too; nil: about anything
	Kind    Kind
	Open    bool                 // only questions that are open
	Closed  bool                 // only what was closed
	Public  bool                 // only what readers may see
	May     func(t *Thread) bool // nil: all
}

func (q *Query) fits(t *Thread) bool {
	return (q.Subject == nil || t.Subject.covers(*q.Subject)) && (q.Kind == "" || t.Kind == q.Kind) && (!q.Open || t.Open()) &&
		(!q.Closed || t.Closed) && (!q.Public || t.Public) && (q.May == nil || q.May(t))
}

// List gives the threads that fit, those with the newest word first, as copies. Lines that cannot be read are told of by
// the error and hide nothing else.
func (b *Book) List(q Query) ([]Thread, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.load(); err != nil {
		return nil, err
	}
	var out []Thread
	for _, t := range b.pages.threads {
		if q.fits(t) {
			c := *t
			c.Answers = slices.Clone(t.Answers)
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Thread) int { return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(a.ID, b.ID)) })
	if b.pages.bad != nil {
		return out, fmt.Errorf("%d lines of labels/notes.jsonl cannot be read, the first: %w", b.pages.badN, b.pages.bad)
	}
	return out, nil
}

// Add begins a thread. It is durable when there is no error.
func (b *Book) Add(l Line) (Thread, error) {
	l.Do, l.Re = Say, ""
	return b.write(l)
}

// Act says or does something about a note: answer, close, reopen, publish, withdraw.
func (b *Book) Act(l Line) (Thread, error) {
	if l.Do == Say {
		return Thread{}, refuse("a new note is about no other")
	}
	return b.write(l)
}

func (b *Book) write(l Line) (Thread, error) {
	l.tidy()
	l.At = b.now().UTC()
	l.identify()
	if err := l.check(); err != nil {
		return Thread{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.load(); err != nil {
		return Thread{}, err
	}
	if err := b.allowed(l); err != nil {
		return Thread{}, err
	}
	if err := journal.Append(b.path, l); err != nil {
		return Thread{}, &varve.Error{Kind: varve.Unavailable, Op: "write a note", Err: err}
	}
	b.state = nil
	if err := b.load(); err != nil {
		return Thread{}, err
	}
	t := b.pages.by[cmp.Or(l.Re, l.ID)]
	if t == nil {
		return Thread{}, &varve.Error{Kind: varve.Internal, Op: "write a note", Msg: "it was written and is not there"}
	}
	return *t, nil
}

// allowed tells whether a line makes sense now.
func (b *Book) allowed(l Line) error {
	t := b.pages.by[l.Re]
	switch {
	case b.pages.lines >= maxLines:
		return &varve.Error{Kind: varve.Conflict, Op: "write a note", Msg: fmt.Sprintf("the collection has %d lines of notes, which is all it may have", b.pages.lines)}
	case l.Do == Say:
		return nil
	case t == nil:
		return &varve.Error{Kind: varve.NotFound, Op: "find note " + l.Re, Msg: "there is no such note in this collection", Hint: "'varve note list' lists them"}
	case l.Do == Close && t.Closed, l.Do == Reopen && !t.Closed, l.Do == Publish && t.Public, l.Do == Withdraw && !t.Public:
		return &varve.Error{Kind: varve.Conflict, Op: string(l.Do) + " note " + l.Re, Msg: "that is how it is already"}
	}
	return nil
}
