package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/curate/entities"
	"varve/entity/base"
	"varve/entity/consolidate"
)

func newEntitySameCommand() *cobra.Command {
	var o emergingOptions
	var accept bool
	c := &cobra.Command{
		Use:   "same",
		Short: "List names that are one thing, by the links of pages",
		Long: `Lists names of which pages of a collection link each to the same address (Ireland, Republic of Ireland, Irland), so that they are one thing: with how many pages and hosts call it so,
since when and until when, and which entity of the base it is, or which things of 'varve entity emerging' are one by it. Only what texts name or the base knows is listed. 'varve derive' must have been
run, with the units entities or mentions.

Nothing is changed but with --accept: then the base is told what links call its entities (as a source of its own, 'varve entity forget "links in NAME"' takes it out), and emerging things are
merged, each by a decision in labels/entities.jsonl. Names that the base of the archive is told are shown to all its readers.

Exit codes: 0 listed, 1 some links or files were not looked at, 2 could not.`,
		Example: `  varve entity same --collection news
  varve entity same --collection news --accept`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			col, err := oneCollection(o.archive, o.collection)
			if err != nil {
				return err
			}
			found, err := entities.Consolidate(c.Context(), col, nil)
			if err != nil {
				return err
			}
			if o.json {
				err = PrintJSON(c.OutOrStdout(), found)
			} else {
				printSame(c.OutOrStdout(), found)
			}
			if err == nil && accept {
				names, merged, err := found.Accept(c.Context(), whoami(), time.Now())
				if err != nil {
					return err
				}
				fmt.Fprintf(c.ErrOrStderr(), "%d names told to the base, %d things merged; 'varve derive --units entities' links them\n", names, merged)
			}
			if err == nil && found.Beyond > 0 {
				fmt.Fprintf(c.ErrOrStderr(), "%d links were not looked at: there are too many different names\n", found.Beyond)
				return varve.ErrFindings
			}
			return err
		},
	}
	o.flags(c)
	c.Flags().BoolVar(&accept, "accept", false, "keep what is listed")
	return c
}

func printSame(w io.Writer, found *entities.Consolidation) {
	for _, t := range found.Things {
		what := "no base knows it"
		switch {
		case t.Entity != "":
			what = fmt.Sprintf("%s (%s)", t.Entity, t.Label)
		case len(t.Merges) > 0:
			what = "one thing: " + strings.Join(t.Merges, ", ")
		}
		fmt.Fprintf(w, "%s  %s\n", oneLine(t.Target), oneLine(what))
		for _, n := range t.Names {
			fmt.Fprintf(w, "  %.2f  %-30s %d pages of %d hosts, %s to %s, first %s\n", n.Confidence, oneLine(n.Name), n.Pages, n.Hosts, n.First.UTC().Format("2006-01-02"), n.Last.UTC().Format("2006-01-02"), oneLine(n.Example))
		}
	}
	if len(found.Things) == 0 {
		fmt.Fprintln(w, "no two names lead to one place")
	}
}

// relationReport is what 'varve entity related' prints.
type relationReport struct {
	A        string     `json:"a"`
	B        string     `json:"b"`
	Strength float64    `json:"strength"`
	Ways     int        `json:"ways"`
	Paths    [][]string `json:"paths"` // labels
}

func newEntityRelatedCommand() *cobra.Command {
	var dir string
	var asJSON bool
	c := &cobra.Command{
		Use:   "related ID ID",
		Short: "Say how strongly two entities have to do with each other",
		Long: `Says how strongly two entities are related in the graph of references of the base, from 0 to 1, and by whom: others that refer to both, directly or over one between. A short way counts more than a long
one, and one over somebody whom much refers to hardly counts.

Exit codes: 0 told, 1 nothing relates them, 2 could not.`,
		Example: `  varve entity related Q1761 Q6882        Dublin, James Joyce`,
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) (err error) {
			b, err := openEntities(dir)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, b.Close()) }()
			r, err := relate(b, args[0], args[1])
			if err != nil {
				return err
			}
			if asJSON {
				err = PrintJSON(c.OutOrStdout(), r)
			} else {
				fmt.Fprintf(c.OutOrStdout(), "%.3f, %d ways\n", r.Strength, r.Ways)
				for _, p := range r.Paths {
					fmt.Fprintf(c.OutOrStdout(), "  %s\n", oneLine(strings.Join(p, " - ")))
				}
			}
			if err == nil && r.Ways == 0 {
				err = varve.ErrFindings
			}
			return err
		},
	}
	entityBase(c.Flags(), &dir)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func relate(b *base.Base, x, y string) (r relationReport, err error) {
	var n [2]uint32
	for i, id := range []string{x, y} {
		var ok bool
		if n[i], ok, err = b.Find(id); err != nil {
			return r, err
		}
		if !ok {
			return r, &varve.Error{Kind: varve.NotFound, Op: "find " + id, Msg: "the base has no entity of this id", Hint: "'varve entity show NAME' lists what a name may mean"}
		}
	}
	found, err := consolidate.Related(b, n[0], n[1])
	if err != nil {
		return r, err
	}
	r = relationReport{A: x, B: y, Strength: found.Strength, Ways: found.Ways, Paths: [][]string{}}
	for _, p := range found.Paths {
		var labels []string
		for _, one := range p {
			e, err := b.Entity(one)
			if err != nil {
				return r, err
			}
			labels = append(labels, e.Title())
		}
		r.Paths = append(r.Paths, labels)
	}
	return r, nil
}
