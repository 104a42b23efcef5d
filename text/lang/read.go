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

	"github.com/klauspost/compress/zstd"
)

//go:embed model.bin
var embedded []byte

// Default gives the identifier that comes with the program; it is unpacked when first asked for, in about 0.1 s.
var Default = sync.OnceValue(func() *Identifier {
	x, err := Read(bytes.NewReader(embedded))
	if err != nil {
		panic(err) // the file is part of the program, and tested
	}
	return x
})

// Limits of a model file, against files that are not ours.
const (
	maxGrams   = 4 << 20
	maxWeights = 16 << 20
	maxFile    = 64 << 20 // unpacked
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
	grams, weights := d.number(maxGrams), d.number(maxWeights)
	text := d.bytes(d.number(maxFile))
	counts, which, logs := d.bytes(grams), d.bytes(weights), d.bytes(weights)
	if d.err == nil && (len(d.rest) > 0 || len(langs) == 0) {
		d.fail("no languages, or more bytes than there should be")
	}
	if d.err != nil {
		return nil
	}
	x := newIdentifier(langs, grams, weights)
	copy(x.base, base)
	d.err = x.fill(text, counts, which, logs)
	return x
}

// fill puts in the n-grams.
func (x *Identifier) fill(text, counts, which, logs []byte) error {
	var gram []byte
	for i, n := range counts {
		if len(text) < 2 || int(text[0]) > len(gram) || int(text[1]) > len(text)-2 {
			return fmt.Errorf("n-gram %d is cut", i)
		}
		gram = append(gram[:text[0]], text[2:2+text[1]]...)
		text = text[2+int(text[1]):]
		if int(n) > len(which) {
			return errors.New("fewer weights than counted")
		}
		x.add(hash(string(gram)), int(n))
		for k := range n {
			if int(which[k]) >= len(x.langs) {
				return fmt.Errorf("n-gram %q: no language %d", gram, which[k])
			}
			x.weights = append(x.weights, weight{which[k], int8(logs[k])})
		}
		which, logs = which[n:], logs[n:]
	}
	if len(text)+len(which) > 0 {
		return errors.New("more n-grams or weights than counted")
	}
	return nil
}
