package cdx

import (
	"bytes"
	"errors"
	"io"

	"varve/archive/cdxj"
)

// merged walks the lines of several runs in order; equal lines come once. There are about a dozen
// runs at most, so the least line is found by looking at all of them.
type merged struct {
	parts   []part
	reverse bool
	last    []byte
	given   bool
}

// part is one run of a merge and its current line.
type part struct {
	run    *run
	cursor *cdxj.Cursor
	line   []byte
}

// newMerged makes a merge of the cursors that open gives for the runs.
func newMerged(runs []*run, reverse bool, open func(*run) *cdxj.Cursor) (*merged, error) {
	m := &merged{reverse: reverse}
	for _, r := range runs {
		p := part{run: r, cursor: open(r)}
		ok, err := p.advance()
		if err != nil {
			return nil, err
		}
		if ok {
			m.parts = append(m.parts, p)
		}
	}
	return m, nil
}

// advance reads the next line of a part that counts; false at its end.
func (p *part) advance() (bool, error) {
	for {
		line, err := p.cursor.Next()
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, p.run.wrap(err)
		}
		if len(p.run.dropped) > 0 && p.run.lost(line) {
			continue
		}
		p.line = line
		return true, nil
	}
}

// lost tells whether a line is of a source that was dropped. A line that cannot be read is not
// lost: it is told when it is parsed.
func (r *run) lost(line []byte) bool {
	var rec cdxj.Record
	return rec.Parse(string(line)) == nil && r.lostRecord(&rec)
}

func (r *run) lostRecord(rec *cdxj.Record) bool {
	if len(r.dropped) == 0 {
		return false
	}
	if source, ok := rec.Get(SourceField); ok {
		return r.dropped[source]
	}
	return r.dropped[rec.Filename]
}

// next gives the next line, valid until the call after it; io.EOF at the end.
func (m *merged) next() ([]byte, error) {
	for len(m.parts) > 0 {
		best := 0
		for i := 1; i < len(m.parts); i++ {
			if c := bytes.Compare(m.parts[i].line, m.parts[best].line); c < 0 != m.reverse && c != 0 {
				best = i
			}
		}
		again := m.given && bytes.Equal(m.parts[best].line, m.last)
		if !again {
			m.last, m.given = append(m.last[:0], m.parts[best].line...), true
		}
		ok, err := m.parts[best].advance()
		if err != nil {
			return nil, err
		}
		if !ok {
			m.parts = append(m.parts[:best], m.parts[best+1:]...)
		}
		if !again {
			return m.last, nil
		}
	}
	return nil, io.EOF
}
