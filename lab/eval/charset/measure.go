package charset

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"varve/lab/eval"
	"varve/lab/eval/cpu"
	"varve/lab/eval/lid"
	"varve/text/charset"
)

// legacy lists the encodings and the languages that were written in them.
var legacy = []struct {
	name  string
	langs string
}{
	{"windows-1252", "de fr es it pt nl sv da nb fi is ca ga eu id"},
	{"iso-8859-15", "de fr fi"},
	{"windows-1250", "cs sk pl hu sl hr ro sq"},
	{"iso-8859-2", "cs sk pl hu sl hr ro"},
	{"windows-1251", "ru uk bg be mk sr"},
	{"koi8-r", "ru"},
	{"koi8-u", "uk"},
	{"iso-8859-5", "ru bg"},
	{"ibm866", "ru"},
	{"windows-1253", "el"},
	{"iso-8859-7", "el"},
	{"windows-1254", "tr"},
	{"windows-1255", "he"},
	{"iso-8859-8", "he"},
	{"windows-1256", "ar fa"},
	{"iso-8859-6", "ar"},
	{"windows-1257", "lt lv et"},
	{"windows-874", "th"},
	{"shift_jis", "ja"},
	{"euc-jp", "ja"},
	{"iso-2022-jp", "ja"},
	{"gbk", "zh"},
	{"big5", "zh"},
	{"euc-kr", "ko"},
	{"utf-16le", "de ru"},
	{"utf-8", "de ru cs el zh ja fr"},
}

// Score is the figures of one encoding.
type Score struct {
	Encoding string         `json:"encoding"`
	Pages    int            `json:"pages"`
	Right    int            `json:"right"`
	Wrong    map[string]int `json:"wrong,omitempty"` // what was said instead
	PerCPU   float64        `json:"pages_per_cpu_second"`
}

// Scores is one row for each encoding.
type Scores []Score

// Measure encodes and detects sentences, several to a page.
func Measure(lines []lid.Line, sentences int) Scores {
	texts := map[string][]string{}
	for _, l := range lines {
		if l.Kind == "sentences" {
			texts[l.Lang] = append(texts[l.Lang], l.Text)
		}
	}
	var scores Scores
	for _, e := range legacy {
		s := Score{Encoding: e.name, Wrong: map[string]int{}}
		pages, wants := encode(e.name, e.langs, texts, sentences)
		guesses := make([]charset.Guess, len(pages))
		used, _ := cpu.Measure(func() error {
			for i, p := range pages {
				guesses[i] = charset.Detect(p, "")
			}
			return nil
		})
		for i, p := range pages {
			s.Pages++
			if out, err := charset.Decode(p, guesses[i].Name); err == nil && string(out) == wants[i] {
				s.Right++
			} else {
				s.Wrong[guesses[i].Name]++
			}
		}
		s.PerCPU = float64(s.Pages) / max(used.CPU.Seconds(), 1e-9)
		scores = append(scores, s)
	}
	return scores
}

// encode makes the pages of an encoding. Sentences that it cannot write are left out.
func encode(name, langs string, texts map[string][]string, sentences int) (pages [][]byte, wants []string) {
	enc, err := htmlindex.Get(name)
	if err != nil {
		return nil, nil
	}
	for _, l := range strings.Fields(langs) {
		for list := texts[l]; len(list) >= sentences; list = list[sentences:] {
			page := "<html><body><p>" + strings.Join(list[:sentences], "</p>\n<p>") + "</p></body></html>"
			b, err := enc.NewEncoder().Bytes([]byte(page))
			if err == nil && name != "iso-2022-jp" && firstHigh(b) < 0 && !strings.HasPrefix(name, "utf-16") {
				continue // ASCII: there is nothing to detect
			}
			if err == nil {
				pages, wants = append(pages, b), append(wants, page)
			}
		}
	}
	return pages, wants
}

func firstHigh(p []byte) int {
	for i, c := range p {
		if c >= 0x80 {
			return i
		}
	}
	return -1
}

// Summary is about the pages of all encodings.
func (scores Scores) Summary() eval.Summary {
	pages, right := scores.sum()
	return eval.Answered(pages, float64(right)/float64(max(1, pages)))
}

func (scores Scores) sum() (pages, right int) {
	for _, s := range scores {
		pages, right = pages+s.Pages, right+s.Right
	}
	return pages, right
}

// Print writes a table.
func (scores Scores) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-14s %6s %7s %12s  %s\n", "encoding", "pages", "right", "pages/CPU-s", "taken for")
	for _, s := range scores {
		fmt.Fprintf(&b, "%-14s %6d %7.3f %12.0f  %v\n", s.Encoding, s.Pages, float64(s.Right)/float64(max(1, s.Pages)), s.PerCPU, s.Wrong)
	}
	pages, right := scores.sum()
	fmt.Fprintf(&b, "%-14s %6d %7.3f\n", "all", pages, float64(right)/float64(max(1, pages)))
	_, err := io.WriteString(w, b.String())
	return err
}
