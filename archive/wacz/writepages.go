package wacz

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"varve/web/canon"
)

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
func (w *Writer) AddPage(p PageEntry) error {
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

func (w *Writer) addPage(p PageEntry) error {
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
func (w *Writer) noteMain(p PageEntry) {
	switch {
	case w.mainURL == "" && p.Seed:
		w.mainURL, w.mainDate = p.URL, p.TS
	case w.mainDate == "" && w.detect.main != "" && canon.SURT(p.URL) == w.detect.main:
		w.mainDate = p.TS
	}
}

func (w *Writer) finishPages(context.Context) error {
	if err := w.addSpool(PagesPath, w.pages); err != nil || w.extra == nil {
		return err
	}
	return w.addSpool(ExtraPagesPath, w.extra)
}
