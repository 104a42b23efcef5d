package annotate

import (
	"strings"

	"varve/fact"
	"varve/fact/harvest"
	"varve/page"
	"varve/web/markup"
	"varve/web/markup/tree"
)

// Harvest returns the facts that infoboxes, tables and lists of a page tell of what it is about, by its title; none of what is no HTML.
func Harvest(in Content, title string, relations []fact.Relation) []fact.Observation {
	if in.MIME != "" && !strings.Contains(strings.ToLower(in.MIME), "html") {
		return nil
	}
	var b tree.Builder
	read, err := page.NewReader().Read(page.Input{URL: in.URL, MIME: in.MIME, Body: in.Body}, page.Want{Brief: true, With: []markup.Subscriber{&b}})
	if err != nil && b.Root == nil || !read.HTML {
		return nil
	}
	return harvest.Facts(b.Root, fact.TitleOf(title), relations)
}
