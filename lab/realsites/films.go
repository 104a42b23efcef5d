package realsites

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"varve/archive/warc"
)

// notHTTP returns the streams that the metadata records of an archive name as such that cannot be got over HTTP.
func notHTTP(dir string) (names []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.warc*"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		found, err := notHTTPOf(f)
		f.Close()
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	return names, nil
}

func notHTTPOf(r io.Reader) (names []string, err error) {
	records, err := warc.NewReader(r, warc.Options{})
	if err != nil {
		return nil, err
	}
	defer records.Close()
	for {
		rec, err := records.Next()
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, err
		}
		if rec.Type() != warc.TypeMetadata {
			continue
		}
		lines := bufio.NewScanner(rec.Block)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if address, ok := strings.CutPrefix(lines.Text(), "media-not-http: "); ok {
				names = append(names, strings.TrimSpace(address))
			}
		}
	}
}
