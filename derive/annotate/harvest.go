package annotate

import (
	"bytes"
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

// harvestContent is how much of a page is looked at for its rows.
const harvestContent = 4 << 20

// mayHaveRows reports whether a page can have rows that tell something: most have none, and need not be read again.
func mayHaveRows(body []byte) bool {
	for _, tag := range []string{"<th", "<dt", "<li", "<TH", "<DT", "<LI"} {
		if bytes.Contains(body, []byte(tag)) {
			return true
		}
	}
	return false
}
