package crawlspeed

import (
	"errors"
	"fmt"
	"io"
	"os"

	"varve/archive/warc"
)

// captured counts the expected URLs that have a whole response record in the files.
func captured(files []string, expected map[string]bool) (int, error) {
	found := map[string]bool{}
	for _, f := range files {
		err := eachRecord(f, func(rec *warc.Record) error {
			if u := rec.TargetURI(); rec.Type() == warc.TypeResponse && expected[u] {
				found[u] = true
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	return len(found), nil
}

// eachRecord reads a WARC file leniently: what is to be known is whether a URL is there.
func eachRecord(file string, fn func(*warc.Record) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := warc.NewReader(f, warc.Options{Name: file, Policy: warc.Silent()})
	if err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = fn(rec)
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", file, err)
		}
	}
}
