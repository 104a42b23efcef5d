package token

import "strings"

// rules are what a language adds to the rules of Unicode.
type rules struct {
	abbreviations map[string]bool
	ordinals      bool            // numbers with a full stop are ordinals: 5. März
	numbered      map[string]bool // abbreviations only before a number: p. 5
	last          map[string]bool // abbreviations that may end a sentence: Inc.
	starters      map[string]bool // words that begin sentences, where this is known
}

// common are abbreviations that are followed by more of the sentence in most languages that use the Latin alphabet.
const common = "dr prof mr mrs ms st no nr vol fig ed eds al cf vs approx tel ca max min inc ltd co corp jr sr rev gen col lt sgt capt hon pp p.s"

// byLanguage are the abbreviations of a language after which a sentence goes on. Those that end sentences as often as
// not (etc., usw.) are not here: UAX 29 looks at the case of what follows.
var byLanguage = map[string]string{
	"en": "e.g i.e mt messrs mme gov sen rep pres dept univ assn ave blvd jan feb mar apr jun jul aug sep sept oct nov dec u.s u.k a.m p.m",
	"de": "z.b d.h u.a s.o s.u bzw ggf evtl vgl inkl exkl abs art str bd hrsg jh jhd gest geb verh mio mrd tsd st hl i.d.r u.u o.ä v.a z.t i.a sog dipl ing med phil jur rer nat",
	"fr": "m mm mme mlle mgr av env p.ex art chap éd janv févr juil sept oct nov déc",
	"es": "sr sra srta sres ud uds d dña dra lic ing art pág págs núm aprox ej p.ej gral prov avda",
	"it": "sig sigg sig.ra dott dott.ssa ing avv arch geom pag art cap ecc es p.es d.c a.c sec",
	"pt": "sr sra dra exmo exma eng av pág págs art núm p.ex séc",
	"nl": "dhr mevr mw drs ing mr ir bijv d.w.z o.a m.b.t t.a.v i.v.m blz art resp",
	"sv": "bl.a t.ex d.v.s m.fl s.k f.d kap st ca",
	"da": "bl.a f.eks d.v.s m.fl s.k ca kap stk hr fr",
	"nb": "bl.a f.eks d.v.s m.fl s.k ca kap nr hr",
	"nn": "bl.a t.d d.v.s m.fl s.k ca kap nr",
	"fi": "esim mm ns n klo s v ks",
	"pl": "np tzw tj m.in ul pl al prof inż mgr hab ks św r w godz ok pt zob por rys tab",
	"cs": "např tzn tzv tj atd mj č str ul nám ing mgr bc p sv kol r",
	"sk": "napr t.j tzv č str ul nám ing mgr p sv r",
	"ru": "г гг т.е т.к т.д т.п им ул пр д рис стр см др проф акад тыс млн млрд руб",
	"uk": "р рр т.з ім вул пр буд рис стор див проф акад тис млн млрд грн",
	"tr": "sn av doç yrd alm örn vb vs bkz",
	"hu": "pl ill kb stb ún ifj id özv",
}

// What English adds: abbreviations only before a number, those that end sentences as well, and words with a capital
// that rarely follow these inside of a sentence.
const (
	englishNumbered = "no nos nr p pp b d m c r art sec ch fig figs eq vol div"
	englishLast     = "inc ltd co corp jr sr ave blvd st a.m p.m u.s u.k etc"
	englishStarters = `The This That These Those He She It They We You I In On At But And However A An If When While After Before As For There Its His Her Their
		Our My Your What Who Why How Where Many Some Most All Both Although Since Because So Then Thus Also To From By With No Not`
)

func setOf(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// ordinalLanguages write ordinals as a number and a full stop.
const ordinalLanguages = " de da nb nn fi cs sk pl hu sl hr bs sr et lv is tr "

// counted are nouns that follow an ordinal in German, which writes nouns with a capital.
var counted = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`januar jänner februar märz april mai juni juli august september oktober november dezember
		jahrhundert jahrhunderts jahrhunderte auflage weltkrieg weltkriegs platz klasse runde stock etage lebensjahr geburtstag bundesliga
		jahrestag tag mal kapitel band spieltag wahlperiode legislaturperiode sitzung`) {
		m[w] = true
	}
	return m
}()

// tables are the rules of all languages, made once: an index looks at the language of each document.
var tables = func() map[string]*rules {
	t := map[string]*rules{"": makeRules("")}
	for l := range byLanguage {
		t[l] = makeRules(l)
	}
	for l := range strings.FieldsSeq(ordinalLanguages) {
		t[l] = makeRules(l)
	}
	return t
}()

func makeRules(lang string) *rules {
	r := &rules{abbreviations: map[string]bool{}, ordinals: strings.Contains(ordinalLanguages, " "+lang+" ") && lang != ""}
	for a := range strings.FieldsSeq(common + " " + byLanguage[lang]) {
		r.abbreviations[a] = true
	}
	if lang == "en" {
		r.numbered, r.last, r.starters = setOf(englishNumbered), setOf(englishLast), setOf(englishStarters)
	}
	return r
}

// Abbreviation reports whether a word without its full stop is an abbreviation of a language (ISO 639-1) after which a
// sentence goes on.
func Abbreviation(word, lang string) bool { return rulesOf(lang).abbreviations[strings.ToLower(word)] }

func rulesOf(lang string) *rules {
	if r := tables[lang]; r != nil {
		return r
	}
	return tables[""]
}
