package websim

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"golang.org/x/tools/txtar"
)

// Limits of a description, so that a hostile one cannot make us allocate without bound.
const (
	maxSpecBytes = 16 << 20
	maxTOMLBytes = 1 << 20
	maxSites     = 10_000    // after Count
	maxPages     = 2_000_000 // of all sites
	maxRules     = 200       // of each sort, per site
	maxBody      = 64 << 20
	maxSpan      = 100 * year
	maxChanges   = 1_000_000 // expected per page and rule
)

// Load reads a site description: TOML, or a txtar archive whose file site.toml is the TOML and whose
// other files are fixed pages, named HOST/PATH or HOST/PATH@DURATION (from that long after the
// epoch on). The name is used in errors.
func Load(name string, data []byte) (*Spec, error) {
	if len(data) > maxSpecBytes {
		return nil, fmt.Errorf("%s: %d bytes, at most %d are read", name, len(data), maxSpecBytes)
	}
	spec := &Spec{}
	text, files := data, []txtar.File(nil)
	if bytes.HasPrefix(data, []byte("-- ")) || bytes.Contains(data, []byte("\n-- ")) {
		text, files = split(txtar.Parse(data))
	}
	if err := decode(text, spec); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, f := range files {
		if err := spec.addFile(f); err != nil {
			return nil, fmt.Errorf("%s: file %s: %w", name, f.Name, err)
		}
	}
	if err := spec.finish(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return spec, nil
}

// split takes the TOML out of an archive. An archive without site.toml has its sites from the files.
func split(a *txtar.Archive) (text []byte, files []txtar.File) {
	for _, f := range a.Files {
		if f.Name == "site.toml" {
			text = f.Data
		} else {
			files = append(files, f)
		}
	}
	return text, files
}

// decode reads TOML strictly: a key that means nothing is an error, with its place.
func decode(text []byte, spec *Spec) error {
	if len(text) > maxTOMLBytes {
		return fmt.Errorf("%d bytes of TOML, at most %d are read", len(text), maxTOMLBytes)
	}
	meta, err := toml.NewDecoder(bytes.NewReader(text)).Decode(spec)
	if err != nil {
		if pe, ok := errors.AsType[toml.ParseError](err); ok {
			return fmt.Errorf("line %d, column %d: %s", pe.Position.Line, pe.Position.Col, pe.Message)
		}
		return err
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return fmt.Errorf("unknown key %q", extra[0])
	}
	return nil
}

// addFile takes a fixed page from an archive.
func (s *Spec) addFile(f txtar.File) error {
	name, at, dated := strings.Cut(f.Name, "@")
	from := time.Duration(0)
	if dated {
		var err error
		if from, err = ParseDuration(at); err != nil {
			return err
		}
	}
	host, rest, ok := strings.Cut(name, "/")
	if !ok || path.Clean("/"+rest) == "/" && rest != "" {
		return errors.New("want HOST/PATH or HOST/PATH@DURATION")
	}
	if len(s.files) >= maxPages {
		return fmt.Errorf("more than %d files", maxPages)
	}
	s.files = append(s.files, file{host, "/" + rest, Duration(from), f.Data})
	return nil
}
