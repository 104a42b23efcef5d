package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/derive"
	"varve/derive/annotate"
	"varve/entity/base"
	"varve/entity/kind"
	"varve/language"
	"varve/serve"
	"varve/serve/holdings"
	"varve/text/document"
)

func newTextCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "text",
		Short: "Find what a text says: sentences, words, names",
	}
	c.AddCommand(newTextAnalyseCommand(), newTextQualityCommand(), newTextVariantsCommand())
	return c
}

type textOptions struct {
	archive, collection string
	at, lang, date      string
	units               []string
	types               string // taxonomy
	json                bool
}

func newTextAnalyseCommand() *cobra.Command {
	var o textOptions
	c := &cobra.Command{
		Use:   "analyse FILE|URL|-",
		Short: "Print all that is found in one text as JSON",
		Long: `Finds what one text says, unit by unit, and prints it as JSON. The text is that of a file, of what comes on standard input (-), or of
an address: its capture in the archive, the last one or that nearest to --at. Nothing is fetched from the web. Of HTML the main text is
taken, as in 'varve derive'; PDF and office files are read too.

The units; each is made with those that it needs:
  sentences  where sentences and their words begin and end; any language, with abbreviations of its own for some
  tags       of each word: part of speech in the tags of the Penn Treebank and of Universal Dependencies, lemma; English
  mentions   names of persons (PER), places (LOC), organisations (ORG), groups (GROUP), events, works, products; English. German, French,
             Spanish: some persons, places and organisations, by lists of names ("listed" has the unit then)
  times      expressions of time and the span that each means, counted from the date of the document; English, German, French, Spanish
  terms      words and phrases that the text is about; English, Dutch, French, German, Italian, Portuguese, Spanish
  opinions   how sentences judge, from -1 to 1, of which names, and in whose words; English
  quality    the share of words that a dictionary has: little where a scan went wrong; English
  events     who did what to whom, when and where; English
  entities   which person, place or thing of a base of entities each name means, as of the date of the text, and how sure that is; English.
             The base is that of the archive, or of --collection ('varve entity import'); without one nothing is linked
  types      what kinds of things the names are, of about 500 kinds of WordNet (--taxonomy figer: 113 of FIGER); English; only if it is named

In the answer "text" is what was read, and "start" and "end" are bytes of it; "confidence" is a probability, as the model has it
(sentences are cut by rules and have none; of a time it is 1 divided by its readings, of an event it follows from odds set by hand). "missing" has units that do not know the language, and why: they found
nothing because they did not look. "analysed" is less than the length of the text if that has over 262,144 words and signs.

'varve derive --units' does the same for all pages of a collection. The figures of the models are in docs/models.

Exit codes: 0 all units, 1 some do not know the language, 2 could not.`,
		Example: `  varve text analyse speech.txt
  varve text analyse page.html --units mentions | jq '.mentions[] | [.type, .text]'
  curl -s https://example.org/ | varve text analyse - --lang en
  varve text analyse https://example.org/ --collection news --at 2024-05-01
  varve text analyse speech.txt --units types | jq '.types[] | [.text, .types[-1].label]'
  varve text analyse speech.txt --units entities | jq '.entities[] | [.text, .entity, .label]'`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runTextAnalyse(c, &o, args[0]) },
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory, for an address")
	collectionFlag(f, &o.collection)
	f.StringVar(&o.at, "at", "", "the capture of an address nearest to this time (default: the last)")
	f.StringSliceVar(&o.units, "units", nil, "only these: "+annotate.UnitNames()+" (default: all but types)")
	f.StringVar(&o.types, "taxonomy", kind.WordNet, "kinds of things for --units types: "+strings.Join(kind.Names(), ", "))
	f.StringVar(&o.lang, "lang", "", "language of the text, such as en (default: what it looks like)")
	f.StringVar(&o.date, "date", "", "date of the document (default: what it says of itself, else its capture, else today)")
	f.BoolVar(&o.json, "json", false, "print one line (default: JSON that people can read)")
	return c
}

func runTextAnalyse(c *cobra.Command, o *textOptions, what string) (err error) {
	units, above := language.Units(), annotate.Above{}
	if len(o.units) > 0 {
		var err error
		if units, above, err = annotate.ParseUnits(o.units); err != nil {
			return err
		}
	}
	in, err := o.asked(c, what)
	if err != nil {
		return err
	}
	if in.Linker, err = o.linker(above.Entities); err != nil {
		return err
	}
	if in.Linker != nil {
		defer func() { err = errors.Join(err, in.Linker.Close()) }()
	}
	if above.Types {
		in.Types = o.types
	}
	out, err := annotate.Analyse(c.Context(), *in, derive.Options{Document: document.Text}, units)
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	if err != nil {
		return err
	}
	enc := json.NewEncoder(c.OutOrStdout())
	enc.SetEscapeHTML(false)
	if !o.json {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(out); err != nil {
		return err
	}
	if len(out.Missing) > 0 {
		return varve.ErrFindings
	}
	return nil
}

// linker opens the base of entities. Without one nothing is linked, unless that was asked for.
func (o *textOptions) linker(asked bool) (*annotate.Linker, error) {
	if len(o.units) > 0 && !asked {
		return nil, nil
	}
	path := base.InArchive(o.archive)
	if o.collection != "" {
		col, err := oneCollection(o.archive, o.collection)
		if err != nil {
			return nil, err
		}
		path = base.OfCollection(col.Dir())
	}
	l, err := annotate.OpenLinker(path)
	if !asked && varve.KindOf(err) == varve.NotFound {
		return nil, nil
	}
	return l, err
}

// maxAnalysed is how many bytes of a content are read.
const maxAnalysed = 16 << 20

// asked reads what is named, with the date and the language that flags give it.
func (o *textOptions) asked(c *cobra.Command, what string) (*annotate.Content, error) {
	in, err := o.content(c.Context(), what, c.InOrStdin())
	if err != nil {
		return nil, err
	}
	in.Language = o.lang
	in.Date, err = textTime("--date", o.date)
	return in, err
}

// content reads what is to be analysed.
func (o *textOptions) content(ctx context.Context, what string, in io.Reader) (*annotate.Content, error) {
	if strings.HasPrefix(what, "http://") || strings.HasPrefix(what, "https://") {
		return o.archived(ctx, what)
	}
	if what != "-" {
		f, err := os.Open(what)
		if err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "read " + what, Err: err, Hint: "name a file, an address with http:// or https://, or - for standard input"}
		}
		defer f.Close()
		in = f
	}
	b, err := io.ReadAll(io.LimitReader(in, maxAnalysed+1))
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "read " + what, Err: err}
	}
	if len(b) > maxAnalysed {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read " + what, Msg: fmt.Sprintf("it has more than %d MiB", maxAnalysed>>20), Hint: "take it apart, for example by chapters"}
	}
	out := &annotate.Content{Body: b, Time: time.Now()}
	switch strings.ToLower(filepath.Ext(what)) {
	case ".txt", ".md":
		out.MIME = "text/plain"
	case ".html", ".htm":
		out.MIME = "text/html"
	}
	return out, nil
}

// archived reads the capture of an address.
func (o *textOptions) archived(ctx context.Context, url string) (_ *annotate.Content, err error) {
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return nil, err
	}
	at, err := textTime("--at", o.at)
	if err != nil {
		return nil, err
	}
	local := serve.OpenLocal(openArchive(o.archive))
	defer func() {
		if closed := local.Close(); err == nil {
			err = closed
		}
	}()
	var best *holdings.IndexedCapture
	for c, err := range local.Captures(ctx, holdings.Query{Collection: col.Name, URL: url}) {
		if err != nil {
			return nil, err
		}
		if best == nil || at.IsZero() || c.Time.Sub(at).Abs() < best.Time.Sub(at).Abs() {
			best = &c
		}
	}
	if best == nil {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "find " + url, Msg: "collection " + col.Name + " has no capture of it", Hint: "'varve cdx URL' lists captures; nothing is fetched from the web"}
	}
	got, err := local.Content(ctx, col.Name, *best, maxAnalysed)
	if err != nil {
		return nil, err
	}
	return &annotate.Content{URL: best.URL, MIME: got.MIME, Body: got.Body, Time: best.Time}, nil
}

// textTime reads the time of a flag; the zero time if it is not given.
func textTime(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := parseTime(text)
	if err != nil {
		return t, &varve.Error{Kind: varve.Invalid, Op: "read " + flag, Err: err}
	}
	return t, nil
}
