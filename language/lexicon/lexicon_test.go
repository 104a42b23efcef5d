package lexicon_test

import (
	"strings"
	"testing"

	"varve/language/lexicon"
	"varve/learn/chain"
)

func TestLemma(t *testing.T) {
	x := lexicon.Default()
	for pair, want := range map[string]string{
		"went VBD": "go", "children NNS": "child", "cities NNS": "city", "running VBG": "run", "making VBG": "make", "studies VBZ": "study",
		"better JJR": "good", "biggest JJS": "big", "is VBZ": "be", "n't RB": "not", "them PRP": "they", "Houses NNS": "house", "Merkel NNP": "Merkel",
		"blogging VBG": "blog", "tweeted VBD": "tweet", "googles VBZ": "google", "was VBD": "be", "an DT": "a", "The DT": "the",
	} {
		form, tag, _ := strings.Cut(pair, " ")
		if got := x.Lemma(form, tag); got != want {
			t.Errorf("%s: %q, want %q", pair, got, want)
		}
	}
	long := strings.Repeat("s", 1<<20)
	if x.Lemma(long, "NNS") != long || x.Readings(long) != 0 {
		t.Error("a word of a megabyte has a lemma")
	}
}

func TestReadings(t *testing.T) {
	x := lexicon.Default()
	for word, want := range map[string]uint32{
		"saw": lexicon.NounBase | lexicon.VerbBase | lexicon.VerbIrregular, "houses": lexicon.NounPlural | lexicon.VerbS, "quickly": lexicon.AdverbBase,
		"xyzzy": 0, "": 0,
	} {
		if got := x.Readings(word); got != want {
			t.Errorf("%s: %b, want %b", word, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	x := lexicon.Default()
	for name, bit := range map[string]uint32{
		"maria": lexicon.FirstName, "paris": lexicon.LargePlace, "united": lexicon.Prefix, "united states": lexicon.LargePlace, "manchester united": lexicon.OrganisationName,
	} {
		if x.Name(chain.Hash(name))&bit == 0 {
			t.Errorf("%s: %b has no %b", name, x.Name(chain.Hash(name)), bit)
		}
	}
	if x.Class("london")>>16 != 4 || x.Class("the") == 0 || x.Class("qqqqzz") != 0 {
		t.Errorf("classes %x %x %x", x.Class("london"), x.Class("the"), x.Class("qqqqzz"))
	}
}

func FuzzLemma(f *testing.F) {
	f.Add("running", "VBG")
	f.Add("ss", "NNS")
	f.Add("\xff\x00'ed", "VBD")
	x := lexicon.Default()
	f.Fuzz(func(t *testing.T, form, tag string) {
		if l := x.Lemma(form, tag); len(l) > 3*len(form)+8 {
			t.Fatalf("%q became %q", form, l)
		}
		x.Readings(form)
	})
}
