package dump

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"varve/entity"
)

// Properties of Wikidata with a meaning of their own; every other that refers to an item is a link.
const (
	instanceOf = "P31"
	subclassOf = "P279"
	coordinate = "P625"
)

var (
	beginnings = map[string]bool{"P569": true, "P571": true, "P577": true, "P580": true, "P1619": true} // birth, inception, publication, start time, opening
	endings    = map[string]bool{"P570": true, "P576": true, "P582": true, "P3999": true}               // death, dissolution, end time, closure
)

// wikidata reads a dump of Wikidata: a list of items, one on each line.
func (d *reading) wikidata(r io.Reader) error {
	in := newLines(r)
	for {
		line, err := in.next()
		place := fmt.Sprintf("line %d", in.number)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errLong):
			d.to.Bug(fmt.Sprintf("%s: the item is %v: left out", place, err))
			continue
		case err != nil:
			return &Error{fmt.Sprintf("behind line %d, byte %d", in.number, in.offset), err}
		}
		if err := d.ctx.Err(); err != nil {
			return err
		}
		line = bytes.TrimSuffix(bytes.TrimSpace(line), []byte{','})
		if len(line) == 0 || string(line) == "[" || string(line) == "]" {
			continue
		}
		if d.skip() {
			continue
		}
		if err := d.item(line, place); err != nil {
			if syntax, ok := errors.AsType[*json.SyntaxError](err); ok && !in.whole && syntax.Offset >= int64(len(line)) {
				return &Error{fmt.Sprintf("%s, byte %d", place, in.offset), errors.New("the dump ends in the middle of an item")}
			}
			d.to.Bug(fmt.Sprintf("%s: %v: left out", place, err))
		}
		if err := d.to.Unit(); err != nil {
			return err
		}
	}
}

// item says what the JSON of an item says: that of dumps, or that of the older revisions inside of XML dumps, which has other names and shorter values.
func (d *reading) item(b []byte, place string) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	id := itemID(fields["id"])
	if id == "" {
		id = itemID(fields["entity"])
	}
	if id == "" {
		return errors.New("the item has no id")
	}
	labels, about := textsOf(d.object(fields, id, place, "labels", "label")), textsOf(d.object(fields, id, place, "descriptions", "description"))
	aliases, sitelinks := d.object(fields, id, place, "aliases"), d.object(fields, id, place, "sitelinks", "links")
	var claims map[string]json.RawMessage
	old := bytes.HasPrefix(fields["claims"], []byte(`[{`))
	if !old {
		claims = d.object(fields, id, place, "claims")
	}
	if id[0] != 'Q' { // properties and lexemes are no entities
		return nil
	}
	d.to.Add(entity.Statement{Subject: id, Says: entity.Exists})
	d.names(id, labels)
	if about[d.o.Languages[0]] != "" {
		d.say(id, entity.Describes, about[d.o.Languages[0]])
		d.say(id, entity.HasPhrase, about[d.o.Languages[0]])
	}
	for _, lang := range d.o.Languages {
		var list []json.RawMessage
		if json.Unmarshal(aliases[lang], &list) != nil {
			var numbered map[string]json.RawMessage
			_ = json.Unmarshal(aliases[lang], &numbered)
			list = slices.Collect(maps.Values(numbered))
		}
		for _, a := range list {
			d.say(id, entity.HasAlias, textOf(a))
		}
	}
	if len(sitelinks) > 0 {
		d.to.Add(entity.Statement{Subject: id, Says: entity.Counts, Count: int64(len(sitelinks))})
	}
	for _, lang := range d.o.Languages {
		var link struct{ Title, Name string }
		if raw := sitelinks[lang+"wiki"]; raw != nil && json.Unmarshal(raw, &link) != nil {
			_ = json.Unmarshal(raw, &link.Title)
		}
		d.say(pageID(lang+"wiki", link.Title+link.Name), entity.SameAs, id)
	}
	if old {
		d.oldClaims(id, fields["claims"], place)
	}
	for property, raw := range claims {
		var list []struct {
			Rank     string
			Mainsnak struct {
				Datavalue struct{ Value json.RawMessage }
			}
		}
		if err := json.Unmarshal(raw, &list); err != nil {
			d.to.Bug(fmt.Sprintf("%s: %s: claims of %s: %v: left out", place, id, property, err))
			continue
		}
		for _, c := range list {
			if c.Rank != "deprecated" && len(c.Mainsnak.Datavalue.Value) > 0 {
				d.claim(id, property, c.Mainsnak.Datavalue.Value, place)
			}
		}
	}
	return nil
}

// oldClaims reads [{"m": ["value", 31, "wikibase-entityid", {...}]}, ...].
func (d *reading) oldClaims(id string, raw []byte, place string) {
	var claims []struct{ M []json.RawMessage }
	if err := json.Unmarshal(raw, &claims); err != nil {
		d.to.Bug(fmt.Sprintf("%s: %s: claims: %v: left out", place, id, err))
	}
	for _, c := range claims {
		if len(c.M) == 4 && string(c.M[0]) == `"value"` {
			d.claim(id, "P"+string(c.M[1]), c.M[3], place)
		}
	}
}

// claim says what one claim says of an item.
func (d *reading) claim(id, property string, value []byte, place string) {
	var v struct {
		ID                  string          `json:"id"`
		Numeric             int64           `json:"numeric-id"`
		Type                string          `json:"entity-type"`
		Time                string          `json:"time"`
		Latitude, Longitude json.RawMessage // also "null"
	}
	if json.Unmarshal(value, &v) != nil {
		return // texts and numbers
	}
	if v.ID == "" && v.Type == "item" && v.Numeric > 0 {
		v.ID = "Q" + strconv.FormatInt(v.Numeric, 10)
	}
	switch {
	case v.ID != "" && (property == instanceOf || property == subclassOf):
		d.say(id, entity.IsA, v.ID)
	case v.ID != "":
		d.say(v.ID, entity.LinkedFrom, id)
	case v.Time != "" && beginnings[property]:
		d.date(id, entity.Begins, v.Time, place)
	case v.Time != "" && endings[property]:
		d.date(id, entity.Ends, v.Time, place)
	case property == coordinate:
		d.place(id, string(v.Latitude)+","+string(v.Longitude), place)
	}
}

// object returns a field that is an object, under the first of its names. The program that writes dumps makes an empty object a list: that is a bug with no loss.
func (d *reading) object(fields map[string]json.RawMessage, id, place string, names ...string) map[string]json.RawMessage {
	for _, name := range names {
		raw := fields[name]
		if raw == nil {
			continue
		}
		var out map[string]json.RawMessage
		if err := json.Unmarshal(raw, &out); err != nil {
			what := err.Error() + ": left out"
			if string(bytes.TrimSpace(raw)) == "[]" {
				what = "is an empty list where an object is expected: read as empty"
			}
			d.to.Bug(fmt.Sprintf("%s: %s: %s %s", place, id, name, what))
		}
		return out
	}
	return nil
}

// itemID reads "Q1", "q1" or ["item", 1].
func itemID(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return string(bytes.ToUpper([]byte(s)))
	}
	var pair []json.RawMessage
	if json.Unmarshal(raw, &pair) == nil && len(pair) == 2 && string(pair[0]) == `"item"` {
		return "Q" + string(pair[1])
	}
	return ""
}

// textOf reads {"language": "en", "value": "x"} or "x".
func textOf(raw json.RawMessage) string {
	var v struct{ Value string }
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	_ = json.Unmarshal(raw, &v)
	return v.Value
}

func textsOf(by map[string]json.RawMessage) map[string]string {
	out := map[string]string{}
	for lang, raw := range by {
		out[lang] = textOf(raw)
	}
	return out
}
