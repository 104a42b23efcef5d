package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/derive"
	"varve/derive/annotate"
	"varve/picture"
)

type picturesOptions struct {
	archive, collection string
	like                string
	most, show          int
	json                bool
}

func newPicturesCommand() *cobra.Command {
	var o picturesOptions
	c := &cobra.Command{
		Use:   "pictures",
		Short: "The same picture across pages and time",
		Long: `Lists pictures that a collection has at several addresses or in several contents: scaled, compressed again, with a strip cut off, or simply
copied. Of each it says where it was first and last captured, how many versions of pages show that address, and what they call it. With --like it lists
what is the same picture as that of a file.

'varve derive --units pictures' makes the tables that it reads. What a picture is recognised by, and how often that fails, is told in
docs/algorithms/pictures.md: drawings that differ in a small place, such as coins, may be taken for each other. Pictures without contrast are not compared.

What pictures show is said by people ('varve pictures label'), by a model of theirs (label --program), or by a small one that learns from
these labels ('varve pictures train').

Exit codes: 0 listed, 1 some files or pictures were not looked at, 2 could not.`,
		Example: `  varve derive --collection news --units pictures
  varve pictures --collection news
  varve pictures --collection news --like photo.jpg --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runPictures(c, &o) },
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	f.StringVar(&o.collection, "collection", "", "the collection (default: all of them, each by itself)")
	f.StringVar(&o.like, "like", "", "only what is the same picture as that of this file")
	f.IntVar(&o.most, "most", 1_000_000, "look at so many different pictures at most; each takes 1.4 KB of memory")
	f.IntVar(&o.show, "show", 20, "print so many groups, and so many addresses of each; --json has all")
	f.BoolVar(&o.json, "json", false, "print one JSON object a collection")
	c.AddCommand(newPicturesLabelCommand(), newPicturesTrainCommand())
	return c
}

// picturesReport is what was found in one collection.
type picturesReport struct {
	Collection string           `json:"collection"`
	Pictures   int64            `json:"pictures"` // rows that can be recognised
	Groups     []annotate.Group `json:"groups"`
	Left       int64            `json:"left_out,omitempty"`
	Absent     int              `json:"files_without_table,omitempty"`
}

func runPictures(c *cobra.Command, o *picturesOptions) error {
	var like *picture.Print
	if o.like != "" {
		var err error
		if like, err = printOf(o.like); err != nil {
			return err
		}
	}
	return eachCollection(c, o.archive, o.collection, func(col *catalog.Collection) (partial bool, err error) {
		r, err := o.find(c, col, like)
		if err != nil {
			return false, err
		}
		if o.json {
			err = PrintJSON(c.OutOrStdout(), r)
		} else {
			err = r.print(c.OutOrStdout(), o.show)
		}
		return r.Left > 0 || r.Absent > 0, err
	})
}

// printOf reads a picture from a file.
func printOf(path string) (*picture.Print, error) {
	fail := func(err error, hint string) error {
		return &varve.Error{Kind: varve.Invalid, Op: "read the picture " + path, Err: err, Hint: hint}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fail(err, "--like names a file with a picture")
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, maxAnalysed))
	if err != nil {
		return nil, fail(err, "")
	}
	_, r, err := picture.Decode(body)
	if err != nil {
		return nil, fail(err, "JPEG, PNG, GIF, WebP, BMP and TIFF can be read, up to 25 million pixels")
	}
	p := r.Print()
	if p == nil {
		return nil, fail(fmt.Errorf("it has no contrast"), "there is nothing to recognise it by")
	}
	return p, nil
}

func (o *picturesOptions) find(c *cobra.Command, col *catalog.Collection, like *picture.Print) (*picturesReport, error) {
	files, err := col.Files()
	if err != nil {
		return nil, err
	}
	s := &annotate.SamePictures{Dir: derivedDir(col), Most: o.most}
	if s.Parts, err = derive.Parts(files); err != nil {
		return nil, err
	}
	if err := s.Find(c.Context(), like); err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "pictures of " + col.Name, Err: err, Hint: orElse(varve.HintOf(err), "'varve derive --check --units pictures' makes damaged tables anew")}
	}
	if s.Absent == len(s.Parts) && s.Absent > 0 {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "pictures of " + col.Name, Msg: "they were not looked at yet", Hint: "run 'varve derive --units pictures', or put it into [analyse] units of collection.toml"}
	}
	return &picturesReport{col.Name, s.Seen, s.Groups, s.Left, s.Absent}, nil
}

func (r *picturesReport) print(w io.Writer, show int) error {
	fmt.Fprintf(w, "%s: %d pictures, %d of them at several addresses or in several contents\n", r.Collection, r.Pictures, len(r.Groups))
	for i, g := range r.Groups {
		if i >= show {
			fmt.Fprintf(w, "\nand %d others\n", len(r.Groups)-show)
			break
		}
		fmt.Fprintln(w)
		for j, s := range g.Showings {
			if j >= show {
				fmt.Fprintf(w, "  and %d other addresses\n", len(g.Showings)-show)
				break
			}
			fmt.Fprintln(w, oneLine(fmt.Sprintf("  %s  %d by %d  %s to %s  on %d pages", s.URL, s.Width, s.Height, s.First.Format("2006-01-02"), s.Last.Format("2006-01-02"), s.Pages)))
			for _, said := range s.Words {
				fmt.Fprintln(w, oneLine("      "+said))
			}
		}
	}
	if r.Left > 0 {
		fmt.Fprintf(w, "  %d pictures were not looked at: --most\n", r.Left)
	}
	if r.Absent > 0 {
		fmt.Fprintf(w, "  %d files have no table of pictures: run 'varve derive --units pictures'\n", r.Absent)
	}
	return nil
}
