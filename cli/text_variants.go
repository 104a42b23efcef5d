package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/derive"
)

type variantsOptions struct {
	archive, collection string
	lang                string
	json                bool
}

func newTextVariantsCommand() *cobra.Command {
	var o variantsOptions
	c := &cobra.Command{
		Use:   "variants",
		Short: "Find words that were written otherwise at another time",
		Long: `Finds words that the texts of a collection write otherwise from some year on: to-day and today, connexion and connection. What it goes by is the collection alone, so
any language will do: two words that differ in a hyphen or in one or two letters, of which one gives way to the other, which seldom stand in one text and stand between
the same words. A text is of the year in which it was published or else first captured; a collection of one year has none.

It prints the pairs with how many texts had each spelling before and after, and keeps them with the derivatives of the collection. Searches then say that a word was also
written otherwise and offer to look for both; they never do so by themselves. Run it again when the collection has grown. Of pairs that differ in letters about
a sixth is wrong (docs/algorithms/quality.md).

Exit codes: 0 done, 2 could not.`,
		Example: `  varve text variants --collection speeches
  varve text variants --collection speeches --lang fr --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runTextVariants(c, &o) },
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	collectionFlag(f, &o.collection)
	f.StringVar(&o.lang, "lang", "en", "texts of this language")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return c
}

func runTextVariants(c *cobra.Command, o *variantsOptions) error {
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return err
	}
	v, err := variantsOf(c.Context(), col, o.lang)
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &varve.Error{Kind: varve.NotFound, Op: "text variants", Msg: "collection " + col.Name + " has no table of texts", Hint: "make it: varve derive --collection " + col.Name}
	case err != nil:
		return &varve.Error{Kind: varve.Unavailable, Op: "text variants", Err: err, Hint: orElse(varve.HintOf(err), "'varve derive --check' makes damaged tables anew")}
	case o.json:
		return PrintJSON(c.OutOrStdout(), v)
	}
	printVariants(c.OutOrStdout(), v, o.lang)
	return nil
}

// variantsOf finds the spellings of a collection and keeps them for searches.
func variantsOf(ctx context.Context, col *catalog.Collection, lang string) (v *derive.Variants, err error) {
	lock, err := col.Lock("varve text variants")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if v, err = derive.FindVariants(ctx, derivedDir(col), lang); err != nil {
		return nil, err
	}
	return v, derive.WriteVariants(derivedDir(col), v.Pairs)
}

func printVariants(w io.Writer, v *derive.Variants, lang string) {
	fmt.Fprintf(w, "%d texts in %s; %d words were written otherwise\n", v.Texts, lang, len(v.Pairs))
	if v.Others > 0 {
		fmt.Fprintf(w, "not looked at: %d texts of other languages; --lang chooses one\n", v.Others)
	}
	if v.Left > 0 {
		fmt.Fprintf(w, "not looked at: %d texts of more different years than are kept\n", v.Left)
	}
	if len(v.Pairs) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-20s %-20s %5s  texts with each before, and from then on\n", "old", "new", "from")
	for _, p := range v.Pairs {
		fmt.Fprintf(w, "%-20s %-20s %5d  %d and %d, %d and %d\n", oneLine(p.Old), oneLine(p.New), p.Turn, p.Before.Old, p.Before.New, p.After.Old, p.After.New)
	}
}
