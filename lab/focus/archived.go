package focus

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"varve/archive/warc"
	"varve/crawl/priority"
	varvepage "varve/page"
	"varve/web/canon"
	"varve/web/links"
)

// Archived is the web that an archive holds of a site: every page of HTML in the WARC files of a folder, with its links as the product reads
// them. Of links to what is not in the archive nothing is known, and they are left out. What a page is about by the data is that of the page of
// base which stands at the same path; topics are those of base.
func Archived(dir string, base *Web, paths []string) (*Web, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.warc*"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(fmt.Errorf("no WARC files in %s", dir), err)
	}
	a := &archived{
		web: &Web{By: base.By, Of: base.Of, Topics: base.Topics, Other: base.Other}, reader: varvepage.NewReader(),
		of: map[string][]string{}, at: map[string]int{}, moved: map[string]string{},
	}
	for i, p := range paths {
		a.of[p] = base.pages[i].genres
	}
	for _, f := range files {
		if err := a.file(f); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
	}
	a.join()
	return a.web, nil
}

// archived is a web that is being read.
type archived struct {
	web    *Web
	reader *varvepage.Reader
	of     map[string][]string // topics by the data, by path
	at     map[string]int      // page, by key
	moved  map[string]string   // where a redirect leads, by key
	to     [][]priority.Link   // of each page, with addresses
}

func (a *archived) file(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := warc.NewReader(f, warc.Options{Name: name})
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && rec.Type() == warc.TypeResponse && rec.IsHTTP() {
			err = a.response(rec)
		}
		if err != nil {
			return err
		}
	}
}

// response takes a page of HTML, or a redirect.
func (a *archived) response(rec *warc.Record) error {
	h, err := rec.HTTP()
	if err != nil {
		return err
	}
	u, err := canon.Parse(rec.TargetURI())
	if err != nil {
		return err
	}
	key := u.FrontierKey()
	if to := h.Header.Get("Location"); to != "" && h.Status/100 == 3 {
		base, err := url.Parse(u.String())
		if err != nil {
			return err
		}
		if target, err := base.Parse(to); err == nil {
			a.moved[key] = keyOf(target.String())
		}
		return nil
	}
	mime := h.Header.Get("Content-Type")
	if _, there := a.at[key]; there || h.Status != http.StatusOK || !strings.HasPrefix(mime, "text/html") {
		return nil
	}
	body, err := h.Content()
	if err != nil {
		return err
	}
	defer body.Close()
	content, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	var found []priority.Link
	p, err := a.reader.Read(varvepage.Input{URL: u.String(), MIME: mime, Body: content}, varvepage.Want{Links: func(l links.Link) {
		if l.Hop == links.HopLink {
			found = append(found, priority.Link{
				URL: strings.Clone(l.URL), Anchor: strings.Clone(l.Anchor), Around: strings.Clone(l.Around),
				AnchorAt: priority.Place(l.AnchorAt), AroundAt: priority.Place(l.AroundAt),
			})
		}
	}})
	if err != nil {
		return fmt.Errorf("%s: %w", u, err)
	}
	a.at[key] = len(a.web.pages)
	a.web.pages = append(a.web.pages, page{url: u.String(), title: strings.Clone(p.Info.Title), text: strings.Clone(p.Info.Text), genres: a.of[pathOf(u.String())]})
	a.to = append(a.to, found)
	return nil
}

// join makes links of addresses.
func (a *archived) join() {
	for i, list := range a.to {
		p := &a.web.pages[i]
		for _, l := range list {
			key := keyOf(l.URL)
			for n := 0; n < 5 && a.moved[key] != ""; n++ {
				key = a.moved[key]
			}
			if to, ok := a.at[key]; ok && to != i {
				p.links, p.anchors = append(p.links, to), append(p.anchors, l)
			}
		}
	}
}

func keyOf(address string) string {
	u, err := canon.Parse(address)
	if err != nil {
		return address
	}
	return u.FrontierKey()
}
