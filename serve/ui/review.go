package ui

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"varve"
	"varve/analyse/notes"
	"varve/serve/holdings"
	"varve/serve/review"
)

// reviewData is what the quality review of a crawl shows.
type reviewData struct {
	*crawlData
	*review.Quality
	Again   int // addresses that another attempt may bring
	List    string
	Command string
	Has     bool // there is a log
	Notes   *notesData
}

// review lists what a crawl lacks, worst first.
func (u *UI) review(r *http.Request) (*view, error) {
	c, err := u.crawlData(r)
	if err != nil {
		return nil, err
	}
	d := &reviewData{crawlData: c, Quality: &review.Quality{}, List: "recrawl-" + c.ID + ".txt"}
	d.Tab = "review"
	d.Notes = u.notesAbout(r, c.Collection, notes.Subject{Crawl: c.ID})
	q, err := judge(r, c.Crawl)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "review crawl " + c.ID, Err: err, Hint: "the WARC files are not affected"}
	default:
		d.Quality, d.Has = q, true
	}
	again := d.Recrawl()
	if r.URL.Query().Get("list") == "recrawl" {
		return &view{file: &file{d.List, "text/plain; charset=utf-8", []byte("# crawl " + c.ID + " of " + c.Collection + "\n" + strings.Join(append(again, ""), "\n"))}}, nil
	}
	d.Again = len(again)
	d.Command = "varve crawl --seeds " + d.List + " --scope page --collection " + c.Collection
	if c.Definition != nil && c.Definition.Contact != "" && !strings.ContainsAny(c.Definition.Contact, " '\"`$\\") {
		d.Command += " --contact " + c.Definition.Contact
	}
	return &view{template: "review", title: "Review of " + c.ID, section: "crawls", data: d}, nil
}

// judge reads the log and the events of a crawl.
func judge(r *http.Request, k *holdings.Crawl) (*review.Quality, error) {
	log, err := os.Open(filepath.Join(k.Dir(), "crawl.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	var events io.Reader
	if f, err := os.Open(filepath.Join(k.Dir(), "events.jsonl")); err == nil {
		defer f.Close()
		events = f
	}
	return review.Judge(r.Context(), log, events)
}
