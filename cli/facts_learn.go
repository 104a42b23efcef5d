package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/fact"
	"varve/fact/harvest"
	"varve/language"
)

// learnedPatterns is what 'varve facts learn' prints.
type learnedPatterns struct {
	Collection string         `json:"collection"`
	Texts      int            `json:"texts"` // that were read, each once
	Candidates int            `json:"candidates"`
	Left       int            `json:"left,omitempty"` // candidates beyond --most
	Known      int            `json:"known"`          // facts that rows of tables, infoboxes and lists tell
	Patterns   []fact.Learned `json:"patterns"`
}

func newFactsLearnCommand() *cobra.Command {
	var archive, collection string
	var most, pairs int
	var asJSON bool
	settings := fact.Default()
	c := &cobra.Command{
		Use:   "learn",
		Short: "Propose patterns of relations, by what all texts of a collection say",
		Long: `Spreads what is known over all texts of a collection at once: the patterns and facts of its relations, and the facts that rows of its tables, infoboxes and lists tell ('varve derive --units facts'). Words that go with these pairs and times are patterns of the relation,
though nobody has written them down. What is printed are lines for a file of relations, each with its confidence, the number of different pairs that have it, and one page: read them, and put those that are right into relations.txt in the folder of the collection (beside those of the program, fact/relations); 'varve derive --units facts' then finds them in every text. Nothing is changed.

Every text is read once (English). Memory grows with the candidates, about 0.6 KB each: --most bounds them, and what is beyond is counted. Patterns are made of words of texts, also of withheld ones: the command is for curators.

Exit codes: 0 looked, 2 could not.`,
		Example: `  varve facts learn --collection news
  varve facts learn --collection news --pairs 3 --confidence 0.6 --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if most < 1 || pairs < 1 {
				return UsageError(c, "--most and --pairs are 1 at least")
			}
			col, err := oneCollection(archive, collection)
			if err != nil {
				return err
			}
			out, err := learnFacts(c.Context(), col, most, pairs, settings)
			if c.Context().Err() != nil {
				return Stopped(c)
			}
			if err != nil {
				return err
			}
			if asJSON {
				return PrintJSON(c.OutOrStdout(), out)
			}
			relation := ""
			for _, l := range out.Patterns {
				if l.Relation != relation {
					relation = l.Relation
					fmt.Fprintf(c.OutOrStdout(), "relation    %s\n", relation)
				}
				fmt.Fprintf(c.OutOrStdout(), "%s\n# %.2f, %d pairs, such as in %s\n", oneLine(l.Line()), l.Confidence, l.Pairs, oneLine(l.Said))
			}
			fmt.Fprintf(c.OutOrStdout(), "# %d patterns of %d candidates in %d texts; %d facts of rows are known\n", len(out.Patterns), out.Candidates, out.Texts, out.Known)
			if out.Left > 0 {
				fmt.Fprintf(c.OutOrStdout(), "# %d candidates were not looked at: there are more than --most\n", out.Left)
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&archive, "archive", "archive", "the archive directory")
	collectionFlag(f, &collection)
	f.IntVar(&most, "most", 500_000, "how many candidates are held")
	f.IntVar(&pairs, "pairs", 2, "different pairs of names that a pattern has at least")
	f.Float64Var(&settings.Least, "confidence", settings.Least, "only patterns that are as sure as this, from 0 to 1")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// learnFacts reads the texts of a collection, each once, and learns from all.
func learnFacts(ctx context.Context, col *catalog.Collection, most, pairs int, s fact.Settings) (*learnedPatterns, error) {
	relations, err := annotate.RelationsOf(col.Dir())
	if err != nil {
		return nil, err
	}
	out := &learnedPatterns{Collection: col.Name, Patterns: []fact.Learned{}}
	known, err := rowFacts(ctx, col, out)
	if err != nil {
		return nil, err
	}
	reader := language.New()
	seen := map[string]bool{}
	var candidates []fact.Candidate
	err = derive.Rows(filepath.Join(derivedDir(col), "versions.parquet"), func(v *derive.VersionRow) (bool, error) {
		if v.Text == "" || v.Language != "" && !strings.HasPrefix(v.Language, "en") || seen[v.State] {
			return true, ctx.Err()
		}
		seen[strings.Clone(v.State)] = true
		text := strings.Clone(v.Text)
		date := v.Dated
		if date.IsZero() {
			date = v.From
		}
		doc, err := reader.Analyse(ctx, language.Text{Text: text, Language: "en", Date: date}, fact.Units()...)
		if err != nil {
			return false, err
		}
		out.Texts++
		url := strings.Clone(v.URL)
		found, _ := fact.Candidates(doc, text, fact.TopicOf(strings.Clone(v.Title), doc), relations)
		for _, one := range found {
			if !one.Time.Known() {
				continue
			}
			if len(candidates) >= most {
				out.Left++
				continue
			}
			// Not all of the text is kept.
			one.Subject, one.Object, one.Evidence.Document = strings.Clone(one.Subject), strings.Clone(one.Object), url
			candidates = append(candidates, one)
		}
		return true, ctx.Err()
	})
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "read texts of " + col.Name, Err: err, Hint: "run 'varve derive'"}
	}
	out.Candidates = len(candidates)
	learned, err := fact.Learn(ctx, relations, candidates, known, pairs, s)
	out.Patterns = append(out.Patterns, learned...)
	return out, err
}

// rowFacts returns what rows of tables, infoboxes and lists tell, by relation. A collection without a table of facts knows none.
func rowFacts(ctx context.Context, col *catalog.Collection, out *learnedPatterns) (map[string][]fact.Known, error) {
	j, _, err := annotate.FactsJob(col.Dir())
	if err != nil {
		return nil, err
	}
	files, err := col.Files()
	if err != nil {
		return nil, err
	}
	parts, err := derive.Parts(files)
	if err != nil {
		return nil, err
	}
	plain := func(name string) string {
		if _, label, linked := annotate.ParseEntityValue(name); linked {
			return label
		}
		return name
	}
	known := map[string][]fact.Known{}
	for _, p := range parts {
		path, ok := job.Table(derivedDir(col), j, p, annotate.Facts)
		if !ok {
			continue
		}
		err = errors.Join(err, derive.Rows(path, func(r *annotate.FactRow) (bool, error) {
			if !harvest.Kind(r.Pattern) {
				return true, ctx.Err()
			}
			o, err := r.Observation()
			if err != nil {
				return false, err
			}
			k := fact.Known{Subject: strings.Clone(plain(o.Subject)), Object: strings.Clone(plain(o.Object))}
			list := known[o.Relation]
			i := slices.IndexFunc(list, func(old fact.Known) bool { return old.Subject == k.Subject && old.Object == k.Object })
			if i < 0 {
				list, i = append(list, k), len(list)
				out.Known++
			}
			switch o.Aspect {
			case fact.Begin, fact.During:
				list[i].Begin = o.Time
			case fact.End:
				list[i].End = o.Time
			}
			known[strings.Clone(o.Relation)] = list
			return true, ctx.Err()
		}))
	}
	return known, err
}
