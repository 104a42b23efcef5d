package access

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"iter"

	"varve/archive/catalog"
	"varve/archive/warc"
)

// errEnough ends reading early.
var errEnough = errors.New("enough was read")

// kept gives a sum of each record of the purged file that is no tombstone of this purge, in order.
func (p *purge) kept(ctx context.Context, path string) (next func() ([32]byte, bool), stop func()) {
	return iter.Pull(func(yield func([32]byte) bool) {
		// What cannot be read is missing, and that is noticed by the comparison.
		_ = eachRecord(ctx, catalog.File{Path: path}, func(rec *warc.Record) error {
			if p.made[rec.ID()] {
				return nil
			}
			sum, err := recordSum(rec)
			if err != nil {
				return err
			}
			if !yield(sum) {
				return errEnough
			}
			return nil
		})
	})
}

// recordSum is a sum of header and block.
func recordSum(rec *warc.Record) (sum [32]byte, err error) {
	h := sha256.New()
	_, _ = io.WriteString(h, rec.Raw) // a hash takes everything
	if _, err := io.Copy(h, rec.Block); err != nil {
		return sum, err
	}
	return [32]byte(h.Sum(nil)), nil
}
