// Package ocr measures how well words that were scanned badly are repaired. The texts are the speeches of the United Nations' general
// debate and historic newspapers of HIPE-2022 in English; the archive whose words are counted is both together.
//
// judged.tsv has words of these texts that were judged by hand, by their place (file, document, byte) and what was printed there ("=" if the word is
// right as it is); the texts themselves are not here. They were drawn so: words of 3 bytes or more that begin with a small letter,
// are in no more than 3 documents, have no reading in language/lexicon and no possessive ending; of the speeches of 1946-1969, and of
// topres19th-dev-en and hipe2020-dev-en; in the order of the SHA-1 of "file/document/byte"; the first 330 and 277. Words at a line break with a hyphen were not
// judged (they are halves), nor those of which the judge could not say what was printed; both are missing in the list. So errors that made
// another word of the dictionary, and errors in names, are not in it.
package ocr

import (
	"bufio"
	_ "embed" // the judged words
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"varve/lab/eval"
	"varve/lab/eval/cpu"
	"varve/language/lexicon"
	"varve/language/quality"
	"varve/language/sentence"
)

//go:embed judged.tsv
var judged string

// Judgement is a word and what was printed there.
type Judgement struct {
	File     string
	Document int
	Start    int
	Printed  string // "" if the word is right
}

// Judged returns the judged words.
func Judged() []Judgement {
	var out []Judgement
	for line := range strings.Lines(judged) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		document, _ := strconv.Atoi(f[1])
		start, _ := strconv.Atoi(f[2])
		j := Judgement{f[0], document, start, f[3]}
		if j.Printed == "=" {
			j.Printed = ""
		}
		out = append(out, j)
	}
	return out
}

var (
	decades    = []string{"1940s", "1950s", "1960s", "1970s", "1980s", "1990s", "2000s", "2010s", "2020s"}
	newspapers = []string{"topres19th-dev-en", "topres19th-train-en", "hipe2020-dev-en"}
)

// Load reads the documents of all files below a folder of data.
func Load(dir string) (map[string][]string, error) {
	out := map[string][]string{}
	for _, name := range decades {
		err := read(filepath.Join(dir, "evolution", "ungdc"), name+".jsonl", func(line []byte) error {
			var speech struct {
				Text string `json:"text"`
			}
			if err := json.Unmarshal(line, &speech); err != nil {
				return err
			}
			out[name] = append(out[name], speech.Text)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for _, name := range newspapers {
		var text strings.Builder
		end := func() {
			if text.Len() > 0 {
				out[name] = append(out[name], text.String())
			}
			text.Reset()
		}
		err := read(filepath.Join(dir, "ner", "NC", "hipe"), name+".tsv", func(line []byte) error {
			if s := string(line); strings.HasPrefix(s, "# ") {
				if strings.Contains(s, "document_id") {
					end()
				}
			} else if f := strings.Split(s, "\t"); len(f) >= 4 {
				text.WriteString(f[0])
				switch {
				case strings.Contains(f[3], "EndOfLine"):
					text.WriteByte('\n')
				case !strings.Contains(f[3], "NoSpaceAfter"):
					text.WriteByte(' ')
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		end()
	}
	return out, nil
}

func read(dir, name string, line func([]byte) error) error {
	r, err := eval.Open(dir, name)
	if err != nil {
		return err
	}
	defer r.Close()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if err := line(lines.Bytes()); err != nil {
			return fmt.Errorf("%s: line %d: %w", name, n, err)
		}
	}
	return lines.Err()
}

// Score is the figures of a part of the judged words.
type Score struct {
	Errors    int `json:"errors"`
	Corrected int `json:"corrected"`
	Changed   int `json:"changed"` // into something else that is wrong
	Right     int `json:"right"`
	Broken    int `json:"broken"`
	Words     int `json:"words,omitempty"`   // of the files with judged words
	Unknown   int `json:"unknown,omitempty"` // of these, words that are not recognised and begin with a small letter
}

// BrokenOfAll estimates the share of all words that are right and broken: only unknown words are repaired, and of these so many were found right and
// broken as of those that were judged.
func (s Score) BrokenOfAll() float64 {
	return float64(s.Broken) / float64(max(1, s.Errors+s.Right)) * float64(s.Unknown) / float64(max(1, s.Words))
}

// Report is what was measured.
type Report struct {
	All      Score            `json:"all"`
	Chosen   Score            `json:"chosen"` // every other word
	Rest     Score            `json:"rest"`
	Sets     map[string]Score `json:"sets"`
	Speed    float64          `json:"tokens_per_cpu_second"`
	Splitter float64          `json:"splitter_tokens_per_cpu_second"`
	Wrong    []string         `json:"wrong,omitempty"`
}

// Measure repairs the judged words. wrong lists those that did not come out right.
func Measure(documents map[string][]string, list []Judgement, wrong bool) (Report, error) {
	r := Report{Sets: map[string]Score{}}
	var counts quality.Counts
	for _, files := range [][]string{decades, newspapers} {
		for _, name := range files {
			for _, text := range documents[name] {
				counts.Add(text)
			}
		}
	}
	repairer := quality.New(&counts, quality.English(lexicon.Default()))
	reports := map[string]quality.Report{}
	for i, j := range list {
		if j.Document >= len(documents[j.File]) || j.Start >= len(documents[j.File][j.Document]) {
			return r, fmt.Errorf("judged word %d: %s has no document %d with byte %d", i+1, j.File, j.Document, j.Start)
		}
		key := fmt.Sprint(j.File, " ", j.Document)
		report, ok := reports[key]
		if !ok {
			report = repairer.Read(documents[j.File][j.Document])
			reports[key] = report
		}
		to := ""
		for _, p := range report.Repairs {
			if p.Start == j.Start {
				to = p.To
			}
		}
		half := &r.Chosen
		if i%2 == 1 {
			half = &r.Rest
		}
		set := r.Sets[setOf(j.File)]
		for _, s := range []*Score{&r.All, half, &set} {
			s.add(j.Printed, to)
		}
		r.Sets[setOf(j.File)] = set
		if wrong && to != j.Printed {
			r.Wrong = append(r.Wrong, fmt.Sprintf("%-22.22q printed %-22q repaired %q", documents[j.File][j.Document][j.Start:], j.Printed, to))
		}
	}
	var sample []string
	for _, name := range []string{"1940s", "1950s", "1960s", "topres19th-dev-en", "hipe2020-dev-en"} {
		set := r.Sets[setOf(name)]
		for _, text := range documents[name] {
			for w := range quality.Words(text) {
				set.Words++
				if c := w.Text[0]; c >= 'a' && c <= 'z' && len(w.Text) >= 3 && !repairer.Recognised(strings.ToLower(w.Text)) {
					set.Unknown++
				}
			}
			if len(sample) < 40 {
				sample = append(sample, text)
			}
		}
		r.Sets[setOf(name)] = set
	}
	return r, r.speed(repairer, sample)
}

func setOf(file string) string {
	if strings.HasSuffix(file, "s") {
		return "speeches"
	}
	return "newspapers"
}

func (s *Score) add(printed, to string) {
	switch {
	case printed == "" && to == "":
		s.Right++
	case printed == "":
		s.Right++
		s.Broken++
	case to == printed:
		s.Errors++
		s.Corrected++
	case to != "":
		s.Errors++
		s.Changed++
	default:
		s.Errors++
	}
}

func (r *Report) speed(repairer *quality.Repairer, texts []string) error {
	count := 0
	used, err := cpu.Measure(func() error {
		for _, text := range texts {
			for s := range sentence.Split(text) {
				count += len(s.Tokens)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.Splitter = float64(count) / used.CPU.Seconds()
	used, err = cpu.Measure(func() error {
		for _, text := range texts {
			repairer.Read(text)
		}
		return nil
	})
	r.Speed = float64(count) / used.CPU.Seconds()
	return err
}

// Summary implements eval.Report: errors that became what was printed. What was broken is in the report.
func (r Report) Summary() eval.Summary {
	return eval.Answered(r.All.Errors, float64(r.All.Corrected)/float64(max(1, r.All.Errors)))
}

// Print writes the figures.
func (r Report) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-34s %7s %10s %8s %7s %7s\n", "judged words", "errors", "corrected", "changed", "right", "broken")
	row := func(name string, s Score) {
		share := func(n, of int) string { return fmt.Sprintf("%.3f", float64(n)/float64(max(1, of))) }
		fmt.Fprintf(&b, "%-34s %7d %10s %8s %7d %7s\n", name, s.Errors, share(s.Corrected, s.Errors), share(s.Changed, s.Errors), s.Right, share(s.Broken, s.Right))
	}
	row("speeches", r.Sets["speeches"])
	row("newspapers", r.Sets["newspapers"])
	row("every other word", r.Chosen)
	row("the rest", r.Rest)
	row("all", r.All)
	for _, name := range []string{"speeches", "newspapers"} {
		set := r.Sets[name]
		fmt.Fprintf(&b, "\n%s: of %d words %.5f are not recognised and begin with a small letter (only such are repaired);\nright words that are broken are about %.5f of all words\n", name, set.Words, float64(set.Unknown)/float64(max(1, set.Words)), set.BrokenOfAll())
	}
	fmt.Fprintf(&b, "\ntokens per CPU-s %8.0f   (sentence splitter in the same run: %.0f, %.2f times)\n", r.Speed, r.Splitter, r.Speed/r.Splitter)
	for _, s := range r.Wrong {
		fmt.Fprintln(&b, s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
