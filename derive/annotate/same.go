package annotate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"varve/derive"
	"varve/derive/job"
	"varve/picture"
)

// Showing is one address of a picture, as the tables have it.
type Showing struct {
	URL      string    `json:"url"`
	First    time.Time `json:"first"` // captured with these bytes
	Last     time.Time `json:"last"`
	Width    int32     `json:"width"`
	Height   int32     `json:"height"`
	Likeness float64   `json:"likeness"` // to the first of the group, or to what was asked for; 1 for equal bytes
	Pages    int64     `json:"pages"`    // versions of pages that show it
	Words    []string  `json:"words,omitempty"`

	state string
}

// Group is a picture with all that shows it, over pages and time.
type Group struct {
	Showings []Showing `json:"showings"`
	print    *picture.Print
}

// words is how many different captions of a showing are told.
const words = 3

// SamePictures finds which pictures of a collection are the same.
type SamePictures struct {
	Dir   string // of the derivatives
	Parts []job.Part
	Most  int // pictures that are held, 1.4 KB each; the rest is counted in Left

	Groups []Group // those that were shown at two addresses or with two contents at least; or that are like what was asked for
	Seen   int64   // pictures that can be recognised
	Left   int64   // of these, were not looked at: there are more than Most
	Absent int     // files without a table of pictures
}

// Find groups the pictures of all tables. Each becomes one of the group whose first picture it is most like, or the first of its own: so pictures are not
// chained from one to the next. If like is not nil, there is one group: what is like it.
func (s *SamePictures) Find(ctx context.Context, like *picture.Print) error {
	at := map[string]*Showing{} // by address and content
	group := map[string]int{}   // by address and content
	x := picture.NewIndex()
	if like != nil {
		x.Add(like)
		s.Groups = []Group{{print: like}}
	}
	content := map[string]picture.Match{} // by digest of the bytes: the group
	err := s.rows(ctx, func(r *PictureRow) {
		p := r.Print()
		if p == nil {
			return
		}
		s.Seen++
		key := r.SURT + " " + r.State
		if old := at[key]; old != nil {
			old.First, old.Last = earlier(old.First, r.Time), later(old.Last, r.Time)
			return
		}
		m, known := content[r.State]
		if !known {
			if len(content) >= s.Most {
				s.Left++
				return
			}
			found := x.Find(p)
			switch {
			case len(found) > 0:
				m = found[0]
			case like != nil:
				m.ID = -1
			default:
				m = picture.Match{ID: x.Add(p), Likeness: 1}
				s.Groups = append(s.Groups, Group{print: p})
			}
			content[r.State] = m
		}
		if m.ID < 0 {
			return
		}
		at[key] = &Showing{URL: r.URL, First: r.Time, Last: r.Time, Width: r.Width, Height: r.Height, Likeness: m.Likeness, state: key}
		group[key] = m.ID
	})
	if err != nil {
		return err
	}
	if err := s.captions(ctx, at); err != nil {
		return err
	}
	for key, show := range at {
		g := &s.Groups[group[key]]
		g.Showings = append(g.Showings, *show)
	}
	least := 2
	if like != nil {
		least = 1
	}
	s.Groups = slices.DeleteFunc(s.Groups, func(g Group) bool { return len(g.Showings) < least })
	for _, g := range s.Groups {
		slices.SortFunc(g.Showings, func(a, b Showing) int {
			return cmp.Or(a.First.Compare(b.First), cmp.Compare(a.state, b.state))
		})
	}
	slices.SortStableFunc(s.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(len(b.Showings), len(a.Showings)), a.Showings[0].First.Compare(b.Showings[0].First), cmp.Compare(a.Showings[0].state, b.Showings[0].state))
	})
	return nil
}

// rows reads the tables of pictures.
func (s *SamePictures) rows(ctx context.Context, each func(*PictureRow)) error {
	absent, err := EachPicture(ctx, s.Dir, s.Parts, func(_ job.Part, r *PictureRow) error { each(r); return nil })
	s.Absent += absent
	return err
}

// captions adds what pages say. A page is taken to show the contents that the address of the picture had at any time: tables say which address
// it names, not which content was there when it was captured.
func (s *SamePictures) captions(ctx context.Context, at map[string]*Showing) error {
	byURL := map[string][]*Showing{}
	for _, show := range at {
		byURL[show.URL] = append(byURL[show.URL], show)
	}
	jobs := PictureJobs()
	for _, p := range s.Parts {
		path, ok := job.Table(s.Dir, jobs[1], p, captions)
		if !ok {
			continue
		}
		err := derive.Rows(path, func(r *CaptionRow) (bool, error) {
			said := cmp.Or(r.Caption, r.Alt, r.Title)
			for _, show := range byURL[r.Picture] {
				show.Pages++
				if said != "" && len(show.Words) < words && !slices.Contains(show.Words, said) {
					show.Words = append(show.Words, said)
				}
			}
			return true, ctx.Err()
		})
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return nil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
