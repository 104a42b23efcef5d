package servetest

import (
	"context"
	"time"

	"varve/derive"
	"varve/derive/annotate"
	"varve/fact"
	"varve/language"
)

// Careers is a collection of texts without captures, "careers", in which facts were looked for: a player whom two pages marry to two women at once, two presidents of one country, and a page
// at http://careers.test/withheld that alone knows of a later marriage.
func Careers(ctx context.Context, dir string) error {
	relations, err := fact.Relations()
	if err != nil {
		return err
	}
	at := func(year int) time.Time { return time.Date(year, 5, 1, 12, 0, 0, 0, time.UTC) }
	const player = "Diego Lopez is a player of football. Diego Lopez married Victoria Adams in July 1999. Diego Lopez divorced Victoria Adams in 2007. They have three children and live in the house of her parents."
	list := []derive.VersionRow{
		pressVersion("http://careers.test/lopez", "Diego Lopez", player+" Diego Lopez signed for Real Madrid in 2003.", at(2004), at(2008)),
		pressVersion("http://careers.test/lopez", "Diego Lopez", player+" Diego Lopez played for Real Madrid from 2003 to 2007.", at(2008), time.Time{}),
		pressVersion("http://careers.test/copy", "A player", player, at(2009), time.Time{}),
		pressVersion("http://careers.test/gossip", "Gossip", "Much was said about the player in those years. Diego Lopez married Paula Stone in 2001. The family never spoke about it.", at(2005), time.Time{}),
		pressVersion("http://careers.test/withheld", "Weddings", "There was much talk about the feast. Diego Lopez married Carla Weber in 2012. Nobody was invited.", at(2013), time.Time{}),
		pressVersion("http://careers.test/keller", "Anna Keller", "Anna Keller is a politician. Anna Keller became president of Germany in 2005. Anna Keller served as president of Germany until 2013.", at(2014), time.Time{}),
		pressVersion("http://careers.test/voss", "Bernd Voss", "Bernd Voss is a politician. Bernd Voss became president of Germany in 2013.", at(2015), time.Time{}),
	}
	table := derive.FacetTable{Job: annotate.Facts, Facets: []derive.Facet{{Name: annotate.FactFacet, Title: "Facts", Kind: derive.FacetNames}}}
	var failed error
	err = WriteTexts(ctx, dir, "careers", "Careers", list, table, func(v *derive.VersionRow) (out []derive.FacetValue) {
		doc, err := language.New().Analyse(ctx, language.Text{Text: v.Text, Language: "en", Date: v.From}, fact.Units()...)
		if err != nil {
			failed = err
			return nil
		}
		candidates, _ := fact.Candidates(doc, v.Text, fact.TopicOf(v.Title, doc), relations)
		found, err := fact.Label(ctx, relations, candidates, nil, fact.Default())
		if err != nil {
			failed = err
		}
		for _, o := range found {
			for _, inverse := range []bool{false, true} {
				if s, ok := (annotate.FactValue{Observation: o, Inverse: inverse}).Value(); ok {
					out = append(out, derive.FacetValue{Facet: annotate.FactFacet, Value: s, Count: 1})
				}
			}
		}
		return out
	})
	if err == nil {
		err = failed
	}
	return err
}
