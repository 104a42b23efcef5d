package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/curate/entities"
	"varve/serve/access"
)

// personReport is what 'varve access person' prints.
type personReport struct {
	Person   string `json:"person"`
	Pages    int    `json:"pages"` // addresses and times for which there is a rule, or would be
	Captures int    `json:"captures"`
	Added    int    `json:"added"`  // rules that were not there before
	Absent   int    `json:"absent"` // files without a table of names
	More     bool   `json:"more"`   // there are more pages than rules are made for
}

// mostPersonRules bounds the rules that are made for one person.
const mostPersonRules = 2000

func newAccessPersonCommand() *cobra.Command {
	var place accessPlace
	var collection, level, reason string
	var byName, preview, once, end, asJSON bool
	c := &cobra.Command{
		Use:   "person ID|NAME",
		Short: "Withhold the pages that name a person: takedown by person",
		Long: `Withholds all versions of pages that name a person: one rule for each page and the time in which its versions do, so that what the page said before and after stays. The person is an entity of the
base, by id (Q567, new:8359e3a88a16), under whatever name texts have; with --name whoever texts call so, whether a base knows them or not. The tables of names must have been made ('varve derive --units
entities', or mentions for --name). Everything that is made of these versions goes with them: search, counts, companions, passages, pictures, packages.

The takedown stands: what a crawl brings later is withheld as well, when 'varve derive' has read it (until then it can be seen; 'varve serve' derives what it crawls). --once leaves that out, --end ends it: then the rules that there are stay. Every rule is in 'varve access list' with the person, and can be
lifted; what was lifted is not withheld again.
Names are found by a program: it overlooks some, and texts in languages other than English. --preview says what would be withheld, and adds nothing.

Exit codes: 0 withheld (or previewed), 1 some files have no table of names, or there are more pages than rules are made for, 2 could not.`,
		Example: `  varve access person Q567 --level blocked --reason "letter of 2026-11-02" --preview
  varve access person --name 'Ada Fox' --level curators --reason "a private person"
  varve access person Q567 --end --reason "withdrawn by letter of 2026-12-01"`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			order := access.Order{Person: args[0], ByName: byName, Collection: collection, Level: access.Level(level), Reason: reason, By: place.by(), At: time.Now()}
			if err := order.Check(); err != nil {
				return UsageError(c, err.Error())
			}
			if end {
				return place.orders().End(order)
			}
			collections, err := catalog.Open(place.archive).Collections()
			if err != nil {
				return err
			}
			r := personReport{Person: args[0]}
			found := false
			for _, col := range collections {
				if collection != "" && col.Name != collection {
					continue
				}
				one, err := withholdPerson(c.Context(), &place, col, order, preview, func(p entities.NamedPage) {
					if r.Added++; r.Added <= 20 && !asJSON && preview {
						fmt.Fprintf(c.OutOrStdout(), "  %s  %s from %s%s, %d captures\n", col.Name, oneLine(p.URL), p.From.UTC().Format(time.RFC3339), untilText(p.Until), p.Captures)
					}
				})
				if varve.KindOf(err) == varve.NotFound && collection == "" {
					continue // no base: no names are linked in it
				}
				if err != nil {
					return err
				}
				found = true
				r.Absent, r.Pages, r.Captures, r.More = r.Absent+one.Absent, r.Pages+one.Pages, r.Captures+one.Captures, r.More || one.More
			}
			if found && !preview && !once {
				if err := place.orders().Give(order); err != nil {
					return err
				}
			}
			if !found {
				return &varve.Error{Kind: varve.NotFound, Op: "find who names " + args[0], Msg: "no collection has tables of names that were linked", Hint: "'varve derive --units entities' makes them; --name asks for what texts call somebody"}
			}
			if asJSON {
				err = PrintJSON(c.OutOrStdout(), r)
			} else {
				did := "withheld"
				if preview {
					did = "would be withheld; nothing was added: leave out --preview to add it"
				}
				_, err = fmt.Fprintf(c.OutOrStdout(), "%d captures of %d pages %s (%d new rules)\n", r.Captures, r.Pages, did, r.Added)
			}
			if err == nil && r.Absent > 0 {
				fmt.Fprintf(c.ErrOrStderr(), "%d files have no table of names: what they say is not known ('varve derive --units entities')\n", r.Absent)
			}
			if err == nil && r.More {
				fmt.Fprintf(c.ErrOrStderr(), "more than %d pages name this person: withhold hosts or the collection instead ('varve access add')\n", mostPersonRules)
			}
			if err == nil && (r.Absent > 0 || r.More) {
				err = varve.ErrFindings
			}
			return err
		},
	}
	place.flags(c)
	f := c.Flags()
	f.BoolVar(&byName, "name", false, "it is what texts call the person, not an id")
	f.StringVar(&collection, "collection", "", "only in this collection")
	f.StringVar(&level, "level", "blocked", "who may see it: reading-room, curators, blocked")
	f.StringVar(&reason, "reason", "", "why; needed")
	f.BoolVar(&once, "once", false, "only what is there now, not what later crawls bring")
	f.BoolVar(&end, "end", false, "withhold no more of what later crawls bring; rules that there are stay")
	f.BoolVar(&preview, "preview", false, "say what would be withheld, and add nothing")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// withholdPerson makes the rules that an order asks for in one collection, and tells of each that is new. What somebody lifted stays lifted.
func withholdPerson(ctx context.Context, place *accessPlace, col *catalog.Collection, order access.Order, preview bool, added func(entities.NamedPage)) (r personReport, err error) {
	naming, err := entities.WhoNames(ctx, col, order.Person, order.ByName)
	if err != nil {
		return r, err
	}
	rules := place.rules()
	have, err := rules.Rules()
	if err != nil {
		return r, err
	}
	lifted, err := rules.Lifted()
	if err != nil {
		return r, err
	}
	have = append(have, lifted...)
	r.Absent = naming.Absent
	for _, p := range naming.Pages {
		if r.Pages == mostPersonRules {
			r.More = true
			break
		}
		r.Pages++
		r.Captures += p.Captures
		one := access.Rule{Level: order.Level, Reason: order.Reason, Person: order.Person, Exact: true, Collection: col.Name, Prefix: p.URL, From: p.From, To: p.Until}
		if slices.ContainsFunc(have, func(old access.Rule) bool { return sameWithheld(old, one) }) {
			continue
		}
		added(p)
		r.Added++
		if !preview {
			if _, err := rules.Add(one, order.By, access.Admin, time.Now()); err != nil {
				return r, err
			}
		}
	}
	return r, nil
}

// standingTakedowns are what takedowns that stand did with what was derived.
type standingTakedowns struct {
	Orders int  `json:"orders"`
	Added  int  `json:"added"`            // rules
	Absent int  `json:"absent,omitempty"` // files without a table of names: what they have is not known
	More   bool `json:"more,omitempty"`
}

// withholdStanding does what takedowns by person ask for that stand, in a collection that was just derived. nil: there are none.
func withholdStanding(ctx context.Context, col *catalog.Collection) (*standingTakedowns, error) {
	place := accessPlace{archive: filepath.Dir(filepath.Dir(col.Dir()))}
	orders, err := place.orders().Standing()
	if err != nil || len(orders) == 0 {
		return nil, err
	}
	out := &standingTakedowns{}
	for _, o := range orders {
		if o.Collection != "" && o.Collection != col.Name {
			continue
		}
		out.Orders++
		r, err := withholdPerson(ctx, &place, col, o, false, func(entities.NamedPage) {})
		if varve.KindOf(err) == varve.NotFound {
			continue // no base: no names are linked in it
		}
		if err != nil {
			return nil, err
		}
		out.Added, out.Absent, out.More = out.Added+r.Added, max(out.Absent, r.Absent), out.More || r.More
	}
	return out, nil
}

// sameWithheld reports whether a rule in force withholds what another would, for the same person.
func sameWithheld(old, one access.Rule) bool {
	return old.Person == one.Person && old.Collection == one.Collection && old.Prefix == one.Prefix && old.Exact && old.Level == one.Level && old.From.Equal(one.From) && old.To.Equal(one.To)
}

func untilText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " until " + t.UTC().Format(time.RFC3339)
}
