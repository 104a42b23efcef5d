package entities

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/entity"
	"varve/entity/base"
	"varve/language"
)

// NamedPage is a page in a time in which all its versions name somebody.
type NamedPage struct {
	URL      string    `json:"url"`
	Key      string    `json:"key"`
	From     time.Time `json:"from"`        // first capture of the first such version, or up to a second before: indexes of captures know seconds
	Until    time.Time `json:"to,omitzero"` // first capture of the next that does not, or up to a second after; zero: there is none
	Captures int       `json:"captures"`
}

// Naming is who names somebody, in a collection.
type Naming struct {
	Pages  []NamedPage `json:"pages"`  // by key and time
	Absent int         `json:"absent"` // files without a table of names: what they have is not known
}

// WhoNames returns the pages of a collection that name an entity of its base, by its id, or if byName whoever texts call so, whether a base knows them or not. Texts of languages in which names are not found name nobody here.
func WhoNames(ctx context.Context, col *catalog.Collection, who string, byName bool) (*Naming, error) {
	files, err := col.Files()
	if err != nil {
		return nil, err
	}
	parts, err := derive.Parts(files)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(col.Dir(), "derived")
	type state struct{ surt, state string }
	named := map[state]bool{}
	out := &Naming{Pages: []NamedPage{}}
	read := readEntities(ctx, who)
	if byName {
		read = readMentions(ctx, who)
	} else {
		l, err := annotate.OpenLinker(base.OfCollection(col.Dir()))
		if err != nil {
			return nil, err
		}
		defer l.Close()
		n, ok, err := l.Base().Find(who) // it may be another id of it
		if err != nil {
			return nil, err
		}
		if ok {
			e, err := l.Base().Entity(n)
			if err != nil {
				return nil, err
			}
			read = readEntities(ctx, e.ID)
		}
		j, _ := l.Job()
		inner := read
		read = func(_ job.Job, dir string, p job.Part, met func(annotate.Version)) (bool, error) {
			return inner(j, dir, p, met)
		}
	}
	jobs, _ := annotate.Jobs([]language.Unit{language.Mentions})
	mentions := jobs[slices.IndexFunc(jobs, func(j job.Job) bool { return j.Name == string(language.Mentions) })]
	for _, p := range parts {
		ok, err := read(mentions, dir, p, func(v annotate.Version) { named[state{strings.Clone(v.SURT), strings.Clone(v.State)}] = true })
		if err != nil {
			return nil, err
		}
		if !ok {
			out.Absent++
		}
	}
	if len(named) == 0 {
		return out, nil
	}
	pages := map[string]bool{}
	for s := range named {
		pages[s.surt] = true
	}
	var versions []derive.VersionRow
	err = derive.Rows(filepath.Join(dir, "versions.parquet"), func(v *derive.VersionRow) (bool, error) {
		if pages[v.SURT] {
			versions = append(versions, derive.VersionRow{URL: strings.Clone(v.URL), SURT: strings.Clone(v.SURT), State: strings.Clone(v.State), From: v.From, Until: v.Until, Captures: v.Captures})
		}
		return true, ctx.Err()
	})
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "read versions of " + col.Name, Err: err, Hint: "run 'varve derive'"}
	}
	slices.SortStableFunc(versions, func(a, b derive.VersionRow) int {
		return cmp.Or(strings.Compare(a.SURT, b.SURT), a.From.Compare(b.From))
	})
	open := false // the last page goes on
	for _, v := range versions {
		last := len(out.Pages) - 1
		same := last >= 0 && out.Pages[last].Key == v.SURT
		switch naming := named[state{v.SURT, v.State}]; {
		case naming && same && open:
			out.Pages[last].Captures += int(v.Captures)
		case naming:
			out.Pages = append(out.Pages, NamedPage{URL: v.URL, Key: v.SURT, From: v.From.Truncate(time.Second), Captures: int(v.Captures)})
			open = true
		case same && open:
			out.Pages[last].Until, open = v.From.Add(time.Second-1).Truncate(time.Second), false
		default:
			open = false
		}
	}
	return out, nil
}

// reader reads the versions of a file that name somebody; it reports whether there is a table of names.
type reader func(j job.Job, dir string, p job.Part, met func(annotate.Version)) (bool, error)

func readEntities(ctx context.Context, id string) reader {
	return func(j job.Job, dir string, p job.Part, met func(annotate.Version)) (bool, error) {
		path, ok := job.Table(dir, j, p, annotate.Entities)
		if !ok {
			return false, nil
		}
		return true, derive.Rows(path, func(r *annotate.EntityRow) (bool, error) {
			if r.Entity == id {
				met(r.Version)
			}
			return true, ctx.Err()
		})
	}
}

func readMentions(ctx context.Context, name string) reader {
	key := entity.Key(name)
	return func(j job.Job, dir string, p job.Part, met func(annotate.Version)) (bool, error) {
		path, ok := job.Table(dir, j, p, string(language.Mentions))
		if !ok {
			return false, nil
		}
		return true, derive.Rows(path, func(r *annotate.MentionRow) (bool, error) {
			if entity.Key(r.Text) == key {
				met(r.Version)
			}
			return true, ctx.Err()
		})
	}
}
