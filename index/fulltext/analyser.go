package fulltext

import (
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/token/lowercase"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
	"github.com/blevesearch/bleve/v2/mapping"
)

// analyserName is the analyser of all fields: words by Unicode, in lower case. Nothing is stemmed or
// left out, so that a phrase means what it says in every language.
const analyserName = "words"

// newMapping says how documents are indexed.
func newMapping() (*mapping.IndexMappingImpl, error) {
	m := bleve.NewIndexMapping()
	err := m.AddCustomAnalyzer(analyserName, map[string]any{
		"type": custom.Name, "tokenizer": unicode.Name, "token_filters": []string{lowercase.Name},
	})
	if err != nil {
		return nil, err
	}
	m.DefaultAnalyzer = analyserName
	doc := bleve.NewDocumentStaticMapping()
	for _, f := range Fields() {
		fm := bleve.NewTextFieldMapping()
		fm.Analyzer, fm.Store, fm.IncludeInAll, fm.DocValues = analyserName, false, false, false
		doc.AddFieldMappingsAt(f, fm)
	}
	doc.AddSubDocumentMapping("_all", bleve.NewDocumentDisabledMapping())
	m.DefaultMapping = doc
	m.StoreDynamic, m.IndexDynamic, m.DocValuesDynamic = false, false, false
	return m, nil
}

// analyse makes words of a text.
func analyse(a analysis.Analyzer, text string) []string {
	tokens := a.Analyze([]byte(text))
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = string(t.Term)
	}
	return out
}

// addressWords are the words of a URL.
func addressWords(url string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r > 127:
			return r
		}
		return ' '
	}, url)
}
