package servetest

import (
	"context"
	"errors"
	"path/filepath"

	"varve/archive/catalog"
	"varve/derive"
	"varve/derive/job"
	"varve/index/fulltext"
	"varve/language/variant"
	"varve/serve/holdings"
	"varve/serve/search"
)

// Texts are the text indexes of an archive, for somebody who may see everything.
type Texts struct {
	dir  string
	list []fulltext.Source
}

// NewTexts derives the collections of an archive and indexes their texts.
func NewTexts(ctx context.Context, dir string) (*Texts, error) {
	cols, err := catalog.Open(dir).Collections()
	if err != nil {
		return nil, err
	}
	out := &Texts{dir: dir}
	for _, c := range cols {
		files, err := c.Files()
		if err != nil {
			return nil, err
		}
		derived := filepath.Join(c.Dir(), "derived")
		if _, err := derive.Run(ctx, job.Config{Dir: derived}, files, derive.Options{}); err != nil {
			return nil, err
		}
		if _, err := fulltext.Build(ctx, c.IndexDir("fulltext"), filepath.Join(derived, "versions.parquet"), nil); err != nil {
			return nil, err
		}
		ix, err := fulltext.Open(c.IndexDir("fulltext"))
		if err != nil {
			return nil, err
		}
		out.list = append(out.list, fulltext.Source{Name: c.Name, Index: ix})
	}
	return out, nil
}

// Sources gives all indexes, or those that are named.
func (t *Texts) Sources(_ context.Context, collections ...string) (out []fulltext.Source, err error) {
	for _, s := range t.list {
		for _, name := range collections {
			if s.Name == name {
				out = append(out, s)
			}
		}
	}
	if len(collections) == 0 {
		return t.list, nil
	}
	return out, nil
}

// Inlinks reads the table of inlinks.
func (t *Texts) Inlinks(_ context.Context, collection, surt string, most int) ([]derive.Inlink, error) {
	return derive.InlinksOf(filepath.Join(t.dir, "collections", collection, "derived", "inlinks.parquet"), surt, most)
}

// Spellings reads the words that collections wrote otherwise at another time.
func (t *Texts) Spellings(_ context.Context, collections ...string) ([]variant.Pair, error) {
	return search.ReadSpellings(catalog.Open(t.dir), collections)
}

// Close closes the indexes.
func (t *Texts) Close() (err error) {
	for _, s := range t.list {
		err = errors.Join(err, s.Index.(*fulltext.Index).Close())
	}
	return err
}

// Source is an archive without rules, for copies of records.
type Source struct {
	Index
	*holdings.Files
	Archive *catalog.Archive
}

// File finds a WARC file.
func (s Source) File(collection, file string) (catalog.File, error) {
	col, err := s.Archive.Collection(collection)
	if err != nil {
		return catalog.File{}, err
	}
	return col.Find(file)
}
