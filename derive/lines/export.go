package lines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"

	"varve/archive/whole"
	"varve/derive/job"
)

// version of what is written; another one writes all files again.
const version = "1"

// Report is what Export did.
type Report struct {
	Files   int   `json:"files"`
	Written int   `json:"written"` // the others were there
	Lines   int   `json:"lines"`   // written now
	Bytes   int64 `json:"bytes"`   // of all files
}

// Export brings the files of lines up to date with the parts: dir/wat and dir/wet, as far as they are wanted. dir is the folder of the
// derivatives, which must have been made.
func Export(ctx context.Context, dir string, parts []job.Part, wantWAT, wantWET bool, cores int) (rep Report, err error) {
	for _, p := range parts {
		if wantWAT {
			err = rep.file(filepath.Join(dir, "wat", p.Name+".wat.jsonl.gz"), p.Mark, func(w io.Writer) (int, error) { return WAT(ctx, w, p.Path, p.Name, cores) })
		}
		if err == nil && wantWET {
			err = rep.file(filepath.Join(dir, "wet", p.Name+".wet.jsonl.gz"), p.Mark, func(w io.Writer) (int, error) {
				return WET(ctx, w, filepath.Join(dir, "pages", p.Name+".parquet"))
			})
		}
		if err != nil {
			return rep, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return rep, nil
}

// file writes one file, unless it is there with the same mark.
func (r *Report) file(path, mark string, lines func(io.Writer) (int, error)) (err error) {
	r.Files++
	mark = "varve lines " + version + " of " + mark
	if markOf(path) != mark {
		n, err := write(path, mark, lines)
		if err != nil {
			return err
		}
		r.Written++
		r.Lines += n
	}
	st, err := os.Stat(path)
	if err == nil {
		r.Bytes += st.Size()
	}
	return err
}

// markOf reads the mark of a file; "" if there is none.
func markOf(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return ""
	}
	return z.Comment
}

func write(path, mark string, lines func(io.Writer) (int, error)) (n int, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return 0, err
	}
	err = whole.File(path, 0o644, func(f io.Writer) (err error) {
		z := gzip.NewWriter(f)
		z.Comment = mark
		n, err = lines(z)
		return errors.Join(err, z.Close())
	})
	return n, err
}
