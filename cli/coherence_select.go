package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/coherence/evidence"
	"varve/text/layer"
)

// captureSelection says which captures a command is about: those of a crawl of a collection, or of WARC
// files.
type captureSelection struct {
	archive, collection, crawl string
	reader                     evidenceReader
	fromFiles                  bool // what derive noted is no proof: the WARC files are read
}

func (s *captureSelection) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&s.archive, "archive", "archive", "the archive directory")
	collectionFlag(f, &s.collection)
	f.StringVar(&s.crawl, "crawl", "", "the crawl: its id (default: the newest of the collection; of files given, all captures)")
	s.reader.flags(c)
}

// folder is the collection, or nil if files are given.
func (s *captureSelection) folder(args []string) (*catalog.Collection, error) {
	if len(args) > 0 {
		return nil, nil
	}
	return oneCollection(s.archive, s.collection)
}

// choose finds the crawl that is meant.
func (s *captureSelection) choose(col *catalog.Collection) error {
	crawls, err := col.Crawls()
	if err != nil {
		return InputError(col.Dir(), err)
	}
	if s.crawl == "" && len(crawls) > 0 {
		s.crawl = crawls[len(crawls)-1]
	}
	for _, id := range crawls {
		if id == s.crawl {
			return nil
		}
	}
	hint := "the collection has no crawl yet: 'varve crawl' makes one"
	if len(crawls) > 0 {
		hint = "there are " + strings.Join(crawls[max(0, len(crawls)-5):], ", ")
	}
	return &varve.Error{Kind: varve.NotFound, Op: "crawl " + s.crawl, Msg: "is not in the collection " + col.Name, Hint: hint}
}

// one reads the captures of one crawl. Its own files are enough unless its revisits stand for content
// in those of other crawls.
func (s *captureSelection) one(c *cobra.Command, args []string, use func(set *evidence.Set, col *catalog.Collection, dir string) error) error {
	col, err := s.folder(args)
	if err != nil {
		return err
	}
	if col == nil {
		return s.files(c, args, nil, use)
	}
	if err := s.choose(col); err != nil {
		return err
	}
	if !s.fromFiles {
		if err := s.reader.use(col); err != nil {
			return err
		}
	}
	all, err := collectionSources(col)
	if err != nil {
		return err
	}
	var own []evidence.Source
	for _, src := range all {
		if strings.HasPrefix(filepath.Base(src.Path), s.crawl+"-") {
			own = append(own, src)
		}
	}
	again := false
	if len(own) > 0 {
		err := s.reader.read(c, own, func(set *evidence.Set, dir string) error {
			if set.Totals.Lost > 0 && len(own) < len(all) {
				again = true
				return nil
			}
			return use(set, col, dir)
		})
		if err != nil || !again {
			return err
		}
	}
	s.reader.damage.Store(0)
	return s.reader.read(c, all, func(set *evidence.Set, dir string) error { return use(set, col, dir) })
}

// all reads the captures of all crawls of a collection, or of the files given.
func (s *captureSelection) all(c *cobra.Command, args []string, use func(set *evidence.Set, dir string) error) error {
	col, err := s.folder(args)
	if err != nil {
		return err
	}
	if col != nil {
		sources, err := collectionSources(col)
		if err != nil {
			return err
		}
		if err := s.reader.use(col); err != nil {
			return err
		}
		return s.reader.read(c, sources, use)
	}
	return s.files(c, args, col, func(set *evidence.Set, _ *catalog.Collection, dir string) error { return use(set, dir) })
}

func (s *captureSelection) files(c *cobra.Command, paths []string, col *catalog.Collection, use func(*evidence.Set, *catalog.Collection, string) error) error {
	sources, err := sourcesOf(paths, 0)
	if err != nil {
		return err
	}
	return s.reader.read(c, sources, func(set *evidence.Set, dir string) error { return use(set, col, dir) })
}

// collectionSources lists the files of a collection, wherever they lie; not those that were imported in place.
func collectionSources(col *catalog.Collection) (out []evidence.Source, err error) {
	files, err := col.WARCs()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if !f.InPlace {
			out = append(out, evidence.Source{Path: f.Path, From: f.From})
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	if out, err = evidence.Sources(col.WarcDir(), 0); err != nil { // it says what is wrong
		return nil, InputError(col.WarcDir(), err)
	}
	return out, nil
}

// layerFlag is a flag that names a layer.
type layerFlag struct{ layer.Name }

// String gives the name.
func (l *layerFlag) String() string { return string(l.Name) }

// Set reads a name.
func (l *layerFlag) Set(s string) error {
	if err := l.Name.UnmarshalText([]byte(s)); err != nil {
		return fmt.Errorf("%q is none of bytes, dom, text, main, near, links", s)
	}
	return nil
}

// Type names the flag in the help.
func (l *layerFlag) Type() string { return "layer" }
