package fact

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"varve/fact/clean"
	"varve/language"
	"varve/language/mention"
	"varve/language/timex"
)

func candidates(t *testing.T, text string, topic Topic) []Candidate {
	t.Helper()
	relations, err := Relations()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := language.New().Analyse(t.Context(), language.Text{Text: text, Language: "en"}, language.Mentions, language.Times, language.Phrases)
	if err != nil {
		t.Fatal(err)
	}
	out, _ := Candidates(doc, text, topic, relations)
	return out
}

// A sentence with more names or times than are looked at is counted; one that has just as many is not.
func TestCandidatesCut(t *testing.T) {
	doc := func(names, years int) (*language.Document, string) {
		d := &language.Document{Sentences: make([]language.Sentence, 1)}
		text := ""
		add := func(word, penn string) (start, end int) {
			start = len(text)
			text += word + " "
			d.Sentences[0].Tokens = append(d.Sentences[0].Tokens, language.Token{Start: start, End: start + len(word), Text: word, Penn: penn, Lemma: word})
			return start, start + len(word)
		}
		for i := range names {
			start, end := add(fmt.Sprintf("Ann%d", i), "NNP")
			d.Mentions = append(d.Mentions, language.Mention{Start: start, End: end, Type: mention.Person})
		}
		for i := range years {
			start, end := add(strconv.Itoa(1900+i), "CD")
			d.Times = append(d.Times, language.Time{Expression: timex.Expression{Start: start, End: end, Type: timex.Date, Values: []timex.Value{{Timex: strconv.Itoa(1900 + i)}}}})
		}
		d.Sentences[0].End = len(text)
		return d, text
	}
	for _, c := range []struct{ names, years, want int }{{maxNames, maxTimes, 0}, {maxNames + 1, 1, 1}, {2, maxTimes + 1, 1}} {
		d, text := doc(c.names, c.years)
		if _, cut := Candidates(d, text, Topic{}, nil); cut != c.want {
			t.Errorf("%d names, %d times: %d sentences were cut, want %d", c.names, c.years, cut, c.want)
		}
	}
}

func TestCandidates(t *testing.T) {
	for _, c := range []struct {
		text  string
		topic Topic
		want  []string // subject, object, times, pattern
	}{
		{"Beckham signed for Real Madrid from Manchester United in 2003.", Topic{Name: "Beckham", Kind: mention.Person}, []string{"Beckham | Real Madrid | 2003-01-01 2003-12-31 | S sign for O @in"}},
		{
			"Sahara is a 2005 American adventure film directed by Breck Eisner and starring Matthew McConaughey, Steve Zahn and Penelope Cruz.",
			Topic{Name: "Sahara", Kind: mention.Work},
			[]string{"Steve Zahn | Sahara | 2005-01-01 2005-12-31 | O star S +1 @film", "Breck Eisner | Sahara | 2005-01-01 2005-12-31 | O direct by S @film"},
		},
		{
			"Harry Kane was born in London. He played for Tottenham from 2009 to 2023.",
			Topic{Name: "Harry Kane", Kind: mention.Person},
			[]string{"Harry Kane | Tottenham | 2009-01-01 2009-12-31 | S play for O @from", "Harry Kane | Tottenham | 2023-01-01 2023-12-31 | S play for O @to"},
		},
		{
			"The film was released in 1917. The film stars George Beban.",
			Topic{Name: "The Cook", Kind: mention.Work},
			[]string{"George Beban | The Cook | 1917-01-01 1917-12-31 | O star S @^"},
		},
		{ // the time of the topic itself, beside that of a sentence between
			"Sahara is a 2005 American film. It is based on the 1992 novel by Clive Cussler. It stars Steve Zahn.",
			Topic{Name: "Sahara", Kind: mention.Work},
			[]string{"Steve Zahn | Sahara | 2005-01-01 2005-12-31 | O star S @~", "Steve Zahn | Sahara | 1992-01-01 1992-12-31 | O star S @^"},
		},
		{ // a certain film is another one
			"Scarlet is a remake of the 1929 film which starred Paul Muni.",
			Topic{Name: "Scarlet", Kind: mention.Work},
			[]string{"Paul Muni | Scarlet | 1929-01-01 1929-12-31 | O star S @the-film"},
		},
		{ // a country that is recognised in the phrase alone
			"Ines Calder became Prime Minister of Vestria in 2018.",
			Topic{},
			[]string{"Ines Calder | Vestria | 2018-01-01 2018-12-31 | S become prime minister of O @in"},
		},
		{ // a last name alone
			"Scarlet is a 1951 American drama film directed by Hugo Haas. It stars Haas and Robert Dane.",
			Topic{Name: "Scarlet", Kind: mention.Work},
			[]string{"Hugo Haas | Scarlet | 1951-01-01 1951-12-31 | O star S @~"},
		},
	} {
		var got []string
		for _, x := range candidates(t, c.text, c.topic) {
			got = append(got, fmt.Sprintf("%s | %s | %s %s | %s", x.Subject, x.Object, x.Time.First, x.Time.Last, x.Pattern))
			if said := c.text[x.Evidence.Start:x.Evidence.End]; !strings.Contains(c.text, said) || said == "" {
				t.Errorf("evidence %q", said)
			}
		}
		for _, w := range c.want {
			if !slices.Contains(got, w) {
				t.Errorf("%s\nwant %s\ngot  %s", c.text, w, strings.Join(got, "\n     "))
			}
		}
	}
}

// A last name stands for the one whole name that ends with it, and for nobody where two do.
func TestFullNames(t *testing.T) {
	full := fullNames([]language.Mention{{Text: "Hugo Haas", Type: mention.Person}, {Text: "Haas", Type: mention.Person}, {Text: "Ann Lee", Type: mention.Person}, {Text: "Bob Lee", Type: mention.Person}, {Text: "Bank of Haas", Type: mention.Organisation}})
	if full["Haas"] != "Hugo Haas" || full["Lee"] != "" {
		t.Errorf("%v", full)
	}
}

// A mention that is two names counts as two.
func TestTwoNamesInOne(t *testing.T) {
	words := strings.Fields("Kitty Gordon and Irving Cummings")
	var s sentence
	at := 0
	for _, w := range words {
		s.tokens = append(s.tokens, language.Token{Start: at, End: at + len(w), Text: w, Penn: "NNP"})
		at += len(w) + 1
	}
	s.add(0, at-1, mention.Person)
	if len(s.names) != 2 || s.names[0].text != "Kitty Gordon" || s.names[1].text != "Irving Cummings" {
		t.Errorf("%+v", s.names)
	}
}

// From seeds of one film, others are labelled; a director is no cast.
func TestLabel(t *testing.T) {
	relations, err := ReadRelations(strings.NewReader("relation cast_of\nsubject PER\nobject WORK\npoint\n"), "test")
	if err != nil {
		t.Fatal(err)
	}
	film := func(title, star, director, time string) []Candidate {
		year, err := ParseTime(time)
		if err != nil {
			t.Fatal(err)
		}
		return []Candidate{
			{Subject: star, Object: title, Time: year, Pattern: "O star S @film"},
			{Subject: director, Object: title, Time: year, Pattern: "O direct by S @film"},
		}
	}
	all := slices.Concat(film("A", "Ann", "Abe", "1990"), film("B", "Bea", "Bob", "1991"))
	all = append(all, Candidate{Subject: "Cid", Object: "B", Time: all[2].Time, Pattern: "O star PER S @film"}) // like a pattern with a seed
	found, err := Label(t.Context(), relations, all, func(c *Candidate) (int, Aspect, bool, bool) {
		return 0, During, c.Subject == "Abe", c.Object == "A"
	}, Default())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, o := range found {
		names = append(names, o.Subject)
		if o.Relation != "cast_of" || o.Aspect != During || o.Confidence < 0.5 || o.Confidence > 1 {
			t.Errorf("%+v", o)
		}
	}
	if got := strings.Join(names, " "); got != "Ann Bea Cid" {
		t.Errorf("found %s", got)
	}
}

// An office passes from one to another, in the words of a newspaper.
func TestOfficePasses(t *testing.T) {
	const text = "Tomas Wren became Prime Minister of Vestria on 28 October 2024. Ines Calder was Prime Minister of Vestria from March 2019 to October 2024. Ada Lindqvist led the Ministry of Housing from 2020 to 2024. Maren Okafor has led the Ministry of Housing since 28 October 2024."
	relations, err := Relations()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := language.New().Analyse(t.Context(), language.Text{Text: text, Language: "en"}, Units()...)
	if err != nil {
		t.Fatal(err)
	}
	facts, report, err := Find(t.Context(), doc, text, "", Topic{}, relations, Default())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range facts {
		got = append(got, fmt.Sprintf("%s %s %s %s %s", f.Subject, f.Relation, f.Object, f.Begin.Earliest, f.End.Latest))
	}
	want := []string{
		"Ada Lindqvist leads_organisation Ministry of Housing 2020-01-01 2025-01-01", "Ines Calder holds_office Vestria 2019-03-01 2024-11-01",
		"Maren Okafor leads_organisation Ministry of Housing 2024-10-28 ", "Tomas Wren holds_office Vestria 2024-10-28 ",
	}
	if !slices.Equal(got, want) || report.Rejected > 0 {
		t.Errorf("got\n%s\nwant\n%s\n%d rejected", strings.Join(got, "\n"), strings.Join(want, "\n"), report.Rejected)
	}
}

// Two offices of one country are two facts, whose begins do not contradict each other; two at once of an office of which there is one do.
func TestOffices(t *testing.T) {
	const text = "Ines Calder became finance minister of Vestria in 2015. In 2019 Ines Calder was elected prime minister of Vestria. Ines Calder was Minister of Finance of Vestria until 2019. Ines Calder was prime minister of Vestria until October 2024. " +
		"In 2024 Tomas Wren succeeded Ines Calder as prime minister of Vestria. Robert Hart was elected Mayor of Hamburg in 2001. Robert Hart was Mayor of Hamburg until 2009. Robert Hart was Mayor of Hamburg in 2007. Peter Lund was elected Mayor of Hamburg in 2005. Linda Moss became ambassador of Vestria in 2016. Alan Penn became ambassador of Vestria in 2017."
	relations, err := Relations()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := language.New().Analyse(t.Context(), language.Text{Text: text, Language: "en"}, Units()...)
	if err != nil {
		t.Fatal(err)
	}
	facts, report, err := Find(t.Context(), doc, text, "", Topic{}, relations, Default())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range facts {
		if f.Relation == "holds_office" {
			got = append(got, fmt.Sprintf("%s, %s of %s, %s to %s", f.Subject, f.Role, f.Object, f.Begin.Earliest, f.End.Latest))
		}
	}
	want := []string{
		"Alan Penn, ambassador of Vestria, 2017-01-01 to ", "Ines Calder, finance minister of Vestria, 2015-01-01 to 2020-01-01", "Ines Calder, prime minister of Vestria, 2019-01-01 to 2024-11-01",
		"Linda Moss, ambassador of Vestria, 2016-01-01 to ", "Robert Hart, mayor of Hamburg, 2001-01-01 to 2010-01-01", "Tomas Wren, prime minister of Vestria, 2024-01-01 to ",
	}
	if !slices.Equal(got, want) || report.Rejected != 1 || len(report.Denied) != 1 || report.Denied[0].Subject != "Peter Lund" {
		t.Errorf("got\n%s\nwant\n%s\n%+v", strings.Join(got, "\n"), strings.Join(want, "\n"), report.Denied)
	}
}

func TestSplitRole(t *testing.T) {
	relations, err := Relations()
	if err != nil {
		t.Fatal(err)
	}
	office := &relations[slices.IndexFunc(relations, func(r Relation) bool { return r.Name == "holds_office" })]
	for _, c := range []struct {
		text, role, of string
		ok             bool
	}{
		{"Mayor of Vestria", "mayor", "Vestria", true},
		{"Minister of Finance of Vestria", "finance minister", "Vestria", true},
		{"Minister for Foreign Affairs of the United Lands", "foreign minister", "United Lands", true},
		{"Minister of Health", "health minister", "", true},
		{"Prime Minister of Norland", "prime minister", "Norland", true},
		{"12th President of Norland", "president", "Norland", true},
		{"First Prime Minister of Norland", "prime minister", "Norland", true},
		{"First female Prime Minister of Norland", "prime minister", "Norland", true},
		{"First Finance Minister of Norland", "finance minister", "Norland", true},
		{"First Deputy Prime Minister of Norland", "first deputy prime minister", "Norland", true},
		{"Deputy Prime Minister of Norland", "deputy prime minister", "Norland", true},
		{"Prime Minister and Minister of Finance of Norland", "", "", false},
		{"First Minister of Scotland", "first minister", "Scotland", true},
		{"Secretary of State of Norland", "secretary of state", "Norland", true},
		{"Vice President", "vice president", "", true},
		{"Mayor Quimby", "", "", false},
		{"Real Madrid", "", "", false},
		{"", "", "", false},
	} {
		if role, of, ok := office.SplitRole(c.text); role != c.role || of != c.of || ok != c.ok {
			t.Errorf("%q: %q, %q, %v", c.text, role, of, ok)
		}
	}
}

// Of contradictions those go that weigh less, and stay as what the fact would be otherwise.
func TestClean(t *testing.T) {
	relations, err := Relations()
	if err != nil {
		t.Fatal(err)
	}
	see := func(relation, subject, object string, a Aspect, when string, c float64) Observation {
		x, err := ParseTime(when)
		if err != nil {
			t.Fatal(err)
		}
		return Observation{Relation: relation, Subject: subject, Object: object, Aspect: a, Time: x, Confidence: c}
	}
	facts, report, err := Clean(t.Context(), relations, []Observation{
		see("spouse", "Ann", "Ben", Begin, "1990", 0.9),
		see("spouse", "Ann", "Ben", End, "2000-05", 0.8),
		see("spouse", "Ann", "Cid", During, "1995", 0.6),
		see("spouse", "Ann", "Cid", Begin, "2001", 0.5),
		see("spouse", "Ann", "Dan", Begin, "2020", 0.4), // after her death
		see("died", "Ann", "Rome", During, "2010", 0.9),
		see("cast_of", "Eve", "A Film", During, "1950", 0.7),
		see("cast_of", "Fay", "A Film", During, "1951", 0.6), // a film has one year
		see("cast_of", "Fay", "A Film", During, "1950", 0.5),
	}, clean.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range facts {
		got = append(got, fmt.Sprintf("%s %s %s: %s..%s to %s..%s, %d rejected", f.Subject, f.Relation, f.Object, f.Begin.Earliest, f.Begin.Latest, f.End.Earliest, f.End.Latest, len(f.Rejected)))
	}
	want := []string{
		"Ann died Rome: 2010-01-01..2010-12-31 to 2010-01-02..2011-01-01, 0 rejected",
		"Ann spouse Ben: 1990-01-01..1990-12-31 to 2000-05-02..2000-06-01, 0 rejected",
		"Ann spouse Cid: 2001-01-01..2001-12-31 to 2001-01-02.., 1 rejected",
		"Eve cast_of A Film: 1950-01-01..1950-12-31 to 1950-01-02..1951-01-01, 0 rejected",
		"Fay cast_of A Film: 1950-01-01..1950-12-31 to 1950-01-02..1951-01-01, 1 rejected",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if report.Rejected != 3 || report.Facts != 5 || report.Greedy() != 0 {
		t.Errorf("%+v", report)
	}
}

func TestKnownAspect(t *testing.T) {
	at := func(s string) Time {
		x, err := ParseTime(s)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	k := Known{Begin: at("2003"), End: at("2007-06")}
	for when, want := range map[string]string{"2003-07": "begin true", "2005": "during true", "2007": "end true", "2008": "during false", "2001": "during false"} {
		if a, ok := k.Aspect(at(when), false); fmt.Sprint(a, ok) != want {
			t.Errorf("%s: %v %v, want %s", when, a, ok, want)
		}
	}
}

func TestAt(t *testing.T) {
	relations, err := Relations()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ say, sure, possible string }{
		{"begin 2003 end 2007", "2003 2003-12-31 2005 2005-05-05 2006 2007", "2003-01-01 2007-12-31"},
		{"begin 2003", "2003", "2003-05-05 2005 2050"},
		{"during 2010", "2010", "2010-05-05 1990 2050"},
		{"end 2007-06", "2007", "1990 2007-06-30"},
	} {
		var all []Observation
		words := strings.Fields(c.say)
		for i := 0; i < len(words); i += 2 {
			o := Observation{Relation: "spouse", Subject: "Ann", Object: "Ben", Confidence: 1}
			var err error
			if o.Time, err = ParseTime(words[i+1]); err == nil {
				err = o.Aspect.UnmarshalText([]byte(words[i]))
			}
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, o)
		}
		facts, _, err := Clean(t.Context(), relations, all, clean.Options{})
		if err != nil || len(facts) != 1 {
			t.Fatal(facts, err)
		}
		for _, when := range []string{"1990", "2003", "2003-01-01", "2003-05-05", "2003-12-31", "2005", "2005-05-05", "2006", "2007", "2007-06-30", "2007-12-31", "2010", "2010-05-05", "2050"} {
			x, err := ParseTime(when)
			if err != nil {
				t.Fatal(err)
			}
			sure, possible := facts[0].At(x)
			if want := slices.Contains(strings.Fields(c.sure), when); sure && !want || !sure && want {
				t.Errorf("%s, at %s: sure %v", c.say, when, sure)
			}
			if slices.Contains(strings.Fields(c.possible), when) && (!possible || sure) {
				t.Errorf("%s, at %s: possible %v, sure %v", c.say, when, possible, sure)
			}
		}
	}
}

// What several say is one observation, the surer the more say it.
func TestMerger(t *testing.T) {
	m := NewMerger()
	for i := range 3 {
		if !m.Add(Observation{Relation: "spouse", Subject: "Ann", Object: "Ben", Confidence: 0.5, Evidence: []Evidence{{Document: strconv.Itoa(i)}, {Document: "b"}}}, 1) {
			t.Fatal(i)
		}
	}
	if m.Add(Observation{Relation: "spouse", Subject: "Ann", Object: "Cid"}, 1) {
		t.Error("more than may be")
	}
	if list := m.Observations(); len(list) != 1 || list[0].Confidence != 0.875 || len(list[0].Evidence) != maxEvidence {
		t.Errorf("%+v", list)
	}
}

// The facts of one text, by the patterns of the relations alone.
func TestFind(t *testing.T) {
	relations, err := Relations()
	if err != nil {
		t.Fatal(err)
	}
	text := "Diego Lopez was born in London. Diego Lopez signed for Real Madrid in 2003. He left Real Madrid in 2007. Diego Lopez married Victoria Adams in 1999."
	doc, err := language.New().Analyse(t.Context(), language.Text{Text: text, Language: "en"}, Units()...)
	if err != nil {
		t.Fatal(err)
	}
	facts, _, err := Find(t.Context(), doc, text, "bio", TopicOf("Diego Lopez - a life", doc), relations, Default())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range facts {
		got = append(got, fmt.Sprintf("%s %s %s: %s to %s", f.Subject, f.Relation, f.Object, f.Begin.Latest, f.End.Latest))
	}
	for _, want := range []string{"Diego Lopez works_for_club Real Madrid: 2003-12-31 to ", "Diego Lopez member_of Real Madrid: 2003-12-31 to 2008-01-01", "Diego Lopez spouse Victoria Adams: 1999-12-31 to "} {
		if !slices.Contains(got, want) {
			t.Errorf("want %s, got\n%s", want, strings.Join(got, "\n"))
		}
	}
}

// Over many texts, words that go with pairs that are known become patterns: nobody has written down "captain" or "sack", and what goes with other pairs does not.
func TestLearn(t *testing.T) {
	relations, err := Relations()
	if err != nil {
		t.Fatal(err)
	}
	year := func(s string) Time {
		x, err := ParseTime(s)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	var candidates []Candidate
	known := map[string][]Known{}
	for i := range 6 {
		player, club := fmt.Sprintf("Player %d", i), fmt.Sprintf("Club %d", i)
		if i < 4 { // the table of the page has it
			known["works_for_club"] = append(known["works_for_club"], Known{Subject: player, Object: club, Begin: year("2003"), End: year("2007")})
		}
		add := func(object, when, pattern string) {
			candidates = append(candidates, Candidate{Subject: player, Object: object, SubjectKind: mention.Person, ObjectKind: mention.Organisation, Time: year(when), Pattern: pattern, Evidence: Evidence{Document: "d"}})
		}
		add(club, "2003", "S unveil as captain of O @in")
		add(club, "2007", "S sack by O @in")
		add(club, "2012", "S insult chairman of O @in")
		add("Other "+club, "2005", "S boo by fan of O @in")
		add(club, "2003", "S O @in")
	}
	learned, err := Learn(t.Context(), relations, candidates, known, 2, Default())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range learned {
		if l.Relation == "works_for_club" {
			got = append(got, l.Line())
		}
	}
	slices.Sort(got)
	if want := []string{"pattern     begin  S unveil as captain of O @in", "pattern     end  S sack by O @in"}; !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if learned, err = Learn(t.Context(), relations, candidates, known, 7, Default()); err != nil || len(learned) > 0 {
		t.Errorf("of fewer pairs than asked for: %v, %v", learned, err)
	}
}
