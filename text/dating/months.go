package dating

import (
	_ "embed"
	"slices"
	"strings"
	"time"
)

//go:embed months.txt
var monthNames string

// months are the numbers of names of months: by language, and under "" all of them, where the first language wins.
var months = func() map[string]map[string]time.Month {
	all := map[string]time.Month{}
	m := map[string]map[string]time.Month{"": all}
	for line := range strings.Lines(monthNames) {
		lang, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if lang == "#" || rest == "" {
			continue
		}
		m[lang] = map[string]time.Month{}
		for i, names := range strings.Fields(rest) {
			for name := range strings.SplitSeq(names, ",") {
				name, month := fold(name), time.Month(i+1)
				m[lang][name] = month
				if _, ok := all[name]; !ok {
					all[name] = month
				}
			}
		}
	}
	return m
}()

// month returns the month of a word, 0 for none. The language of the page is asked first.
func (h hand) month(word string) int {
	if m, ok := months[h.lang][word]; ok {
		return int(m)
	}
	return int(months[""][word])
}

// fold writes a word in lower case, and the two letters i of Turkish as one: in capitals nobody can tell which it was.
func fold(word string) string {
	word = strings.ToLower(word)
	for i := range len(word) {
		if word[i] >= 0x80 {
			return turkish.Replace(word)
		}
	}
	return word
}

var turkish = strings.NewReplacer("ı", "i", "\u0307", "")

// fillers are words inside of dates: 2 de enero de 2006, the 1st of May, 2006年1月2日, ngày 2 tháng 1 năm 2006, 2006. gada 2. janvārī.
var fillers = []string{
	"de", "del", "di", "do", "d", "st", "nd", "rd", "th", "of", "er", "года", "г", "року", "р", "年", "月", "日", "년", "월", "일",
	"tháng", "năm", "gada", "m", "ta", "ng",
}

func isFiller(w string) bool { return slices.Contains(fillers, w) }

func skipFillers(f []field) []field {
	for len(f) > 0 && f[0].word != "" && isFiller(f[0].word) {
		f = f[1:]
	}
	return f
}
