package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/derive"
	"varve/derive/annotate"
	"varve/language/event"
)

type eventsOptions struct {
	archive, collection string
	class, who          string
	told, most, show    int
	json                bool
}

func newEventsCommand() *cobra.Command {
	var o eventsOptions
	c := &cobra.Command{
		Use:   "events",
		Short: "What happened, as several pages tell of it",
		Long: `Lists events that pages tell of: who did what to whom, when and where, those that most pages tell of first. Tellings are put together if they are of one class
(say, meet, move, conflict, justice, office, life, make, contest, exchange, other), share names in their roles, and time and place do not speak against it.

'varve derive --units events' makes the tables that it reads; English only. How events are found and put together, and how often that fails, is told in
docs/algorithms/events.md: of what is found about four of five are events, and a third of them has another class than people would give. Only those that name
somebody are listed.

Exit codes: 0 listed, 1 some files or events were not looked at, 2 could not.`,
		Example: `  varve derive --collection news --units events
  varve events --collection news
  varve events --collection news --class meet --who "Angela Merkel" --told 1 --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runEvents(c, &o) },
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "", "the collection (default: all of them, each by itself)")
	f.StringVar(&o.class, "class", "", "only events of this class")
	f.StringVar(&o.who, "who", "", "only events with this name, in any role")
	f.IntVar(&o.told, "told", 2, "only events that so many pages tell of")
	f.IntVar(&o.most, "most", 1_000_000, "look at so many tellings at most; each takes some 300 bytes of memory")
	f.IntVar(&o.show, "show", 20, "print so many events; --json has all")
	f.BoolVar(&o.json, "json", false, "print one JSON object a collection")
	return c
}

// eventsReport is what was found in one collection.
type eventsReport struct {
	Collection string         `json:"collection"`
	Tellings   int64          `json:"tellings"`
	Events     []groupedEvent `json:"events"`
	Left       int64          `json:"left_out,omitempty"`
	Absent     int            `json:"files_without_table,omitempty"`
}

// groupedEvent is an event as it is printed.
type groupedEvent struct {
	Class    event.Class `json:"class"`
	Verb     string      `json:"verb"`
	Who      []string    `json:"who,omitempty"`
	Whom     []string    `json:"whom,omitempty"`
	Place    string      `json:"place,omitempty"`
	Earliest time.Time   `json:"earliest,omitzero"`
	Latest   time.Time   `json:"latest,omitzero"` // excluded
	First    time.Time   `json:"first"`           // captures of the pages
	Last     time.Time   `json:"last"`
	Pages    []string    `json:"pages"`
	Tellings int         `json:"tellings"`
}

func runEvents(c *cobra.Command, o *eventsOptions) error {
	if o.class != "" && !slices.Contains(event.Classes(), event.Class(o.class)) {
		return &varve.Error{Kind: varve.Invalid, Op: "events", Msg: fmt.Sprintf("there is no class %q", o.class), Hint: fmt.Sprintf("the classes are %q", event.Classes())}
	}
	return eachCollection(c, o.archive, o.collection, func(col *catalog.Collection) (partial bool, err error) {
		r, err := o.find(c, col)
		if err != nil {
			return false, err
		}
		if o.json {
			err = PrintJSON(c.OutOrStdout(), r)
		} else {
			r.print(c.OutOrStdout(), o.show)
		}
		return r.Left > 0 || r.Absent > 0, err
	})
}

func (o *eventsOptions) find(c *cobra.Command, col *catalog.Collection) (*eventsReport, error) {
	files, err := col.Files()
	if err != nil {
		return nil, err
	}
	s := &annotate.ToldEvents{Dir: derivedDir(col), Class: o.class, Most: o.most}
	if s.Parts, err = derive.Parts(files); err != nil {
		return nil, err
	}
	found, err := s.Group(c.Context())
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "events of " + col.Name, Err: err, Hint: orElse(varve.HintOf(err), "'varve derive --check' makes damaged tables anew")}
	}
	if s.Absent == len(s.Parts) && s.Absent > 0 {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "events of " + col.Name, Msg: "they were not looked for yet", Hint: "run 'varve derive --units events', or put it into [analyse] units of collection.toml"}
	}
	r := &eventsReport{Collection: col.Name, Tellings: s.Tellings, Events: []groupedEvent{}, Left: s.Left, Absent: s.Absent}
	for _, g := range found {
		named := o.who == "" || slices.ContainsFunc(slices.Concat(g.Who, g.Whom), func(n string) bool { return strings.EqualFold(n, o.who) })
		if len(g.Documents) >= o.told && named {
			r.Events = append(r.Events, groupedEvent{g.Class, g.Verb, g.Who, g.Whom, g.Place, g.Earliest, g.Latest, g.First, g.Last, g.Documents, g.Tellings})
		}
	}
	slices.SortStableFunc(r.Events, func(a, b groupedEvent) int {
		return cmp.Or(cmp.Compare(len(b.Pages), len(a.Pages)), a.First.Compare(b.First))
	})
	return r, nil
}

func (r *eventsReport) print(w io.Writer, show int) {
	fmt.Fprintf(w, "%s: %d tellings of events that name somebody, %d events\n", r.Collection, r.Tellings, len(r.Events))
	for i, e := range r.Events {
		if i >= show {
			fmt.Fprintf(w, "\nand %d others\n", len(r.Events)-show)
			break
		}
		line := fmt.Sprintf("\n  %s (%s)", e.Verb, e.Class)
		for _, part := range []struct{ name, says string }{
			{"who", strings.Join(e.Who, ", ")}, {"whom", strings.Join(e.Whom, ", ")}, {"where", e.Place}, {"when", days(e.Earliest, e.Latest)},
		} {
			if part.says != "" {
				line += fmt.Sprintf("  %s: %s", part.name, part.says)
			}
		}
		fmt.Fprintln(w, "\n"+oneLine(strings.TrimPrefix(line, "\n")))
		fmt.Fprintf(w, "      told by %d pages, captured %s to %s\n", len(e.Pages), e.First.UTC().Format(time.DateOnly), e.Last.UTC().Format(time.DateOnly))
		for j, page := range e.Pages {
			if j == 3 {
				fmt.Fprintf(w, "      and %d others\n", len(e.Pages)-j)
				break
			}
			fmt.Fprintln(w, oneLine("      "+page))
		}
	}
	if r.Left > 0 {
		fmt.Fprintf(w, "  %d tellings were not looked at: --most\n", r.Left)
	}
	if r.Absent > 0 {
		fmt.Fprintf(w, "  %d files have no table of events: run 'varve derive --units events'\n", r.Absent)
	}
}

// days says when something was: from a day to before another.
func days(from, before time.Time) string {
	switch {
	case from.IsZero() && before.IsZero():
		return ""
	case from.IsZero():
		return "before " + before.UTC().Format(time.DateOnly)
	case before.IsZero():
		return "since " + from.UTC().Format(time.DateOnly)
	}
	first, last := from.UTC().Format(time.DateOnly), before.UTC().Add(-time.Microsecond).Format(time.DateOnly)
	if first == last {
		return first
	}
	return first + " to " + last
}
