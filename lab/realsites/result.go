package realsites

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Print writes one table for people with all that must be shown, then whether it is, and below it what is missing, by site.
func Print(out io.Writer, lines []Line) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "site\tpages\tobjects\tfilms\trequests\tplain crawl\t404s\trefused\tstrangers\tcomplete\tsame words\talike\tleast\toutside\tunchanged\tedits named\tduring\tfalse\tbefore\tafter\tlearned\tunseen\tthemes\tseconds\tCPU s\tbrowser for all\t")
	for i := range lines {
		if l := &lines[i]; l.LeftOut+l.Failed == "" {
			fmt.Fprintln(w, strings.Join(l.cells(), "\t")+"\t")
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, m := range musts(lines) {
		if _, err := fmt.Fprintf(out, "%s: %s\n", m.word, m.figure); err != nil {
			return err
		}
	}
	for _, l := range lines {
		var notes []string
		if l.LeftOut != "" {
			notes = append(notes, l.LeftOut)
		}
		if l.Failed != "" {
			notes = append(notes, "failed: "+l.Failed)
		}
		for _, reason := range slices.SortedFunc(maps.Keys(l.Refusals), func(a, b string) int { return cmp.Compare(l.Refusals[b], l.Refusals[a]) }) {
			notes = append(notes, fmt.Sprintf("refused %d: %s", l.Refusals[reason], reason))
		}
		for _, g := range l.Gaps {
			notes = append(notes, fmt.Sprintf("the crawl says: %d, %s (%s)", g.Count, g.Cause, strings.Join(g.Examples, ", ")))
		}
		notes = append(notes, few("not in the archive", l.Missed)...)
		notes = append(notes, few("object", l.Wrong)...)
		notes = append(notes, few("stranger", l.Strangers)...)
		notes = append(notes, few("differs in replay", l.Differ)...)
		notes = append(notes, few("looks otherwise in replay", l.Unlike)...)
		notes = append(notes, few("called for in replay", l.Outside)...)
		if t := l.Template; t != nil {
			notes = append(notes, fmt.Sprintf("another template: %d of %d objects right before, %d of %d of those after it, %d when it was learned, %d in an archive that never saw the first", t.Right, t.Known, t.Unlearned, t.Objects, t.Learned, t.Discovered))
			notes = append(notes, few("object in the other template", t.Wrong)...)
			notes = append(notes, few("object where the first template was never seen", t.Unfound)...)
			for _, one := range t.Themes {
				if one.LeftOut != "" {
					notes = append(notes, fmt.Sprintf("template %s cannot be set: %s", one.Name, one.LeftOut))
					continue
				}
				notes = append(notes, fmt.Sprintf("template %s, if nothing is known of where objects stand: %d of %d objects right, %d made up", one.Name, one.Right, one.Objects, one.Untrue))
				notes = append(notes, few("object in "+one.Name, one.Wrong)...)
			}
		}
		if l.Films > 0 {
			notes = append(notes, fmt.Sprintf("%d of %d films are whole in the archive (%.0f %%)", l.Got, l.Films, 100*float64(l.Got)/float64(l.Films)))
		}
		if c := l.Change; c != nil {
			notes = append(notes, fmt.Sprintf("while nobody wrote, %d of %d pages count as unchanged; of %d pages edited and %d deleted %d are named, %d were named without a change, %d not seen, %d not asked for",
				c.Still, c.Pages, c.Edited, c.Deleted, c.Seen, len(c.False), len(c.Missed), len(c.Unasked)))
			notes = append(notes, fmt.Sprintf("edited during a crawl (%s): of %d pages edited or deleted between visit and revisit %d are told", c.Between, c.During, c.Proven))
			notes = append(notes, few("no change", c.False)...)
			notes = append(notes, few("change not seen", c.Missed)...)
			notes = append(notes, few("changed page not asked for", c.Unasked)...)
		}
		for _, n := range notes {
			if _, err := fmt.Fprintf(out, "%s: %s\n", l.Site, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// few are the first of a list, each behind a word, and how many there are more.
func few(word string, list []string) (out []string) {
	const most = 8
	for _, s := range list[:min(len(list), most)] {
		out = append(out, word+": "+s)
	}
	if n := len(list) - most; n > 0 {
		out = append(out, fmt.Sprintf("%s: and %d more", word, n))
	}
	return out
}

// of writes a share, "-" where there is nothing to have one of.
func of[N int | int64](n, all N) string {
	if all == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", n, all)
}

// cells are the figures of a site.
func (l *Line) cells() []string {
	plain, least, outside := "-", "-", "-"
	if l.Plain > 0 {
		plain = strconv.Itoa(l.Plain)
	}
	if l.PlainCut {
		plain = "over " + plain
	}
	if l.Looked > 0 {
		least, outside = fmt.Sprintf("%.3f", l.Likeness), strconv.Itoa(len(l.Outside))
	}
	list := []string{
		l.Site, of(l.Found, l.Pages), of(l.Right, l.Objects), of(l.Got, l.Films), strconv.Itoa(l.Requests), plain, strconv.Itoa(l.Status["404"]), strconv.FormatInt(l.Refused, 10),
		strconv.Itoa(len(l.Strangers)), map[bool]string{true: "yes", false: "no"}[l.Complete], of(l.Same, l.Looked), of(l.Alike, l.Looked), least, outside,
	}
	if c := l.Change; c != nil {
		list = append(list, of(c.Still, c.Pages), of(c.Seen, c.Edited+c.Deleted), of(c.Proven, c.During), strconv.Itoa(len(c.False)))
	} else {
		list = append(list, "-", "-", "-", "-")
	}
	if t := l.Template; t != nil {
		themes := "-"
		if n := len(t.Themes); n > 0 {
			themes = of(t.themesRead(), n)
		}
		list = append(list, of(t.Right, t.Known), of(t.Unlearned, t.Objects), of(t.Learned, t.Objects), of(t.Discovered, t.Objects), themes)
	} else {
		list = append(list, "-", "-", "-", "-", "-")
	}
	everywhere := "-"
	if l.Everywhere > 0 {
		everywhere = fmt.Sprintf("%.1f", l.Everywhere)
	}
	return append(list, fmt.Sprintf("%.0f", l.Seconds), fmt.Sprintf("%.1f", l.CPU), everywhere)
}

// ReadLines reads what was measured before: objects of JSON, one after the other.
func ReadLines(r io.Reader) (lines []Line, err error) {
	d := json.NewDecoder(r)
	for {
		var l Line
		switch err := d.Decode(&l); {
		case errors.Is(err, io.EOF):
			return lines, nil
		case err != nil:
			return lines, fmt.Errorf("site %d: %w", len(lines)+1, err)
		case l.Site == "":
			return lines, fmt.Errorf("object %d names no site", len(lines)+1)
		}
		lines = append(lines, l)
	}
}

// themesRead counts the further templates in which enough is read.
func (t *Template) themesRead() (n int) {
	for _, one := range t.Themes {
		if one.LeftOut == "" && float64(one.Right) >= minLearned*float64(one.Objects) {
			n++
		}
	}
	return n
}

// must is something that must be shown, and how it is.
type must struct{ word, figure string }

// musts are what must be shown of all sites together.
func musts(lines []Line) []must {
	var pages, found, objects, right, looked, same, alike, outside, edits, seen, during, proven, untrue, known, before, now, learned, unseen, named int
	fewest, whole, measured := 0.0, 0, 0
	var routed, everywhere float64
	for i := range lines {
		l := &lines[i]
		if l.LeftOut != "" {
			continue
		}
		if l.Everywhere > 0 {
			routed, everywhere = routed+l.CPU, everywhere+l.Everywhere
		}
		measured++
		if l.Whole() {
			whole++
		}
		pages, found, objects, right = pages+l.Pages, found+l.Found, objects+l.Objects, right+l.Right
		looked, same, alike, outside, named = looked+l.Looked, same+l.Same, alike+l.Alike, outside+len(l.Outside), named+len(l.Missed)+len(l.Wrong)
		if l.Plain > 0 && l.Requests > 0 {
			if times := float64(l.Plain) / float64(l.Requests); fewest == 0 || times < fewest {
				fewest = times
			}
		}
		if c := l.Change; c != nil {
			edits, seen, during, proven, untrue = edits+c.Edited+c.Deleted, seen+c.Seen, during+c.During, proven+c.Proven, untrue+len(c.False)
		}
		if t := l.Template; t != nil {
			known, before, now, learned, unseen = known+t.Known, before+t.Right, now+t.Objects, learned+t.Learned, unseen+t.Discovered
		}
	}
	list := []must{
		{"sites whole", fmt.Sprintf("%d of %d measured", whole, measured)},
		{"pages and objects against the sites' own accounts (all, or each miss named)", fmt.Sprintf("%s pages, %s objects; %d misses named", of(found, pages), of(right, objects), named)},
		{"replay with the server stopped (same words, likeness at least 0.97, nothing outside)", fmt.Sprintf("%s pages have the same words, %s look alike, %d hosts called for", of(same, looked), of(alike, looked), outside)},
		{"changes (no edit missed, none made up)", fmt.Sprintf("%s edits and deletions between crawls named, %s during a crawl told, %d made up", of(seen, edits), of(proven, during), untrue)},
		{"another template (98 % before, 90 % learned, 90 % unseen)", fmt.Sprintf("%s before, %s learned, %s unseen", of(before, known), of(learned, now), of(unseen, now))},
	}
	if routed > 0 {
		list = append(list, must{"processor time against a browser for every page (10 times less on the sites together)", fmt.Sprintf("%.0f s against %.0f s, %.1f times less", routed, everywhere, everywhere/routed)})
	}
	if fewest > 0 {
		list = append(list, must{"requests of a plain crawl of forums and wikis (at least 3 times as many)", fmt.Sprintf("at least %.1f times as many", fewest)})
	}
	return list
}
