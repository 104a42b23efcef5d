package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve"
	"varve/entity"
	"varve/entity/base"
	"varve/entity/dump"
	"varve/entity/link"
)

func newEntityCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "entity",
		Short: "Know persons, places and organisations by name",
		Long: `A base of entities knows which persons, places, organisations and other things there are, what they are called, when they existed, and what goes with
them. It is made from dumps of knowledge bases and lies in a folder, by default archive/entities. docs/entities.md tells more.`,
	}
	c.AddCommand(newEntityImportCommand(), newEntityBuildCommand(), newEntityAboutCommand(), newEntityForgetCommand(), newEntityShowCommand(), newEntityNamesCommand(), newEntityEmergingCommand(), newEntitySameCommand(), newEntityRelatedCommand())
	c.AddCommand(newEntityDecideCommands()...)
	return c
}

// entityBase is the flag that names the folder of the base.
func entityBase(f *pflag.FlagSet, dir *string) {
	f.StringVar(dir, "base", filepath.Join("archive", "entities"), "the folder of the base of entities")
}

// entityReport is what an import prints.
type entityReport struct {
	Sources []*base.Source `json:"sources"`
	Base    base.About     `json:"base"`
}

func newEntityImportCommand() *cobra.Command {
	var dir, format, wiki, credit, licence string
	var languages []string
	var memory int
	var asJSON, later bool
	c := &cobra.Command{
		Use:   "import FILE...",
		Short: "Import dumps of knowledge bases",
		Long: `Imports dumps and builds the base from all that were ever imported: Wikidata (.json), MediaWiki (.xml), RDF of DBpedia or YAGO (.nt, .ttl, .nq, .trig, .rdf)
and tables (.csv, .tsv), packed or not (.gz, .bz2, .zst). A dump that was imported before is not read again unless the file has changed; an import
that was stopped or killed goes on where it was. Places that cannot be read are told and left out; of a dump that is cut off, what was read stays.

Exit codes: 0 imported, 1 imported with bugs or not to the end, 2 could not.`,
		Example: `  varve entity import wikidata-20261101-all.json.bz2
  varve entity import enwiki-latest-pages-articles.xml.bz2 --languages en,de
  varve entity import mayors.csv --credit 'City of Berlin' --licence 'CC BY 4.0'`,
		Args: needArgs(1, "dumps to import"),
		RunE: func(c *cobra.Command, args []string) (err error) {
			in, err := base.OpenIntake(dir)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, in.Close()) }()
			r := entityReport{}
			findings := false
			for _, name := range args {
				s, err := importDump(c.Context(), in, name, dump.Format(format), base.Source{Credit: credit, Licence: licence}, dump.Options{Languages: languages, Wiki: wiki})
				if err != nil {
					return err
				}
				r.Sources = append(r.Sources, s)
				findings = findings || s.Bugs > 0 || s.Ended != ""
				if !asJSON {
					printSource(c.OutOrStdout(), s)
				}
			}
			if !later {
				if r.Base, err = in.Build(c.Context(), base.Options{Memory: memory << 20}); err != nil {
					return err
				}
			}
			switch {
			case asJSON:
				err = PrintJSON(c.OutOrStdout(), r)
			case !later:
				err = printAbout(c.OutOrStdout(), r.Base)
			}
			if err == nil && findings {
				err = varve.ErrFindings
			}
			return err
		},
	}
	f := c.Flags()
	entityBase(f, &dir)
	f.StringVar(&format, "format", "", "wikidata, mediawiki, rdf or table (default: by the ending of each file)")
	f.StringSliceVar(&languages, "languages", []string{"en"}, "languages of names; labels are in the first")
	f.StringVar(&wiki, "wiki", "", "which wiki an XML dump is, such as enwiki (default: what it says itself)")
	f.StringVar(&credit, "credit", "", "whom to credit for these files")
	f.StringVar(&licence, "licence", "", "licence of these files")
	f.IntVar(&memory, "memory", base.DefaultMemory>>20, "memory for sorting, in MB")
	f.BoolVar(&later, "no-build", false, "build the base later ('varve entity build')")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// importDump reads a dump as far as it goes. An error is one of the environment; what is wrong with the dump is in the source.
func importDump(ctx context.Context, in *base.Intake, name string, format dump.Format, s base.Source, o dump.Options) (*base.Source, error) {
	if format = cmp.Or(format, dump.FormatOf(name)); !slices.Contains(dump.Formats, format) {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "import " + name, Msg: "its format is not known", Hint: "--format wikidata, mediawiki, rdf or table"}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "import " + name, Err: err}
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if s.Name, err = filepath.Abs(name); err != nil {
		return nil, err
	}
	s.Size, s.Modified, s.Format = st.Size(), st.ModTime(), string(format)
	to, err := in.Source(s)
	if err != nil || to.Done {
		return to, err
	}
	o.Name, o.Skip = name, to.Units
	r, err := dump.Unpack(f)
	if err == nil {
		err = dump.Read(ctx, r, format, o, to)
	}
	_, ofDump := errors.AsType[*dump.Error](err)
	switch {
	case err == nil:
		return to, to.Finish("")
	case ctx.Err() != nil:
		return nil, errors.Join(to.Suspend(), &varve.Error{Kind: varve.Unavailable, Op: "import " + name, Msg: fmt.Sprintf("stopped after %d units", to.Units), Hint: "the same command goes on from there", Err: ctx.Err()})
	case ofDump:
		return to, to.Finish(err.Error())
	}
	return nil, errors.Join(to.Suspend(), &varve.Error{Kind: varve.Invalid, Op: "import " + name, Err: err})
}

func printSource(w io.Writer, s *base.Source) {
	fmt.Fprintf(w, "%s: %d units, %d statements\n", filepath.Base(s.Name), s.Units, s.Statements)
	for i, b := range s.Examples {
		if i == 20 {
			fmt.Fprintf(w, "  and %d more: 'varve entity about --json' lists the first 100\n", s.Bugs-20)
			break
		}
		fmt.Fprintf(w, "  %s\n", oneLine(b))
	}
	if s.Ended != "" {
		fmt.Fprintf(w, "  not read to its end: %s; what was read before it stays\n", oneLine(s.Ended))
	}
}

func printAbout(w io.Writer, a base.About) error {
	_, err := fmt.Fprintf(w, "%d entities with %d names and %d links; %d ids are only spoken of\n", a.Entities, a.Names, a.Links, a.Missing)
	return err
}

func newEntityBuildCommand() *cobra.Command {
	var dir string
	var memory int
	var asJSON bool
	c := &cobra.Command{
		Use:   "build",
		Short: "Build the base again from what was imported",
		Long:  "Builds the base from the statements of all dumps that were imported, without reading the dumps.\n\nExit codes: 0 built, 2 could not.",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			in, err := base.OpenIntake(dir)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, in.Close()) }()
			about, err := in.Build(c.Context(), base.Options{Memory: memory << 20})
			if err != nil {
				return err
			}
			if asJSON {
				return PrintJSON(c.OutOrStdout(), about)
			}
			return printAbout(c.OutOrStdout(), about)
		},
	}
	entityBase(c.Flags(), &dir)
	c.Flags().IntVar(&memory, "memory", base.DefaultMemory>>20, "memory for sorting, in MB")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func newEntityForgetCommand() *cobra.Command {
	var dir string
	var asJSON bool
	c := &cobra.Command{
		Use:   "forget FILE",
		Short: "Take out what a dump said",
		Long: `Takes out what a dump said, by the path it was imported under, and builds the base from the others.

Exit codes: 0 done, 2 could not.`,
		Args: needArgs(1, "the dump to forget"),
		RunE: func(c *cobra.Command, args []string) (err error) {
			in, err := base.OpenIntake(dir)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, in.Close()) }()
			name, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			if err := in.Forget(name); err != nil {
				return err
			}
			about, err := in.Build(c.Context(), base.Options{})
			if err != nil {
				return err
			}
			if asJSON {
				return PrintJSON(c.OutOrStdout(), about)
			}
			return printAbout(c.OutOrStdout(), about)
		},
	}
	entityBase(c.Flags(), &dir)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func newEntityAboutCommand() *cobra.Command {
	var dir string
	var asJSON, check bool
	c := &cobra.Command{
		Use:   "about",
		Short: "Say what the base is made of",
		Long: `Says how many entities the base has, and which dumps it was made from with whom to credit. --check reads every byte of the base.

Exit codes: 0 said, 2 could not, or the base is damaged.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			b, err := openEntities(dir)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, b.Close()) }()
			if check {
				if err := b.Verify(); err != nil {
					return &varve.Error{Kind: varve.Unavailable, Op: "check base", Err: err, Hint: "'varve entity build' makes it again from what was imported"}
				}
			}
			about := b.About()
			if asJSON {
				return PrintJSON(c.OutOrStdout(), about)
			}
			for _, s := range about.Sources {
				line := s.Name
				if s.Credit != "" || s.Licence != "" {
					line += " (" + strings.Trim(s.Credit+", "+s.Licence, ", ") + ")"
				}
				fmt.Fprintln(c.OutOrStdout(), oneLine(line))
			}
			return printAbout(c.OutOrStdout(), about)
		},
	}
	entityBase(c.Flags(), &dir)
	c.Flags().BoolVar(&check, "check", false, "read and check every byte")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// openEntities opens the base of a folder, or a base that is a file of its own.
func openEntities(path string) (*base.Base, error) {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		path = filepath.Join(path, base.FileName)
	}
	return base.Open(path)
}

func newEntityShowCommand() *cobra.Command {
	var dir, at string
	var asJSON bool
	c := &cobra.Command{
		Use:   "show NAME|ID...",
		Short: "Show an entity, or all that a name may mean",
		Long: `Shows what the base knows of an entity, by its id (Q567, 'enwiki:Angela Merkel'), or lists what a name may mean, the likeliest first: by how often links of that name
lead to each. --at DATE puts behind those that did not exist then.

Exit codes: 0 shown, 2 there is none.`,
		Example: `  varve entity show Merkel --at 1970
  varve entity show Q567 --json`,
		Args: needArgs(1, "a name or an id"),
		RunE: func(c *cobra.Command, args []string) (err error) {
			name := strings.Join(args, " ")
			day := entity.Unknown
			if at != "" {
				if day, _, err = entity.ParseDays(at); err != nil {
					return UsageError(c, "--at: "+err.Error())
				}
			}
			b, err := openEntities(dir)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, b.Close()) }()
			n, ok, err := b.Find(name)
			if err != nil {
				return err
			}
			if ok {
				e, err := b.Entity(n)
				if err != nil {
					return err
				}
				if asJSON {
					return PrintJSON(c.OutOrStdout(), e)
				}
				return printEntity(c.OutOrStdout(), b, e)
			}
			list, err := link.Meanings(b, name, day)
			switch {
			case err != nil:
				return err
			case len(list) == 0:
				return &varve.Error{Kind: varve.NotFound, Op: "show " + name, Msg: "the base has no entity of this id or name", Hint: "'varve entity names " + name + "' lists names that begin so; 'varve entity import' brings in more"}
			case asJSON:
				return PrintJSON(c.OutOrStdout(), list)
			}
			for _, m := range list {
				note := ""
				if m.Then < 1 {
					note = "  (did not exist then)"
				}
				fmt.Fprintf(c.OutOrStdout(), "%5.1f %%  %-12s %s%s%s\n", 100*m.Prior, oneLine(m.Entity.ID), described(m.Entity), lived(m.Entity), note)
			}
			return nil
		},
	}
	entityBase(c.Flags(), &dir)
	c.Flags().StringVar(&at, "at", "", "the day of which one asks: year, year-month or year-month-day")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func described(e *entity.Entity) string {
	if e.Description == "" {
		return oneLine(e.Title())
	}
	return oneLine(e.Title() + ", " + e.Description)
}

// lived returns from when to when an entity existed, in brackets; "" if that is not known.
func lived(e *entity.Entity) string {
	if e.Existence == (entity.Existence{}) {
		return ""
	}
	return " [" + e.Existence.From.String() + " to " + e.Existence.Until.String() + "]"
}

func printEntity(w io.Writer, b *base.Base, e *entity.Entity) error {
	fmt.Fprintf(w, "%s  %s%s\n", oneLine(e.ID), described(e), lived(e))
	for _, id := range e.IDs {
		fmt.Fprintf(w, "same as   %s\n", oneLine(id))
	}
	for _, k := range e.Kinds {
		title := k
		if n, ok, err := b.Find(k); err == nil && ok {
			if kind, err := b.Entity(n); err == nil {
				title = kind.Title() + " (" + k + ")"
			}
		}
		fmt.Fprintf(w, "is        %s\n", oneLine(title))
	}
	if e.Place != nil {
		fmt.Fprintf(w, "place     %.4f, %.4f\n", e.Place.Latitude, e.Place.Longitude)
	}
	for i, n := range e.Names {
		if i == 20 {
			fmt.Fprintf(w, "          and %d more names\n", len(e.Names)-i)
			break
		}
		fmt.Fprintf(w, "name      %s (%s, %d links)\n", oneLine(n.Text), strings.Join(n.Origin.Strings(), ", "), n.Count)
	}
	for i, p := range e.Phrases {
		if i == 20 {
			fmt.Fprintf(w, "          and %d more phrases\n", len(e.Phrases)-i)
			break
		}
		fmt.Fprintf(w, "phrase    %s (%d)\n", oneLine(p.Text), p.Count)
	}
	_, err := fmt.Fprintf(w, "popular   %d\n", e.Popularity)
	return err
}

func newEntityNamesCommand() *cobra.Command {
	var dir string
	var most int
	var asJSON bool
	c := &cobra.Command{
		Use:   "names [PREFIX]",
		Short: "List names that begin with something",
		Long:  "Lists names that begin with a prefix, in order, each with the number of entities that it may mean.\n\nExit codes: 0 listed, 2 could not.",
		RunE: func(c *cobra.Command, args []string) (err error) {
			b, err := openEntities(dir)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, b.Close()) }()
			type line struct {
				Name     string `json:"name"`
				Entities int    `json:"entities"`
			}
			list := []line{}
			for name, err := range b.Names(strings.Join(args, " ")) {
				if err != nil {
					return err
				}
				if len(list) == most {
					break
				}
				list = append(list, line{name.Key, len(name.Candidates)})
			}
			if asJSON {
				return PrintJSON(c.OutOrStdout(), list)
			}
			for _, l := range list {
				fmt.Fprintf(c.OutOrStdout(), "%s\t%d\n", oneLine(l.Name), l.Entities)
			}
			return nil
		},
	}
	entityBase(c.Flags(), &dir)
	c.Flags().IntVar(&most, "limit", 100, "list so many names at most")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
