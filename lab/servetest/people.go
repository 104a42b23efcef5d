package servetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"varve/derive"
	"varve/derive/annotate"
	"varve/entity/base"
)

// People is a collection of texts without captures, "people", whose names were linked, and the base of the archive by which: a minister whom 24 versions name, one each
// month from January 2020 on, until December 2020 by her name of birth and then by another; twelve beside the Ministry of Health and then twelve beside the Ministry of Finance; every
// second one beside Karl Holm. One more version a month names Karl Holm alone. The last version about her is at http://people.test/withheld.
func People(ctx context.Context, dir string) error {
	path := base.InArchive(dir)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	say := func(yield func([]byte, error) bool) {
		for line := range strings.Lines(peopleBase) {
			if !yield([]byte(strings.TrimSpace(line)), nil) {
				return
			}
		}
	}
	if _, err := base.Build(ctx, path, say, base.Options{}); err != nil {
		return err
	}
	var list []derive.VersionRow
	start := time.Date(2020, 1, 5, 12, 0, 0, 0, time.UTC)
	rival := map[int]string{0: " Ida Quist came second.", 1: " Ida Quist came third.", 2: " Ida Quist came last."}
	for m := range 24 {
		at := start.AddDate(0, m, 0)
		name, office, page := "Anna Stein", "the Ministry of Health", fmt.Sprintf("news/%d", m)
		if m >= 12 {
			name, office = "Anna Berg", "the Ministry of Finance"
		}
		if m == 23 {
			page = "withheld"
		}
		text := fmt.Sprintf("In month %d of the story %s of %s opened a hall.", m, name, office)
		if m%2 == 0 {
			text += " Karl Holm was there."
		}
		list = append(list, pressVersion("http://people.test/"+page, fmt.Sprintf("News %d", m), text, at, time.Time{}),
			pressVersion(fmt.Sprintf("http://people.test/sport/%d", m), fmt.Sprintf("Sport %d", m), fmt.Sprintf("Karl Holm won race %d.%s", m, rival[m]), at.Add(time.Hour), time.Time{}))
	}
	facets := derive.FacetTable{Job: annotate.Entities, Facets: []derive.Facet{
		{Name: annotate.EntityFacet, Title: "Known persons and things", Kind: derive.FacetNames},
		{Name: annotate.CalledFacet, Title: "Called", Kind: derive.FacetNames},
		{Name: "opinion", Title: "Opinions", Kind: derive.FacetNumbers},
	}}
	return WriteTexts(ctx, dir, "people", "People", list, facets, func(v *derive.VersionRow) (out []derive.FacetValue) {
		for _, e := range []struct{ id, label, called string }{
			{"Q1", "Anna Berg", "Anna Stein"}, {"Q1", "Anna Berg", "Anna Berg"}, {"Q2", "Karl Holm", "Karl Holm"}, {"Q3", "Ministry of Health", "Ministry of Health"}, {"Q4", "Ministry of Finance", "Ministry of Finance"}, {NewPerson, "Ida Quist", "Ida Quist"},
		} {
			if e.called == "Anna Stein" && strings.Contains(v.Text, e.called) { // she was liked until she changed offices
				out = append(out, derive.FacetValue{Facet: "opinion", Value: e.called, Number: 0.5})
			}
			if strings.Contains(v.Text, e.called) {
				out = append(out, derive.FacetValue{Facet: annotate.EntityFacet, Value: annotate.EntityValue(e.id, e.label), Count: 1}, derive.FacetValue{Facet: annotate.CalledFacet, Value: annotate.CalledValue(e.id, e.called), Count: 1})
			}
		}
		return out
	})
}

// A person and a place that curators made entities. A version a month that names Karl Holm names the person, too, in the first three months.
const (
	NewPerson = "new:0123456789ab"
	NewPlace  = "new:ba9876543210"
)

const peopleBase = NewPerson + `	2	Ida Quist	1
` + NewPerson + `	4	person	1
` + NewPerson + `	a	Lady of the Hill	1
` + NewPerson + `	d	harp	1
` + NewPlace + `	2	Quist Hill	1
` + NewPlace + `	4	place	1
` + `Q1	2	Anna Berg	1
Q1	3	politician	1
Q1	4	Q5	1
Q1	5	1970-03-04	1
Q1	a	Anna Stein	1
Q1	a	Minister Berg	1
Q1	9	enwiki:Anna Berg	1
Q2	2	Karl Holm	1
Q3	2	Ministry of Health	1
Q4	2	Ministry of Finance	1
Q5	2	human	1
Q6	2	Nobody Names	1
Q1	e	Q7	1
Q4	e	Q7	1
Q7	2	Cabinet of 2021	1
enwiki:Anna Berg	0	Q1	1
`
