package extract

import (
	"bytes"
	"errors"
	"io"
	"os"

	"varve/archive/warc"
	"varve/archive/whole"
)

// spooled is a block that can be read more than once: in memory if it is small, else in a file.
type spooled struct {
	warc.Block
	file *os.File
}

const spoolMemory = 1 << 20

func spool(rec *warc.Record) (*spooled, error) {
	var head bytes.Buffer
	_, err := io.CopyN(&head, rec.Block, spoolMemory)
	if errors.Is(err, io.EOF) {
		return &spooled{Block: warc.Bytes(head.Bytes())}, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := whole.Scratch("")
	if err != nil {
		return nil, err
	}
	s := &spooled{file: f}
	size, err := io.Copy(f, io.MultiReader(&head, rec.Block))
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.Block = io.NewSectionReader(f, 0, size)
	return s, nil
}

// Close removes the file, if there is one.
func (s *spooled) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
