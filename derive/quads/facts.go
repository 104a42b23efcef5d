package quads

import (
	"fmt"
	"slices"
	"strconv"

	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/entity"
	"varve/fact"
	"varve/fact/clean"
	"varve/kb/model"
	"varve/kb/rdf"
	"varve/language"
)

// tellFacts tells what sentences state, and the facts that they are of. A fact is that of one capture: what others say of the same names stands in their graphs, since who asks may see one and not the other. Of statements
// of one text that contradict each other, by the constraints of the relations, the lighter ones are marked, and do not count for its validity.
func (e *Export) tellFacts(t *teller, p job.Part) error {
	if err := t.ended(); err != nil {
		return nil // said by the one before
	}
	j, _, err := annotate.FactsJob(e.Collection.Dir())
	if err != nil {
		return err
	}
	relations, err := annotate.RelationsOf(e.Collection.Dir())
	if err != nil {
		return err
	}
	path, ok := job.Table(e.Dir, j, p, annotate.Facts)
	if !ok {
		e.Absent[language.Unit(annotate.Facts)]++
		return nil
	}
	var page []annotate.FactRow // rows of one version follow each other
	tell := func() error {
		if len(page) == 0 {
			return nil
		}
		err := t.facts(page, relations)
		page = page[:0]
		return err
	}
	err = derive.Rows(path, func(r *annotate.FactRow) (bool, error) {
		if len(page) > 0 && page[0].Version != r.Version {
			if err := tell(); err != nil {
				return false, err
			}
		}
		page = append(page, *r)
		return true, t.ended()
	})
	if err != nil {
		return err
	}
	if err := tell(); err != nil {
		return err
	}
	return t.ended()
}

// facts tells the rows of one version.
func (t *teller) facts(rows []annotate.FactRow, relations []fact.Relation) error {
	observations := make([]fact.Observation, len(rows))
	for i := range rows {
		o, err := rows[i].Observation()
		if err != nil {
			return err
		}
		o.Evidence[0].Document = strconv.Itoa(i) // finds its row again
		observations[i] = o
	}
	found, report, err := fact.Clean(t.ctx, relations, observations, clean.Options{})
	if err != nil {
		return err
	}
	capture := model.CaptureName(t.collection, rows[0].URL, rows[0].SURT, rows[0].Time)
	t.graph = capture.IRI()
	for n, f := range append(found, report.Denied...) {
		part := capture
		part.Part = fmt.Sprintf("fact.%d", n+1)
		self := part.IRI()
		t.is(self, "Fact")
		t.say(self, "relation", text(f.Relation))
		t.say(self, "subject", t.party(f.Subject))
		t.say(self, "object", t.party(f.Object))
		if f.Role != "" {
			t.say(self, "role", text(f.Role))
		}
		if len(f.Observations) > 0 {
			t.say(self, "confidence", share(float32(f.Confidence)))
			t.valid(self, &f)
		}
		for i, o := range append(slices.Clone(f.Observations), f.Rejected...) {
			t.statement(self, fmt.Sprintf("%d.%d", n+1, i+1), &rows[place(o)], i >= len(f.Observations))
		}
	}
	return nil
}

// party tells of a name in a fact. Of an entity of a base the name is what that calls it, and its id keeps it apart from its namesakes.
func (t *teller) party(name string) rdf.Term {
	_, label, linked := annotate.ParseEntityValue(name)
	if !linked {
		return t.named("Entity", name)
	}
	self := model.Entity(name)
	t.is(self, "Entity")
	t.say(self, "name", text(label))
	return self
}

func place(o fact.Observation) int {
	i, _ := strconv.Atoi(o.Evidence[0].Document)
	return i
}

// valid tells from when to when a fact can hold, and surely does. Where its begin is not told it is the first time at which it is said to hold.
func (t *teller) valid(self rdf.Term, f *fact.Fact) {
	from := f.Begin.Earliest
	for _, o := range f.Observations {
		if o.Aspect == fact.During && f.Begin.Earliest == entity.Unknown && o.Time.Known() && (from == entity.Unknown || o.Time.First < from) {
			from = o.Time.First
		}
	}
	t.say(self, "validFrom", day(from))
	t.say(self, "validUntil", day(f.End.Latest))
	if f.Begin.Latest != entity.Unknown && f.Begin.Latest < f.End.Earliest {
		t.say(self, "surelyFrom", day(f.Begin.Latest))
		t.say(self, "surelyUntil", day(f.End.Earliest))
	}
}

// statement tells what a sentence says of a fact. One sentence can make two: "from 2003 to 2007".
func (t *teller) statement(of rdf.Term, number string, r *annotate.FactRow, contradicted bool) {
	self := t.found(&r.Version, "Statement", "statement."+number, r.Start, r.End)
	t.say(self, "states", of)
	t.say(self, "text", text(r.Sentence))
	t.say(self, "aspect", text(r.Aspect))
	t.say(self, "earliest", instant(r.Earliest))
	t.say(self, "latest", instant(r.Latest))
	t.say(self, "pattern", text(r.Pattern))
	t.say(self, "confidence", share(r.Confidence))
	t.say(self, "contradicted", truth(contradicted))
}

// day returns a day as its first instant; nothing for an unknown one.
func day(d entity.Day) rdf.Term {
	if d == entity.Unknown {
		return rdf.NewLiteral("", rdf.DateTime)
	}
	return instant(d.Time())
}
