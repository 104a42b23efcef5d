package warc

import (
	"errors"
	"fmt"
	"io"
	"path"
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
// If sound is not nil, it is called with each cut file before that gets its final name: what must
// be done with its records once, also if the process dies again, is done there.
func Recover(fsys FS, dir string, sound func(name string, file io.ReaderAt, size int64) error) ([]Cut, error) {
	names, err := fsys.List(dir)
	if err != nil {
		return nil, fmt.Errorf("recover %s: %w", dir, err)
	}
	var cuts []Cut
	for _, name := range names {
		if !strings.HasSuffix(name, OpenSuffix) {
			continue
		}
		cut, err := recoverFile(fsys, dir, name, sound)
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

func recoverFile(fsys FS, dir, name string, handle func(string, io.ReaderAt, int64) error) (cut Cut, err error) {
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
		s.end = rec.Offset + length
		s.records++
		if rec.Type() != TypeWarcinfo {
			s.captures++
		}
	}
}
