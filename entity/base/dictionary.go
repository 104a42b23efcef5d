package base

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/blevesearch/vellum"

	"varve/archive/durable"
)

// A dictionary is a section of blocks of up to 32,768 keys:
//
//	length of the FST │ FST: key to place of its value │ values
//
// One transducer over all keys would be a little smaller, but its bytes could not be checked before they are followed, nor written without holding them.
const (
	dictionaryKeys   = 1 << 15
	dictionaryValues = 1 << 20 // bytes of values after which a block ends
)

// dictionaryWriter writes keys in ascending order.
type dictionaryWriter struct {
	w       *writer
	section int
	first   string
	fst     bytes.Buffer
	builder *vellum.Builder
	keys    uint64
	values  []byte
}

func (d *dictionaryWriter) add(key, value []byte) (err error) {
	if d.keys == 0 {
		d.first = string(key)
		d.fst.Reset()
		if d.builder == nil {
			d.builder, err = vellum.New(&d.fst, nil)
		} else {
			err = d.builder.Reset(&d.fst)
		}
		if err != nil {
			return err
		}
	}
	if err := d.builder.Insert(key, uint64(len(d.values))); err != nil {
		return fmt.Errorf("key %q: %w", key, err)
	}
	d.keys++
	if d.values = append(d.values, value...); d.keys == dictionaryKeys || len(d.values) >= dictionaryValues {
		return d.flush()
	}
	return nil
}

func (d *dictionaryWriter) flush() error {
	if d.keys == 0 {
		return nil
	}
	if err := d.builder.Close(); err != nil {
		return err
	}
	content := durable.AppendBytes(nil, d.fst.Bytes())
	err := d.w.add(d.section, d.first, d.keys, append(content, d.values...))
	d.keys, d.values = 0, d.values[:0]
	return err
}

// dictionary looks keys up.
type dictionary struct {
	f       *file
	section int
	opened  []atomic.Pointer[dictionaryBlock]
}

type dictionaryBlock struct {
	fst    *vellum.FST
	values []byte
}

func newDictionary(f *file, section int) *dictionary {
	return &dictionary{f, section, make([]atomic.Pointer[dictionaryBlock], len(f.blocks[section]))}
}

func (d *dictionary) open(i int) (*dictionaryBlock, error) {
	if k := d.opened[i].Load(); k != nil {
		return k, nil
	}
	b, err := d.f.block(d.section, i)
	if err != nil {
		return nil, err
	}
	n, used := binary.Uvarint(b)
	if used <= 0 || n > uint64(len(b)-used) {
		return nil, d.f.damaged(d.section, i, fmt.Errorf("its transducer is longer than the block"))
	}
	fst, err := vellum.Load(b[used : used+int(n)])
	if err != nil {
		return nil, d.f.damaged(d.section, i, err)
	}
	k := &dictionaryBlock{fst, b[used+int(n):]}
	d.opened[i].Store(k)
	return k, nil
}

// find returns the bytes that begin with the value of a key; nil if there is no such key.
func (d *dictionary) find(key string) ([]byte, error) {
	i := d.f.byKey(d.section, key)
	if i < 0 {
		return nil, nil
	}
	k, err := d.open(i)
	if err != nil {
		return nil, err
	}
	at, ok, err := k.fst.Get([]byte(key))
	if err != nil || ok && at >= uint64(len(k.values)) {
		return nil, d.f.damaged(d.section, i, fmt.Errorf("key %q: %w", key, err))
	}
	if !ok {
		return nil, nil
	}
	return k.values[at:], nil
}

// from calls each with the keys from one on, in order, and the bytes that begin with the value of each, until it wants no more.
func (d *dictionary) from(key string, each func(key string, value []byte) (more bool, err error)) error {
	for i := max(0, d.f.byKey(d.section, key)); i < len(d.opened); i++ {
		k, err := d.open(i)
		if err != nil {
			return err
		}
		it, err := k.fst.Iterator([]byte(key), nil)
		for ; err == nil; err = it.Next() {
			found, at := it.Current()
			if at >= uint64(len(k.values)) {
				return d.f.damaged(d.section, i, fmt.Errorf("key %q has no value", found))
			}
			if more, err := each(string(found), k.values[at:]); err != nil || !more {
				return err
			}
		}
		if !errors.Is(err, vellum.ErrIteratorDone) {
			return d.f.damaged(d.section, i, err)
		}
	}
	return nil
}
