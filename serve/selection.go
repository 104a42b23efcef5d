package serve

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"

	"varve"
	"varve/archive/catalog"
	"varve/archive/wacz"
	"varve/archive/warc"
	"varve/serve/api"
	"varve/serve/holdings"
)

// maxSelected bounds the captures of a selection.
const maxSelected = 200_000

// exportSelection writes the captures of an address prefix to a new WARC file and packs that. The
// records are copied byte for byte; a warcinfo record tells where they come from.
func (x *packages) exportSelection(ctx context.Context, col *catalog.Collection, sel api.Selection, cfg wacz.Config, begin func(string) io.Writer) (err error) {
	file, err := os.CreateTemp("", "varve-selection-*.warc.gz")
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "make a temporary file", Err: err}
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(file.Name())) }()
	s := &selection{x: x, col: col, out: file, done: map[varve.Location]bool{}}
	if err := s.write(ctx, sel); err != nil {
		return err
	}
	if s.records == 0 {
		return &varve.Error{Kind: varve.NotFound, Op: "pack " + sel.URL, Msg: "there is no capture of it that you may see"}
	}
	cfg.Title = fmt.Sprintf("%s: %s", cfg.Title, sel.URL)
	return pack(ctx, cfg, []catalog.File{{Name: sel.Collection + "-selection.warc.gz", Path: file.Name()}}, begin(sel.Collection+"-selection.wacz"))
}

// selection is the copying of chosen records.
type selection struct {
	x       *packages
	col     *catalog.Collection
	out     io.Writer
	enc     *warc.Encoder
	done    map[varve.Location]bool
	records int
}

func (s *selection) write(ctx context.Context, sel api.Selection) (err error) {
	if s.enc, err = warc.NewEncoder(warc.Packing{}); err != nil {
		return err
	}
	if err := s.info(sel); err != nil {
		return err
	}
	match, target := holdings.Typed(sel.URL)
	index := seen{s.x.p.indexes, s.x.p.rules, s.x.p.cfg.Now}
	for c, err := range index.Captures(ctx, holdings.Query{Collection: sel.Collection, URL: target, Match: match, From: sel.From, To: sel.To}) {
		if err != nil {
			return err
		}
		if s.records >= maxSelected {
			return &varve.Error{Kind: varve.Invalid, Op: "pack " + sel.URL, Msg: fmt.Sprintf("these are more than %d captures", maxSelected), Hint: "choose a longer prefix or a shorter time"}
		}
		if err := s.add(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// info says where the records come from.
func (s *selection) info(sel api.Selection) error {
	id, err := warc.NewID(rand.Reader)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("software: varve %s\r\ndescription: records copied byte for byte from the collection %s\r\nselection: %s %s %s\r\n",
		s.x.p.cfg.Version, sel.Collection, sel.URL, sel.From.UTC(), sel.To.UTC())
	return s.enc.Encode(s.out, warc.New(warc.TypeWarcinfo, id, s.x.p.cfg.Now(), warc.Bytes(text)).With("Content-Type", "application/warc-fields"))
}

// add copies the record of a capture, and that of its original before it.
func (s *selection) add(ctx context.Context, c holdings.Capture) error {
	if c.Revisit {
		// An original that is withheld or not here is left out; the revisit still says what it says.
		if original, err := s.x.p.contents.Original(ctx, s.col.Name, c); err == nil {
			if err := s.copy(original); err != nil {
				return err
			}
		}
	}
	return s.copy(c)
}

// copy writes a record as it is: header and block byte for byte, packed anew.
func (s *selection) copy(c holdings.Capture) error {
	place := varve.Location{File: c.File, Offset: c.Offset}
	if s.done[place] {
		return nil
	}
	s.done[place] = true
	path, err := s.col.FilePath(c.File)
	if err != nil {
		return err
	}
	return holdings.WithRecord(path, c.Offset, func(rec *warc.Record) error {
		block, err := spool(rec)
		if err != nil {
			return fmt.Errorf("copy %s: %w", c.URL, err)
		}
		defer block.Close()
		s.records++
		return s.enc.Encode(s.out, &warc.Entry{Version: rec.Version, Header: rec.Header, Raw: rec.Raw, Block: block})
	})
}

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
	f, err := os.CreateTemp("", "varve-block-*")
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
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
