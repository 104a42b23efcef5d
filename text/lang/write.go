package lang

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// magic begins a model file: name and version. docs/formats/language-model.md draws the rest.
const magic = "varve-lang\x01"

// Write makes a model of what was counted, and writes it. The same texts give the same bytes.
func (b *Builder) Write(w io.Writer, o Options) error {
	m := b.model(o)
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

// sections gives the parts of the file: head, n-grams, and for these the numbers of weights, languages and values.
// Like stands by like, so that they compress well.
func (m *model) sections() [][]byte {
	var head, grams, counts, langs, logs []byte
	head = binary.AppendUvarint(head, uint64(len(m.langs)))
	for i, l := range m.langs {
		head = binary.AppendUvarint(head, uint64(len(l)))
		head = append(head, l...)
		head = binary.AppendVarint(head, int64(m.base[i]))
	}
	before := ""
	for _, g := range slices.Sorted(maps.Keys(m.grams)) {
		shared := 0
		for shared < len(before) && shared < len(g) && before[shared] == g[shared] {
			shared++
		}
		grams = append(grams, byte(shared), byte(len(g)-shared))
		grams = append(grams, g[shared:]...)
		before = g
		list := m.grams[g]
		counts = append(counts, byte(len(list)))
		for _, w := range list {
			langs = append(langs, w.lang)
			logs = append(logs, byte(w.log))
		}
	}
	head = binary.AppendUvarint(head, uint64(len(m.grams)))
	head = binary.AppendUvarint(head, uint64(len(logs)))
	head = binary.AppendUvarint(head, uint64(len(grams)))
	return [][]byte{head, grams, counts, langs, logs}
}
