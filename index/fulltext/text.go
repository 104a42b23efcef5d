package fulltext

import (
	"context"
	"errors"

	"varve/derive"
)

// Text is a text index as those who ask it see it. *Index is the embedded one; engines beyond one machine have their own (cluster/opensearch), and
// all pass the suite of index/fulltext/texttest.
type Text interface {
	// Declared returns the facets that analyses brought.
	Declared() []derive.Facet
	// Docs is the number of documents, whoever may see them.
	Docs() int64
	// Versions returns the versions of a page that a view lets through, oldest first, at most so many; Newest the newest one.
	Versions(surt string, view *View, most int) ([]derive.VersionRow, error)
	Newest(surt string, view *View) (newest derive.VersionRow, ok bool, err error)

	// Ask, Rising and Spelled answer of some sources as if they were one index; the indexes of all are of the kind of this one. Callers use Search,
	// RisingTerms and the function Spelled.
	Ask(ctx context.Context, sources []Source, q Query) (*Answer, error)
	Rising(ctx context.Context, sources []Source, q Query) (*Cloud, error)
	Spelled(ctx context.Context, sources []Source, word string, most int) ([]Count, error)
}

var _ Text = (*Index)(nil)

// errKinds is of a question to indexes of several kinds.
var errKinds = errors.New("indexes of different engines cannot be asked together")

// kindOf returns the index that answers for some sources; without any it is an embedded one without documents.
func kindOf(sources []Source) Text {
	if len(sources) == 0 {
		return &Index{}
	}
	return sources[0].Index
}

// embedded refuses indexes that are not embedded ones.
func embedded(sources []Source) error {
	for _, s := range sources {
		if _, ok := s.Index.(*Index); !ok {
			return errKinds
		}
	}
	return nil
}

// own is the embedded index of a source; Ask, Rising and Spelled have looked that it is one.
func (s *Source) own() *Index { return s.Index.(*Index) }

// Search answers a query of all sources as if they were one index: words weigh the same in all of them, the best hits of
// all come first, and counts are added up. An index must not be among them twice.
func Search(ctx context.Context, sources []Source, q Query) (*Answer, error) {
	return kindOf(sources).Ask(ctx, sources, q)
}

// RisingTerms gives the words that documents first seen in From..To have more often than the other documents that fit the text and
// the facets of the query: at most Limit, by likelihood ratio. Words of less than three documents of a year do not count for
// that year.
func RisingTerms(ctx context.Context, sources []Source, q Query) (*Cloud, error) {
	return kindOf(sources).Rising(ctx, sources, q)
}

// Spelled gives words of the vocabulary that are written nearly as a word is, the nearest and commonest first, with the number of
// documents that have them: one slip away (a letter more, less, other, or two exchanged), or two from six letters on. The
// vocabulary has words of all documents, those outside of a view too: ask for a word before it is shown.
func Spelled(ctx context.Context, sources []Source, word string, most int) ([]Count, error) {
	return kindOf(sources).Spelled(ctx, sources, word, most)
}

// Declared returns the facets that analyses brought into some indexes, each once, in the order in which they were declared.
func Declared(sources []Source) (out []derive.Facet) {
	for _, src := range sources {
		out = addDeclared(out, src.Index.Declared())
	}
	return out
}
