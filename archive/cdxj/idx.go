package cdxj

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Block is one line of an idx: where a block of lines lies.
type Block struct {
	Start  string // key and timestamp of the first line
	Shard  string // classic: the name that the loc file knows; WACZ: the name of the data file
	Offset int64
	Length int64
	Seq    int64  // classic: the number of the block, from 1
	Digest string // WACZ: "sha256:hex" of the compressed bytes, if given
}

// waczFormat is what the header of a WACZ idx calls its format.
const waczFormat = "cdxj-gzip-1.0"

// waczMeta is the JSON of the first line of a WACZ idx.
type waczMeta struct {
	Format   string `json:"format"`
	Filename string `json:"filename"`
}

// waczBlock is the JSON of the other lines.
type waczBlock struct {
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
	Digest string `json:"digest"`
}

// parseMeta reads the first line of a WACZ idx: !meta 0 {"format": ..., "filename": ...}.
func parseMeta(line string) (waczMeta, error) {
	var m waczMeta
	brace := strings.IndexByte(line, '{')
	if !strings.HasPrefix(line, "!meta ") || brace < 0 {
		return m, fmt.Errorf("%q is no idx header", clip(line))
	}
	if err := json.Unmarshal([]byte(line[brace:]), &m); err != nil {
		return m, fmt.Errorf("idx header: %w", err)
	}
	if m.Format != waczFormat {
		return m, fmt.Errorf("idx header: format %q, want %q", clip(m.Format), waczFormat)
	}
	return m, nil
}

// header gives the first line of a WACZ idx, spaced as others write it.
func (m waczMeta) header() string {
	b := append([]byte(`!meta 0 {"format": `), appendString(nil, m.Format)...)
	b = append(append(b, `, "filename": `...), appendString(nil, m.Filename)...)
	return string(append(b, '}'))
}

// parseBlock reads a line of either kind of idx; file is the data file of a WACZ idx.
func parseBlock(line, file string) (Block, error) {
	if strings.IndexByte(line, '\t') >= 0 {
		return parseClassic(line)
	}
	brace := strings.LastIndexByte(line, '{') // a key may hold braces, the JSON is flat
	if brace <= 0 {
		return Block{}, fmt.Errorf("%q is no idx line", clip(line))
	}
	var w waczBlock
	if err := json.Unmarshal([]byte(line[brace:]), &w); err != nil {
		return Block{}, fmt.Errorf("idx line %q: %w", clip(line), err)
	}
	b := Block{Start: strings.TrimRight(line[:brace], " "), Shard: file, Offset: w.Offset, Length: w.Length, Digest: w.Digest}
	return b, b.check()
}

// parseClassic reads key and timestamp, shard, offset, length and perhaps a number.
func parseClassic(line string) (Block, error) {
	f := strings.Split(line, "\t")
	if len(f) < 4 {
		return Block{}, fmt.Errorf("%d columns in idx line %q, want 4 or 5", len(f), clip(line))
	}
	b := Block{Start: f[0], Shard: f[1]}
	var err1, err2, err3 error
	b.Offset, err1 = strconv.ParseInt(f[2], 10, 64)
	b.Length, err2 = strconv.ParseInt(f[3], 10, 64)
	if len(f) > 4 {
		b.Seq, err3 = strconv.ParseInt(f[4], 10, 64)
	}
	if err := errors.Join(err1, err2, err3); err != nil {
		return Block{}, fmt.Errorf("idx line %q: %w", clip(line), err)
	}
	return b, b.check()
}

// check tells why a block cannot be.
func (b *Block) check() error {
	switch {
	case b.Start == "":
		return errors.New("idx line without key")
	case b.Offset < 0 || b.Length < 0:
		return fmt.Errorf("idx line %q: negative place", clip(b.Start))
	case b.Length > maxBlock:
		return fmt.Errorf("idx line %q: block of %d bytes, at most %d are read", clip(b.Start), b.Length, maxBlock)
	}
	return nil
}

// classic gives the line of a classic idx.
func (b *Block) classic() string {
	return fmt.Sprintf("%s\t%s\t%d\t%d\t%d", b.Start, b.Shard, b.Offset, b.Length, b.Seq)
}

// wacz gives the line of a WACZ idx.
func (b *Block) wacz() string {
	s := fmt.Sprintf(`%s {"offset": %d, "length": %d`, b.Start, b.Offset, b.Length)
	if b.Digest != "" {
		s += `, "digest": "` + b.Digest + `"`
	}
	return s + "}"
}

// Shards says where the data files of a classic idx lie: for each name one or more paths.
type Shards map[string][]string

// ReadShards reads a loc file: name, tab, path, perhaps more paths.
func ReadShards(r io.Reader) (Shards, error) {
	s := Shards{}
	lines := newLineReader(r)
	for {
		line, err := lines.next()
		if err == io.EOF {
			return s, nil
		}
		if err != nil {
			return nil, err
		}
		if len(line) == 0 {
			continue
		}
		f := strings.Split(string(line), "\t")
		if len(f) < 2 || f[0] == "" || f[1] == "" {
			return nil, &LineError{lines.n, fmt.Errorf("%q is no loc line: want a name, a tab and a path", clip(string(line)))}
		}
		s[f[0]] = append(s[f[0]], f[1:]...)
	}
}

// WriteTo writes the loc file, sorted by name.
func (s Shards) WriteTo(w io.Writer) (int64, error) {
	var b []byte
	for _, name := range sortedNames(s) {
		b = append(b, name+"\t"+strings.Join(s[name], "\t")+"\n"...)
	}
	n, err := w.Write(b)
	return int64(n), err
}
