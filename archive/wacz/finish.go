package wacz

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"varve/archive/cdxj"
	"varve/web/canon"
)

// NewWriter makes a Writer of a package that goes to out, from front to back. The caller must call
// Close at the end.
func NewWriter(out io.Writer, cfg Config) (*Writer, error) {
	dir, err := os.MkdirTemp(cfg.Dir, "wacz-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary directory: %w", err)
	}
	w := &Writer{
		cfg: cfg, dir: dir, zip: newZipWriter(out, cfg.Created),
		sorter: cdxj.NewSorter(dir, cdxj.SortOptions{Memory: cfg.SortMemory, Unique: true}),
		detect: newDetector(cfg.Seeds, cfg.MainPageURL),
		names:  map[string]bool{}, labels: map[string]bool{},
		mainURL: cfg.MainPageURL, mainDate: formatTime(cfg.MainPageDate),
	}
	w.buffers.New = func() any { b := make([]byte, 64<<10); return &b }
	if err := w.startPages(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

func (w *Writer) startPages() (err error) {
	header := pageList{Format: pagesFormat, ID: "pages", Title: "All Pages", HasText: w.cfg.Text}
	if w.pages, err = w.pageSpool(header); err != nil {
		return err
	}
	if len(w.cfg.Seeds) == 0 {
		return nil
	}
	w.extra, err = w.pageSpool(pageList{Format: pagesFormat, ID: "extra-pages", Title: "Extra Pages", HasText: w.cfg.Text})
	return err
}

func (w *Writer) pageSpool(header pageList) (*spool, error) {
	s, err := w.spool(true)
	if err != nil {
		return nil, err
	}
	return s, writeJSONLine(s, header)
}

func writeJSONLine(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// AddPage lists a page that the caller knows of. Without an ID it gets one.
func (w *Writer) AddPage(p Page) error {
	if w.failed != nil {
		return w.failed
	}
	if _, err := parseTime(p.TS); err != nil {
		return fmt.Errorf("add page %s: %w", p.URL, err)
	}
	if p.ID == "" {
		p.ID = pageID(p.URL, p.TS)
	}
	w.failed = w.addPage(p)
	return w.failed
}

func (w *Writer) addPage(p Page) error {
	w.noteMain(p)
	if w.extra != nil && !p.Seed {
		w.sum.Extra++
		return writeJSONLine(w.extra, p)
	}
	w.sum.Pages++
	return writeJSONLine(w.pages, p)
}

// noteMain takes the first page of a seed as the main page, and the date of the main page if only
// its address is known.
func (w *Writer) noteMain(p Page) {
	switch {
	case w.mainURL == "" && p.Seed:
		w.mainURL, w.mainDate = p.URL, p.TS
	case w.mainDate == "" && w.detect.main != "" && canon.SURT(p.URL) == w.detect.main:
		w.mainDate = p.TS
	}
}

// Finish writes the index, the page lists, the manifest and the directory.
func (w *Writer) Finish(ctx context.Context) (*Summary, error) {
	if w.failed != nil {
		return nil, w.failed
	}
	w.failed = errors.New("the package is finished")
	for _, step := range []func(context.Context) error{w.finishIndex, w.finishPages, w.finishManifest} {
		if err := step(ctx); err != nil {
			w.failed = fmt.Errorf("finish package: %w", err)
			return nil, w.failed
		}
	}
	if err := w.zip.finish(); err != nil {
		w.failed = err
		return nil, err
	}
	w.sum.Bytes = w.zip.at
	return &w.sum, nil
}

// finishIndex sorts the lines into index.cdx.gz and index.idx.
func (w *Writer) finishIndex(ctx context.Context) error {
	data, err := w.spool(false)
	if err != nil {
		return err
	}
	idx, err := w.spool(true)
	if err != nil {
		return err
	}
	zw := cdxj.NewZipWriter(data, idx, cdxj.ZipOptions{Lines: w.cfg.BlockLines, WACZ: true, Name: "index.cdx.gz"})
	for line, err := range w.sorter.Sorted() {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = zw.WriteLine(line)
		}
		if err != nil {
			return err
		}
	}
	if err := zw.Close(); err != nil {
		return err
	}
	w.sum.Captures = zw.Lines()
	if err := w.addSpool(IndexPath, data); err != nil {
		return err
	}
	return w.addSpool(IdxPath, idx)
}

func (w *Writer) finishPages(context.Context) error {
	if err := w.addSpool(PagesPath, w.pages); err != nil || w.extra == nil {
		return err
	}
	return w.addSpool(ExtraPagesPath, w.extra)
}

// finishManifest writes the manifest and its digest, signed if there is a key.
func (w *Writer) finishManifest(context.Context) error {
	m := &Manifest{
		Profile: ProfilePackage, Version: Version, Resources: w.resources,
		Title: w.cfg.Title, Description: w.cfg.Description, Software: w.cfg.Software,
		Created: formatTime(w.cfg.Created), Modified: formatTime(w.cfg.Modified),
		MainPageURL: w.mainURL, MainPageDate: w.mainDate,
	}
	if m.Resources == nil {
		m.Resources = []Resource{}
	}
	text, err := m.Encode()
	if err != nil {
		return err
	}
	digest := DigestFile{Path: ManifestPath, Hash: sumOf(text)}
	if w.cfg.Key != nil {
		digest.Signed, err = Sign(w.cfg.Random, w.cfg.Key, digest.Hash, w.cfg.Created, w.cfg.Software)
		if err != nil {
			return err
		}
	}
	signature, err := encodeJSON(digest)
	if err != nil {
		return err
	}
	w.sum.Manifest, w.sum.Signed = m, digest.Signed != nil
	if err := w.addBytes(ManifestPath, text); err != nil {
		return err
	}
	return w.addBytes(DigestPath, signature)
}

// addBytes writes an entry that the manifest does not list.
func (w *Writer) addBytes(p string, b []byte) error {
	s, err := w.spool(true)
	if err != nil {
		return err
	}
	if _, err := s.Write(b); err != nil {
		return err
	}
	e, r, err := s.flush(p)
	if err != nil {
		return err
	}
	return w.zip.add(e, r)
}

// Close removes all temporary files. Without Finish before it, what was written is no package.
func (w *Writer) Close() error {
	err := w.sorter.Close()
	for _, s := range w.spools {
		err = errors.Join(err, s.close())
	}
	w.spools = nil
	if w.failed == nil {
		w.failed = errors.New("the package is closed")
	}
	return errors.Join(err, os.RemoveAll(w.dir))
}
