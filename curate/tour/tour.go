// Package tour reads guided tours: a way through the screens of an archive, with a few words at each stop. Curators write one to show what an
// archive holds, as they would lead a class through it; the demonstration has one.
//
//	title = "Three years of a small country"
//
//	[[stop]]
//	at = "/collections/news"
//	title = "Layers"
//	text = "Each band is one crawl."
//	in.de = { title = "Schichten", text = "Jedes Band ist ein Crawl." }
//
// It lies in the archive's directory, as tour.toml (docs/formats/tour.md).
package tour

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"

	"varve/archive/whole"
)

// Tour is a way through the screens.
type Tour struct {
	Words
	In    map[string]Words `toml:"in,omitempty"` // by language
	Stops []Stop           `toml:"stop"`
}

// Words are what is said in one language.
type Words struct {
	Title string `toml:"title"`
	Text  string `toml:"text,omitempty"`
}

// Stop is a screen that the tour comes to.
type Stop struct {
	At string `toml:"at"` // path and query of the screen
	Words
	In map[string]Words `toml:"in,omitempty"`
}

// Bounds of a file.
const (
	maxBytes = 1 << 20
	maxStops = 200
)

// File returns where the tour of an archive lies.
func File(archive string) string { return filepath.Join(archive, "tour.toml") }

// Read returns the tour of an archive; nil if it has none. An error has the line and the reason.
func Read(archive string) (*Tour, error) {
	name := File(archive)
	switch info, err := os.Stat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case info.Size() > maxBytes:
		return nil, fmt.Errorf("%s: %d bytes; at most %d", name, info.Size(), maxBytes)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	t, err := Parse(string(b))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// Parse reads a tour.
func Parse(src string) (*Tour, error) {
	var t Tour
	meta, err := toml.Decode(src, &t)
	if err != nil {
		return nil, err
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return nil, fmt.Errorf("%q is not known", keys[0].String())
	}
	switch {
	case t.Title == "":
		return nil, errors.New("a title is needed")
	case len(t.Stops) == 0 || len(t.Stops) > maxStops:
		return nil, fmt.Errorf("%d stops; a tour has 1 to %d", len(t.Stops), maxStops)
	}
	for i, s := range t.Stops {
		if s.Title == "" {
			return nil, fmt.Errorf("stop %d (%s) needs a title", i+1, s.At)
		}
		if _, err := s.address(); err != nil {
			return nil, fmt.Errorf("stop %d: %w", i+1, err)
		}
	}
	return &t, nil
}

// address reads where a stop is. A tour never leads away from the server.
func (s *Stop) address() (*url.URL, error) {
	u, err := url.Parse(s.At)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "" || u.Host != "" || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "//") || strings.ContainsAny(s.At, "\\\n\r\t") {
		return nil, fmt.Errorf("at = %q is no screen of this server: give path and query, such as \"/collections/news\"", s.At)
	}
	return u, nil
}

// Param is the query parameter that says at which stop a visitor is, from 1.
const Param = "tour"

// Address returns the address of stop i of the tour, from 1; "" for one that there is not.
func (t *Tour) Address(i int) string {
	if i < 1 || i > len(t.Stops) {
		return ""
	}
	u, err := t.Stops[i-1].address()
	if err != nil {
		return "" // Parse has told it
	}
	q := u.Query()
	q.Set(Param, fmt.Sprint(i))
	u.RawQuery = q.Encode()
	return u.String()
}

// Said returns the words of the tour in a language, or as they are.
func (t *Tour) Said(language string) Words { return said(t.Words, t.In, language) }

// Said returns the words of a stop in a language, or as they are.
func (s *Stop) Said(language string) Words { return said(s.Words, s.In, language) }

func said(w Words, in map[string]Words, language string) Words {
	other := in[language]
	return Words{cmp.Or(other.Title, w.Title), cmp.Or(other.Text, w.Text)}
}

// Write keeps a tour in an archive.
func Write(archive string, t *Tour) error {
	b, err := toml.Marshal(t)
	if err != nil {
		return err
	}
	if _, err := Parse(string(b)); err != nil {
		return fmt.Errorf("tour: %w", err)
	}
	return whole.Bytes(File(archive), 0o644, b)
}
