package focus

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"varve/lab/eval/debates"
	"varve/text/near"
)

// SpeechTopics are the three that are tried on speeches, written before the first run. What is *of the topic* there is a passage that has three or more of
// the keywords: nobody has labelled speeches, so it is a stricter kind of the same, and seeds are drawn among these.
var SpeechTopics = []Topic{
	{"disarmament", "disarmament", []string{"disarmament", "nuclear", "weapons", "non-proliferation", "atomic", "missiles", "arms race", "test ban", "arsenals", "warheads", "denuclearization", "arms control"}},
	{"decolonization", "decolonization", []string{"decolonization", "colonialism", "colonial", "apartheid", "self-determination", "trusteeship", "liberation", "trust territory", "racist", "non-self-governing", "settlers", "independence"}},
	{"environment", "environment", []string{"environment", "climate", "emissions", "desertification", "biodiversity", "sea level", "greenhouse", "global warming", "drought", "forests", "ozone", "sustainable development"}},
}

// otherSpeechTopics are those on which the method was chosen.
var otherSpeechTopics = []Topic{
	{"terrorism", "terrorism", []string{"terrorism", "terrorist", "terrorists", "al-qaida", "extremism", "hijacking", "hostages", "counter-terrorism", "bombing", "taliban", "suicide", "violent extremism"}},
	{"trade", "trade", []string{"trade", "tariffs", "exports", "commodity", "commodities", "debt", "protectionism", "terms of trade", "investment", "markets", "loans", "raw materials"}},
	{"refugees", "refugees", []string{"refugees", "refugee", "displaced", "asylum", "humanitarian", "camps", "repatriation", "famine", "migrants", "displaced persons", "relief", "hunger"}},
}

// bodies are organisations and former states that speeches name, beside the states of ISO 3166. The United Nations and their General Assembly are none of them:
// nearly every passage names these.
var bodies = []string{
	"Security Council", "Trusteeship Council", "Economic and Social Council", "International Court of Justice", "International Atomic Energy Agency", "World Bank",
	"International Monetary Fund", "UNESCO", "UNICEF", "World Health Organization", "Organization of African Unity", "African Union", "European Union", "European Community", "League of Arab States",
	"Organization of American States", "NATO", "Commonwealth", "Non-Aligned Movement", "Group of 77", "World Trade Organization", "Conference on Disarmament", "Disarmament Commission",
	"International Criminal Court", "Human Rights Council", "Commission on Human Rights", "ASEAN", "League of Nations",
	"Soviet Union", "Yugoslavia", "Czechoslovakia", "Zaire", "Rhodesia", "Palestine", "German Democratic Republic", "Indochina", "Tanganyika", "Upper Volta", "Dahomey", "Ceylon", "Burma", "Kampuchea",
}

// passageWords is how many words a page of a speech has at least, but for the last.
const passageWords = 300

// Speeches lays speeches out as a web: a page for each passage, a page for each state or body and year in which it is named. A passage links to
// the pages of those that it names, to the passage before and behind it; the page of a name to the passages that name it, and to its own
// pages of the years before and behind. What is named is all that makes links: topics are not asked. states is the file of ISO 3166.
func Speeches(files []string, states io.Reader) (*Web, error) {
	return SpeechesOf(files, states, 0, math.MaxInt)
}

// SpeechesOf lays out the speeches of some years, from the first to the last of them.
func SpeechesOf(files []string, states io.Reader, from, to int) (*Web, error) {
	names, err := readNames(states)
	if err != nil {
		return nil, err
	}
	w := &Web{By: "states and bodies named", Of: "three keywords", Topics: SpeechTopics, Other: otherSpeechTopics}
	find := newFinder(names)
	all := slices.Concat(SpeechTopics, otherSpeechTopics)
	topics := make([]*finder, len(all))
	for i, t := range all {
		topics[i] = newFinder(t.Keywords)
	}
	type place struct{ name, year int }
	at := map[place]int{}   // -> page
	last := map[int]place{} // of a name: the newest year that has a page
	for _, file := range files {
		for s, err := range debates.Speeches(file) {
			if err != nil {
				return nil, err
			}
			if s.Year < from || s.Year > to {
				continue
			}
			before := -1
			for k, text := range passages(s.Text) {
				i := len(w.pages)
				title := fmt.Sprintf("%s %d, part %d", s.State, s.Year, k+1)
				p := page{url: fmt.Sprintf("http://%s.debate.test/%d/%d", strings.ToLower(s.State), s.Year, k+1), title: title, text: text}
				for n, t := range topics {
					if len(t.in(text)) >= 3 {
						p.genres = append(p.genres, all[n].Genre)
					}
				}
				w.pages = append(w.pages, p)
				if before >= 0 {
					w.link(before, i, "the next part", title, p.url)
					w.link(i, before, "the part before", w.pages[before].title, w.pages[before].url)
				}
				before = i
				for _, m := range find.in(text) {
					key := place{m.phrase, s.Year}
					of, there := at[key]
					name := names[m.phrase]
					if !there {
						of = len(w.pages)
						at[key] = of
						w.pages = append(w.pages, page{url: fmt.Sprintf("http://names.debate.test/%d/%s", s.Year, strings.ReplaceAll(name, " ", "_")), title: fmt.Sprintf("%s in %d", name, s.Year)})
						if was, known := last[m.phrase]; known {
							w.link(of, at[was], fmt.Sprintf("%s in %d", name, was.year), name, w.pages[at[was]].url)
							w.link(at[was], of, fmt.Sprintf("%s in %d", name, s.Year), name, w.pages[of].url)
						}
						last[m.phrase] = key
					}
					passage := snippet(text, m.from, m.to)
					w.link(i, of, name, passage, w.pages[of].url)
					w.link(of, i, title, passage, p.url)
					w.pages[of].text += title + ": " + passage + "\n"
				}
			}
		}
	}
	return w, nil
}

// readNames reads the names of states and adds the bodies.
func readNames(states io.Reader) ([]string, error) {
	var file struct {
		List []struct {
			Name   string `json:"name"`
			Common string `json:"common_name"`
		} `json:"3166-1"`
	}
	if err := json.NewDecoder(states).Decode(&file); err != nil {
		return nil, fmt.Errorf("names of states: %w", err)
	}
	names := slices.Clone(bodies)
	for _, s := range file.List {
		name := s.Name
		if s.Common != "" {
			name = s.Common
		}
		name, _, _ = strings.Cut(name, ",") // "Tanzania, United Republic of"
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// passages cuts a speech at the ends of sentences.
func passages(text string) (out []string) {
	begin, words := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ' ', '\n', '\t':
			words++
		case '.':
			if words >= passageWords && i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n') {
				out = append(out, strings.TrimSpace(text[begin:i+1]))
				begin, words = i+1, 0
			}
		}
	}
	if rest := strings.TrimSpace(text[begin:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// snippet is what stands around a place.
func snippet(text string, from, to int) string {
	const around = 90
	return strings.Join(strings.Fields(strings.ToValidUTF8(text[max(0, from-around):min(len(text), to+around)], "")), " ")
}

// finder finds phrases in texts.
type finder struct {
	begin map[uint64][]int
	all   [][]uint64
}

// mention is the first place of a phrase in a text.
type mention struct{ phrase, from, to int }

func newFinder(list []string) *finder {
	f := &finder{begin: map[uint64][]int{}}
	for i, s := range list {
		var w []uint64
		near.Tokens(s, func(h uint64) { w = append(w, h) })
		f.all = append(f.all, w)
		f.begin[w[0]] = append(f.begin[w[0]], i)
	}
	return f
}

// in returns the phrases of a text, each once, in their order.
func (f *finder) in(text string) (out []mention) {
	var words []uint64
	var from, to []int
	near.Places(text, func(h uint64, a, b int) { words, from, to = append(words, h), append(from, a), append(to, b) })
	seen := map[int]bool{}
	for i, h := range words {
		for _, n := range f.begin[h] {
			w := f.all[n]
			if !seen[n] && i+len(w) <= len(words) && slices.Equal(words[i:i+len(w)], w) {
				seen[n] = true
				out = append(out, mention{n, from[i], to[i+len(w)-1]})
			}
		}
	}
	return out
}
