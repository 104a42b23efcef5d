package country

import (
	"fmt"
	"strings"
	"time"

	"varve/lab/websim"
)

// encyclopaedia is the frame of the wiki, which says of itself that it is made by MediaWiki, as most do.
var encyclopaedia = &look{
	name: "Vestria Wiki", motto: "what is known, by those who know it", colour: "#3b4a2f", generator: "MediaWiki 1.39.6", footer: "Text is free for everybody to use.",
	nav: [][2]string{{"/wiki/Main_Page", "Main page"}, {"/wiki/Politics_of_Vestria", "Politics"}},
}

// edit is an article from a day on.
type edit struct{ from, text string }

// wikiArticles are the articles of the wiki with their versions. [[x]] is a link to another article.
var wikiArticles = []struct {
	title string
	edits []edit
}{
	{"Politics of Vestria", []edit{
		{"2023-01-02", "Vestria is a republic. [[Ines Calder]] of the Harbour Alliance is Prime Minister. Parliament is elected every four years; the next election is in September 2024."},
		{"2024-09-23", "Vestria is a republic. [[Tomas Wren]] of the Citizens' Union won the election of 22 September 2024; [[Ines Calder]] has resigned."},
		{"2024-10-29", "Vestria is a republic. [[Tomas Wren]] of the Citizens' Union has been Prime Minister since 28 October 2024, with the votes of the Green List of [[Maren Okafor]]."},
	}},
	{"Ines Calder", []edit{
		{"2023-01-02", "Ines Calder is a politician of the Harbour Alliance. She is Prime Minister of Vestria. See also [[Politics of Vestria]]."},
		{"2024-05-07", "Ines Calder is a politician of the Harbour Alliance. She is Prime Minister of Vestria. In May 2024 papers about the [[Ferry contract]] became known."},
		{"2024-09-24", "Ines Calder is a politician of the Harbour Alliance. She was Prime Minister of Vestria and resigned after the election of 2024, which the [[Ferry contract]] had decided."},
	}},
	{"Tomas Wren", []edit{
		{"2023-11-14", "Tomas Wren is a politician of the Citizens' Union and its candidate in the election of September 2024. See also [[Politics of Vestria]]."},
		{"2024-10-29", "Tomas Wren is a politician of the Citizens' Union. He has been Prime Minister of Vestria since 28 October 2024. See also [[Politics of Vestria]]."},
	}},
	{"Maren Okafor", []edit{
		{"2024-03-12", "Maren Okafor leads the Green List. See also [[Politics of Vestria]]."},
		{"2024-10-30", "Maren Okafor leads the Green List. She has led the Ministry of Housing since 28 October 2024, after Ada Lindqvist. See also [[Tenancy Protection Act]]."},
	}},
	{"Tenancy Protection Act", []edit{
		{"2023-03-08", "The Tenancy Protection Act is the draft of a law of Vestria. Rents may rise by at most ten percent in three years."},
		{"2024-02-13", "The Tenancy Protection Act is a law of Vestria, passed on 12 February 2024. Rents may rise by at most six percent in three years."},
		{"2025-05-20", "The Tenancy Protection Act is a law of Vestria, passed on 12 February 2024 and amended on 19 May 2025. Rents may rise by at most six percent in three years, of renovated flats by nine."},
	}},
	{"Ferry contract", []edit{
		{"2024-05-07", "The ferry contract is an affair in Vestria: the contract for the ferries to the islands went without a tender to [[Harding Lines]], the company of a friend of [[Ines Calder]]."},
		{"2024-12-10", "The ferry contract is an affair in Vestria: the contract for the ferries to the islands went without a tender to [[Harding Lines]], the company of a friend of [[Ines Calder]]. In December 2024 a committee of inquiry found that it broke the law."},
	}},
	{"Harding Lines", []edit{
		{"2024-05-08", "Harding Lines is a shipping company of Leo Harding in Halm. It runs the ferries to the islands. See also [[Ferry contract]]."},
		{"2025-02-03", "Sund Star (until January 2025: Harding Lines) is a shipping company in Halm. Leo Harding sold it after the [[Ferry contract]] was cancelled."},
		{"2025-03-10", "Sund Star (until January 2025: Harding Lines) is a shipping company in Halm, with boats for anglers. Leo Harding sold it after the [[Ferry contract]] was cancelled."},
	}},
}

func wikiPath(title string) string { return "/wiki/" + strings.ReplaceAll(title, " ", "_") }

// wiki lists the pages of the encyclopaedia.
func (c *Country) wiki() []websim.Written {
	out := []websim.Written{always("/style.css", encyclopaedia.style())}
	var appear []time.Time
	for _, a := range wikiArticles {
		var changes []time.Time
		for _, e := range a.edits {
			changes = append(changes, day(e.from))
		}
		appear = append(appear, changes[0])
		out = append(out, written(wikiPath(a.title), changes, func(at time.Time) []byte {
			now := a.edits[0]
			for _, e := range a.edits {
				if !day(e.from).After(at) {
					now = e
				}
			}
			p := wikiPage(a.title)
			p.modified = day(now.from)
			p.put("<div id=\"mw-content-text\"><div class=\"mw-parser-output\">\n<p>")
			p.linked(now.text, at)
			p.put("</p>\n</div></div>\n<p class=\"by\" id=\"footer-info-lastmod\">This page was last edited on %s.</p>\n", date(day(now.from)))
			return p.bytes()
		}))
	}
	main := func(at time.Time) []byte {
		p := wikiPage("Main Page")
		p.put("<div id=\"mw-content-text\"><div class=\"mw-parser-output\">\n<ul>\n")
		for _, a := range wikiArticles {
			if !day(a.edits[0].from).After(at) {
				p.link(wikiPath(a.title), a.title)
			}
		}
		p.put("</ul>\n</div></div>\n")
		return p.bytes()
	}
	return append(out, written("/wiki/Main_Page", appear, main), written("/", appear, main))
}

func wikiPage(title string) *leaf {
	p := encyclopaedia.page(title)
	p.class = fmt.Sprintf("mediawiki ns-0 page-%s action-view", strings.ReplaceAll(title, " ", "_"))
	return p
}

// linked writes a text with links to the articles that are there at an instant; others are words.
func (p *leaf) linked(text string, at time.Time) {
	for {
		before, rest, ok := strings.Cut(text, "[[")
		p.put("%s", before)
		if !ok {
			return
		}
		title, after, _ := strings.Cut(rest, "]]")
		there := false
		for _, a := range wikiArticles {
			there = there || a.title == title && !day(a.edits[0].from).After(at)
		}
		if there {
			p.put("<a href=\"%s\">%s</a>", wikiPath(title), title)
		} else {
			p.put("%s", title)
		}
		text = after
	}
}
