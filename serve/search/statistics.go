package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"varve"
	"varve/derive"
	"varve/derive/annotate"
	"varve/entity/kind"
	"varve/entity/statistics"
	"varve/language"
)

// Statistics have the site of statistics that texts are linked to; *statistics.Desk is one.
type Statistics interface {
	Site() (*statistics.Site, statistics.Alignment, error)
}

// LinkedStatistics is what articles of statistics a text has to do with, and why.
type LinkedStatistics struct {
	Site     string              `json:"site"`
	Articles int                 `json:"of"` // articles of the site
	Method   statistics.Method   `json:"method"`
	Text     string              `json:"text"`
	Names    []annotate.Linked   `json:"names"`   // in the text; without an entity where no base knows one
	Classes  []ClassVote         `json:"classes"` // what kinds of things they are, and the themes that these stand for
	Ranked   []statistics.Ranked `json:"articles"`
}

// ClassVote is a class of things that a text names.
type ClassVote struct {
	Class  string               `json:"class"`
	Names  []string             `json:"names"`  // of such things in the text
	Themes []statistics.Aligned `json:"themes"` // none: it stands for no theme
}

// mostStatistics is how many articles are told.
const mostStatistics = 10

// LinkStatistics links a text to articles of statistics, with the base of the archive unless the content has a linker; nil bases are none. Nothing of the archive is in the answer but what the base knows of the names.
func LinkStatistics(ctx context.Context, desk Statistics, bases Linkers, in annotate.Content, m statistics.Method) (*LinkedStatistics, error) {
	if desk == nil {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "link to statistics", Msg: "there are none here"}
	}
	site, aligned, err := desk.Site()
	if err != nil {
		return nil, err
	}
	if bases != nil && in.Linker == nil {
		l, giveBack, err := bases.Linker("")
		switch {
		case err == nil:
			defer giveBack()
			in.Linker = l
		case varve.KindOf(err) != varve.NotFound:
			return nil, err
		}
	}
	in.Types = kind.WordNet
	found, err := annotate.Analyse(ctx, in, derive.Options{}, []language.Unit{language.Mentions})
	if err != nil {
		return nil, err
	}
	out := &LinkedStatistics{Site: site.Name, Articles: len(site.Articles), Method: m, Text: found.Text, Names: []annotate.Linked{}, Classes: []ClassVote{}, Ranked: []statistics.Ranked{}}
	if out.Names = append(out.Names, found.Entities...); found.Entities == nil {
		for _, n := range found.Mentions {
			out.Names = append(out.Names, annotate.Linked{Text: n.Text, Start: n.Start, End: n.End, Type: string(n.Type)})
		}
	}
	classes, err := classesOf(found, in.Linker)
	if err != nil {
		return nil, err
	}
	var themes []string
	for class, names := range classes {
		v := ClassVote{Class: class, Names: names, Themes: append([]statistics.Aligned{}, aligned.Of(class)...)}
		for _, t := range v.Themes {
			themes = append(themes, t.Theme)
		}
		out.Classes = append(out.Classes, v)
	}
	slices.SortFunc(out.Classes, func(a, b ClassVote) int {
		return cmp.Or(cmp.Compare(min(1, len(b.Themes)), min(1, len(a.Themes))), len(b.Names)-len(a.Names), strings.Compare(a.Class, b.Class))
	})
	out.Ranked = append(out.Ranked, site.Rank(found.Text, themes, m, mostStatistics)...)
	return out, nil
}

// classesOf returns the classes of what a text names, each with the names: types by the text, and the classes of entities by the base.
func classesOf(found *annotate.Analysis, l *annotate.Linker) (map[string][]string, error) {
	out := map[string][]string{}
	add := func(class, name string) {
		if !slices.Contains(out[class], name) {
			out[class] = append(out[class], name)
		}
	}
	for _, n := range found.Types {
		for _, t := range n.Types {
			add(t.Label, n.Text)
		}
	}
	if l == nil {
		return out, nil
	}
	for _, n := range found.Entities {
		if n.Entity == "" {
			continue
		}
		e := Entity{ID: n.Entity, Kinds: []EntityKind{}}
		if err := e.read(l); err != nil && varve.KindOf(err) != varve.NotFound {
			return nil, err
		}
		for _, k := range e.Kinds {
			add(k.Label, n.Text)
		}
	}
	return out, nil
}
