package models

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"

	"varve/archive/whole"
	"varve/lab/eval/corpus"
	"varve/lab/eval/cpu"
	"varve/language/lexicon"
	"varve/language/mention"
	"varve/language/tag"
	"varve/language/wordlist"
)

// Made is what Make made: the files by their names below the root of the repository.
type Made struct {
	Files   map[string][]byte
	Lexicon *lexicon.Lexicon
	Tags    *tag.Model
}

// Treebanks reads what tags are learned from.
func Treebanks(data string) ([]corpus.Document, error) {
	var all []corpus.Document
	for _, f := range []string{"ewt-train", "gum-train"} {
		d, err := corpus.ReadTreebank(filepath.Join(data, "pos", f+".conllu.gz"))
		if err != nil {
			return nil, err
		}
		all = append(all, d...)
	}
	return all, nil
}

// Make makes all model files from the folder of data (../shared/data) and tells its progress.
func Make(data string, progress io.Writer) (*Made, error) {
	m := &Made{Files: map[string][]byte{}}
	step := func(what string) { fmt.Fprintf(progress, "%7.1f CPU-s  %s\n", cpu.Used().CPU.Seconds(), what) }
	treebanks, err := Treebanks(data)
	if err != nil {
		return nil, err
	}
	lists := []struct {
		file string
		make func() (map[string]uint32, error)
	}{
		{"language/lexicon/words.bin", func() (map[string]uint32, error) { return Lexicon(data, treebanks) }},
		{"language/lexicon/classes.bin", func() (map[string]uint32, error) { return Classes(data, treebanks) }},
		{"language/lexicon/names.bin", func() (map[string]uint32, error) { return Names(data) }},
		{"language/term/en.bin", func() (map[string]uint32, error) { return Background(data, treebanks) }},
	}
	var readers []io.Reader
	for _, l := range lists {
		values, err := l.make()
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := wordlist.Write(&b, values); err != nil {
			return nil, err
		}
		m.Files[l.file] = b.Bytes()
		readers = append(readers, bytes.NewReader(b.Bytes()))
		step(fmt.Sprintf("%s: %d entries, %d bytes", l.file, len(values), b.Len()))
	}
	if m.Lexicon, err = lexicon.Read(readers[0], readers[1], readers[2]); err != nil {
		return nil, err
	}
	if m.Tags, err = tag.Train(Examples(treebanks), m.Lexicon, tag.DefaultOptions()); err != nil {
		return nil, err
	}
	var penn, universal, names bytes.Buffer
	if err := m.Tags.Write(&penn, &universal); err != nil {
		return nil, err
	}
	m.Files["language/tag/penn.bin"], m.Files["language/tag/universal.bin"] = penn.Bytes(), universal.Bytes()
	step(fmt.Sprintf("language/tag: %d and %d bytes", penn.Len(), universal.Len()))
	sets, err := ReadMentionSets(data, m.Tags.NewTagger())
	if err != nil {
		return nil, err
	}
	found, err := mention.Train(sets.All(), m.Lexicon, mention.DefaultOptions())
	if err != nil {
		return nil, err
	}
	if err := found.Chain().Write(&names); err != nil {
		return nil, err
	}
	m.Files["language/mention/model.bin"] = names.Bytes()
	step(fmt.Sprintf("language/mention/model.bin: %d bytes", names.Len()))
	if err := m.opinions(data); err != nil {
		return nil, err
	}
	step(fmt.Sprintf("language/opinion: %d and %d bytes", len(m.Files["language/opinion/lexicon.bin"]), len(m.Files["language/opinion/model.bin"])))
	if err := m.types(data); err != nil {
		return nil, err
	}
	step(fmt.Sprintf("entity/kind: wordnet %d and figer %d bytes", len(m.Files["entity/kind/wordnet.bin"]), len(m.Files["entity/kind/figer.bin"])))
	return m, nil
}

// Write writes the files below a folder, each whole or not at all.
func (m *Made) Write(root string) error {
	for name, content := range m.Files {
		if err := whole.Bytes(filepath.Join(root, filepath.FromSlash(name)), 0o644, content); err != nil {
			return err
		}
	}
	return nil
}
