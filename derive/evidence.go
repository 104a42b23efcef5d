package derive

import (
	"encoding/json"
	"fmt"
	"iter"

	"varve/archive/catalog"
	"varve/archive/scan"
	"varve/archive/warc"
	"varve/coherence/evidence"
	"varve/derive/job"
)

// evidenceVersion counts changes of what the notes of coherence/evidence hold.
const evidenceVersion = 3

// Evidence is a row of evidence: what one record proves (coherence/evidence), or a place of damage. Reports, graphs and statements of
// coherence read it instead of the WARC file.
type Evidence struct {
	Note    []byte `parquet:"note,zstd"`    // JSON; empty for a finding
	Finding []byte `parquet:"finding,zstd"` // JSON; empty for a note
}

func evidenceJob() job.Job {
	return job.Job{Name: "evidence", Version: evidenceVersion, Scan: &job.Scan{Mapper: evidence.Mapper(false, 0), Open: func(t *job.Task) (job.Sink, error) {
		rows, err := NewTable[Evidence](t, "evidence")
		return &evidenceSink{rows: rows}, err
	}}}
}

type evidenceSink struct {
	rows   *Table[Evidence]
	failed error
}

// Take writes the note of a record.
func (s *evidenceSink) Take(t *scan.Taken) error {
	if t.Err != nil {
		s.Finding(evidence.Unread(t))
	}
	note, err := evidence.Store(t)
	if note == nil || err != nil {
		return err
	}
	return s.rows.Add(Evidence{Note: note}, len(note))
}

// Finding keeps a place of damage.
func (s *evidenceSink) Finding(f warc.Finding) {
	b, err := json.Marshal(f)
	if err == nil {
		err = s.rows.Add(Evidence{Finding: b}, len(b))
	}
	if s.failed == nil {
		s.failed = err
	}
}

// Close ends the table.
func (s *evidenceSink) Close() error {
	if s.failed != nil {
		return s.failed
	}
	return s.rows.Close()
}

// StoredEvidence gives what the table of evidence in a folder of derivatives holds of files, as evidence.Options wants it: of those that are
// as they were when it was made.
func StoredEvidence(dir string, files []catalog.File) func(path string) iter.Seq2[evidence.Stored, error] {
	return func(path string) iter.Seq2[evidence.Stored, error] {
		for _, f := range files {
			if f.Path != path {
				continue
			}
			parts, err := Parts([]catalog.File{f})
			if err != nil || len(parts) == 0 {
				return nil
			}
			table, ok := job.Table(dir, evidenceJob(), parts[0], "evidence")
			if !ok {
				return nil
			}
			return storedIn(table)
		}
		return nil
	}
}

func storedIn(table string) iter.Seq2[evidence.Stored, error] {
	return func(yield func(evidence.Stored, error) bool) {
		err := Rows(table, func(e *Evidence) (bool, error) {
			out := evidence.Stored{Note: e.Note}
			if len(e.Finding) > 0 {
				out.Finding = &warc.Finding{}
				if err := json.Unmarshal(e.Finding, out.Finding); err != nil {
					return false, err
				}
			}
			return yield(out, nil), nil
		})
		if err != nil {
			yield(evidence.Stored{}, fmt.Errorf("%w: delete it, and 'varve derive' makes it again", err))
		}
	}
}
