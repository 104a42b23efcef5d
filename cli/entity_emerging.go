package cli

import (
	"cmp"
	"fmt"
	"io"
	"os/user"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/curate/entities"
	"varve/derive/annotate"
)

// emergingOptions say which names are looked at.
type emergingOptions struct {
	archive, collection string
	all, json           bool
	show, least         int
}

func (o *emergingOptions) flags(c *cobra.Command) {
	c.Flags().StringVar(&o.archive, "archive", "archive", "the archive directory")
	collectionFlag(c.Flags(), &o.collection)
	c.Flags().BoolVar(&o.json, "json", false, "print JSON")
}

func newEntityEmergingCommand() *cobra.Command {
	var o emergingOptions
	c := &cobra.Command{
		Use:   "emerging",
		Short: "List persons, places and things that the base does not know",
		Long: `Lists names in the texts of a collection that the base of entities has no entry for, put together by what is said around them and by whom they are named with: one line for each thing, with its names,
when it was first seen, what kind of thing it seems to be, and words that go with it. 'varve derive --units entities' must have been run; where the base has changed since (or there is none), names that no
entity is called are taken from the table of mentions.

  varve entity promote ID      it becomes an entity of the base; the next 'varve derive --units entities' links its names in all texts
  varve entity dismiss ID      it is none; it is not listed any more
  varve entity merge ID INTO   it is the same as another
  varve entity name ID NAME    what to call it

ID may be a name that one of them alone has. Decisions are kept in labels/entities.jsonl of the collection.

Exit codes: 0 listed, 1 some files have no table of names, 2 could not.`,
		Example: `  varve entity emerging --collection news
  varve entity emerging --collection news --json | jq '.[] | [.id, .name, .first]'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			col, err := oneCollection(o.archive, o.collection)
			if err != nil {
				return err
			}
			s, err := entities.Look(c.Context(), col, nil)
			if err != nil {
				return err
			}
			list := []entities.Entry{}
			for _, e := range s.Entries {
				if (o.all || e.State == entities.Open) && e.Documents >= o.least && (o.json || len(list) < o.show) {
					list = append(list, e)
				}
			}
			if err := s.Type(c.Context(), list); err != nil {
				return err
			}
			if o.json {
				err = PrintJSON(c.OutOrStdout(), list)
			} else {
				err = printEmerging(c.OutOrStdout(), list)
			}
			if err == nil && s.Beyond > 0 {
				fmt.Fprintf(c.ErrOrStderr(), "%d names in texts were not looked at: more than %d are not put together at a time\n", s.Beyond, annotate.MostUnknown)
			}
			if err == nil && s.Absent > 0 {
				fmt.Fprintf(c.ErrOrStderr(), "%d files have no table of names: 'varve derive --collection %s --units entities' makes it\n", s.Absent, col.Name)
				return varve.ErrFindings
			}
			return err
		},
	}
	o.flags(c)
	c.Flags().BoolVar(&o.all, "all", false, "also what was promoted or dismissed")
	c.Flags().IntVar(&o.show, "show", 40, "print so many; --json has all")
	c.Flags().IntVar(&o.least, "least", 1, "only what so many texts name")
	return c
}

func printEmerging(w io.Writer, list []entities.Entry) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tNAME\tKIND\tTEXTS\tFIRST SEEN\tGOES WITH")
	for _, e := range list {
		kinds := []string{e.Type}
		for _, k := range e.Types[:min(2, len(e.Types))] {
			kinds = append(kinds, k.Text)
		}
		name := e.Name
		if e.State != entities.Open {
			name += " (" + string(e.State) + ")"
		}
		with := append(append([]string{}, e.With[:min(3, len(e.With))]...), e.Phrases[:min(3, len(e.Phrases))]...)
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\t%s\n", e.ID, oneLine(name), oneLine(strings.Join(kinds, ", ")), e.Documents, e.First.UTC().Format("2006-01-02"), oneLine(strings.Join(with, ", ")))
	}
	return t.Flush()
}

// decision is a command that decides something about a cluster.
type decision struct {
	use, short, long string
	args             int
	do               entities.Action
}

func (d decision) command() *cobra.Command {
	var o emergingOptions
	c := &cobra.Command{
		Use: d.use, Short: d.short, Long: d.long + "\n\nExit codes: 0 done, 2 could not.", Args: cobra.ExactArgs(d.args),
		RunE: func(c *cobra.Command, args []string) error { return o.decide(c, d.do, args) },
	}
	o.flags(c)
	return c
}

func newEntityDecideCommands() []*cobra.Command {
	return []*cobra.Command{
		decision{"promote ID", "Make an emerging thing an entity of the base", `Makes a thing that 'varve entity emerging' lists an entity of the base that the collection uses, with its names, kind and keyphrases, and builds the base. Its id stays. The next
'varve derive --units entities' links its names in all texts, also the older ones.`, 1, entities.Promote}.command(),
		decision{"dismiss ID", "Take an emerging thing off the list", "Takes a thing off the list of 'varve entity emerging'. If it had been promoted, the base is built without it.", 1, entities.Dismiss}.command(),
		decision{"merge ID INTO", "Say that two emerging things are one", "Says that a thing that 'varve entity emerging' lists is the same as another, whose id and name stay.", 2, entities.Merge}.command(),
		decision{"name ID NAME", "Say what to call an emerging thing", "Says what to call a thing that 'varve entity emerging' lists.", 2, entities.Name}.command(),
	}
}

func (o *emergingOptions) decide(c *cobra.Command, do entities.Action, args []string) error {
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return err
	}
	s, err := entities.Look(c.Context(), col, nil)
	if err != nil {
		return err
	}
	d, err := s.Decide(c.Context(), do, args[0], strings.Join(args[1:], ""), whoami(), time.Now())
	if err != nil {
		return err
	}
	if o.json {
		return PrintJSON(c.OutOrStdout(), d)
	}
	e, err := entities.Find(s.Entries, d.ID)
	if err != nil {
		return err
	}
	next := ""
	if do == entities.Promote {
		next = "; 'varve derive --collection " + col.Name + " --units entities' links it in all texts"
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%s %s%s\n", d.ID, oneLine(cmp.Or(d.Label, e.Name)), next)
	return err
}

// whoami is who decides on the command line.
func whoami() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}
