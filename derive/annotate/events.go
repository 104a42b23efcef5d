package annotate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/derive"
	"varve/derive/job"
	"varve/language"
	"varve/language/event"
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
	WhoStart   []int32   `parquet:"who_start"`           // bytes of the text, one for each
	WhoNames   []string  `parquet:"who_names,zstd,dict"` // those that are names, in full where the text has it
	Whom       []string  `parquet:"whom,zstd,dict"`
	WhomStart  []int32   `parquet:"whom_start"`
	WhomNames  []string  `parquet:"whom_names,zstd,dict"`
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

// eventsOf returns rows without their version.
func eventsOf(r *language.Reading) (out []EventRow, size int) {
	full := FullNames(r.Mentions)
	for _, e := range r.Events {
		row := EventRow{
			Start: int32(e.Start), End: int32(e.End), Verb: strings.Clone(e.Verb), Class: string(e.Class), WhenStart: -1, WhereStart: -1,
			Earliest: storable(e.Earliest), Latest: storable(e.Latest), Confidence: float32(e.Confidence),
		}
		take := func(p language.Part) (string, int32) {
			size += 60 + 2*len(p.Text)
			return strings.Clone(p.Text), int32(p.Start)
		}
		act := func(parts []language.Part) (texts []string, starts []int32, names []string) {
			for _, p := range parts {
				text, start := take(p)
				texts, starts = append(texts, text), append(starts, start)
				if facetOf(p.Type) != "" {
					name := value(text)
					if whole := full[name]; p.Type == mention.Person && whole != "" {
						name = strings.Clone(whole)
					}
					names = append(names, name)
				}
			}
			return texts, starts, names
		}
		row.Who, row.WhoStart, row.WhoNames = act(e.Who)
		row.Whom, row.WhomStart, row.WhomNames = act(e.Whom)
		if e.When != nil {
			row.When, row.WhenStart = take(*e.When)
		}
		if e.Where != nil {
			row.Where, row.WhereStart = take(*e.Where)
		}
		out = append(out, row)
		size += 300
	}
	return out, size
}

// eventRows makes a row for each event. The facet has the classes of those that are likely, alone and with each name that acts or is acted on.
func eventRows(v Version, found []EventRow) (rows []EventRow, values []derive.FacetValue) {
	for _, row := range found {
		row.Version = v
		rows = append(rows, row)
		if row.Confidence < likely {
			continue
		}
		values = append(values, derive.FacetValue{Facet: "event", Value: row.Class, Count: 1})
		for _, name := range slices.Concat(row.WhoNames, row.WhomNames) {
			values = append(values, derive.FacetValue{Facet: "event", Value: row.Class + ": " + name, Count: 1})
		}
	}
	return rows, values
}

// ToldEvents finds which events of a collection several pages tell of.
type ToldEvents struct {
	Dir   string // of the derivatives
	Parts []job.Part
	Class string // only of this class; "" for all
	Most  int    // tellings that are held, some 300 bytes each; the rest is counted in Left

	Tellings int64 // events with a confidence of 0.5 that name somebody
	Left     int64 // of these, were not looked at: there are more than Most
	Absent   int   // files without a table of events
}

// Group returns the events, each with all pages that tell of it (event.Group).
func (s *ToldEvents) Group(ctx context.Context) ([]event.Grouped, error) {
	var told []event.Telling
	jobs, _ := Jobs([]language.Unit{language.Events})
	i := slices.IndexFunc(jobs, func(j job.Job) bool { return j.Name == string(language.Events) })
	for _, p := range s.Parts {
		path, ok := job.Table(s.Dir, jobs[i], p, "events")
		if !ok {
			s.Absent++
			continue
		}
		err := derive.Rows(path, func(r *EventRow) (bool, error) {
			if r.Confidence < likely || len(r.WhoNames)+len(r.WhomNames) == 0 || s.Class != "" && r.Class != s.Class {
				return true, ctx.Err()
			}
			if s.Tellings++; len(told) >= s.Most {
				s.Left++
				return true, ctx.Err()
			}
			told = append(told, event.Telling{
				Document: strings.Clone(r.URL), Date: r.Time, Class: event.Class(strings.Clone(r.Class)), Verb: strings.Clone(r.Verb), Who: clones(r.WhoNames), Whom: clones(r.WhomNames),
				Place: strings.Clone(r.Where), Earliest: r.Earliest, Latest: r.Latest,
			})
			return true, ctx.Err()
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	slices.SortStableFunc(told, func(a, b event.Telling) int { return a.Date.Compare(b.Date) })
	return slices.Collect(event.Group(slices.Values(told), event.GroupOptions{})), ctx.Err()
}

func clones(list []string) (out []string) {
	for _, s := range list {
		out = append(out, strings.Clone(s))
	}
	return out
}
