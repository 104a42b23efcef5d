package fact

import (
	"context"
	"strings"

	"varve/entity"
	"varve/fact/clean"
	"varve/language"
)

// Units are what a text must have been read for.
func Units() []language.Unit {
	return []language.Unit{language.Mentions, language.Times, language.Phrases}
}

// Find returns the facts that one text tells, by the patterns and seeds of relations alone, beside what is known of it otherwise: what its tables say. document is what evidence names.
func Find(ctx context.Context, doc *language.Document, text, document string, topic Topic, relations []Relation, s Settings, more ...Observation) ([]Fact, *Report, error) {
	candidates, cut := Candidates(doc, text, topic, relations)
	for i := range candidates {
		candidates[i].Evidence.Document = document
	}
	observations, err := Label(ctx, relations, candidates, nil, s)
	if err != nil {
		return nil, nil, err
	}
	for _, o := range more {
		for i := range o.Evidence {
			o.Evidence[i].Document = document
		}
		observations = append(observations, o)
	}
	all := NewMerger()
	for _, o := range observations {
		all.Add(o, len(observations))
	}
	facts, report, err := Clean(ctx, relations, all.Observations(), clean.Options{})
	if report != nil {
		report.Cut = cut
	}
	return facts, report, err
}

// TopicOf returns what a page is about: its title, without what names the site behind it, if the text names it too. Its kind is that of the first mention of it.
func TopicOf(title string, doc *language.Document) Topic {
	title = TitleOf(title)
	want := entity.Key(title)
	for _, m := range doc.Mentions {
		if want != "" && entity.Key(m.Text) == want {
			return Topic{Name: title, Kind: m.Type}
		}
	}
	return Topic{}
}

// TitleOf returns a title without what names the site behind it, or tells it from others of its name.
func TitleOf(title string) string {
	for _, dash := range []string{" - ", " – ", " — ", " | ", " (", " :: "} {
		title, _, _ = strings.Cut(title, dash)
	}
	return strings.TrimSpace(title)
}
