package warc

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// Cut tells what Recover did to a file that a crash left open.
type Cut struct {
	File    string `json:"file"`    // final name; empty if nothing was worth keeping
	Records int64  `json:"records"` // sound records kept
	Kept    int64  `json:"kept"`    // bytes kept
	Lost    int64  `json:"lost"`    // bytes cut: never acknowledged
	Cause   string `json:"cause,omitempty"`
}

// Recover finishes the files that a crash left open in dir: it cuts the torn tail behind the last
// sound record and gives the file its final name. What was acknowledged is never cut, since it
// was durable. Files without a capture are removed. Cost: one read of each open file.
//
// A crash can also leave a part of the records that were appended together, each of them sound. If whole is not nil, it
// is asked about the last records of each file that belong together (see group), and says whether they are complete; if
// not, they are cut as well. It must say yes to everything that was ever acknowledged.
//
// If sound is not nil, it is called with each cut file before that gets its final name: what must
// be done with its records once, also if the process dies again, is done there.
func Recover(fsys FS, dir string, whole func(last []Header) bool, sound func(name string, file io.ReaderAt, size int64) error) ([]Cut, error) {
	names, err := fsys.List(dir)
	if err != nil {
		return nil, fmt.Errorf("recover %s: %w", dir, err)
	}
	var cuts []Cut
	for _, name := range names {
		if !strings.HasSuffix(name, OpenSuffix) {
			continue
		}
		cut, err := recoverFile(fsys, dir, name, whole, sound)
		if err != nil {
			return cuts, fmt.Errorf("recover %s: %w", name, err)
		}
		cuts = append(cuts, cut)
	}
	if len(cuts) > 0 {
		if err := fsys.SyncDir(dir); err != nil {
			return cuts, fmt.Errorf("recover %s: %w", dir, err)
		}
	}
	return cuts, nil
}

func recoverFile(fsys FS, dir, name string, whole func([]Header) bool, handle func(string, io.ReaderAt, int64) error) (cut Cut, err error) {
	full := path.Join(dir, name)
	f, err := fsys.Open(full)
	if err != nil {
		return Cut{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Size()
	if err != nil {
		return Cut{}, err
	}
	sound, err := soundLength(f, size)
	if err != nil {
		return Cut{}, err
	}
	if last := &sound.last; whole != nil && len(last.heads) > 0 && !whole(last.heads) {
		sound.end, sound.records, sound.captures = last.start, sound.records-int64(len(last.heads)), sound.captures-last.captures
		sound.cause = "the last records were not all there"
	}
	cut = Cut{Records: sound.records, Kept: sound.end, Lost: size - sound.end, Cause: sound.cause}
	if sound.captures == 0 {
		cut.Kept, cut.Lost = 0, size
		return cut, fsys.Remove(full)
	}
	if cut.Lost > 0 {
		if err := f.Truncate(sound.end); err != nil {
			return cut, err
		}
	}
	if err := f.Sync(); err != nil {
		return cut, err
	}
	cut.File = strings.TrimSuffix(name, OpenSuffix)
	if handle != nil {
		if err := handle(cut.File, f, cut.Kept); err != nil {
			return cut, err
		}
	}
	return cut, fsys.Rename(full, strings.TrimSuffix(full, OpenSuffix))
}

type soundness struct {
	end      int64 // of the last sound record
	records  int64
	captures int64 // records other than warcinfo
	cause    string
	last     group
}

// group is the last records of a file that belong together: those that name each other by WARC-Concurrent-To, or
// the same other record, and those beside them that name nothing and are no answer, such as dns records.
type group struct {
	start    int64
	captures int64
	heads    []Header
}

// add takes the next record of the file, which may begin a group of its own.
func (g *group) add(rec *Record) {
	if !g.takes(rec) {
		g.start, g.captures, g.heads = rec.Offset, 0, g.heads[:0]
	}
	g.heads = append(g.heads, rec.Header.Clone())
	if rec.Type() != TypeWarcinfo {
		g.captures++
	}
}

func (g *group) takes(rec *Record) bool {
	id, about := rec.ID(), rec.Header.Values(FieldConcurrentTo)
	if len(about) == 0 {
		switch rec.Type() {
		case TypeResponse, TypeRevisit, TypeRequest, TypeMetadata, TypeWarcinfo:
		default:
			return len(g.heads) > 0
		}
	}
	for _, h := range g.heads {
		others := h.Values(FieldConcurrentTo)
		if slices.Contains(others, id) || slices.Contains(about, h.Get(FieldRecordID)) {
			return true
		}
		for _, o := range others {
			if slices.Contains(about, o) {
				return true
			}
		}
	}
	return false
}

// soundLength reads records until the first that is not whole.
func soundLength(f io.ReaderAt, size int64) (soundness, error) {
	var s soundness
	policy := Silent()
	policy.Damage, policy.Syntax, policy.Framing = Fail, Fail, Fail
	r, err := NewReader(io.NewSectionReader(f, 0, size), Options{Policy: policy})
	if err != nil {
		return s, err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		var length int64
		if err == nil {
			length, err = rec.Finish()
		}
		if bad, ok := errors.AsType[*Finding](err); ok {
			s.cause = bad.Message
			return s, nil
		}
		if err != nil {
			return s, err
		}
		if r.kind != Plain && r.win.open {
			// Rubbish behind a torn end can unpack to bytes that no checksum has vouched for yet. We
			// write one record a member, so none of this was acknowledged.
			s.cause = "the member goes on behind its record"
			return s, nil
		}
		s.last.add(rec)
		s.end = rec.Offset + length
		s.records++
		if rec.Type() != TypeWarcinfo {
			s.captures++
		}
	}
}
