package opinion

import (
	"math"
	"strings"

	"varve/learn/chain"
)

// Sources say what a model looks at.
type Sources uint8

// The sources of features.
const (
	Words   Sources = 1 << iota // words and pairs of words
	Valence                     // what lexicon and rule say
	Both    = Words | Valence
)

// add adds a position with the features of the words from one to before another.
func (e *extractor) add(from, to int, s Sources) {
	kind := uint32(0)
	if s&Words != 0 {
		e.addWords(from, to)
	}
	if s&Valence != 0 {
		var up, down, related, most, least, last float64
		var listedUp, listedDown, listedLast float64
		n, listed := 0, 0
		but := e.contrast(from, to)
		for i := from; i < to; i++ {
			w := &e.words[i]
			up, down = up+max(0, w.value), down+min(0, w.value)
			most, least = max(most, w.value), min(least, w.value)
			if w.value != 0 {
				last = w.value
				n++
			}
			r, l := w.related, w.listed
			if w.negated {
				r, l = -0.74*r, -0.74*l
			}
			if but >= 0 && i < but {
				r, l = 0.5*r, 0.5*l
			}
			related += r
			if listedUp, listedDown = listedUp+max(0, l), listedDown+min(0, l); l != 0 {
				listedLast = l
				listed++
			}
		}
		squash := func(v float64) float64 { return v / math.Sqrt(float64(v*v)+15) }
		for _, v := range [...]float64{
			e.rule(from, to), squash(up), squash(down), squash(related), most / 4, least / 4, last / 4, (up + down) / 4 / float64(max(1, n)),
			related / math.Sqrt(float64(to-from+1)),
			squash(listedUp + listedDown), squash(listedUp), squash(listedDown), listedLast / 4, (listedUp + listedDown) / 4 / float64(max(1, listed)),
		} {
			kind++
			e.thermometer(kind, v)
		}
	}
	e.features.Add(1) // how frequent each step is by itself
	e.features.Next()
}

// thermometer adds a feature for each mark that a number from -1 to 1 is at or beyond, seen from 0: what a model learns of small numbers serves for
// large ones, too.
func (e *extractor) thermometer(kind uint32, v float64) {
	const marks = 12
	for k := 1; k <= marks; k++ {
		mark := float64(k) / (marks + 1)
		if v >= mark {
			e.features.Add(chain.Mix(kind, uint32(2*k)))
		}
		if v <= -mark {
			e.features.Add(chain.Mix(kind, uint32(2*k+1)))
		}
	}
}

// addWords adds words and pairs.
func (e *extractor) addWords(from, to int) {
	but := e.contrast(from, to)
	before := uint32(0)
	for i := from; i < to; i++ {
		w := &e.words[i]
		h := chain.Hash(w.lower)
		if !w.letters && w.given == 0 {
			h = chain.Hash(w.lower[:min(1, len(w.lower))]) // !!! as !
		}
		own := chain.Mix(100, h)
		if w.negated {
			own = chain.Mix(101, h)
		}
		e.features.Add(own)
		if w.letters {
			e.features.Add(chain.Mix(104, chain.Mix(w.stem, b2u(w.negated))))
		}
		if but >= 0 && i < but {
			e.features.Add(chain.Mix(102, own))
		}
		e.features.Add(chain.Mix(chain.Mix(103, before), h))
		before = h
	}
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// The words of the rule are VADER's.
var (
	negations = set(`aint arent cannot cant couldnt didnt doesnt dont hadnt hasnt havent isnt mightnt mustnt neednt n't nt neither never no none nope nor not nothing nowhere oughtnt
		shant shouldnt uhuh wasnt werent without wont wouldnt rarely seldom despite`)
	boosters = set(`absolutely amazingly awfully completely considerable considerably decidedly deeply effing enormous enormously entirely especially exceptional exceptionally extreme
		extremely fabulously flipping flippin frackin fracking fricking frickin frigging friggin fully fuckin fucking greatly hella highly hugely incredible incredibly intensely major
		majorly more most particularly purely quite really remarkably so substantially thoroughly total totally tremendous tremendously uber unbelievably unusually utter utterly very`)
	dampers   = set(`almost barely hardly kinda kindof less little marginal marginally occasional occasionally partly scarce scarcely slight slightly somewhat sorta sortof`)
	contrasts = set(`but however yet although though nevertheless nonetheless`)
	speech    = set(`said says say told tells tell wrote writes added adds claimed claims argued argues stated states replied replies announced announces explained explains called calls
		complained complains warned warns insisted insists admitted admits asked asks tweeted posted`)
	speakers = set(`he she they we i you who`)
)
