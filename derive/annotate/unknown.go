package annotate

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"varve/derive"
	"varve/derive/job"
	"varve/entity"
	"varve/entity/emerging"
	"varve/entity/kind"
	"varve/language"
	"varve/language/mention"
	"varve/text/token"
)

// UnknownNames reads from the tables of a collection the names that no base knows: those that entities says the base has none for; where there is no table of entities by the base of today, those of the table of mentions that no
// entry of the base is called.
type UnknownNames struct {
	Dir    string // of the derivatives
	Parts  []job.Part
	Linker *Linker // nil: there is no base, and all names are unknown

	Most int // names in texts that are held; 0: MostUnknown

	Absent     int // files without a table of names, after a reading
	Beyond     int // names in texts that were left out, since there are more than are held
	Dictionary int // files of which names were looked up only
}

// MostUnknown bounds the names in texts that are looked at together: some 200 MB.
const MostUnknown = 200_000

// around is how much of a text before and behind a name says what it is about, in bytes.
const around = 300

// unknownTypes are the types of mentions that things emerge of.
var unknownTypes = []mention.Type{mention.Person, mention.Location, mention.Organisation, mention.Group, mention.Event}

// Occurrences returns the unknown names of all texts, each once per text. A version that several files have counts where it was first.
func (u *UnknownNames) Occurrences(ctx context.Context) ([]emerging.Occurrence, error) {
	u.Absent, u.Dictionary, u.Beyond = 0, 0, 0
	most := cmp.Or(u.Most, MostUnknown)
	type place struct{ document, key string }
	at := map[place]int{}
	var out []emerging.Occurrence
	for _, p := range u.Parts {
		found, err := u.part(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		for _, o := range found {
			k := place{o.Document, entity.Key(o.Name)}
			switch i, twice := at[k]; {
			case !twice && len(out) >= most:
				u.Beyond++
			case !twice:
				at[k] = len(out)
				out = append(out, o)
			case o.Time.Before(out[i].Time):
				out[i] = o
			}
		}
	}
	return out, nil
}

// textNames is the names of one text.
type textNames struct {
	version Version
	names   []EntityRow
}

func (u *UnknownNames) part(ctx context.Context, p job.Part) ([]emerging.Occurrence, error) {
	texts := map[int64]*textNames{}
	take := func(r EntityRow) {
		t := texts[r.Offset]
		if t == nil {
			t = &textNames{version: r.Version}
			t.version.URL, t.version.SURT, t.version.State = strings.Clone(r.URL), strings.Clone(r.SURT), strings.Clone(r.State)
			texts[r.Offset] = t
		}
		r.Text, r.Type, r.Entity = strings.Clone(r.Text), strings.Clone(r.Type), strings.Clone(r.Entity)
		t.names = append(t.names, r)
	}
	ok, err := u.linked(ctx, p, take)
	if err == nil && !ok {
		ok, err = u.mentioned(ctx, p, take)
	}
	if err != nil {
		return nil, err
	}
	if !ok {
		u.Absent++
		return nil, nil
	}
	var out []emerging.Occurrence
	err = derive.Rows(filepath.Join(u.Dir, "pages", p.Name+".parquet"), func(r *struct {
		Offset int64  `parquet:"offset,delta"`
		Text   string `parquet:"text,zstd"`
	},
	) (bool, error) {
		if t := texts[r.Offset]; t != nil {
			out = append(out, t.occurrences(r.Text)...)
		}
		return true, ctx.Err()
	})
	return out, err
}

// linked reads the table of entities, if it was made by the base of today.
func (u *UnknownNames) linked(ctx context.Context, p job.Part, take func(EntityRow)) (bool, error) {
	if u.Linker == nil {
		return false, nil
	}
	j, _ := u.Linker.Job()
	path, ok := job.Table(u.Dir, j, p, Entities)
	if !ok {
		return false, nil
	}
	return true, derive.Rows(path, func(r *EntityRow) (bool, error) {
		take(*r)
		return true, ctx.Err()
	})
}

// mentioned reads the table of mentions and looks names up.
func (u *UnknownNames) mentioned(ctx context.Context, p job.Part, take func(EntityRow)) (bool, error) {
	jobs, _ := Jobs([]language.Unit{language.Mentions})
	i := slices.IndexFunc(jobs, func(j job.Job) bool { return j.Name == string(language.Mentions) })
	path, ok := job.Table(u.Dir, jobs[i], p, string(language.Mentions))
	if !ok {
		return false, nil
	}
	u.Dictionary++
	return true, derive.Rows(path, func(r *MentionRow) (bool, error) {
		one := EntityRow{Version: r.Version, Start: r.Start, End: r.End, Text: r.Text, Type: r.Type, Confidence: r.Confidence}
		if u.Linker != nil {
			candidates, err := u.Linker.Base().Candidates(r.Text)
			if err != nil {
				return false, err
			}
			if len(candidates) > 0 {
				one.Entity = "?" // somebody is called so
			}
		}
		take(one)
		return true, ctx.Err()
	})
}

// occurrences returns the unknown names of a text. A last name alone is that of the person whom the text names in full.
func (t *textNames) occurrences(text string) []emerging.Occurrence {
	var found []language.Mention
	for _, n := range t.names {
		found = append(found, language.Mention{Text: n.Text, Type: mention.Type(n.Type), Confidence: 1})
	}
	full := FullNames(found)
	by := map[string]*emerging.Occurrence{}
	var order []string
	all := map[string]bool{}
	for _, n := range t.names {
		name := value(n.Text)
		if f := full[name]; f != "" {
			name = f
		}
		key := entity.Key(name)
		all[key] = true
		if n.Entity != "" || !slices.Contains(unknownTypes, mention.Type(n.Type)) || int(n.End) > len(text) || utf8.RuneCountInString(key) < 3 {
			continue
		}
		o := by[key]
		if o == nil {
			o = &emerging.Occurrence{Document: t.version.SURT + " " + t.version.State, URL: t.version.URL, Time: t.version.Time, Name: name, Type: n.Type}
			o.Excerpt = cut(text, int(n.Start)-around, int(n.End)+around)
			by[key] = o
			order = append(order, key)
		}
		o.Count++
		o.Words = append(o.Words, contentWords(cut(text, int(n.Start)-around, int(n.End)+around))...)
	}
	var out []emerging.Occurrence
	for _, key := range order {
		o := by[key]
		slices.Sort(o.Words)
		o.Words = slices.Compact(o.Words)
		for other := range all {
			if other != key {
				o.With = append(o.With, other)
			}
		}
		slices.Sort(o.With)
		out = append(out, *o)
	}
	return out
}

// cut returns a part of a text, from one blank to another.
func cut(text string, from, to int) string {
	from, to = max(0, from), min(len(text), to)
	for from > 0 && from < to && text[from-1] != ' ' && text[from-1] != '\n' {
		from++
	}
	for to < len(text) && to > from && text[to] != ' ' && text[to] != '\n' {
		to--
	}
	return strings.Clone(text[from:to])
}

// contentWords returns the words of a text that may say what it is about: those of four letters and more that begin with a small one.
func contentWords(text string) (out []string) {
	for w := range token.Words(text) {
		if r, _ := utf8.DecodeRuneInString(w.Text); unicode.IsLower(r) && utf8.RuneCountInString(w.Text) > 3 {
			out = append(out, w.Text)
		}
	}
	return out
}

// MostTyped is how many texts of a cluster are asked for its types.
const MostTyped = 3

// TypeClusters fills in what kinds of things clusters are, by the first texts that name them: the most special types that each says.
func TypeClusters(ctx context.Context, clusters []*emerging.Cluster) error {
	m, err := kind.Default(kind.WordNet)
	if err != nil {
		return err
	}
	a := language.New()
	for _, c := range clusters {
		counts := map[string]int{}
		for _, o := range c.Occurrences[:min(MostTyped, len(c.Occurrences))] {
			d, err := a.Analyse(ctx, language.Text{Text: o.Excerpt, Language: "en"}, language.Mentions)
			if err != nil {
				return err
			}
			typed, err := m.Document(ctx, d)
			if err != nil {
				return err
			}
			for _, t := range typed {
				if value(t.Text) == o.Name {
					for _, label := range m.Leaves(t.Verdict) {
						counts[label]++
					}
					break
				}
			}
		}
		c.Types = c.Types[:0]
		for label, n := range counts {
			c.Types = append(c.Types, emerging.Counted{Text: label, Count: n})
		}
		slices.SortFunc(c.Types, func(a, b emerging.Counted) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Text, b.Text)) })
	}
	return nil
}
