// Package base keeps entities in one file that is mapped: names, keyphrases, inlinks, and what each is called.
//
//	Intake  what dumps say, kept as statements; each part is there whole or not at all, so a killed import goes on where it was
//	Build   statements into a base, by external sort: memory is bounded, whatever the number of entities
//	Base    the file: opens at once, is safe for concurrent use, and checks every block before its first use
//
// Building:
//
//	sort statements by subject
//	move what is said of an id that is the same as another to that one; again, for chains
//	for each subject that is said to exist: write its record, and note its names, words, ids and who links to it
//	sort and write names, words and ids as dictionaries; join who links with the numbers of ids, sort, write inlinks
//
// Entities have numbers, from 0, in the order of their ids.
//
// Cost: a name takes about 20 bytes, with its candidates (TestDrillTenMillionNames prints it).
package base

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"strings"

	"github.com/blevesearch/mmap-go"

	"varve"
	"varve/archive/durable"
	"varve/entity"
)

// About says what a base is made of.
type About struct {
	Entities int64        `json:"entities"`
	Names    int64        `json:"names"`    // different ones
	Words    int64        `json:"words"`    // different ones in keyphrases
	Observed int64        `json:"observed"` // words in keyphrases, each as often as its phrase was seen with its entity
	Links    int64        `json:"links"`    // between entities of the base
	Missing  int64        `json:"missing"`  // ids of which something is said, but not that they exist
	Circular int64        `json:"circular"` // ids that are the same as others in a circle, and were left as they are
	Sources  []SourceNote `json:"sources"`
}

// SourceNote credits a source.
type SourceNote struct {
	Name    string `json:"name"`
	Credit  string `json:"credit,omitempty"`
	Licence string `json:"licence,omitempty"`
}

// Candidate is an entity that a name may mean.
type Candidate struct {
	Entity uint32        `json:"-"` // its number
	Origin entity.Origin `json:"origin"`
	Count  int64         `json:"count"` // how often links call it so
}

// Base is an open base.
type Base struct {
	mapped            mmap.MMap
	f                 *file
	about             About
	ids, names, words *dictionary
}

// Open maps a base.
func Open(path string) (_ *Base, err error) {
	defer func() {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = &varve.Error{Kind: varve.NotFound, Op: "open base of entities", Err: err, Hint: "'varve entity import DUMP' makes one"}
		case err != nil:
			err = &varve.Error{Kind: varve.Unavailable, Op: "open base of entities", Err: err, Hint: "'varve entity build' makes it again from what was imported"}
		}
	}()
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || st.Size() == 0 { // nothing cannot be mapped
		return nil, errors.Join(err, fmt.Errorf("%s: %w: it is empty", path, ErrDamaged))
	}
	mapped, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	b, err := open(path, mapped)
	if err != nil {
		return nil, errors.Join(err, mapped.Unmap())
	}
	b.mapped = mapped
	return b, nil
}

// open opens a base that is these bytes.
func open(path string, content []byte) (*Base, error) {
	f, err := openFile(path, content)
	if err != nil {
		return nil, err
	}
	b := &Base{f: f, ids: newDictionary(f, sectionIDs), names: newDictionary(f, sectionNames), words: newDictionary(f, sectionWords)}
	if len(f.blocks[sectionAbout]) != 1 {
		return nil, fmt.Errorf("%s: %w: nothing about it", path, ErrDamaged)
	}
	about, err := f.block(sectionAbout, 0)
	if err != nil {
		return nil, err
	}
	return b, json.Unmarshal(about, &b.about)
}

// Close unmaps the file. Nothing that was returned depends on it.
func (b *Base) Close() error { return b.mapped.Unmap() }

// About returns what the base is made of.
func (b *Base) About() About { return b.about }

// Sum returns a digest of the content: bases of the same digest say the same. It is made of the directory, which has a checksum of every block.
func (b *Base) Sum() string {
	sum := sha256.Sum256(b.f.dir)
	return hex.EncodeToString(sum[:8])
}

// Len returns the number of entities.
func (b *Base) Len() int { return int(b.f.entries[sectionEntities]) }

// Verify checks every byte.
func (b *Base) Verify() error { return b.f.verify() }

// record returns the bytes of an entry of a section of records.
func (b *Base) record(section int, n uint32) ([]byte, error) {
	if uint64(n) >= b.f.entries[section] {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "read entity", Msg: fmt.Sprintf("there is no number %d", n)}
	}
	i, first := b.f.byNumber(section, uint64(n))
	content, err := b.f.block(section, i)
	if err != nil {
		return nil, err
	}
	r := durable.NewReader(content)
	for range uint64(n) - first {
		r.View()
	}
	out := r.View()
	r.Skip()
	if err := r.Done("block"); err != nil {
		return nil, b.f.damaged(section, i, err)
	}
	return out, nil
}

// Entity returns an entity by its number.
func (b *Base) Entity(n uint32) (*entity.Entity, error) {
	content, err := b.record(sectionEntities, n)
	if err != nil {
		return nil, err
	}
	return parseRecord(content)
}

// Find returns the number of an entity by its id, or by another id that is the same.
func (b *Base) Find(id string) (n uint32, ok bool, err error) {
	id = entity.Clean(id)
	i := b.f.byKey(sectionEntities, id)
	if i >= 0 {
		content, err := b.f.block(sectionEntities, i)
		if err != nil {
			return 0, false, err
		}
		r := durable.NewReader(content)
		for n := b.f.blocks[sectionEntities][i].number; r.Len() > 0; n++ {
			record := durable.NewReader(r.View())
			if string(record.View()) == id {
				return uint32(n), true, nil
			}
		}
	}
	value, err := b.ids.find(id)
	if err != nil || value == nil {
		return 0, false, err
	}
	r := durable.NewReader(value)
	return uint32(r.Int()), true, nil
}

// Inlinks returns the numbers of the entities that link to one, ascending.
func (b *Base) Inlinks(n uint32) ([]uint32, error) {
	content, err := b.record(sectionLinks, n)
	if err != nil {
		return nil, err
	}
	r := durable.NewReader(content)
	var out []uint32
	for last := uint64(0); r.Len() > 0; {
		last += r.Uvarint()
		out = append(out, uint32(last))
	}
	return out, r.Done("inlinks")
}

// Candidates returns the entities that a name may mean, in order of their numbers.
func (b *Base) Candidates(name string) ([]Candidate, error) {
	value, err := b.names.find(entity.Key(name))
	if err != nil || value == nil {
		return nil, err
	}
	return parseCandidates(value)
}

// Word returns in how many entities a word is in keyphrases, and how often, as About.Observed counts.
func (b *Base) Word(w string) (entities, count int64, err error) {
	value, err := b.words.find(w)
	if err != nil || value == nil {
		return 0, 0, err
	}
	r := durable.NewReader(value)
	return r.Int64(), r.Int64(), nil
}

// Named is a name, by its key, and what it may mean.
type Named struct {
	Key        string
	Candidates []Candidate
}

// Names returns the names that begin with a prefix, in the order of their keys. An error is the last that comes.
func (b *Base) Names(prefix string) iter.Seq2[Named, error] {
	return func(yield func(Named, error) bool) {
		prefix := entity.Key(prefix)
		err := b.names.from(prefix, func(key string, value []byte) (more bool, err error) {
			if !strings.HasPrefix(key, prefix) {
				return false, nil
			}
			c, err := parseCandidates(value)
			return err == nil && yield(Named{key, c}, nil), err
		})
		if err != nil {
			yield(Named{}, err)
		}
	}
}

func parseCandidates(value []byte) ([]Candidate, error) {
	r := durable.NewReader(value)
	out := make([]Candidate, 0, min(r.Int(), len(value)))
	for last := uint64(0); len(out) < cap(out); {
		last += r.Uvarint()
		out = append(out, Candidate{uint32(last), entity.Origin(r.Byte()), r.Int64()})
	}
	r.Skip()
	return out, r.Done("candidates")
}

// Observed returns how many words keyphrases have, each as often as its phrase was seen with its entity.
func (b *Base) Observed() int64 { return b.about.Observed }
