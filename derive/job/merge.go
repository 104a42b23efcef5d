package job

import (
	"bytes"
	"container/heap"
	"errors"
	"io"
	"iter"
)

// readers is a heap of runs by their next pair.
type readers []*runReader

func (r readers) Len() int { return len(r) }
func (r readers) Less(i, j int) bool {
	if c := bytes.Compare(r[i].key, r[j].key); c != 0 {
		return c < 0
	}
	return bytes.Compare(r[i].value, r[j].value) < 0
}
func (r readers) Swap(i, j int) { r[i], r[j] = r[j], r[i] }
func (r *readers) Push(x any)   { *r = append(*r, x.(*runReader)) }
func (r *readers) Pop() any {
	last := (*r)[len(*r)-1]
	*r = (*r)[:len(*r)-1]
	return last
}

// merge gives the pairs of several runs in order.
func merge(paths []string, each func(key, value []byte) error) (err error) {
	var h readers
	defer func() {
		for _, r := range h {
			err = errors.Join(err, r.f.Close())
		}
	}()
	for _, p := range paths {
		r, err := openRun(p)
		if err != nil {
			return err
		}
		switch err := r.next(); {
		case errors.Is(err, io.EOF):
			if err := r.f.Close(); err != nil {
				return err
			}
		case err != nil:
			return errors.Join(err, r.f.Close())
		default:
			h = append(h, r)
		}
	}
	heap.Init(&h)
	for len(h) > 0 {
		r := h[0]
		if err := each(r.key, r.value); err != nil {
			return err
		}
		switch err := r.next(); {
		case errors.Is(err, io.EOF):
			heap.Pop(&h)
			if err := r.f.Close(); err != nil {
				return err
			}
		case err != nil:
			return err
		default:
			heap.Fix(&h, 0)
		}
	}
	return nil
}

var errEnough = errors.New("enough")

// grouped gives the pairs of several runs key by key. The error is told after the loop. Keys and values are valid until the
// next one.
func grouped(paths []string, combine func(key, a, b []byte) []byte, failed *error) iter.Seq2[[]byte, iter.Seq[[]byte]] {
	return func(yield func([]byte, iter.Seq[[]byte]) bool) {
		next, stop := iter.Pull2(func(y func([]byte, []byte) bool) {
			err := merge(paths, func(k, v []byte) error {
				if !y(k, v) {
					return errEnough
				}
				return nil
			})
			if err != nil && !errors.Is(err, errEnough) {
				*failed = err
			}
		})
		defer stop()
		key, value, ok := next()
		var group, sum []byte
		for ok {
			group = append(group[:0], key...)
			values := func(each func([]byte) bool) {
				wanted := true
				sum = sum[:0]
				for first := true; ok && bytes.Equal(key, group); first = false {
					switch {
					case combine == nil:
						wanted = wanted && each(value)
					case first:
						sum = append(sum, value...)
					default:
						sum = append(sum[:0], combine(group, sum, value)...)
					}
					key, value, ok = next()
				}
				if combine != nil && wanted {
					each(sum)
				}
			}
			if !yield(group, values) {
				return
			}
			for ok && bytes.Equal(key, group) { // values that nobody asked for
				key, value, ok = next()
			}
		}
	}
}
