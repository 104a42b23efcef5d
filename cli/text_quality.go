package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/derive"
	"varve/language/lexicon"
	"varve/language/quality"
	"varve/web/canon"
)

type qualityOptions struct {
	archive, collection string
	lang                string
	worst               int
	repaired, json      bool
}

func newTextQualityCommand() *cobra.Command {
	var o qualityOptions
	c := &cobra.Command{
		Use:   "quality [URL]",
		Short: "Say how well texts can be read, and what bad scans should have said",
		Long: `Says which share of the words of each text is recognised: a dictionary has it (English), or the collection has it 20 times or more. Good texts have 0.98
and more; scans that went wrong have less. It lists the worst texts, or of an address every word that was probably misread, and what was printed
there: the word that the collection has elsewhere and that a scanner would have turned into this one. Nothing in the archive is changed.

The texts are those that 'varve derive' found in the versions of pages, PDF and office files. They are read twice: once to learn the words of the
collection and the habits of its scanner, once to judge each text. Only words that begin with a small letter are repaired, since names are rarely known; of right words that
nobody knows (foreign and rare ones) about a fifth is changed too, so look before you believe. docs/algorithms/quality.md has the figures.

'varve derive --units quality' writes the share of each text into a table, by the dictionary alone, and searches can ask for it: quality:<0.8.

Exit codes: 0 done, 2 could not.`,
		Example: `  varve text quality --collection scans
  varve text quality --collection scans --worst 100 --json
  varve text quality https://example.org/1952.pdf --collection scans
  varve text quality https://example.org/1952.pdf --collection scans --repaired > 1952.txt`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			url := ""
			if len(args) > 0 {
				url = args[0]
			}
			return runTextQuality(c, &o, url)
		},
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	collectionFlag(f, &o.collection)
	f.StringVar(&o.lang, "lang", "en", "texts of this language; others than English have no dictionary")
	f.IntVar(&o.worst, "worst", 20, "how many of the worst texts are listed")
	f.BoolVar(&o.repaired, "repaired", false, "of an address: print its text, repaired")
	f.BoolVar(&o.json, "json", false, "print JSON, one line per text; without an address the last line is of all")
	return c
}

// versionText is what is read of a version.
type versionText struct {
	URL      string    `parquet:"url"`
	SURT     string    `parquet:"surt"`
	From     time.Time `parquet:"from,timestamp(microsecond)"`
	Language string    `parquet:"language"`
	Text     string    `parquet:"text"`
}

// textQuality is what is known of the text of a version.
type textQuality struct {
	URL        string           `json:"url"`
	Time       time.Time        `json:"time"`
	Share      float64          `json:"share"`
	Words      int              `json:"words"`
	Recognised int              `json:"recognised"`
	Misread    int              `json:"misread"` // words that were probably misread
	Repairs    []quality.Repair `json:"repairs,omitempty"`
	text       string
}

// qualityTotal is what is known of all texts.
type qualityTotal struct {
	Texts      int              `json:"texts"`
	Words      int              `json:"words"`
	Recognised int              `json:"recognised"`
	Misread    int              `json:"misread"`
	Others     map[string]int64 `json:"others,omitempty"` // texts of other languages, which were not looked at
}

func runTextQuality(c *cobra.Command, o *qualityOptions, url string) error {
	if o.repaired && (url == "" || o.json) {
		return &varve.Error{Kind: varve.Invalid, Op: "text quality", Msg: "--repaired prints the text of one address", Hint: "name an address, without --json"}
	}
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return err
	}
	key := ""
	if url != "" {
		key = canon.SURT(url)
	}
	list, total, err := o.judge(c.Context(), col, key)
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &varve.Error{Kind: varve.NotFound, Op: "text quality", Msg: "collection " + col.Name + " has no table of texts", Hint: "make it: varve derive --collection " + col.Name}
	case err != nil:
		return &varve.Error{Kind: varve.Unavailable, Op: "text quality", Err: err, Hint: orElse(varve.HintOf(err), "'varve derive --check' makes damaged tables anew")}
	case url != "" && len(list) == 0:
		return &varve.Error{
			Kind: varve.NotFound, Op: "find " + url, Msg: fmt.Sprintf("collection %s has no text of it in the language %s", col.Name, o.lang),
			Hint: "'varve cdx URL' lists captures; --lang chooses the language",
		}
	}
	w := c.OutOrStdout()
	if o.json {
		return o.printJSON(w, list, total, url == "")
	}
	if url == "" {
		printTexts(w, list, total)
		return nil
	}
	for i := range list {
		if o.repaired {
			if i == len(list)-1 { // the last version
				_, err = io.WriteString(w, list[i].fixed()+"\n")
			}
			continue
		}
		list[i].print(w)
	}
	return err
}

// judge reads the texts of a collection: all versions of one page, or the worst texts of all.
func (o *qualityOptions) judge(ctx context.Context, col *catalog.Collection, key string) (list []textQuality, total qualityTotal, err error) {
	table := filepath.Join(derivedDir(col), "versions.parquet")
	var counts quality.Counts
	err = derive.Rows(table, func(v *versionText) (bool, error) {
		switch {
		case v.Text == "":
		case v.Language == o.lang:
			counts.Add(v.Text)
		default:
			if total.Others == nil {
				total.Others = map[string]int64{}
			}
			total.Others[v.Language]++
		}
		return true, ctx.Err()
	})
	if err != nil {
		return nil, total, err
	}
	var known func(string) bool
	if o.lang == "en" {
		known = quality.English(lexicon.Default())
	}
	repairer := quality.New(&counts, known)
	err = derive.Rows(table, func(v *versionText) (bool, error) {
		if v.Text == "" || v.Language != o.lang || key != "" && v.SURT != key {
			return true, ctx.Err()
		}
		r := repairer.Read(v.Text)
		total.Texts++
		total.Words += r.Words
		total.Recognised += r.Recognised
		total.Misread += len(r.Repairs)
		t := textQuality{URL: v.URL, Time: v.From, Share: r.Share(), Words: r.Words, Recognised: r.Recognised, Misread: len(r.Repairs)}
		if key != "" {
			t.Repairs, t.text = r.Repairs, v.Text
			list = append(list, t)
		} else if list = append(list, t); len(list) >= 2*o.worst+1000 {
			list = worstOf(list, o.worst)
		}
		return true, ctx.Err()
	})
	if key == "" {
		list = worstOf(list, o.worst)
	}
	return list, total, err
}

// worstOf returns the n texts with the least share of recognised words, the worst first.
func worstOf(list []textQuality, n int) []textQuality {
	slices.SortFunc(list, func(a, b textQuality) int {
		return cmp.Or(cmp.Compare(a.Share, b.Share), strings.Compare(a.URL, b.URL), a.Time.Compare(b.Time))
	})
	return list[:min(len(list), max(0, n))]
}

func (o *qualityOptions) printJSON(w io.Writer, list []textQuality, total qualityTotal, all bool) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range list {
		if err := enc.Encode(&list[i]); err != nil {
			return err
		}
	}
	if !all {
		return nil
	}
	return enc.Encode(total)
}

func printTexts(w io.Writer, list []textQuality, total qualityTotal) {
	fmt.Fprintf(w, "%d texts with %d words, %.2f %% of them recognised; %d were probably misread\n", total.Texts, total.Words, 100*float64(total.Recognised)/float64(max(1, total.Words)), total.Misread)
	if len(total.Others) > 0 {
		fmt.Fprintf(w, "not looked at: texts of other languages (%s); --lang chooses one\n", counts(total.Others))
	}
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-10s %7s %8s  %-10s  %s\n", "recognised", "words", "misread", "captured", "address")
	for _, t := range list {
		fmt.Fprintf(w, "%8.1f %% %7d %8d  %-10s  %s\n", 100*t.Share, t.Words, t.Misread, t.Time.UTC().Format(time.DateOnly), oneLine(t.URL))
	}
}

// print writes the words that were probably misread, with what stands around them.
func (t *textQuality) print(w io.Writer) {
	fmt.Fprintf(w, "%s, captured %s: %d of %d words recognised (%.1f %%), %d probably misread\n", oneLine(t.URL), t.Time.UTC().Format(time.RFC3339), t.Recognised, t.Words, 100*t.Share, t.Misread)
	const around = 30
	for _, r := range t.Repairs {
		before := strings.ToValidUTF8(t.text[max(0, r.Start-around):r.Start], "")
		behind := strings.ToValidUTF8(t.text[r.End:min(len(t.text), r.End+around)], "")
		fmt.Fprintf(w, "  %s\n", oneLine(fmt.Sprintf("%.2f  %s -> %s   ...%s[%s]%s...", r.Confidence, r.From, r.To, before, r.From, behind)))
	}
}

// fixed returns the text with its repairs.
func (t *textQuality) fixed() string {
	var b strings.Builder
	at := 0
	for _, r := range t.Repairs {
		b.WriteString(t.text[at:r.Start])
		b.WriteString(r.To)
		at = r.End
	}
	b.WriteString(t.text[at:])
	return b.String()
}
