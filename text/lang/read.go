package lang

import (
	"bytes"
	_ "embed" // the model
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

//go:embed model.bin
var embedded []byte

// Default gives the identifier that comes with the program; it is unpacked when first asked for, in about 25 ms.
var Default = sync.OnceValue(func() *Identifier {
	x, err := Read(bytes.NewReader(embedded))
	if err != nil {
		panic(err) // the file is part of the program, and tested
	}
	return x
})

// Limits of a model file, against files that are not ours.
const (
	maxGrams    = 4 << 20
	maxWeights  = 16 << 20
	maxAlphabet = 1 << 16
	maxFile     = 64 << 20 // unpacked
)

// Read reads a model.
func Read(r io.Reader) (*Identifier, error) {
	start := make([]byte, len(magic))
	if _, err := io.ReadFull(r, start); err != nil || string(start) != magic {
		return nil, fmt.Errorf("language model: it does not begin with %q", magic)
	}
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20), zstd.WithDecoderMaxMemory(maxFile))
	if err != nil {
		return nil, fmt.Errorf("language model: %w", err)
	}
	defer z.Close()
	data, err := io.ReadAll(io.LimitReader(z, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("language model: %w", err)
	}
	d := &decoder{rest: data, size: len(data)}
	x := d.identifier()
	if d.err != nil {
		return nil, fmt.Errorf("language model: byte %d: %w", d.size-len(d.rest), d.err)
	}
	return x, nil
}

// decoder reads an unpacked model. After an error all it gives is zero.
type decoder struct {
	rest []byte
	size int
	err  error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
}

func (d *decoder) number(most uint64) int {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 || v > most {
		d.fail("a number is missing or above %d", most)
	}
	if d.err != nil {
		return 0
	}
	d.rest = d.rest[n:]
	return int(v)
}

func (d *decoder) bytes(n int) []byte {
	if n > len(d.rest) {
		d.fail("the file is cut: %d bytes are missing", n-len(d.rest))
	}
	if d.err != nil {
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) identifier() *Identifier {
	langs := make([]string, d.number(maxLangs))
	base := make([]int32, len(langs))
	for i := range langs {
		langs[i] = strings.Clone(string(d.bytes(d.number(16))))
		v, n := binary.Varint(d.rest)
		if n <= 0 || v < -1<<20 || v > 1<<20 {
			d.fail("the weight of any character is missing or out of bounds")
			return nil
		}
		d.rest, base[i] = d.rest[n:], int32(v)
	}
	x := &Identifier{langs: langs, base: base, alphabet: make([]rune, d.number(maxAlphabet))}
	last := -1
	for i := range x.alphabet {
		last += 1 + d.number(utf8.MaxRune)
		x.alphabet[i] = rune(last)
	}
	if last > utf8.MaxRune || len(langs) == 0 {
		d.fail("no languages, or characters that are none")
	}
	grams, weights := d.number(maxGrams), d.number(maxWeights)
	children := d.bytes(d.number(maxFile))
	low, high, counts := d.bytes(grams), d.bytes(grams), d.bytes(grams)
	which, logs := d.bytes(weights), d.bytes(weights)
	if d.err == nil && len(d.rest) > 0 {
		d.fail("%d bytes more than there should be", len(d.rest))
	}
	if d.err != nil {
		return nil
	}
	if d.err = x.grow(low, high, children); d.err == nil {
		d.err = x.fill(counts, which, logs)
	}
	return x
}

// grow makes the nodes: each has its children behind those of the one before.
func (x *Identifier) grow(low, high, children []byte) error {
	x.nodes = make([]node, len(low)+2)
	last, next := len(low)+1, uint64(1)
	for i := range last {
		if i > 0 {
			x.nodes[i].char = uint16(low[i-1]) | uint16(high[i-1])<<8
		}
		n, size := binary.Uvarint(children)
		if size <= 0 || n > uint64(last)-next || uint64(i) >= next || int(x.nodes[i].char) >= len(x.alphabet) && i > 0 {
			return fmt.Errorf("n-gram %d: its character or its children are missing, or it is the child of none", i)
		}
		x.nodes[i].children, children, next = uint32(next), children[size:], next+n
	}
	if len(children) > 0 || next != uint64(last) {
		return errors.New("more or fewer children than n-grams")
	}
	x.nodes[last].children = uint32(next)
	return nil
}

// fill puts in the weights.
func (x *Identifier) fill(counts, which, logs []byte) error {
	x.weights = make([]weight, len(which))
	for i, lang := range which {
		if int(lang) >= len(x.langs) {
			return fmt.Errorf("weight %d: no language %d", i, lang)
		}
		x.weights[i] = weight{lang, int8(logs[i])}
	}
	next := 0
	for i, n := range counts {
		x.nodes[1+i].weights = uint32(next)
		next += int(n)
	}
	if next != len(which) {
		return errors.New("more or fewer weights than counted")
	}
	x.nodes[len(x.nodes)-1].weights = uint32(next)
	return nil
}
