package lang

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

// magic begins a model file: name and version. docs/formats/language-model.md draws the rest.
const magic = "varve-lang\x02"

// Write makes a model of what was counted, and writes it. The same texts give the same bytes.
func (b *Builder) Write(w io.Writer, o Options) error {
	return b.model(o).write(w)
}

func (m *model) write(w io.Writer) error {
	if len(m.langs) == 0 || len(m.langs) > maxLangs {
		return fmt.Errorf("language model: %d languages, want 1 to %d", len(m.langs), maxLangs)
	}
	if _, err := io.WriteString(w, magic); err != nil {
		return fmt.Errorf("write language model: %w", err)
	}
	z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(8<<20))
	if err != nil {
		return fmt.Errorf("write language model: %w", err)
	}
	for _, section := range m.sections() {
		if _, err := z.Write(section); err != nil {
			return fmt.Errorf("write language model: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("write language model: %w", err)
	}
	return nil
}

// sections gives the parts of the file: head, and of the n-grams the numbers of children, characters, numbers of weights, languages and
// values. Like stands by like, so that they compress well.
func (m *model) sections() [][]byte {
	var head, children, low, high, counts, langs, logs []byte
	head = binary.AppendUvarint(head, uint64(len(m.langs)))
	for i, l := range m.langs {
		head = binary.AppendUvarint(head, uint64(len(l)))
		head = append(head, l...)
		head = binary.AppendVarint(head, int64(m.base[i]))
	}
	longer := m.longer()
	alphabet := map[rune]int{}
	for _, list := range longer {
		for _, g := range list {
			c, _ := utf8.DecodeRuneInString(g)
			alphabet[c] = 0
		}
	}
	head = binary.AppendUvarint(head, uint64(len(alphabet)))
	last := rune(-1)
	for i, c := range slices.Sorted(maps.Keys(alphabet)) {
		head = binary.AppendUvarint(head, uint64(c-last-1))
		alphabet[c], last = i, c
	}
	level := []string{""}
	for len(level) > 0 {
		var next []string
		for _, g := range level {
			children = binary.AppendUvarint(children, uint64(len(longer[g])))
			next = append(next, longer[g]...)
			if g == "" {
				continue
			}
			c, _ := utf8.DecodeRuneInString(g)
			low, high = append(low, byte(alphabet[c])), append(high, byte(alphabet[c]>>8))
			counts = append(counts, byte(len(m.grams[g])))
			for _, w := range m.grams[g] {
				langs = append(langs, w.lang)
				logs = append(logs, byte(w.log))
			}
		}
		level = next
	}
	head = binary.AppendUvarint(head, uint64(len(low)))
	head = binary.AppendUvarint(head, uint64(len(logs)))
	head = binary.AppendUvarint(head, uint64(len(children)))
	return [][]byte{head, children, low, high, counts, langs, logs}
}

// longer gives for each n-gram those that have one more character before it, in the order of these. What is longer than an n-gram that is
// not there is left out: nobody would look for it.
func (m *model) longer() map[string][]string {
	out := map[string][]string{}
	for _, g := range slices.Sorted(maps.Keys(m.grams)) {
		if short := withoutFirst(g); short == "" || m.grams[short] != nil {
			out[short] = append(out[short], g)
		}
	}
	return out
}
