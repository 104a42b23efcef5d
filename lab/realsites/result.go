package realsites

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Print writes a table for people, and below it what is missing, by site.
func Print(out io.Writer, lines []Line) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "site\tpages\tfound\tobjects\tright\tqueued\trequests\tplain crawl\t404s\trefused\tstrangers\tcomplete\tsame in replay\talike\toutside\tlearned\tseconds\t")
	for _, l := range lines {
		if l.LeftOut != "" {
			continue
		}
		same, alike, outside, learned := "-", "-", "-", "-"
		if l.Looked > 0 {
			same, alike, outside = fmt.Sprintf("%d of %d", l.Same, l.Looked), fmt.Sprintf("%d (least %.3f)", l.Alike, l.Likeness), strconv.Itoa(len(l.Outside))
		}
		if t := l.Template; t != nil {
			learned = fmt.Sprintf("%d of %d", t.Learned, t.Objects)
		}
		objects, right, plain := "-", "-", "-"
		if l.Objects > 0 {
			objects, right = strconv.Itoa(l.Objects), strconv.Itoa(l.Right)
		}
		if l.Plain > 0 {
			plain = strconv.Itoa(l.Plain)
		}
		if l.PlainCut {
			plain = "over " + plain
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%d\t%d\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%.0f\t\n", l.Site, l.Pages, l.Found, objects, right, l.Queued, l.Requests, plain, l.Status["404"], l.Refused,
			len(l.Strangers), map[bool]string{true: "yes", false: "no"}[l.Complete], same, alike, outside, learned, l.Seconds)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, l := range lines {
		var notes []string
		if l.LeftOut != "" {
			notes = append(notes, l.LeftOut)
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
