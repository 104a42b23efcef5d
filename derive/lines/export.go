package lines

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"

	"varve/archive/scan"
	"varve/derive/job"
)

// version of what is written; another one writes all files again.
const version = "1"

// jobVersion is the same for derive/job.
const jobVersion = 1

// Report is what the jobs did.
type Report struct {
	Files   int   `json:"files"`
	Written int   `json:"written"` // the others were there
	Lines   int   `json:"lines"`   // written now
	Bytes   int64 `json:"bytes"`   // of all files
}

// Export is the jobs that keep dir/wat and dir/wet up to date, as far as they are wanted: WAT takes part in the scan of derive, WET reads
// the pages that it made.
type Export struct {
	WAT, WET bool
	written  atomic.Int64
	lines    atomic.Int64
}

// Jobs are the jobs to give to derive.
func (e *Export) Jobs() (out []job.Job) {
	if e.WAT {
		out = append(out, job.Job{Name: "wat", Version: jobVersion, Scan: &job.Scan{Mapper: Mapper(), Open: func(t *job.Task) (job.Sink, error) {
			z, err := e.create(t, "wat")
			return &watSink{z, e}, err
		}}})
	}
	if e.WET {
		out = append(out, job.Job{Name: "wet", Version: jobVersion, Needs: []string{"pages"}, Map: func(ctx context.Context, t *job.Task) error {
			z, err := e.create(t, "wet")
			if err != nil {
				return err
			}
			n, err := WET(ctx, z, t.Input("pages"))
			e.lines.Add(int64(n))
			return errors.Join(err, z.Close())
		}})
	}
	return out
}

// create makes a part's file of lines.
func (e *Export) create(t *job.Task, kind string) (*gzip.Writer, error) {
	f, err := t.CreateFile(kind, t.Part.Name+"."+kind+".jsonl.gz")
	if err != nil {
		return nil, err
	}
	e.written.Add(1)
	z := gzip.NewWriter(f)
	z.Comment = "varve lines " + version + " of " + t.Part.Mark
	return z, nil
}

// watSink writes the lines of one file.
type watSink struct {
	z *gzip.Writer
	e *Export
}

// Take writes the line of a record.
func (s *watSink) Take(t *scan.Taken) error {
	line, ok := t.Result.([]byte)
	if !ok {
		return nil // it is among the failures
	}
	s.e.lines.Add(1)
	_, err := s.z.Write(line)
	return err
}

// Close ends the file.
func (s *watSink) Close() error { return s.z.Close() }

// Report tells what the jobs did in a folder of derivatives.
func (e *Export) Report(dir string, parts []job.Part) (*Report, error) {
	out := &Report{Written: int(e.written.Load()), Lines: int(e.lines.Load())}
	for kind, wanted := range map[string]bool{"wat": e.WAT, "wet": e.WET} {
		if !wanted {
			continue
		}
		for _, p := range parts {
			st, err := os.Stat(filepath.Join(dir, kind, p.Name+"."+kind+".jsonl.gz"))
			if err != nil {
				return out, err
			}
			out.Files++
			out.Bytes += st.Size()
		}
	}
	return out, nil
}
