package warcspeed

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"

	"varve/archive/warc"
)

// writeFloor does the unavoidable: the same digests, one gzip member per record, one write and
// one sync per capture group as the writer does.
func writeFloor(path string, list []capture, syncEvery int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewWriterLevel(nil, warc.DefaultLevel)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	var sum [sha256.Size]byte
	for i, c := range list {
		buf.Reset()
		for _, e := range c.entries {
			block := []byte(e.Block.(warc.Bytes))
			digest(block, sum[:0])
			z.Reset(&buf)
			if _, err := fmt.Fprintf(z, "WARC/1.1\r\n%s\r\n", e.Raw); err != nil {
				return err
			}
			if _, err := z.Write(block); err != nil {
				return err
			}
			if _, err := z.Write([]byte("\r\n\r\n")); err != nil {
				return err
			}
			if err := z.Close(); err != nil {
				return err
			}
		}
		if _, err := f.Write(buf.Bytes()); err != nil {
			return err
		}
		if i%syncEvery == syncEvery-1 {
			if err := f.Sync(); err != nil {
				return err
			}
		}
	}
	return f.Sync()
}

// digest takes the sums that warc.Sum takes: sha1 of the block, sha1 and sha256 of the payload.
func digest(block, sum []byte) {
	head := max(0, bytes.Index(block, []byte("\r\n\r\n"))+4)
	b, p, s := sha1.New(), sha1.New(), sha256.New()
	b.Write(block)
	p.Write(block[head:])
	s.Write(block[head:])
	b.Sum(sum)
	p.Sum(sum)
	s.Sum(sum)
}

// writeRecords writes the captures through the durable writer, digests included.
func writeRecords(dir string, list []capture, syncEvery int) (string, error) {
	w, err := warc.NewWriter(warc.WriterConfig{
		Dir: dir, MaxSize: 1 << 40,
		Name: func(n int) string { return fmt.Sprintf("speed-%d", n) },
	})
	if err != nil {
		return "", err
	}
	for i, c := range list {
		for _, e := range c.entries {
			block := e.Block.(warc.Bytes)
			head := max(0, bytes.Index(block, []byte("\r\n\r\n"))+4)
			if _, err := warc.Sum(block, int64(head), false); err != nil {
				return "", err
			}
		}
		t, err := w.Append(c.entries...)
		if err != nil {
			return "", err
		}
		if i%syncEvery == syncEvery-1 {
			if err := t.Wait(); err != nil {
				return "", err
			}
		}
	}
	return filepath.Join(dir, "speed-0.warc.gz"), w.Close()
}
