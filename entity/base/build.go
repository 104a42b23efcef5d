package base

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strconv"

	"varve/archive/cdxj"
	"varve/archive/durable"
	"varve/archive/whole"
	"varve/entity"
)

// Options say how a base is built.
type Options struct {
	Memory  int // bytes for sorting; 0 is DefaultMemory
	Names   int // names that a record keeps, the most frequent; the dictionary has all. 0 is DefaultNames
	Phrases int // keyphrases of an entity, the most frequent; 0 is DefaultPhrases
	Sources []SourceNote
}

// Defaults of Options.
const (
	DefaultMemory  = 256 << 20
	DefaultNames   = 1000
	DefaultPhrases = 500
)

const (
	recordBlock = 32 << 10 // bytes of records after which a block ends
	sameRounds  = 4        // longest chain of ids that are the same: redirect to redirect to title to Wikidata
	mostKinds   = 64
	mostIDs     = 64
)

// Build makes a base from statements, as lines (entity.Statement.AppendLine) in any order. The file is there whole or not at all.
func Build(ctx context.Context, path string, lines iter.Seq2[[]byte, error], o Options) (about About, err error) {
	o.Memory = cmp.Or(o.Memory, DefaultMemory)
	o.Names, o.Phrases = cmp.Or(o.Names, DefaultNames), cmp.Or(o.Phrases, DefaultPhrases)
	scratch, err := whole.NewFolder(filepath.Dir(path), "entities")
	if err != nil {
		return About{}, err
	}
	b := &builder{ctx: ctx, dir: scratch.Path, o: o}
	defer func() {
		for _, s := range b.sorters {
			err = errors.Join(err, s.Close())
		}
		err = errors.Join(err, scratch.Close())
	}()
	b.about.Sources = o.Sources
	err = whole.File(path, 0o644, func(w io.Writer) error { return b.build(w, lines) })
	return b.about, err
}

type builder struct {
	ctx     context.Context
	dir     string
	o       Options
	out     *writer
	about   About
	sorters []*cdxj.Sorter

	ids, links, names, words *cdxj.Sorter // lines that the records leave for the other sections
	line                     []byte
}

// sorter makes a sorter with a share of the memory; at most five are filled at a time.
func (b *builder) sorter(unique bool) *cdxj.Sorter {
	s := cdxj.NewSorter(b.dir, cdxj.SortOptions{Memory: b.o.Memory / 5, Unique: unique})
	b.sorters = append(b.sorters, s)
	return s
}

// sorted returns the lines of a sorter, and an error when the context ends.
func (b *builder) sorted(s *cdxj.Sorter) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		n := 0
		for line, err := range s.Sorted() {
			if n++; n%4096 == 0 && err == nil {
				err = b.ctx.Err()
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

func (b *builder) build(w io.Writer, lines iter.Seq2[[]byte, error]) (err error) {
	if b.out, err = newWriter(w); err != nil {
		return err
	}
	statements := b.sorter(false)
	same := false
	for line, err := range lines {
		if err == nil {
			err = b.ctx.Err()
		}
		if err == nil {
			err = statements.Add(line)
		}
		if err != nil {
			return err
		}
		_, rest, _ := bytes.Cut(line, tab)
		same = same || len(rest) > 0 && rest[0] == byte(entity.SameAs)
	}
	for round := 0; same && round < sameRounds; round++ {
		if statements, same, err = b.move(statements); err != nil {
			return err
		}
	}
	b.ids, b.links, b.names, b.words = b.sorter(true), b.sorter(true), b.sorter(false), b.sorter(false)
	for _, step := range []func() error{
		func() error { return b.records(statements) },
		b.writeLinks, b.writeNames, b.writeWords, b.writeAbout, b.out.close,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

var tab = []byte{'\t'}

// move gives what is said of an id that is the same as another to that one. It reports whether there was anything to move.
func (b *builder) move(in *cdxj.Sorter) (out *cdxj.Sorter, moved bool, err error) {
	out = b.sorter(false)
	var subject, target []byte
	for line, err := range b.sorted(in) {
		if err != nil {
			return nil, false, err
		}
		s, rest, ok := bytes.Cut(line, tab)
		if !ok || len(rest) < 2 {
			return nil, false, errors.New("build base: a line is no statement")
		}
		if !bytes.Equal(s, subject) {
			subject, target = append(subject[:0], s...), nil
		}
		switch {
		case entity.Says(rest[0]) == entity.SameAs:
			text, _, _ := bytes.Cut(rest[2:], tab)
			if target == nil && !bytes.Equal(text, subject) && len(text) > 0 {
				target = bytes.Clone(text)
				b.line = entity.Statement{Subject: string(target), Says: entity.HasID, Text: string(subject)}.AppendLine(b.line[:0])
				if err := out.Add(b.line); err != nil {
					return nil, false, err
				}
			}
		case target != nil:
			moved = true
			line = append(append(append(b.line[:0], target...), '\t'), rest...)
			b.line = line
		}
		if err := out.Add(line); err != nil {
			return nil, false, err
		}
	}
	return out, moved, in.Close()
}

// group is what is known of one subject while its statements pass.
type group struct {
	entity.Entity
	exists, same bool
	names        map[string]*entity.Name
	lastLink     string
}

// records writes the records.
func (b *builder) records(statements *cdxj.Sorter) error {
	var block []byte
	var first string
	entries := uint64(0)
	flush := func() error {
		if entries == 0 {
			return nil
		}
		err := b.out.add(sectionEntities, first, entries, block)
		block, entries = block[:0], 0
		return err
	}
	var g *group
	end := func() error {
		if g == nil || !g.exists {
			if g != nil && !g.same {
				b.about.Missing++
			}
			return nil
		}
		if g.same {
			b.about.Circular++
		}
		if err := b.finish(g); err != nil {
			return err
		}
		if entries == 0 {
			first = g.ID
		}
		b.line = appendRecord(b.line[:0], &g.Entity)
		block = durable.AppendBytes(block, b.line)
		entries++
		b.about.Entities++
		if b.about.Entities > 1<<32-1 {
			return errors.New("build base: more entities than a base can have")
		}
		if len(block) >= recordBlock {
			return flush()
		}
		return nil
	}
	for line, err := range b.sorted(statements) {
		if err != nil {
			return err
		}
		s, err := entity.ParseLine(line)
		if err != nil {
			return err
		}
		if g == nil || g.ID != s.Subject {
			if err := end(); err != nil {
				return err
			}
			g = &group{Entity: entity.Entity{ID: s.Subject}, names: map[string]*entity.Name{}}
		}
		if err := b.take(g, s); err != nil {
			return err
		}
	}
	return errors.Join(end(), flush(), statements.Close())
}

// take adds a statement to its subject.
func (b *builder) take(g *group, s entity.Statement) error {
	switch s.Says {
	case entity.SameAs:
		g.same = true
	case entity.Exists:
		g.exists = true
	case entity.HasLabel:
		g.exists = true
		origin := entity.Label
		if g.Label == "" {
			g.Label = s.Text
		} else if g.Label != s.Text {
			origin = entity.Alias
		}
		return b.name(g, s.Text, origin, 0)
	}
	if !g.exists { // nothing more is kept of it
		return nil
	}
	switch s.Says {
	case entity.Describes:
		g.Description = cmp.Or(g.Description, s.Text)
	case entity.IsA:
		if !slices.Contains(g.Kinds, s.Text) && len(g.Kinds) < mostKinds {
			g.Kinds = append(g.Kinds, s.Text)
		}
	case entity.Begins:
		if day, _, err := entity.ParseDays(s.Text); err == nil && (g.Existence.From == entity.Unknown || day < g.Existence.From) {
			g.Existence.From = day
		}
	case entity.Ends:
		if _, day, err := entity.ParseDays(s.Text); err == nil && day > g.Existence.Until {
			g.Existence.Until = day
		}
	case entity.LiesAt:
		if p, err := entity.ParsePlace(s.Text); err == nil && g.Place == nil {
			g.Place = &p
		}
	case entity.Counts:
		g.Popularity += s.Count
	case entity.HasID:
		if len(g.IDs) < mostIDs && !slices.Contains(g.IDs, s.Text) {
			g.IDs = append(g.IDs, s.Text)
		}
		return b.ids.Add(fmt.Appendf(b.line[:0], "%s\to%08x", s.Text, b.about.Entities))
	case entity.HasAlias:
		return b.name(g, s.Text, entity.Alias, 0)
	case entity.HasRedirect:
		return b.name(g, s.Text, entity.Redirect, 0)
	case entity.HasAnchor:
		return b.name(g, s.Text, entity.Anchor, s.Count)
	case entity.HasPhrase:
		if n := len(g.Phrases); n > 0 && g.Phrases[n-1].Text == s.Text {
			g.Phrases[n-1].Count += s.Count
			return nil
		}
		if len(g.Phrases) >= 4*b.o.Phrases {
			g.Phrases = mostPhrases(g.Phrases, b.o.Phrases)
		}
		g.Phrases = append(g.Phrases, entity.Phrase{Text: s.Text, Count: s.Count})
	case entity.LinkedFrom:
		if s.Text == g.lastLink {
			return nil
		}
		g.lastLink = s.Text
		g.Popularity++
		return b.links.Add(fmt.Appendf(b.line[:0], "%s\t%08x", s.Text, b.about.Entities))
	}
	return nil
}

// name adds a name to the dictionary, and to the record if it is not too full.
func (b *builder) name(g *group, text string, origin entity.Origin, count int64) error {
	key := entity.Key(text)
	if key == "" {
		return nil
	}
	if n := g.names[text]; n != nil {
		n.Origin |= origin
		n.Count += count
	} else {
		if len(g.names) >= 4*b.o.Names {
			keep := mostNames(g.names, b.o.Names)
			clear(g.names)
			for _, n := range keep {
				g.names[n.Text] = &n
			}
		}
		g.names[text] = &entity.Name{Text: text, Origin: origin, Count: count}
	}
	return b.names.Add(fmt.Appendf(b.line[:0], "%s\t%08x\t%02x\t%d", key, b.about.Entities, origin, count))
}

// finish ends the record of an entity and notes its id and its words.
func (b *builder) finish(g *group) error {
	g.Names = mostNames(g.names, b.o.Names)
	g.Phrases = mostPhrases(g.Phrases, b.o.Phrases)
	words := map[string]int64{}
	for _, p := range g.Phrases {
		for _, w := range entity.Words(p.Text) {
			words[w] += p.Count
		}
	}
	for w, n := range words {
		if err := b.words.Add(strconv.AppendInt(append(append(b.line[:0], w...), '\t'), n, 10)); err != nil {
			return err
		}
	}
	return b.ids.Add(fmt.Appendf(b.line[:0], "%s\tm%08x", g.ID, b.about.Entities))
}

// mostNames returns names in the order of how much they are used: those of links by their number, then label, alias, redirect.
func mostNames(names map[string]*entity.Name, most int) []entity.Name {
	out := make([]entity.Name, 0, len(names))
	for _, n := range names {
		out = append(out, *n)
	}
	rank := func(o entity.Origin) int { return int(o & -o) } // the first of its origins
	slices.SortFunc(out, func(a, b entity.Name) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(rank(a.Origin), rank(b.Origin)), cmp.Compare(a.Text, b.Text))
	})
	return out[:min(most, len(out))]
}

func mostPhrases(list []entity.Phrase, most int) []entity.Phrase {
	slices.SortFunc(list, func(a, b entity.Phrase) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return list[:min(most, len(list))]
}

// field reads a number in hexadecimal from a line of ours.
func field(b []byte) uint64 {
	n, _ := strconv.ParseUint(string(b), 16, 64)
	return n
}

// writeLinks joins who links with the numbers of ids, and writes inlinks and other ids.
func (b *builder) writeLinks() error {
	pairs := b.sorter(true)
	next, stop := iter.Pull2(b.sorted(b.links))
	defer stop()
	link, err, more := next()
	ids := &dictionaryWriter{w: b.out, section: sectionIDs}
	var last []byte
	for line, err2 := range b.sorted(b.ids) {
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		id, rest, _ := bytes.Cut(line, tab)
		if bytes.Equal(id, last) {
			continue // an entity has this id, or an earlier one is the same
		}
		last = append(last[:0], id...)
		number := field(rest[1:])
		if rest[0] == 'o' {
			if err := ids.add(id, binary.AppendUvarint(nil, number)); err != nil {
				return err
			}
		}
		for ; more && err == nil; link, err, more = next() {
			source, target, _ := bytes.Cut(link, tab)
			if c := bytes.Compare(source, id); c > 0 {
				break
			} else if c == 0 && field(target) != number {
				if err := pairs.Add(fmt.Appendf(b.line[:0], "%s%08x", target, number)); err != nil {
					return err
				}
			}
		}
	}
	if err := errors.Join(err, ids.flush()); err != nil {
		return err
	}
	var block, record []byte
	first, at, previous := uint64(0), uint64(0), uint64(0)
	upto := func(n uint64) error { // ends the records before n
		for ; at < n; at++ {
			block = durable.AppendBytes(block, record)
			record, previous = record[:0], 0
			if len(block) >= recordBlock || at+1 == uint64(b.about.Entities) {
				if err := b.out.add(sectionLinks, "", at+1-first, block); err != nil {
					return err
				}
				block, first = block[:0], at+1
			}
		}
		return nil
	}
	for line, err := range b.sorted(pairs) {
		if err != nil {
			return err
		}
		if err := upto(field(line[:8])); err != nil {
			return err
		}
		source := field(line[8:])
		record = binary.AppendUvarint(record, source-previous)
		previous = source
		b.about.Links++
	}
	return errors.Join(upto(uint64(b.about.Entities)), pairs.Close(), b.ids.Close(), b.links.Close())
}

// writeNames writes the dictionary of names: the number of candidates, then for each the distance of its number from the last, origins, and count.
func (b *builder) writeNames() error {
	d := &dictionaryWriter{w: b.out, section: sectionNames}
	var key []byte
	var list []Candidate
	end := func() error {
		if len(list) == 0 {
			return nil
		}
		value := binary.AppendUvarint(b.line[:0], uint64(len(list)))
		last := uint32(0)
		for _, c := range list {
			value = binary.AppendUvarint(value, uint64(c.Entity-last))
			value = binary.AppendUvarint(append(value, byte(c.Origin)), uint64(c.Count))
			last = c.Entity
		}
		b.line, list = value, list[:0]
		b.about.Names++
		return d.add(key, value)
	}
	for line, err := range b.sorted(b.names) {
		if err != nil {
			return err
		}
		k, rest, _ := bytes.Cut(line, tab)
		if !bytes.Equal(k, key) {
			if err := end(); err != nil {
				return err
			}
			key = append(key[:0], k...)
		}
		count, _ := strconv.ParseInt(string(rest[12:]), 10, 64)
		c := Candidate{uint32(field(rest[:8])), entity.Origin(field(rest[9:11])), count}
		if n := len(list); n > 0 && list[n-1].Entity == c.Entity {
			list[n-1].Origin |= c.Origin
			list[n-1].Count += c.Count
		} else {
			list = append(list, c)
		}
	}
	return errors.Join(end(), d.flush(), b.names.Close())
}

// writeWords writes the dictionary of words: in how many entities, and how often.
func (b *builder) writeWords() error {
	d := &dictionaryWriter{w: b.out, section: sectionWords}
	var word []byte
	var entities, count int64
	end := func() error {
		if entities == 0 {
			return nil
		}
		b.about.Words++
		b.about.Observed += count
		b.line = binary.AppendUvarint(binary.AppendUvarint(b.line[:0], uint64(entities)), uint64(count))
		return d.add(word, b.line)
	}
	for line, err := range b.sorted(b.words) {
		if err != nil {
			return err
		}
		w, rest, _ := bytes.Cut(line, tab)
		if !bytes.Equal(w, word) {
			if err := end(); err != nil {
				return err
			}
			word, entities, count = append(word[:0], w...), 0, 0
		}
		n, _ := strconv.ParseInt(string(rest), 10, 64)
		entities++
		count += n
	}
	return errors.Join(end(), d.flush(), b.words.Close())
}

func (b *builder) writeAbout() error {
	content, err := json.Marshal(b.about)
	if err != nil {
		return err
	}
	return b.out.add(sectionAbout, "", 1, content)
}
