package spam

import (
	"strings"

	"varve/lab/websim/dice"
	"varve/lab/websim/prose"
)

// topics are the subjects that hosts write about.
const topics = 24

// class is a class of words.
type class int

const (
	noun class = iota
	verb
	adjective
	adverb
	classes
)

// tongue is a language with a grammar of some sentence forms: texts of normal hosts have an order that texts made by
// machine lack. Content words are invented (package prose), so nothing can be learnt by heart.
type tongue struct {
	words [classes][]string // most frequent first
	forms [][]string        // of sentences: capitals stand for classes
	trade []string          // what is said to sell
	quick []string          // what is said in comments
}

// forms of sentences: N noun, V verb, A adjective, D adverb; T is a noun of the topic.
var forms = map[string]string{
	"en": `the A T V the N of the N|a T V in the N when the N V|we V that the T is A and A|it is not A to V a T with the N|D the N V and the T V at the N
		this T was V by the N from the N|they have V the A N for a long time|there is a N in the T that can V the N|who V the T will see the A N|the N of T is A but the N is D A
		if the N V, the T can be V|many N V about the T, and some N V D|after the N we V to the T|the first N of the T V over the A N|in the A N the T is V as a N
		each N has a T which V into the N|that was the N that V the T|he said that the N and the T would V|no N V so D as the A T|when it V, a N makes the T A`,
	"de": `der A T V die N von dem N|ein T V in der N und das N V|wir V dass der T A ist|es ist nicht A einen T mit dem N zu V|D V die N und der T V bei dem N
		dieser T wurde von der N V|sie haben die A N für das Jahr V|in dem T ist ein N das die N V kann|wer den T V wird die A N V|die N des T ist A aber der N ist D A
		wenn die N V kann der T V werden|viele N V über den T und keine N V D|nach der N V wir zu dem T|das erste N V durch den A T`,
	"fr": `le A T V la N de la N|un T V dans la N et le N V|nous V que le T est A|il n'est pas A de V un T avec la N|D la N V et le T V sur le N
		ce T a été V par la N|ils ont V les A N pour les années|dans le T il y a un N qui V la N|qui V le T peut V les A N|la N du T est A mais le N est D A
		si la N V, le T peut être V|les N V sur le T et les autres N V D|après la N nous V le T|le premier N V entre le A T`,
}

// trade are words of those who sell, honest or not.
var trade = map[string]string{
	"en": "buy cheap online best free price offer discount sale order shipping deal quality new top guaranteed save brand review compare credit loan casino insurance hotel pills win bonus",
	"de": "kaufen billig online beste gratis preis angebot rabatt versand bestellen günstig qualität neu top garantie sparen marke test vergleich kredit casino versicherung hotel gewinn bonus",
	"fr": "acheter pas cher ligne meilleur gratuit prix offre remise solde commande livraison promo qualité nouveau top garanti marque avis comparer crédit casino assurance hôtel gagner bonus",
}

// quick are what people say in comments.
var quick = map[string]string{
	"en": "thanks for this|I do not agree|very nice|where did you find it?|same here|great post|could you say more about this?|I was there, too|that is not what they said|see you next week",
	"de": "danke dafür|das sehe ich nicht so|sehr schön|wo gibt es das?|bei uns auch|guter Beitrag|kannst du mehr dazu sagen?|ich war auch dort|das haben sie nicht gesagt|bis nächste Woche",
	"fr": "merci pour ça|je ne suis pas d'accord|très bien|où l'as-tu trouvé ?|pareil ici|bon article|peux-tu en dire plus ?|j'y étais aussi|ce n'est pas ce qu'ils ont dit|à la semaine prochaine",
}

func newTongue(seed uint64, lang string) (*tongue, error) {
	lex, err := prose.NewLexicon(seed, lang)
	if err != nil {
		return nil, err
	}
	t := &tongue{trade: strings.Fields(trade[lang]), quick: strings.Split(quick[lang], "|")}
	for i, w := range lex.Words() {
		if i < 110 {
			continue // these are the little words of the forms
		}
		c := []class{noun, noun, verb, noun, adjective, verb, noun, adverb, adjective, noun}[i%10]
		t.words[c] = append(t.words[c], w)
	}
	for line := range strings.SplitSeq(forms[lang], "\n") {
		for form := range strings.SplitSeq(line, "|") {
			t.forms = append(t.forms, strings.Fields(form))
		}
	}
	return t, nil
}

// pick draws a word of a class; of a topic's own, if one is named. Frequent words are drawn more often.
func (t *tongue) pick(s *dice.Stream, c class, topic int) string {
	list := t.words[c]
	if topic > 0 {
		size := len(list) / (topics + 1)
		list = list[(topic-1)*size : topic*size]
	}
	u := s.Float64()
	return list[int(u*u*float64(len(list)))]
}

// goods are what a host of a topic sells: some nouns and some words of trade.
func (t *tongue) goods(s *dice.Stream, topic int) []string {
	var out []string
	for range 4 + s.IntN(5) {
		out = append(out, t.pick(s, noun, topic))
	}
	for range 3 + s.IntN(5) {
		out = append(out, t.trade[s.IntN(len(t.trade))])
	}
	return out
}

// sentence appends a sentence about a topic.
func (t *tongue) sentence(dst []byte, s *dice.Stream, topic int) []byte {
	at := len(dst)
	for i, w := range t.forms[s.IntN(len(t.forms))] {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = t.word(dst, s, w, topic)
	}
	return append(prose.Capital(dst, at), '.')
}

// word appends a word of a form: itself, or one of the class it stands for.
func (t *tongue) word(dst []byte, s *dice.Stream, w string, topic int) []byte {
	bare, end := strings.TrimSuffix(w, ","), ""
	if bare != w {
		end = ","
	}
	switch bare {
	case "N":
		w = t.pick(s, noun, 0)
	case "T":
		w = t.pick(s, noun, topic)
	case "V":
		w = t.pick(s, verb, 0)
	case "A":
		w = t.pick(s, adjective, 0)
	case "D":
		w = t.pick(s, adverb, 0)
	default:
		return append(dst, w...)
	}
	return append(append(dst, w...), end...)
}

// text appends about so many words in sentences.
func (t *tongue) text(dst []byte, s *dice.Stream, topic, words int) []byte {
	for n := 0; n < words; {
		at := len(dst)
		dst = append(t.sentence(dst, s, topic), ' ')
		n += strings.Count(string(dst[at:]), " ")
	}
	return dst
}

// babble appends about so many words in pieces of sentences that do not fit together, as a chain of word pairs gives;
// here and there one of the words to be found by.
func (t *tongue) babble(dst []byte, s *dice.Stream, topic, words int, keys []string, every int) []byte {
	start := true
	for n := 0; n < words; {
		form := t.forms[s.IntN(len(t.forms))]
		from := s.IntN(max(1, len(form)-2))
		to := min(len(form), from+2+s.IntN(4))
		for _, w := range form[from:to] {
			at := len(dst)
			if dst = t.word(dst, s, w, topic); start {
				prose.Capital(dst, at)
				start = false
			}
			dst = append(dst, ' ')
			if n++; every > 0 && s.IntN(every) == 0 {
				dst = append(append(dst, keys[s.IntN(len(keys))]...), ' ')
				n++
			}
		}
		if s.IntN(5) == 0 {
			dst[len(dst)-1] = '.'
			dst, start = append(dst, ' '), true
		}
	}
	dst[len(dst)-1] = '.'
	return append(dst, ' ')
}

// title appends a heading.
func (t *tongue) title(dst []byte, s *dice.Stream, topic int) []byte {
	at := len(dst)
	dst = append(dst, t.pick(s, adjective, 0)...)
	for range 1 + s.IntN(3) {
		dst = append(append(dst, ' '), t.pick(s, noun, topic*s.IntN(2))...)
	}
	return prose.Capital(dst, at)
}
