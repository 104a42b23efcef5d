package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/archive/whole"
	"varve/crawl/webapp"
	"varve/derive"
	"varve/derive/annotate"
	"varve/page"
	"varve/web/canon"
	"varve/web/markup"
)

type webappOptions struct {
	archive, collection string
	json                bool
}

func (o *webappOptions) flags(c *cobra.Command, what string) {
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "", what)
	f.BoolVar(&o.json, "json", false, "print one JSON object")
}

func newWebappCommand() *cobra.Command {
	var o webappOptions
	c := &cobra.Command{
		Use:   "webapp",
		Short: "Forums, blogs and wikis: which software made a page, and what people wrote on it",
		Long: `Lists the applications that are known: what software makes sites, how it is recognised, and where on its pages posts, comments and articles
stand. 'varve derive --units objects' cuts these out of the pages of a collection, each with who wrote it when.

What is known of an application is a file that can be read and written without programming (docs/formats/webapp.md). A collection
may have files of its own, in its folder webapp; one with the name of an application that is known replaces it.

Exit codes: 0 listed, 2 could not.`,
		Example: `  varve webapp
  varve webapp look page.html --url http://forum.example/viewtopic.php?t=7
  varve webapp check my_forum.toml
  varve webapp learn --collection news`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runWebappList(c, &o) },
	}
	o.flags(c, "with the files of a collection (default: those of the program)")
	c.AddCommand(newWebappLookCommand(), newWebappCheckCommand(), newWebappLearnCommand())
	return c
}

// knowledge returns what is known, with the files of a collection if one is named.
func (o *webappOptions) knowledge() (*webapp.Knowledge, error) {
	if o.collection == "" {
		return webapp.Default(), nil
	}
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return nil, err
	}
	return knowledgeOf(col)
}

func knowledgeOf(col *catalog.Collection) (*webapp.Knowledge, error) {
	k, err := annotate.ReadKnowledge(col.Dir())
	if err != nil {
		return nil, badKnowledge(col, err)
	}
	return k, nil
}

// badKnowledge is the error of files of a collection that cannot be read.
func badKnowledge(col *catalog.Collection, err error) error {
	return &varve.Error{Kind: varve.Invalid, Op: "applications of " + col.Name, Err: err, Hint: "mend the file in the folder webapp of the collection, or take it away"}
}

// knownApplication is an application as it is listed.
type knownApplication struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"`
	About   string   `json:"about"`
	Levels  []string `json:"levels"`
	Objects []string `json:"objects"`
}

func runWebappList(c *cobra.Command, o *webappOptions) error {
	k, err := o.knowledge()
	if err != nil {
		return err
	}
	var list []knownApplication
	for _, a := range k.Applications() {
		list = append(list, knownApplication{a.Name, a.Kind, a.About, a.LevelNames(), a.Types()})
	}
	if o.json {
		return PrintJSON(c.OutOrStdout(), map[string]any{"applications": list})
	}
	for _, a := range list {
		fmt.Fprintf(c.OutOrStdout(), "%-6s %-15s %s; levels: %s\n", a.Kind, a.Name, a.About, strings.Join(a.Levels, ", "))
	}
	return nil
}

func newWebappLookCommand() *cobra.Command {
	var o webappOptions
	var address string
	c := &cobra.Command{
		Use:   "look FILE",
		Short: "What a page is, and what people wrote on it",
		Long: `Says which application made a page, by which signs, which of its levels it is, and what posts, comments or articles are on it. FILE is the page's
HTML, - for standard input.

Exit codes: 0 recognised, 1 it is of no application that is known, 2 could not.`,
		Example: `  varve webapp look thread.html --url http://forum.example/viewtopic.php?t=7`,
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return runWebappLook(c, &o, args[0], address) },
	}
	o.flags(c, "with the files of a collection (default: those of the program)")
	c.Flags().StringVar(&address, "url", "", "the page's address (required)")
	_ = c.MarkFlagRequired("url")
	return c
}

// lookReport is what a page is.
type lookReport struct {
	Application string          `json:"application,omitempty"`
	Release     string          `json:"release,omitempty"`
	Kind        string          `json:"kind,omitempty"`
	Level       string          `json:"level,omitempty"`
	Confidence  float64         `json:"confidence"`
	Why         []string        `json:"why,omitempty"`
	Objects     []webapp.Object `json:"objects,omitempty"`
	Left        int             `json:"left_out,omitempty"`
}

func runWebappLook(c *cobra.Command, o *webappOptions, file, address string) error {
	k, err := o.knowledge()
	if err != nil {
		return err
	}
	u, err := canon.Parse(address)
	if err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "look at " + file, Err: err, Hint: "--url is the whole address of the page"}
	}
	in := c.InOrStdin()
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return &varve.Error{Kind: varve.NotFound, Op: "look at " + file, Err: err}
		}
		defer f.Close()
		in = f
	}
	body, err := io.ReadAll(io.LimitReader(in, maxAnalysed))
	if err != nil {
		return err
	}
	var rep lookReport
	sight, list, left, err := lookAtPage(k, u, body)
	if err != nil {
		return err
	}
	if sight != nil {
		rep = lookReport{sight.App.Name, sight.Version, sight.App.Kind, sight.LevelName(), sight.Confidence, sight.Why, list, left}
	}
	if o.json {
		err = PrintJSON(c.OutOrStdout(), rep)
	} else {
		rep.print(c.OutOrStdout(), sight)
	}
	if err == nil && sight == nil {
		return varve.ErrFindings
	}
	return err
}

// lookAtPage recognises a page and reads its objects.
func lookAtPage(k *webapp.Knowledge, u canon.URL, body []byte) (s *webapp.Sight, list []webapp.Object, left int, err error) {
	r := k.NewReader()
	_, err = page.NewReader().Read(page.Input{URL: u.String(), MIME: "text/html", Body: body}, page.Want{Brief: true, With: []markup.Subscriber{r}})
	if s = r.Sight(u, nil); err != nil || s == nil {
		return nil, nil, 0, err
	}
	list, left = s.Extract(u, r.Root())
	return s, list, left, nil
}

func (r *lookReport) print(w io.Writer, s *webapp.Sight) {
	fmt.Fprintln(w, oneLine(s.String()))
	for _, o := range r.Objects {
		fmt.Fprintf(w, "%s %s", o.Type, oneLine(o.ID))
		for _, part := range []struct{ word, val string }{{"by", o.Author}, {"on", o.When}, {"answers", o.Reply}, {"about", o.Title}} {
			if part.val != "" {
				fmt.Fprintf(w, " %s %s", part.word, oneLine(part.val))
			}
		}
		fmt.Fprintln(w)
		for line := range strings.Lines(o.Text) {
			fmt.Fprintf(w, "    %s\n", oneLine(strings.TrimSpace(line)))
		}
	}
	if r.Left > 0 {
		fmt.Fprintf(w, "%d and more are left out\n", r.Left)
	}
}

func newWebappCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Find errors in files about applications",
		Long: `Reads files about applications (docs/formats/webapp.md) and names line and reason of what is wrong in each.

Exit codes: 0 all are right, 1 some are not, 2 could not.`,
		Example: `  varve webapp check my_forum.toml`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			bad := false
			for _, name := range args {
				src, err := os.ReadFile(name)
				if err != nil {
					return &varve.Error{Kind: varve.NotFound, Op: "check " + name, Err: err}
				}
				a, err := webapp.Parse(name, src)
				if err != nil {
					bad = true
					fmt.Fprintln(c.OutOrStdout(), oneLine(err.Error()))
					continue
				}
				fmt.Fprintf(c.OutOrStdout(), "%s: %s (%s), levels %s, objects %s\n", name, a.Name, a.Kind, strings.Join(a.LevelNames(), ", "), strings.Join(a.Types(), ", "))
			}
			if bad {
				return varve.ErrFindings
			}
			return nil
		},
	}
}

func newWebappLearnCommand() *cobra.Command {
	var o webappOptions
	c := &cobra.Command{
		Use:   "learn",
		Short: "Find posts and comments again after a site changed its template",
		Long: `Looks for pages whose posts, comments or articles were read once and are read no more, since the site looks otherwise now: finds the texts that are known on
the newer captures, and writes where they stand to a file in the folder webapp of the collection. Where nothing was ever read of the pages of a
known application, since its template is one that nobody knows, it goes by what repeats itself on them, or over them. Look at the file, change it if need be; the next
'varve derive' reads all pages with it. What was known before stays: of several ways to read a page the one that finds most counts.

'varve derive --units objects' must have been run.

Exit codes: 0 learned, or nothing had to be, 1 some templates could not be learned, 2 could not.`,
		Example: `  varve derive --collection news --units objects
  varve webapp learn --collection news
  varve derive --collection news`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runWebappLearn(c, &o) },
	}
	o.flags(c, "the collection (default: the only one, or the one named default)")
	return c
}

// learnReport is what was learned.
type learnReport struct {
	Collection string            `json:"collection"`
	Pages      int               `json:"pages"`            // that objects were read of once
	Changed    int               `json:"changed"`          // of which hardly any are read now
	Left       int               `json:"left,omitempty"`   // objects of pages that were not looked at, there are too many
	Unread     int               `json:"unread,omitempty"` // captures that could not be read
	Learned    []learnedTemplate `json:"learned,omitempty"`
}

// learnedTemplate is what was learned of one application.
type learnedTemplate struct {
	Application string         `json:"application"`
	File        string         `json:"file,omitempty"` // "": nothing could be learned
	Types       map[string]int `json:"types"`          // objects found again, by type
	New         int            `json:"new,omitempty"`  // pages on which nothing was ever read: what was learned is by what repeats itself on or over them
}

func runWebappLearn(c *cobra.Command, o *webappOptions) error {
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return err
	}
	lock, err := col.Lock("varve webapp learn")
	if err != nil {
		return err
	}
	defer lock.Unlock()
	files, err := col.Files()
	if err != nil {
		return err
	}
	parts, err := derive.Parts(files)
	if err != nil {
		return err
	}
	k, err := knowledgeOf(col)
	if err != nil {
		return err
	}
	changed, err := annotate.FindChanged(c.Context(), col.Dir(), derivedDir(col), parts, k)
	if errors.Is(err, annotate.ErrNoObjects) {
		return &varve.Error{Kind: varve.NotFound, Op: "web objects of " + col.Name, Msg: "they were not looked for yet", Hint: "run 'varve derive --units objects', or put it into [analyse] units of collection.toml"}
	}
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "web objects of " + col.Name, Err: err, Hint: orElse(varve.HintOf(err), "'varve derive --check --units objects' makes damaged tables anew")}
	}
	unread, err := annotate.FindUnread(c.Context(), derivedDir(col), parts, k, changed.Samples)
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "pages of " + col.Name, Err: err, Hint: orElse(varve.HintOf(err), "'varve derive --check' makes damaged tables anew")}
	}
	rep := learnReport{Collection: col.Name, Pages: changed.Pages, Changed: changed.Changed, Left: changed.Left, Unread: changed.Unread}
	missed := false
	for _, a := range k.Applications() {
		one := learnedTemplate{Application: a.Name, Types: map[string]int{}}
		var learned []*webapp.Extraction
		for _, l := range webapp.Relearn(changed.Samples[a.Name]) {
			if one.Types[l.Type] = l.Fit; l.Learned != nil {
				learned = append(learned, l.Learned)
			}
		}
		if samples := unread.Samples[a.Name]; len(samples) > 0 {
			one.New = len(samples)
			for _, d := range a.Discover(samples) {
				if one.Types[d.Type] = d.Full; d.Learned != nil {
					learned = append(learned, d.Learned)
				}
			}
		}
		if len(changed.Samples[a.Name]) == 0 && (one.New == 0 || learned == nil) {
			continue // pages of a known application may well have nothing to read
		}
		if learned == nil {
			missed = true
			rep.Learned = append(rep.Learned, one)
			continue
		}
		variant, err := a.Variant(learned, false)
		if err != nil {
			return err
		}
		one.File = filepath.Join(col.Dir(), annotate.WebappFolder, fileName(a.Name)+".toml")
		if err := os.MkdirAll(filepath.Dir(one.File), 0o755); err != nil {
			return err
		}
		if err := whole.Bytes(one.File, 0o644, variant.Source()); err != nil {
			return &varve.Error{Kind: varve.Unavailable, Op: "write " + one.File, Err: err, Hint: "is the folder writable, and the disk not full?"}
		}
		rep.Learned = append(rep.Learned, one)
	}
	if o.json {
		err = PrintJSON(c.OutOrStdout(), rep)
	} else {
		rep.print(c.OutOrStdout())
	}
	if err == nil && missed {
		return varve.ErrFindings
	}
	return err
}

// fileName makes the name of a file of the name of an application.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '_'
	}, s)
}

func (r *learnReport) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %d pages with web objects, %d of them look otherwise now\n", r.Collection, r.Pages, r.Changed)
	if r.Left > 0 {
		fmt.Fprintf(w, "  %d posts and articles of further pages were not looked at: there are too many\n", r.Left)
	}
	if r.Unread > 0 {
		fmt.Fprintf(w, "  %d captures could not be read again; 'varve derive --check' tells why\n", r.Unread)
	}
	for _, l := range r.Learned {
		types := map[string]int64{}
		for t, n := range l.Types {
			types[t] = int64(n)
		}
		if l.File == "" {
			fmt.Fprintf(w, "  %s: what was known stands nowhere any more, nothing was learned\n", l.Application)
			continue
		}
		if l.New > 0 {
			fmt.Fprintf(w, "  %s: %d pages in a template that nobody knows; by what repeats itself on or over them, found %s; written to %s, look at it, 'varve derive' reads with it\n", l.Application, l.New, counts(types), l.File)
			continue
		}
		fmt.Fprintf(w, "  %s: found again %s; written to %s, 'varve derive' reads with it\n", l.Application, counts(types), l.File)
	}
}
