package selection

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"varve/archive/journal"
	"varve/crawl/relevance"
	"varve/web/canon"
)

// Definition says what is proposed.
type Definition struct {
	Name     string   `json:"name"`
	Topic    string   `json:"topic,omitempty"`    // words
	Examples []string `json:"examples,omitempty"` // addresses of pages that are about it

	Crawl string           `json:"crawl,omitempty"` // the planned crawl whose definition it goes by
	About *relevance.About `json:"about,omitempty"` // what that said it is about, as it stood; words and examples come on top

	Threshold float64   `json:"threshold"` // of the relevance, 0 to 1
	By        string    `json:"by"`
	At        time.Time `json:"at"`
}

// What a decision does.
const (
	Include = "include"
	Exclude = "exclude"
	Reset   = "reset" // as if nothing had been decided
)

// Decision is what a curator says about a page, or about one version of it.
type Decision struct {
	Do   string    `json:"do"` // include, exclude, reset
	URL  string    `json:"url"`
	From time.Time `json:"from,omitzero"` // first capture of the version; none: all versions of the page
	Note string    `json:"note,omitempty"`
	By   string    `json:"by,omitempty"`
	At   time.Time `json:"at,omitzero"`
}

// line is a line of the journal.
type line struct {
	Do     string      `json:"do"` // define, include, exclude, reset
	Define *Definition `json:"define,omitempty"`
	SURT   string      `json:"surt,omitempty"`
	URL    string      `json:"url,omitempty"`
	From   time.Time   `json:"from,omitzero"`
	Note   string      `json:"note,omitempty"`
	By     string      `json:"by,omitempty"`
	At     time.Time   `json:"at,omitzero"`
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$`)

// defaultThreshold is that of a definition without one.
const defaultThreshold = 0.1

// Check tells what is wrong with a definition, and fills its defaults.
func (d *Definition) Check() error {
	if d.Threshold == 0 {
		d.Threshold = defaultThreshold
	}
	switch {
	case !nameForm.MatchString(d.Name):
		return fmt.Errorf("the name %q cannot be used: letters, digits, dot, dash and underscore, at most 61 of them", d.Name)
	case d.About != nil && d.About.Check() != nil:
		return fmt.Errorf("what it is about: %w", d.About.Check())
	case strings.TrimSpace(d.Topic) == "" && len(d.Examples) == 0 && d.About == nil:
		return errors.New("a topic is missing: words, or addresses of pages that are about it")
	case len(d.Topic) > 64<<10 || len(d.Examples) > 100:
		return errors.New("the topic is too large: 64 KiB of words and 100 addresses at most")
	case !(d.Threshold > 0 && d.Threshold <= 1):
		return fmt.Errorf("the threshold %g is not between 0 and 1", d.Threshold)
	}
	return nil
}

// Selection is a definition with the decisions that were made.
type Selection struct {
	Definition
	Lost     *journal.BadLines     // lines that could not be read; nil: none
	pages    map[string]string     // decisions by index key
	versions map[versionKey]string // and by version
	decided  map[string]string     // an address of each key, for those that no row has
}

type versionKey struct {
	surt string
	from int64
}

func file(dir, name string) string { return filepath.Join(dir, "labels", "selection-"+name+".jsonl") }

// ErrNone tells that there is no selection of a name.
var ErrNone = errors.New("there is no such selection")

// Names lists the selections of a collection, whose folder is dir.
func Names(dir string) (out []string, err error) {
	entries, err := os.ReadDir(filepath.Join(dir, "labels"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if name, ok := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".jsonl"), "selection-"); ok && nameForm.MatchString(name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, err
}

// Define writes a definition; one of the same name is replaced, and decisions stay.
func Define(dir string, d Definition) (Definition, error) {
	if err := d.Check(); err != nil {
		return d, err
	}
	return d, journal.Append(file(dir, d.Name), line{Do: "define", Define: &d})
}

// Read reads a selection. Lines that cannot be read lose only themselves; Lost names them.
func Read(dir, name string) (*Selection, error) {
	if !nameForm.MatchString(name) {
		return nil, ErrNone
	}
	s := &Selection{pages: map[string]string{}, versions: map[versionKey]string{}, decided: map[string]string{}}
	var err error
	s.Lost, err = journal.Lost(journal.Each(file(dir, name), s.take))
	switch {
	case err != nil:
		return nil, err
	case s.Name == "" && s.Lost != nil:
		return nil, fmt.Errorf("what it selects cannot be read any more: %w", s.Lost)
	case s.Name == "":
		return nil, ErrNone
	}
	return s, nil
}

func (s *Selection) take(l line) error {
	switch {
	case l.Do == "define" && l.Define != nil:
		s.Definition = *l.Define
		return nil
	case l.SURT == "" || l.Do != Include && l.Do != Exclude && l.Do != Reset:
		return errors.New("neither a definition nor a decision on a page")
	}
	s.decided[l.SURT] = l.URL
	if !l.From.IsZero() {
		s.versions[versionKey{l.SURT, l.From.UnixMicro()}] = l.Do
		return nil
	}
	s.pages[l.SURT] = l.Do
	for k := range s.versions { // what is said of a page later counts for all its versions
		if k.surt == l.SURT {
			delete(s.versions, k)
		}
	}
	return nil
}

// decision gives what was decided on a version; "" for nothing.
func (s *Selection) decision(surt string, from time.Time) string {
	do := s.versions[versionKey{surt, from.UnixMicro()}]
	if do == "" {
		do = s.pages[surt]
	}
	if do == Reset {
		return ""
	}
	return do
}

// maxDecisions bounds how many are made at once.
const maxDecisions = 10_000

// Decide writes decisions.
func Decide(dir, name string, list []Decision) error {
	if _, err := Read(dir, name); err != nil {
		return err
	}
	if len(list) == 0 || len(list) > maxDecisions {
		return fmt.Errorf("%d decisions: 1 to %d can be made at once", len(list), maxDecisions)
	}
	lines := make([]line, len(list))
	for i, d := range list {
		u, err := canon.Parse(d.URL)
		if err != nil || !u.IsHTTP() {
			return fmt.Errorf("%q is no address of a page", d.URL)
		}
		surt := canon.SURT(d.URL)
		if d.Do != Include && d.Do != Exclude && d.Do != Reset {
			return fmt.Errorf("%q is no decision (include, exclude, reset)", d.Do)
		}
		if len(d.Note) > 4<<10 {
			return errors.New("a note is longer than 4 KiB")
		}
		lines[i] = line{Do: d.Do, SURT: surt, URL: d.URL, From: d.From.UTC(), Note: d.Note, By: d.By, At: d.At}
		if d.From.IsZero() {
			lines[i].From = time.Time{}
		}
	}
	return journal.Append(file(dir, name), lines...)
}
