package wacz

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// AddFile puts a file of the caller's into the package: a log, a report. The path must not be in
// archive/, indexes/ or pages/. py-wacz finds files only if they lie exactly one folder deep.
func (w *Writer) AddFile(p string, r io.Reader) error {
	if w.failed != nil {
		return w.failed
	}
	err := safePath(p)
	if err == nil && reserved(p) {
		err = errors.New("archive/, indexes/ and pages/ are for the parts of the format")
	}
	if err == nil {
		err = w.take(p)
	}
	if err != nil {
		return fmt.Errorf("add %s: %w", p, err) // nothing was written: the package goes on
	}
	if err := w.addFile(p, r); err != nil {
		w.failed = fmt.Errorf("add %s: %w", p, err)
	}
	return w.failed
}

func (w *Writer) addFile(p string, r io.Reader) error {
	s, err := w.spool(!hasAnySuffix(strings.ToLower(p), packedSuffixes))
	if err != nil {
		return err
	}
	if _, err := io.Copy(s, r); err != nil {
		return err
	}
	return w.addSpool(p, s)
}

var packedSuffixes = []string{".gz", ".zst", ".br", ".xz", ".bz2", ".zip", ".wacz", ".png", ".jpg", ".jpeg", ".webp", ".parquet"}
