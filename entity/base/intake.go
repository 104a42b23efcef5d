package base

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"

	"varve"
	"varve/archive/whole"
	"varve/entity"
)

// FileName is the name of the base in the folder of an intake.
const FileName = "base.kb"

// Folder is what the folder of a base is called, in an archive and in a collection.
const Folder = "entities"

// InArchive returns where the base of an archive is, by its folder.
func InArchive(archive string) string { return filepath.Join(archive, Folder, FileName) }

// OfCollection returns where the base is that counts for a collection, by its folder: its own if it has one, else that of the archive, two folders above.
func OfCollection(collection string) string {
	own := filepath.Join(collection, Folder, FileName)
	if _, err := os.Stat(own); err == nil {
		return own
	}
	return InArchive(filepath.Dir(filepath.Dir(collection)))
}

// partSize is how many bytes of statements a part has: what a kill can lose.
const partSize = 64 << 20

// Intake is a folder with what dumps said, from which a base is built:
//
//	sources.json             which dumps, how far each was read
//	statements/NNNNNN.zst    parts: lines of statements, packed
//	base.kb                  the base
//
// A part counts from when sources.json names it. One process at a time has it open.
type Intake struct {
	dir     string
	lock    *os.File
	sources []*Source
}

// Source is a dump and how far it was read.
type Source struct {
	Name       string    `json:"name"`
	Size       int64     `json:"size"`
	Modified   time.Time `json:"modified,omitzero"`
	Format     string    `json:"format"`
	Credit     string    `json:"credit,omitempty"`
	Licence    string    `json:"licence,omitempty"`
	Units      int64     `json:"units"` // lines, pages or quads that were read
	Statements int64     `json:"statements"`
	Done       bool      `json:"done"`            // to its end, or as far as it goes
	Ended      string    `json:"ended,omitempty"` // why that is before its end
	Bugs       int64     `json:"bugs"`            // places that could not be read as they are
	Examples   []string  `json:"examples,omitempty"`
	Parts      []string  `json:"parts,omitempty"`

	in      *Intake
	pending []byte
	lines   int64
}

// mostExamples is how many bugs of a source are kept by name.
const mostExamples = 100

// OpenIntake opens the intake in a folder, which is made if it is not there.
func OpenIntake(dir string) (_ *Intake, err error) {
	if err := os.MkdirAll(filepath.Join(dir, "statements"), 0o755); err != nil {
		return nil, err
	}
	in := &Intake{dir: dir}
	if in.lock, err = os.OpenFile(filepath.Join(dir, "LOCK"), os.O_CREATE|os.O_RDWR, 0o644); err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(in.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(&varve.Error{Kind: varve.Conflict, Op: "open " + dir, Msg: "another process imports entities here", Hint: "wait until it is done"}, in.lock.Close())
	}
	b, err := os.ReadFile(filepath.Join(dir, "sources.json"))
	if err == nil {
		err = json.Unmarshal(b, &in.sources)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("read sources of %s: %w", dir, err), in.lock.Close())
	}
	return in, in.clear()
}

// Close lets others in.
func (in *Intake) Close() error { return in.lock.Close() }

// Sources returns what was imported.
func (in *Intake) Sources() []*Source { return in.sources }

// Path returns the path of the base.
func (in *Intake) Path() string { return filepath.Join(in.dir, FileName) }

// clear removes parts that no source names: a killed import left them, or their source was read anew.
func (in *Intake) clear() error {
	files, err := filepath.Glob(filepath.Join(in.dir, "statements", "*.zst"))
	if err != nil {
		return err
	}
	for _, f := range files {
		if !slices.ContainsFunc(in.sources, func(s *Source) bool { return slices.Contains(s.Parts, filepath.Base(f)) }) {
			err = errors.Join(err, os.Remove(f))
		}
	}
	return err
}

func (in *Intake) save() error {
	return whole.JSON(filepath.Join(in.dir, "sources.json"), 0o644, in.sources)
}

// Source returns a dump to be read: after Source.Units units if it was begun before and is the same file, else from its beginning; what an older file
// of this name said is forgotten.
func (in *Intake) Source(s Source) (*Source, error) {
	s.in = in
	for i, known := range in.sources {
		if known.Name != s.Name {
			continue
		}
		if known.Size == s.Size && known.Modified.Equal(s.Modified) && known.Format == s.Format {
			known.in = in
			return known, nil
		}
		in.sources[i] = &s
		return &s, errors.Join(in.save(), in.clear())
	}
	in.sources = append(in.sources, &s)
	return &s, nil
}

// Forget takes out all that a source said.
func (in *Intake) Forget(name string) error {
	i := slices.IndexFunc(in.sources, func(s *Source) bool { return s.Name == name })
	if i < 0 {
		return &varve.Error{Kind: varve.NotFound, Op: "forget " + name, Msg: "nothing was imported under this name", Hint: "'varve entity about' lists the sources"}
	}
	in.sources = slices.Delete(in.sources, i, i+1)
	return errors.Join(in.save(), in.clear())
}

// Add takes a statement; those without a subject say nothing.
func (s *Source) Add(st entity.Statement) {
	if entity.Clean(st.Subject) == "" {
		return
	}
	s.pending = append(st.AppendLine(s.pending), '\n')
	s.lines++
}

// Bug notes a place that could not be read as it is.
func (s *Source) Bug(text string) {
	if s.Bugs++; len(s.Examples) < mostExamples {
		s.Examples = append(s.Examples, text)
	}
}

// Unit says that one more unit of the dump was read whole: reading can go on here.
func (s *Source) Unit() error {
	if s.Units++; len(s.pending) >= partSize {
		return s.save()
	}
	return nil
}

// Finish ends a source; ended says why before its end, "" if it was read to its end.
func (s *Source) Finish(ended string) error {
	s.Done, s.Ended = true, ended
	return s.save()
}

// Suspend keeps what was read so far, to go on another time.
func (s *Source) Suspend() error { return s.save() }

// save writes what is pending as a part, and then that it counts.
func (s *Source) save() error {
	if len(s.pending) > 0 {
		name := fmt.Sprintf("%06d.zst", s.in.nextPart())
		err := whole.File(filepath.Join(s.in.dir, "statements", name), 0o644, func(w io.Writer) error {
			z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
			if err != nil {
				return err
			}
			_, err = z.Write(s.pending)
			return errors.Join(err, z.Close())
		})
		if err != nil {
			return err
		}
		s.Parts = append(s.Parts, name)
		s.Statements += s.lines
		s.pending, s.lines = s.pending[:0], 0
	}
	return s.in.save()
}

func (in *Intake) nextPart() int {
	next := 1
	for _, s := range in.sources {
		for _, p := range s.Parts {
			var n int
			if _, err := fmt.Sscanf(p, "%06d.zst", &n); err == nil {
				next = max(next, n+1)
			}
		}
	}
	return next
}

// lines returns all statements.
func (in *Intake) lines() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, s := range in.sources {
			for _, p := range s.Parts {
				if !readPart(filepath.Join(in.dir, "statements", p), yield) {
					return
				}
			}
		}
	}
}

func readPart(path string, yield func([]byte, error) bool) bool {
	f, err := os.Open(path)
	if err != nil {
		yield(nil, fmt.Errorf("statements: %w", err))
		return false
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		yield(nil, err)
		return false
	}
	defer z.Close()
	r := bufio.NewReaderSize(z, 64<<10)
	for {
		line, err := r.ReadSlice('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return true
		}
		if err != nil {
			yield(nil, fmt.Errorf("statements of %s: %w", path, err))
			return false
		}
		if !yield(bytes.TrimSuffix(line, []byte{'\n'}), nil) {
			return false
		}
	}
}

// Build makes the base from all sources.
func (in *Intake) Build(ctx context.Context, o Options) (About, error) {
	for _, s := range in.sources {
		o.Sources = append(o.Sources, SourceNote{s.Name, s.Credit, s.Licence})
	}
	return Build(ctx, in.Path(), in.lines(), o)
}
