package fact

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"varve/entity"
	"varve/language"
	"varve/language/mention"
	"varve/language/timex"
)

// Candidate is a pair of names in a sentence with a time: perhaps a fact.
//
// Its pattern is what of the words between the names tells relations apart, after the seed: names as kinds, verbs and nouns as lemmas, the last preposition.
//
//	Beckham signed for Real Madrid from Manchester United in 2003.     S sign for O @in  and  S sign GROUP from O @in
//	Sahara is a 2005 film starring Matthew McConaughey, Steve Zahn and Penélope Cruz.      O star S @film, O star S +1 @film, O star S +2 @film
//
// It begins with the last verb before the second name. In a list of names each stands where the first does, with its place behind it. A preposition is kept where it belongs to the second name. A verb directly behind the second is added with >. S and
// O say which of the two is the subject; ~ is a topic that the sentence does not name. Behind @ is what ties the time to the sentence: a preposition, since or until, or the noun that it stands before, with the- where
// that is a certain thing ("a remake of the 1929 film"), and with > where it stands behind both names. Two times can come from elsewhere: ~ is that of the topic itself ("Sahara is a 2005 film"), where the sentence
// does not name it; ^ is the last one of an earlier sentence, where this one has none. A / before a preposition says that there are several times, and that another name or time stands between this one and the pair, whose it may be:
//
//	In 1990 he joined Ajax and in 1994 Real Madrid.     ~ join O @in for Ajax and 1990, ~ join GROUP O @in for Madrid and 1994, and with @/in the other way round
//
// A # behind the pattern says that the sentence, or the heading over it, has a word that speaks for the relation (about).
type Candidate struct {
	Subject, Object         string
	SubjectKind, ObjectKind mention.Type // "" is not known
	Role                    string       // that the sentence names for the pair, if a relation has roles
	Time                    Time
	Pattern                 string
	Evidence                Evidence
}

// Topic is what a page is about.
type Topic struct {
	Name string
	Kind mention.Type // "": of any kind
}

// Bounds of a sentence: what has more is a list or a table. Candidates counts the sentences that have more.
const (
	maxNames = 40
	maxTimes = 4
)

// name is a name in a sentence, by tokens.
type name struct {
	from, to int
	text     string
	kind     mention.Type
	topic    bool
	listFrom int // of the list in which it stands: its own without one
	listTo   int
	place    int // in the list, from 0
}

// moment is a time in a sentence.
type moment struct {
	from, to int // tokens
	time     Time
	cue      string
	noun     bool // the cue is the noun that it stands before
}

// Candidates returns the candidates of a document for relations, and in how many of its sentences more names or times are than are looked at. It needs its mentions, times and phrases.
func Candidates(doc *language.Document, text string, topic Topic, relations []Relation) (out []Candidate, cut int) {
	mentions, times, phrases := doc.Mentions, doc.Times, doc.Phrases
	var last, own Time
	full := fullNames(doc.Mentions)
	var heading []language.Token
	for i, s := range doc.Sentences {
		var in sentence
		in.tokens, in.topic, in.full = s.Tokens, topic, full
		if isHeading(s.Tokens) {
			heading = s.Tokens
		}
		in.heading = heading
		for len(mentions) > 0 && mentions[0].Start < s.End {
			in.add(mentions[0].Start, mentions[0].End, mentions[0].Type)
			mentions = mentions[1:]
		}
		for ; len(phrases) > 0 && phrases[0].Sentence <= i; phrases = phrases[1:] {
			if p := phrases[0]; p.Name {
				in.add(p.Start, p.End, "")
			}
		}
		for len(times) > 0 && times[0].Start < s.End {
			if times[0].Start >= s.Start {
				in.time(times[0])
				from, to := in.span(times[0].Start, times[0].End)
				in.timed = append(in.timed, [2]int{from, to})
			}
			times = times[1:]
		}
		in.dropTimes()
		in.years()
		in.findTopic(text)
		in.lists()
		if !own.Known() {
			own = in.topicTime()
		}
		for _, c := range in.candidates(relations, last, own) {
			c.Evidence.Start, c.Evidence.End = s.Start, s.End
			out = append(out, c)
		}
		if len(in.moments) > 0 {
			last = in.moments[len(in.moments)-1].time
		}
		if in.cut {
			cut++
		}
	}
	return out, cut
}

// sentence is one under analysis.
type sentence struct {
	tokens  []language.Token
	names   []name
	moments []moment
	timed   [][2]int // expressions of time, also those of more than one reading
	topic   Topic
	full    map[string]string // what a last name alone stands for
	cut     bool              // it has more names or times
	heading []language.Token
}

// isHeading reports whether a sentence is a heading: a few words without a verb or a sign at its end.
func isHeading(tokens []language.Token) bool {
	n := len(tokens)
	if n == 0 || n > 6 {
		return false
	}
	last := tokens[n-1].Text
	return !strings.ContainsAny(last, ".!?:;,)") && !slices.ContainsFunc(tokens, func(t language.Token) bool { return strings.HasPrefix(t.Penn, "VB") || t.Penn == "CD" })
}

// speaks reports whether the sentence or its heading has a word that speaks for a relation that fits both kinds.
func (s *sentence) speaks(subject, object *name, relations []Relation) bool {
	for i := range relations {
		r := &relations[i]
		if r.About == nil || !r.fits(subject.kind, object.kind) {
			continue
		}
		for _, list := range [][]language.Token{s.tokens, s.heading} {
			if slices.ContainsFunc(list, func(t language.Token) bool { return slices.Contains(r.About, strings.ToLower(t.Lemma)) }) {
				return true
			}
		}
	}
	return false
}

// near reports whether a time in the sentence goes with a pair by its place: no other name or time stands between it and the second name. The only time of a sentence goes with all.
func (s *sentence) near(m *moment, subject, object *name) bool {
	if !slices.ContainsFunc(s.moments, func(o moment) bool { return o.from != m.from }) {
		return true
	}
	first, second := subject, object
	if object.from < subject.from {
		first, second = object, subject
	}
	from, to := second.listTo, m.from // the time stands behind the pair
	if m.from < second.from {
		from, to = m.to, second.listFrom
	}
	for i := range s.names {
		if n := &s.names[i]; n != first && n != second && n.from >= from && n.to <= to && n.listFrom != second.listFrom {
			return false
		}
	}
	return m.from >= second.from || !slices.ContainsFunc(s.moments, func(o moment) bool { return o.from >= from && o.to <= to && o.from != m.from })
}

// dropTimes removes names that are a part of an expression of time: "July" of "July 1999".
func (s *sentence) dropTimes() {
	s.names = slices.DeleteFunc(s.names, func(n name) bool {
		return slices.ContainsFunc(s.timed, func(t [2]int) bool { return t[0] <= n.from && n.to <= t[1] })
	})
}

// span returns the tokens of a place in the text.
func (s *sentence) span(start, end int) (from, to int) {
	from, _ = slices.BinarySearchFunc(s.tokens, start, func(t language.Token, at int) int { return cmp.Compare(t.End, at+1) })
	to, _ = slices.BinarySearchFunc(s.tokens, end, func(t language.Token, at int) int { return cmp.Compare(t.Start, at) })
	return from, to
}

// add adds a name, unless there is one at its place.
func (s *sentence) add(start, end int, kind mention.Type) {
	from, to := s.span(start, end)
	if behind := s.behindOffice(from, to); behind != from && (behind < to || kind == "") {
		from, kind = behind, "" // of which kind the whole was says nothing of the rest
		if from < to {
			start = s.tokens[from].Start
		}
	}
	if from >= to || slices.ContainsFunc(s.names, func(n name) bool { return n.from < to && from < n.to }) {
		return
	}
	if and := s.and(from, to); kind == mention.Person && and > 0 {
		s.add(start, s.tokens[and-1].End, kind)
		s.add(s.tokens[and+1].Start, end, kind)
		return
	}
	if len(s.names) >= maxNames {
		s.cut = true
		return
	}
	text := s.text(from, to)
	if whole := s.full[text]; kind == mention.Person && whole != "" {
		text = whole
	}
	s.names = append(s.names, name{from: from, to: to, kind: kind, text: text})
}

// behindOffice returns where a name begins in a phrase that begins with an office: Vestria in "Prime Minister of Vestria" and in "Minister of Finance of Vestria". "Minister" alone is no name.
func (s *sentence) behindOffice(from, to int) int {
	at := from
	for at < to && offices[strings.ToLower(s.tokens[at].Text)] {
		at++
	}
	switch {
	case at == from || at == to:
		return at
	case strings.EqualFold(s.tokens[at].Text, "of") || strings.EqualFold(s.tokens[at].Text, "for"):
		if head := strings.ToLower(s.tokens[at-1].Text); head == "minister" || head == "secretary" { // of what, then of whom
			for i := at + 2; i+1 < to; i++ {
				if strings.EqualFold(s.tokens[i].Text, "of") {
					at = i
					break
				}
			}
		}
		for at++; at < to && s.tokens[at].Penn == "DT"; at++ {
		}
		return at
	}
	return from // General Motors
}

// and returns where a mention is two names of several words each, "Kitty Gordon and Irving Cummings": the token between them; else 0.
func (s *sentence) and(from, to int) int {
	for i := from + 2; i+2 < to; i++ {
		if w := s.tokens[i].Text; w == "and" || w == "&" {
			return i
		}
	}
	return 0
}

// text returns tokens with single blanks, as far as the text has blanks between them.
func (s *sentence) text(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		if i > from && s.tokens[i].Start > s.tokens[i-1].End {
			b.WriteByte(' ')
		}
		b.WriteString(s.tokens[i].Text)
	}
	return strings.TrimSuffix(strings.TrimSuffix(b.String(), "'s"), "’s")
}

// time adds an expression of time that has one reading. What goes from one time to another is two of them.
func (s *sentence) time(t language.Time) {
	if len(t.Values) != 1 {
		return
	}
	if len(s.moments) >= maxTimes {
		s.cut = true
		return
	}
	v := t.Values[0]
	from, to := s.span(t.Start, t.End)
	if from >= to {
		return
	}
	add := func(x Time, cue string, noun bool) { s.moments = append(s.moments, moment{from, to, x, cue, noun}) }
	cue, noun := s.cue(from, to)
	if strings.HasPrefix(v.Timex, "(") {
		begin, err1 := ParseTime(v.Start)
		end, err2 := ParseTime(v.End)
		if err1 != nil || err2 != nil || v.Latest.IsZero() {
			return
		}
		last := entity.DayOf(v.Latest) - 1
		if last < end.First { // a decade, a season: one time
			add(Time{begin.First, last}, cue, noun)
			return
		}
		begin.Last = begin.First + last - end.First // as coarse as its end
		if begin.Last-begin.First > 364 {
			begin.Last = entity.DayOf(begin.First.Time().AddDate(1, 0, 0)) - 1
		}
		add(begin, "from", false)
		add(Time{end.First, last}, "to", false)
		return
	}
	x, err := ParseTime(v.Timex)
	if err != nil || t.Type != timex.Date && t.Type != timex.DateRange {
		return
	}
	if v.Mod != "" {
		add(x, v.Mod, false)
		return
	}
	add(x, cue, noun)
}

// years adds years that stand before a noun, "a 2005 American film": as an expression of time such a number could as well be one of things, so varve/language/timex leaves it.
func (s *sentence) years() {
	for i := 1; i+1 < len(s.tokens); i++ {
		t, before := s.tokens[i], s.tokens[i-1].Penn
		if len(t.Text) != 4 || t.Text < "1400" || t.Text > "2099" || before != "DT" && before != "PRP$" && before != "POS" && before != "JJ" && before != "VBN" {
			continue
		}
		x, err := ParseTime(t.Text)
		cue, noun := s.cue(i, i+1)
		if err != nil || cue == "-" || slices.ContainsFunc(s.moments, func(m moment) bool { return m.from <= i && i < m.to }) {
			continue
		}
		if len(s.moments) >= maxTimes {
			s.cut = true
			break
		}
		s.moments = append(s.moments, moment{i, i + 1, x, cue, noun})
	}
	slices.SortStableFunc(s.moments, func(a, b moment) int { return cmp.Compare(a.from, b.from) })
}

// ParseTime reads a year, a month of a year, or a day: 2003, 2003-07, 2003-07-01; or the first and the last of several with .. between them.
func ParseTime(s string) (Time, error) {
	from, to, several := strings.Cut(s, "..")
	first, last, err := entity.ParseDays(from)
	if several && err == nil {
		_, last, err = entity.ParseDays(to)
	}
	return Time{first, last}, err
}

// cue returns what ties a time to its sentence: the preposition before it, else the noun that it stands before, with the- where that noun is a certain one ("the 1929 film", "her 1951 hit"): then the time
// belongs to that thing, which is seldom the one that the sentence is about.
func (s *sentence) cue(from, to int) (cue string, isNoun bool) {
	if from > 0 {
		if t := s.tokens[from-1]; t.Penn == "IN" || t.Penn == "TO" {
			return strings.ToLower(t.Text), false
		}
	}
	noun := "-"
loop:
	for i := to; i < len(s.tokens) && i < to+8; i++ {
		switch t := s.tokens[i]; {
		case t.Penn == "NN" || t.Penn == "NNS":
			noun = t.Lemma
		case strings.HasPrefix(t.Penn, "NNP") || strings.HasPrefix(t.Penn, "JJ") || t.Penn == "HYPH" || t.Text == "-" || t.Penn == "VBN" && noun == "-" || t.Penn == "CC" && noun == "-":
		default:
			break loop
		}
	}
	if noun != "-" && s.definite(from) {
		return "the-" + noun, true
	}
	return noun, noun != "-"
}

// definite reports whether what begins at a token, or a few adjectives before it, is a certain thing: behind the, this, that, her, King's.
func (s *sentence) definite(at int) bool {
	for i := at - 1; i >= max(0, at-5); i-- {
		switch t := s.tokens[i]; {
		case t.Penn == "DT":
			w := strings.ToLower(t.Text)
			return w != "a" && w != "an" && w != "another"
		case t.Penn == "PRP$" || t.Penn == "POS" || strings.HasSuffix(t.Text, "'s") || strings.HasSuffix(t.Text, "’s"):
			return true
		case strings.HasPrefix(t.Penn, "JJ") || t.Penn == "VBN" || t.Penn == "RB" || t.Penn == "HYPH" || t.Penn == ",":
		default:
			return false
		}
	}
	return false
}

// topicTime returns the time that a sentence gives to the topic itself, "TOPIC is a 2005 American film": behind its name and a form of be, before a noun that is no certain thing.
func (s *sentence) topicTime() Time {
	for _, n := range s.names {
		if !n.topic || n.from < 0 {
			continue
		}
		for _, m := range s.moments {
			if m.noun && m.from >= n.to && !strings.HasPrefix(m.cue, "the-") && slices.ContainsFunc(s.tokens[n.to:m.from], func(t language.Token) bool { return strings.HasPrefix(t.Penn, "VB") && t.Lemma == "be" }) {
				return m.time
			}
		}
	}
	return Time{}
}

// fullNames returns what a last name alone stands for: the one name of several words that ends with it. A last name of two persons stands for neither.
func fullNames(mentions []language.Mention) map[string]string {
	out := map[string]string{}
	for _, m := range mentions {
		words := strings.Fields(m.Text)
		if m.Type != mention.Person || len(words) < 2 {
			continue
		}
		last := words[len(words)-1]
		if other, known := out[last]; known && entity.Key(other) != entity.Key(m.Text) {
			out[last] = ""
			continue
		}
		out[last] = m.Text
	}
	return out
}

// anaphors are nouns that, behind "the" or "this", mean the topic of a page of their kind.
var anaphors = map[string]bool{
	"film": true, "movie": true, "picture": true, "series": true, "show": true, "club": true, "team": true, "company": true, "band": true, "group": true, "party": true, "organisation": true,
	"organization": true, "institute": true, "university": true, "college": true, "school": true, "city": true, "town": true, "house": true, "castle": true, "building": true, "squadron": true, "regiment": true, "airline": true, "stadium": true,
}

// offices are nouns that texts write with a capital where they stand for an office, "Prime Minister of Norway": they count as nouns.
var offices = map[string]bool{
	"president": true, "minister": true, "prime": true, "chancellor": true, "premier": true, "governor": true, "mayor": true, "king": true, "queen": true, "emperor": true, "prince": true, "senator": true, "ambassador": true, "speaker": true, "secretary": true,
	"commissioner": true, "chairman": true, "chairwoman": true, "chair": true, "director": true, "head": true, "leader": true, "rector": true, "bishop": true, "archbishop": true, "pope": true, "judge": true, "justice": true, "general": true, "deputy": true, "vice": true,
	"first": true, "foreign": true, "finance": true, "editor": true, "captain": true, "coach": true, "manager": true,
}

// findTopic marks what names the topic: its name, and where that is not there, he, she, it, "the film"; where these are not there either, the beginning of the sentence stands for it.
func (s *sentence) findTopic(text string) {
	if s.topic.Name == "" {
		return
	}
	words := strings.Fields(entity.Key(s.topic.Name))
	found := false
	mark := func(from, to int) {
		found = true
		s.names = slices.DeleteFunc(s.names, func(n name) bool { return n.from < to && from < n.to })
		s.names = append(s.names, name{from: from, to: to, text: s.topic.Name, kind: s.topic.Kind, topic: true})
	}
	for i := range s.tokens {
		if len(words) == 0 || !strings.HasPrefix(entity.Key(s.tokens[i].Text), words[0]) {
			continue
		}
		// The key of a name has fewer tokens than the name, which may have signs.
		for to := i + 1; to <= min(len(s.tokens), i+2*len(words)+2); to++ {
			if key := entity.Key(text[s.tokens[i].Start:s.tokens[to-1].End]); key == strings.Join(words, " ") {
				mark(i, to)
				break
			}
		}
	}
	for i := 0; i < len(s.tokens) && !found; i++ {
		t := s.tokens[i]
		switch {
		case t.Penn == "PRP" && slices.Contains([]string{"he", "she", "it", "they"}, strings.ToLower(t.Text)):
			mark(i, i+1)
		case i > 0 && t.Penn == "NN" && anaphors[t.Lemma] && slices.Contains([]string{"the", "this"}, strings.ToLower(s.tokens[i-1].Text)):
			mark(i-1, i+1)
		}
	}
	if !found {
		s.names = append(s.names, name{from: -1, to: 0, text: s.topic.Name, kind: s.topic.Kind, topic: true})
	}
	slices.SortFunc(s.names, func(a, b name) int { return cmp.Compare(a.from, b.from) })
}

// lists tells names of which list they are: between its members are only commas, and, or.
func (s *sentence) lists() {
	slices.SortFunc(s.names, func(a, b name) int { return cmp.Compare(a.from, b.from) })
	begin := 0
	for i := range s.names {
		if i > 0 && (s.names[i-1].topic || s.names[i].topic || !s.joined(s.names[i-1].to, s.names[i].from)) {
			begin = i
		}
		s.names[i].listFrom, s.names[i].place = s.names[begin].from, i-begin
		for j := begin; j <= i; j++ {
			s.names[j].listTo = s.names[i].to
		}
	}
}

func (s *sentence) joined(from, to int) bool {
	for i := from; i < to; i++ {
		if w := strings.ToLower(s.tokens[i].Text); w != "," && w != "and" && w != "or" && w != "&" {
			return false
		}
	}
	return from < to
}

// candidates returns the pairs of names that fit a relation, each with each time.
func (s *sentence) candidates(relations []Relation, earlier, own Time) (out []Candidate) {
	moments := slices.Clone(s.moments)
	if own.Known() && !slices.ContainsFunc(moments, func(m moment) bool { return m.time.Meets(own) }) {
		moments = append(moments, moment{from: -1, time: own, cue: "~"})
	}
	if len(s.moments) == 0 && earlier.Known() && !earlier.Meets(own) {
		moments = append(moments, moment{from: -1, time: earlier, cue: "^"})
	}
	if len(moments) == 0 {
		moments = []moment{{cue: "?"}}
	}
	for i := range s.names {
		for j := range s.names {
			subject, object := &s.names[i], &s.names[j]
			if i == j || subject.text == object.text || !slices.ContainsFunc(relations, func(r Relation) bool { return r.fits(subject.kind, object.kind) }) {
				continue
			}
			if k := s.other(i, j); k >= 0 {
				continue // the topic is nearer by another of its names
			}
			words, role, speaks := s.pattern(subject, object), s.role(subject, object, relations), s.speaks(subject, object, relations)
			for _, m := range moments {
				cue := m.cue
				switch {
				case m.noun && m.from >= max(subject.to, object.to):
					cue = ">" + cue
				case !m.noun && m.from >= 0 && !s.near(&m, subject, object):
					cue = "/" + cue
				}
				if speaks {
					cue += " #"
				}
				out = append(out, Candidate{
					Subject: subject.text, Object: object.text, SubjectKind: subject.kind, ObjectKind: object.kind, Role: role, Time: m.time,
					Pattern: words + " @" + cue, Evidence: Evidence{Pattern: words + " @" + cue},
				})
			}
		}
	}
	return out
}

// other returns a name of the topic that is nearer to the other name of a pair than the one in it; -1 if there is none.
func (s *sentence) other(i, j int) int {
	topic, with := i, j
	if !s.names[topic].topic {
		topic, with = j, i
	}
	if !s.names[topic].topic || s.names[with].topic {
		return -1
	}
	nearest := topic
	for k, n := range s.names {
		if n.topic && rank(n, s.names[with]) < rank(s.names[nearest], s.names[with]) {
			nearest = k
		}
	}
	if nearest == topic {
		return -1
	}
	return nearest
}

// rank orders names of the topic: the nearest before a name, then the nearest behind it.
func rank(topic, n name) int {
	if topic.from < n.from {
		return n.from - topic.from
	}
	return 1<<20 + topic.from
}

// pattern returns the pattern of a pair without its time.
func (s *sentence) pattern(subject, object *name) string {
	first, second, letters := subject, object, [2]string{"S", "O"}
	if object.from < subject.from {
		first, second, letters = object, subject, [2]string{"O", "S"}
	}
	if first.from < 0 {
		letters[0] = "~"
	}
	end := second.from
	if second.listFrom >= first.to {
		end = second.listFrom
	}
	begin := first.to
	for i := end - 1; i >= first.to; i-- {
		if strings.HasPrefix(s.tokens[i].Penn, "VB") {
			begin = i
			break
		}
	}
	items := append([]string{letters[0]}, place(first)...)
	inside := ""
	for i := begin; i < end; i++ {
		t := &s.tokens[i]
		if k := slices.IndexFunc(s.names, func(n name) bool { return n.from <= i && i < n.to }); k >= 0 {
			if kind := cmp.Or(string(s.names[k].kind), "NAME"); inside != kind {
				items, inside = append(items, kind), kind
			}
			continue
		}
		switch {
		case strings.HasPrefix(t.Penn, "VB"), t.Penn == "NN" || t.Penn == "NNS":
			items, inside = append(items, strings.ToLower(t.Lemma)), ""
		case strings.HasPrefix(t.Penn, "NNP") && offices[strings.ToLower(t.Text)]: // Prime Minister, before a name
			items, inside = append(items, strings.ToLower(t.Text)), ""
		case (t.Penn == "IN" || t.Penn == "TO") && s.governs(i, end):
			items, inside = append(items, strings.ToLower(t.Text)), ""
		}
	}
	if n := len(items); n > 6 { // the nearest to the second name
		items = append([]string{letters[0], items[1]}, items[n-4:]...)
	}
	items = append(append(items, letters[1]), place(second)...)
	for i := second.listTo; i < len(s.tokens) && i < second.listTo+3; i++ {
		if t := s.tokens[i]; strings.HasPrefix(t.Penn, "VB") {
			items = append(items, ">"+strings.ToLower(t.Lemma))
			break
		} else if t.Penn == "," || t.Penn == "." || t.Penn == ":" || t.Penn == "CC" {
			break
		}
	}
	return strings.Join(items, " ")
}

// place returns where in its list a name stands, of what is not the first: who is named first matters most. Behind the third it is all one.
func place(n *name) []string {
	if n.place == 0 {
		return nil
	}
	return []string{"+" + strconv.Itoa(min(n.place, 3))}
}

// governs reports whether a preposition belongs to what stands at a token: only articles, adjectives and nouns are between.
func (s *sentence) governs(i, at int) bool {
	for i++; i < at; i++ {
		if p := s.tokens[i].Penn; p != "DT" && !strings.HasPrefix(p, "JJ") && !strings.HasPrefix(p, "NN") && p != "PRP$" && p != "POS" {
			return false
		}
	}
	return true
}
