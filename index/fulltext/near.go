package fulltext

import "slices"

type place struct {
	word string
	at   int
}

// closeTogether tells whether all words, each as often as needed, stand in a window of so many words.
func closeTogether(places []place, need map[string]int, window int) bool {
	slices.SortFunc(places, func(a, b place) int { return a.at - b.at })
	have, missing := map[string]int{}, len(need)
	from := 0
	for _, p := range places {
		if have[p.word]++; have[p.word] == need[p.word] {
			missing--
		}
		for p.at-places[from].at >= window {
			if have[places[from].word] == need[places[from].word] {
				missing++
			}
			have[places[from].word]--
			from++
		}
		if missing == 0 {
			return true
		}
	}
	return false
}
