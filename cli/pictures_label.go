package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/user"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/archive/journal"
	"varve/archive/warc/tool"
	"varve/archive/whole"
	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/picture"
	"varve/picture/kind"
	"varve/web/canon"
)

type picturesLabelOptions struct {
	archive, collection string
	who, program        string
	wait                time.Duration
	json                bool
}

func newPicturesLabelCommand() *cobra.Command {
	var o picturesLabelOptions
	c := &cobra.Command{
		Use:   "label (LABEL URL... | --program COMMAND)",
		Short: "Say what pictures show, or have a model of your own say it",
		Long: `Labels the pictures that the collection has at some addresses, all their contents, in your own words: map, portrait, "scan of a page". The label - takes back what was said.
Labels are kept in labels/pictures.jsonl of the collection. The next 'varve derive' makes the table derived/shows of them, and 'varve pictures train' a small
model that labels the rest.

With --program a model of your own is asked about each picture that has no label: any program that reads pictures from its standard input and writes labels to its
standard output, such as a script around an ONNX model. For each picture it gets a line of JSON, {"format":"jpeg","width":640,"height":480,"bytes":51234,"url":"http://..."},
and then as many bytes, the file as it was archived; it answers with a line, {"label":"map","confidence":0.93}, or {} if it has nothing to say, or {"error":"..."}. It
runs with your rights, on pictures from the web: keep it apart from what matters.

Exit codes: 0 labelled, 1 stopped early or the program failed on some pictures, 2 could not.`,
		Example: `  varve pictures label map http://example.org/plan.png http://example.org/harbour.gif --collection news
  varve pictures label - http://example.org/plan.png --collection news
  varve pictures label --program "python3 clip.py" --collection news`,
		RunE: func(c *cobra.Command, args []string) error { return runPicturesLabel(c, &o, args) },
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	collectionFlag(f, &o.collection)
	f.StringVar(&o.who, "who", "", "who says it (default your user name)")
	f.StringVar(&o.program, "program", "", "ask this program about each picture without a label; words are cut at blanks")
	f.DurationVar(&o.wait, "wait", time.Minute, "how long the program may take for one picture")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return c
}

// labelledReport is what came of labelling.
type labelledReport struct {
	Labelled int      `json:"labelled"`
	Silent   int      `json:"silent,omitempty"` // pictures of which the program said nothing
	Failed   int      `json:"failed,omitempty"` // pictures that the program could not judge
	Absent   int      `json:"files_without_table,omitempty"`
	Unknown  []string `json:"unknown,omitempty"` // addresses at which the collection has no picture
	Causes   []string `json:"causes,omitempty"`  // why, of some that failed
}

func runPicturesLabel(c *cobra.Command, o *picturesLabelOptions, args []string) error {
	if (o.program == "") != (len(args) >= 2) {
		return UsageError(c, "needs a label and at least one address, or --program")
	}
	if o.who == "" {
		if u, err := user.Current(); err == nil {
			o.who = u.Username
		}
	}
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return err
	}
	parts, err := pictureParts(col)
	if err != nil {
		return err
	}
	var r labelledReport
	if o.program != "" {
		err = o.ask(c, col, parts, &r)
	} else {
		err = o.say(c.Context(), col, parts, args[0], args[1:], &r)
	}
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	if err != nil {
		return err
	}
	if r.Absent == len(parts) && r.Absent > 0 {
		return noPictures(col)
	}
	if o.json {
		err = PrintJSON(c.OutOrStdout(), r)
	} else {
		r.print(c.OutOrStdout())
	}
	if err == nil && (r.Failed > 0 || len(r.Unknown) > 0) {
		return varve.ErrFindings
	}
	return err
}

func (r *labelledReport) print(w io.Writer) {
	fmt.Fprintf(w, "%s labelled; 'varve derive' makes the table derived/shows of it\n", count(int64(r.Labelled), "picture"))
	if r.Silent > 0 {
		fmt.Fprintf(w, "  the program said nothing of %s\n", count(int64(r.Silent), "picture"))
	}
	if r.Failed > 0 {
		fmt.Fprintf(w, "  the program could not judge %s\n", count(int64(r.Failed), "picture"))
	}
	for _, cause := range r.Causes {
		fmt.Fprintf(w, "    %s\n", oneLine(cause))
	}
	for _, u := range r.Unknown {
		fmt.Fprintf(w, "  there is no picture of %s\n", oneLine(u))
	}
	if r.Absent > 0 {
		fmt.Fprintf(w, "  %d files have no table of pictures: run 'varve derive --units pictures'\n", r.Absent)
	}
}

func pictureParts(col *catalog.Collection) ([]job.Part, error) {
	files, err := col.Files()
	if err != nil {
		return nil, err
	}
	return derive.Parts(files)
}

func noPictures(col *catalog.Collection) error {
	return &varve.Error{Kind: varve.NotFound, Op: "pictures of " + col.Name, Msg: "they were not looked at yet", Hint: "run 'varve derive --units pictures', or put it into [analyse] units of collection.toml"}
}

// unreadPictures is the error of tables that cannot be read.
func unreadPictures(col *catalog.Collection, err error) error {
	return &varve.Error{Kind: varve.Unavailable, Op: "pictures of " + col.Name, Err: err, Hint: orElse(varve.HintOf(err), "'varve derive --check --units pictures' makes damaged tables anew")}
}

// say labels what the collection has at some addresses.
func (o *picturesLabelOptions) say(ctx context.Context, col *catalog.Collection, parts []job.Part, label string, urls []string, r *labelledReport) (err error) {
	if label == "-" {
		label = ""
	}
	wanted := map[string]string{} // addresses by key
	for _, u := range urls {
		wanted[canon.SURT(u)] = u
	}
	met, seen := map[string]bool{}, map[string]bool{}
	var list []annotate.PictureLabel
	r.Absent, err = annotate.EachPicture(ctx, derivedDir(col), parts, func(_ job.Part, p *annotate.PictureRow) error {
		if u, ok := wanted[p.SURT]; ok {
			if met[p.SURT] = true; !seen[p.State] {
				seen[p.State] = true
				list = append(list, annotate.PictureLabel{When: now().UTC(), Who: o.who, URL: u, State: p.State, Label: label})
			}
		}
		return nil
	})
	if err != nil {
		return unreadPictures(col, err)
	}
	for _, u := range urls {
		if !met[canon.SURT(u)] {
			r.Unknown = append(r.Unknown, u)
		}
	}
	r.Labelled = len(list)
	return keepLabels(col, list)
}

func keepLabels(col *catalog.Collection, list []annotate.PictureLabel) error {
	if len(list) == 0 {
		return nil
	}
	path := annotate.PictureLabelsFile(col.Dir())
	if err := journal.Append(path, list...); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "write " + path, Err: err, Hint: "is the folder writable, and the disk not full?"}
	}
	return nil
}

// maxCauses is how many causes are told.
const maxCauses = 5

// ask has a program label what has no label. What it said is kept file by file, so that a run that ends early is not lost.
func (o *picturesLabelOptions) ask(c *cobra.Command, col *catalog.Collection, parts []job.Part, r *labelledReport) (err error) {
	ctx := c.Context()
	known, err := annotate.ReadShows(col.Dir())
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	if known != nil {
		for state := range known.Labels {
			seen[state] = true
		}
	}
	p, err := kind.Start(ctx, strings.Fields(o.program), c.ErrOrStderr(), o.wait)
	if err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "start " + o.program, Err: err, Hint: "--program names a program and its arguments"}
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	for _, part := range parts {
		var rows []annotate.PictureRow
		absent, err := annotate.EachPicture(ctx, derivedDir(col), []job.Part{part}, func(_ job.Part, row *annotate.PictureRow) error {
			if !seen[row.State] && row.Error == "" {
				seen[row.State] = true
				rows = append(rows, *row)
			}
			return nil
		})
		if r.Absent += absent; err != nil {
			return unreadPictures(col, err)
		}
		list, asked := o.askAbout(ctx, p, part, rows, r)
		r.Labelled += len(list)
		if err := errors.Join(keepLabels(col, list), asked); err != nil {
			return &varve.Error{Kind: varve.Unavailable, Op: "ask " + o.program, Err: err, Hint: fmt.Sprintf("%d pictures are labelled, and are not asked about again", r.Labelled)}
		}
	}
	return nil
}

// askAbout asks about the pictures of one file.
func (o *picturesLabelOptions) askAbout(ctx context.Context, p *kind.Program, part job.Part, rows []annotate.PictureRow, r *labelledReport) (list []annotate.PictureLabel, err error) {
	if len(rows) == 0 {
		return nil, nil
	}
	in, err := tool.OpenFrom(part.Path, part.From)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	x, err := tool.NewExtractor(ctx, []*tool.Input{in}, tool.ExtractOptions{Selection: tool.All(), Workers: 1, MaxSize: maxAnalysed})
	if err != nil {
		return nil, err
	}
	failed := func(row *annotate.PictureRow, cause string) {
		if r.Failed++; len(r.Causes) < maxCauses {
			r.Causes = append(r.Causes, row.URL+": "+cause)
		}
	}
	for i := range rows {
		row := &rows[i]
		var body bytes.Buffer
		if _, err := x.One(ctx, tool.Wanted{Offset: row.Offset}, &body); err != nil {
			failed(row, err.Error())
			continue
		}
		a, err := p.Ask(ctx, kind.Asked{Format: row.Format, Width: int(row.Width), Height: int(row.Height), URL: row.URL}, body.Bytes())
		switch {
		case err != nil:
			return list, err
		case a.Error != "":
			failed(row, a.Error)
		case a.Label == "":
			r.Silent++
		default:
			list = append(list, annotate.PictureLabel{When: now().UTC(), Who: o.who, Program: o.program, URL: row.URL, State: row.State, Label: a.Label, Confidence: a.Confidence})
		}
	}
	return list, nil
}

type picturesTrainOptions struct {
	archive, collection string
	seed                uint64
	json                bool
}

func newPicturesTrainCommand() *cobra.Command {
	var o picturesTrainOptions
	c := &cobra.Command{
		Use:   "train",
		Short: "Make a small model of the labels of pictures, for those that have none",
		Long: `Learns from the pictures that were labelled ('varve pictures label') by their size, light, shapes and colours, and says how often it is right about labelled pictures that it did
not learn from, beside saying always the most frequent label. At least two labels with five pictures each are needed; some dozens of each are better. The next 'varve derive' labels all other pictures of
which the model is sure by half at least, in the table derived/shows; what people said comes first. Searches have no facet of it: a page may be open
where its picture is withheld.

It tells kinds of pictures apart (maps, photos, scans of pages, logos), not what things are on them: for that ask a model of your own ('varve pictures label --program').

Exit codes: 0 trained, 2 could not.`,
		Example: `  varve pictures train --collection news
  varve derive --collection news`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runPicturesTrain(c, &o) },
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	collectionFlag(f, &o.collection)
	f.Uint64Var(&o.seed, "seed", 1, "of the trees and folds: the same labels and seed give the same model")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return c
}

// trainedReport is what came of training.
type trainedReport struct {
	Model    string         `json:"model"`
	Pictures int            `json:"pictures"`
	Labels   map[string]int `json:"labels"`
	Left     []string       `json:"left_out,omitempty"` // labels of too few pictures
	Accuracy float64        `json:"accuracy"`           // on pictures that were not learned from
	Frequent float64        `json:"most_frequent"`      // of saying always the most frequent label
}

func runPicturesTrain(c *cobra.Command, o *picturesTrainOptions) error {
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return err
	}
	fail := func(err error, hint string) error {
		return &varve.Error{Kind: varve.Invalid, Op: "train on pictures of " + col.Name, Err: err, Hint: hint}
	}
	known, err := annotate.ReadShows(col.Dir())
	if err != nil {
		return fail(err, "")
	}
	if known == nil {
		return fail(kind.ErrFew, "label some: varve pictures label map URL...")
	}
	parts, err := pictureParts(col)
	if err != nil {
		return err
	}
	examples, absent, err := labelledPictures(c.Context(), col, parts, known)
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	switch {
	case err != nil:
		return unreadPictures(col, err)
	case absent == len(parts):
		return noPictures(col)
	}
	m, left, err := kind.Train(examples, o.seed, now())
	if err != nil {
		return fail(err, "label more: varve pictures label LABEL URL...")
	}
	r := trainedReport{Model: annotate.PictureModelFile(col.Dir()), Pictures: m.Rows, Labels: map[string]int{}, Left: left, Accuracy: m.Measures["accuracy"], Frequent: m.Measures["most_frequent"]}
	for i, name := range m.Class.Values {
		r.Labels[name] = int(m.Counts[i])
	}
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		return err
	}
	if err := whole.Bytes(r.Model, 0o644, file.Bytes()); err != nil {
		return WriteError(r.Model, err)
	}
	if o.json {
		return PrintJSON(c.OutOrStdout(), r)
	}
	r.print(c.OutOrStdout())
	return nil
}

func (r *trainedReport) print(w io.Writer) {
	fmt.Fprintf(w, "%s learned from: right about %.0f %% of those it had not seen (saying always the most frequent label: %.0f %%)\n", count(int64(r.Pictures), "labelled picture"), 100*r.Accuracy, 100*r.Frequent)
	for _, name := range slices.Sorted(maps.Keys(r.Labels)) {
		fmt.Fprintf(w, "  %6d  %s\n", r.Labels[name], oneLine(name))
	}
	if len(r.Left) > 0 {
		fmt.Fprintf(w, "  too few pictures to learn: %s\n", oneLine(strings.Join(r.Left, ", ")))
	}
	fmt.Fprintln(w, "'varve derive' labels the other pictures")
}

// labelledPictures are the pictures that people or programs labelled, those that are the same in one group.
func labelledPictures(ctx context.Context, col *catalog.Collection, parts []job.Part, known *annotate.Shows) (out []kind.Example, absent int, err error) {
	seen, x := map[string]bool{}, picture.NewIndex()
	absent, err = annotate.EachPicture(ctx, derivedDir(col), parts, func(_ job.Part, r *annotate.PictureRow) error {
		l, ok := known.Labels[r.State]
		if !ok || seen[r.State] || r.Error != "" {
			return nil
		}
		seen[r.State] = true
		group := r.State
		if p := r.Print(); p != nil {
			n := 0
			if same := x.Find(p); len(same) > 0 {
				n = same[0].ID
			} else {
				n = x.Add(p)
			}
			group = fmt.Sprint(n)
		}
		out = append(out, kind.Example{Look: r.Look(), Label: l.Label, Group: group})
		return nil
	})
	slices.SortStableFunc(out, func(a, b kind.Example) int { return cmp.Compare(a.Group, b.Group) })
	return out, absent, err
}
