package websim

import (
	"fmt"
	"slices"
	"time"
)

// Written is a page whose versions somebody else writes: the way to give a web pages that tell a story and still have
// a history, validators and truth like generated ones.
type Written struct {
	Path  string
	Type  string          // by the ending of the path where empty
	From  []time.Duration // after the epoch: when each version begins, rising; the page appears with the first
	Until time.Duration   // when the page vanishes; 0: never
	Body  func(n int) []byte
}

// Write adds pages to a site of a description, before New. Body is asked for version n when somebody wants it, and must
// always give the same bytes. Links of these pages are not known to Web.Links.
func (s *Spec) Write(host string, pages ...Written) error {
	k := slices.IndexFunc(s.Sites, func(t Site) bool { return t.Host == host })
	if k < 0 {
		return fmt.Errorf("write pages of %s: the description has no such site", host)
	}
	t := &s.Sites[k]
	t.Page = slices.Clone(t.Page)
	for _, w := range pages {
		f, err := w.fixed()
		if err != nil {
			return fmt.Errorf("write %s%s: %w", host, w.Path, err)
		}
		t.Page = append(t.Page, f)
	}
	return s.validate()
}

// fixed turns a page into one of fixed path.
func (w *Written) fixed() (Fixed, error) {
	f := Fixed{Path: w.Path, Type: w.Type}
	switch {
	case w.Body == nil || len(w.From) == 0:
		return f, fmt.Errorf("want a body and the beginning of at least one version")
	case !slices.IsSorted(w.From) || len(slices.Compact(slices.Clone(w.From))) != len(w.From):
		return f, fmt.Errorf("the beginnings of versions must rise")
	case len(w.From) > maxChanges:
		return f, fmt.Errorf("%d versions, at most %d", len(w.From), maxChanges)
	case w.Until != 0 && w.Until <= w.From[0]:
		return f, fmt.Errorf("it vanishes before it appears")
	}
	if f.Type == "" {
		f.Type = typeOf(w.Path).String()
	}
	f.until = Duration(w.Until).ms()
	for n, at := range w.From {
		f.data = append(f.data, version{from: Duration(at).ms(), write: func() []byte { return w.Body(n) }})
	}
	return f, nil
}

// body gives the bytes of a version.
func (v *version) body() []byte {
	if v.write != nil {
		return v.write()
	}
	return v.data
}
