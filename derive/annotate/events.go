package annotate

import (
	"strings"
	"time"

	"varve/derive"
	"varve/language"
	"varve/language/mention"
)

// EventRow is a row of events: something that a text tells of.
type EventRow struct {
	Version
	Start      int32     `parquet:"start"` // bytes of the text: the verb
	End        int32     `parquet:"end"`
	Verb       string    `parquet:"verb,zstd,dict"`
	Class      string    `parquet:"class,dict"`
	Who        []string  `parquet:"who,zstd,dict"`
	WhoStart   []int32   `parquet:"who_start"` // bytes of the text, one for each
	Whom       []string  `parquet:"whom,zstd,dict"`
	WhomStart  []int32   `parquet:"whom_start"`
	When       string    `parquet:"when,zstd,dict"`
	WhenStart  int32     `parquet:"when_start"` // -1 for none
	Earliest   time.Time `parquet:"earliest,optional,timestamp(microsecond)"`
	Latest     time.Time `parquet:"latest,optional,timestamp(microsecond)"` // excluded
	Where      string    `parquet:"where,zstd,dict"`
	WhereStart int32     `parquet:"where_start"`
	Confidence float32   `parquet:"confidence"`
}

// eventFacets are what searches are narrowed by: event:meet, event:"meet: Angela Merkel".
var eventFacets = derive.FacetTable{Job: string(language.Events), Facets: []derive.Facet{
	{Name: "event", Title: "Events", Kind: derive.FacetNames, Most: 40},
}}

// foundEvent is what is kept of an event: its row without the version, and those of its actors that are names, in full.
type foundEvent struct {
	Row    EventRow
	Actors []string
}

func eventsOf(r *language.Reading) (out []foundEvent, size int) {
	full := fullNames(r.Mentions)
	for _, e := range r.Events {
		row := EventRow{
			Start: int32(e.Start), End: int32(e.End), Verb: strings.Clone(e.Verb), Class: string(e.Class), WhenStart: -1, WhereStart: -1,
			Earliest: storable(e.Earliest), Latest: storable(e.Latest), Confidence: float32(e.Confidence),
		}
		f := foundEvent{}
		take := func(p language.Part) (string, int32) {
			size += 60 + 2*len(p.Text)
			return strings.Clone(p.Text), int32(p.Start)
		}
		act := func(parts []language.Part) (texts []string, starts []int32) {
			for _, p := range parts {
				text, start := take(p)
				texts, starts = append(texts, text), append(starts, start)
				if facetOf(p.Type) != "" {
					name := value(text)
					if whole := full[name]; p.Type == mention.Person && whole != "" {
						name = strings.Clone(whole)
					}
					f.Actors = append(f.Actors, name)
				}
			}
			return texts, starts
		}
		row.Who, row.WhoStart = act(e.Who)
		row.Whom, row.WhomStart = act(e.Whom)
		if e.When != nil {
			row.When, row.WhenStart = take(*e.When)
		}
		if e.Where != nil {
			row.Where, row.WhereStart = take(*e.Where)
		}
		f.Row = row
		out = append(out, f)
		size += 300
	}
	return out, size
}

// eventRows makes a row for each event. The facet has the classes of those that are likely, alone and with each name that acts or is acted on.
func eventRows(v Version, found []foundEvent) (rows []EventRow, values []derive.FacetValue) {
	for _, f := range found {
		row := f.Row
		row.Version = v
		rows = append(rows, row)
		if row.Confidence < likely {
			continue
		}
		values = append(values, derive.FacetValue{Facet: "event", Value: row.Class, Count: 1})
		for _, name := range f.Actors {
			values = append(values, derive.FacetValue{Facet: "event", Value: row.Class + ": " + name, Count: 1})
		}
	}
	return rows, values
}
