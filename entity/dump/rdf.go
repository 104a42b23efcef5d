package dump

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"varve/entity"
	"varve/kb/rdf"
)

// meanings are the properties that DBpedia, YAGO and others use, by the end of their IRI behind the namespace.
var meanings = map[string]entity.Says{
	"label": entity.HasLabel, "prefLabel": entity.HasLabel, "name": entity.HasLabel,
	"alternateName": entity.HasAlias, "altLabel": entity.HasAlias, "alias": entity.HasAlias,
	"comment": entity.Describes, "description": entity.Describes,
	"type": entity.IsA, "subClassOf": entity.IsA,
	"birthDate": entity.Begins, "foundingDate": entity.Begins, "startDate": entity.Begins, "dateCreated": entity.Begins, "formationDate": entity.Begins, "birthYear": entity.Begins, "foundingYear": entity.Begins,
	"deathDate": entity.Ends, "dissolutionDate": entity.Ends, "endDate": entity.Ends, "deathYear": entity.Ends, "dissolutionYear": entity.Ends,
	"point": entity.LiesAt, "geo": entity.LiesAt, "sameAs": entity.SameAs, "subject": entity.HasPhrase,
}

// Properties of DBpedia with a meaning of their own.
const (
	redirects     = "wikiPageRedirects"
	disambiguates = "wikiPageDisambiguates"
)

// rdf reads RDF in the format that the name of the file tells.
func (d *reading) rdf(r io.Reader) error {
	format := rdf.FormatOf(Bare(d.o.Name))
	if format == 0 || !format.Readable() {
		return fmt.Errorf("%s: which RDF it is cannot be told from its name: .nt, .ttl, .nq, .trig and .rdf are read", d.o.Name)
	}
	o := rdf.Options{Base: "file:" + Bare(d.o.Name), Bad: func(e *rdf.Error) bool {
		d.to.Bug(fmt.Sprintf("%v: left out", e))
		return e.Err == nil
	}}
	var latitude, longitude struct{ subject, value string }
	for q, err := range rdf.Read(r, format, o) {
		if err != nil {
			if e, ok := errors.AsType[*rdf.Error](err); ok {
				return &Error{fmt.Sprintf("line %d, column %d", e.Line, e.Column), err}
			}
			return &Error{"", err}
		}
		if err := d.ctx.Err(); err != nil {
			return err
		}
		if d.skip() {
			continue
		}
		if q.Subject.Kind == rdf.IRI {
			id := ID(q.Subject.Value)
			switch name := localName(q.Predicate.Value); name {
			case "lat":
				latitude.subject, latitude.value = id, q.Object.Value
			case "long":
				longitude.subject, longitude.value = id, q.Object.Value
			default:
				d.triple(id, name, q.Object)
			}
			if latitude.subject == id && longitude.subject == id {
				d.place(id, latitude.value+","+longitude.value, "coordinates")
				latitude.subject, longitude.subject = "", ""
			}
		}
		if err := d.to.Unit(); err != nil {
			return err
		}
	}
	return nil
}

func localName(iri string) string { return iri[strings.LastIndexAny(iri, "/#")+1:] }

// triple says what a statement of RDF says of an entity.
func (d *reading) triple(id, property string, object rdf.Term) {
	says := meanings[property]
	switch object.Kind {
	case rdf.IRI:
		other := ID(object.Value)
		switch {
		case property == redirects:
			d.say(id, entity.SameAs, other)
			d.say(other, entity.HasRedirect, titleOf(id))
		case property == disambiguates:
			d.say(other, entity.HasAlias, titleOf(id))
		case says == entity.SameAs && better(other, id):
			d.say(id, entity.SameAs, other)
		case says == entity.SameAs && better(id, other):
			d.say(other, entity.SameAs, id)
		case says == entity.SameAs:
		case says == entity.IsA:
			d.say(id, entity.IsA, other)
		case says == entity.HasPhrase:
			d.say(id, entity.HasPhrase, strings.TrimPrefix(titleOf(other), "Category:"))
		default:
			d.say(other, entity.LinkedFrom, id)
		}
	case rdf.Literal:
		text := object.Value
		switch says {
		case 0, entity.IsA, entity.SameAs:
		case entity.Begins, entity.Ends:
			d.date(id, says, text, property)
		case entity.LiesAt:
			d.place(id, point(text), property)
		default:
			if d.spoken(object.Lang) {
				d.say(id, says, text)
			}
		}
	}
}

// better reports whether an id is one to keep before another: items of Wikidata, then pages of Wikipedia, then others.
func better(a, b string) bool {
	rank := func(id string) int {
		switch {
		case len(id) > 1 && id[0] == 'Q' && strings.Trim(id[1:], "0123456789") == "":
			return 2
		case strings.HasPrefix(id, "enwiki:"):
			return 1
		}
		return 0
	}
	return rank(a) > rank(b)
}

// point returns "latitude,longitude" of "52.5 13.4" (georss), "geo:52.5,13.4" and "Point(13.4 52.5)" (WKT, which has them the other way round).
func point(s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "geo:")
	if rest, ok := strings.CutPrefix(strings.ToLower(s), "point"); ok {
		lon, lat, _ := strings.Cut(strings.Trim(rest, " ()"), " ")
		return lat + "," + lon
	}
	return strings.Replace(s, " ", ",", 1)
}
