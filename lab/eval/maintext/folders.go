package maintext

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"varve/text/charset"
)

// mostPage bounds a file of a benchmark.
const mostPage = 32 << 20

// loadFolders reads a benchmark of whole texts: in each folder below dir a page (source.html) and what a person made of it (expected.html, of which
// the visible text counts, or expected.txt). The tests of Readability and its offspring are kept so. Folders without both are passed over.
func loadFolders(dir string) ([]Page, error) {
	var pages []Page
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() != "source.html" {
			return err
		}
		p, err := readFolder(filepath.Dir(path))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if p.Want != "" {
			pages = append(pages, p)
		}
		return nil
	})
	if err == nil && len(pages) == 0 {
		err = fmt.Errorf("%s: neither the source of go-trafilatura nor folders with source.html and expected.html or expected.txt", dir)
	}
	return pages, err
}

func readFolder(dir string) (p Page, err error) {
	p.File = filepath.Base(dir)
	if p.Body, err = readPage(filepath.Join(dir, "source.html")); err != nil {
		return p, err
	}
	if b, err := readPage(filepath.Join(dir, "expected.txt")); err == nil {
		p.Want = strings.TrimSpace(string(b))
		return p, nil
	}
	b, err := readPage(filepath.Join(dir, "expected.html"))
	if err != nil {
		return p, err
	}
	b, _ = charset.ToUTF8(b, "")
	text, how := visible(b)
	if how == "failed" {
		return p, errors.New("expected.html cannot be read")
	}
	p.Want = strings.TrimSpace(text)
	return p, nil
}

func readPage(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err == nil && st.Size() > mostPage {
		err = fmt.Errorf("%d bytes are more than the %d of a page", st.Size(), mostPage)
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}
