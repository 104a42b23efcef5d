package chain

import (
	"math"
	"slices"
)

// Model gives labels to sequences. It does not change and is safe for concurrent use.
type Model struct {
	labels  []string
	unit    float64 // what a weight of 1 means, in natural logarithms
	trans   []int32 // [(from+1)*labels + to]
	reach   int32   // how much two transitions can make up for at most
	slots   []slot  // open addressing, a power of two of them
	weights []weight
	count   int      // features
	filter  []uint64 // a bit for each feature: most of a text's features are in no model, and this fits into a nearer cache than the slots
}

// slot is the place of a feature.
type slot struct {
	hash uint32
	at   uint32 // where its weights begin; 0 for a free slot
}

// weight is that of a label. A feature's list begins with its length, in label.
type weight struct {
	label uint8
	value int16
}

// never is the transition that never is.
const never = math.MinInt32 / 4

// unit is what a weight of 1 means in the models that are trained: a step of 3 % in odds. One byte a weight was tried: in
// steps that let the largest fit, tags lost 0.3 points.
const unit = 1.0 / 32

// model makes integers of the weights.
func (t *trainer) model(labels []string) *Model {
	m := &Model{labels: slices.Clone(labels), unit: unit, trans: make([]int32, len(t.trans))}
	for i, v := range t.trans {
		if m.trans[i] = int32(math.Round(v * t.scale / unit)); t.never[i] {
			m.trans[i] = never
		}
	}
	order := make([]int, len(t.hashes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { // by hash: the same table whatever the order of the data
		if t.hashes[a] < t.hashes[b] {
			return -1
		}
		return 1
	})
	m.room(len(order), len(t.value))
	var list []weight
	for _, i := range order {
		list = list[:0]
		for k := t.start[i]; k < t.start[i+1]; k++ {
			v := math.Round(t.value[k] * t.scale / unit)
			if v = max(-math.MaxInt16, min(math.MaxInt16, v)); v != 0 {
				list = append(list, weight{t.label[k], int16(v)})
			}
		}
		if len(list) > 0 {
			m.add(t.hashes[i], list)
		}
	}
	m.settle()
	return m
}

// room makes room for features and weights.
func (m *Model) room(features, weights int) {
	size := 4
	for size*2 < features*3 {
		size *= 2
	}
	m.slots, m.weights = make([]slot, size), make([]weight, 1, 1+features+weights)
	m.filter = make([]uint64, max(1, size*4/64))
}

// add puts in a feature that is not there yet.
func (m *Model) add(hash uint32, list []weight) {
	mask := uint32(len(m.slots) - 1)
	i := hash & mask
	for m.slots[i].at != 0 {
		i = (i + 1) & mask
	}
	m.slots[i] = slot{hash, uint32(len(m.weights))}
	m.weights = append(append(m.weights, weight{label: uint8(len(list))}), list...)
	bit := m.bit(hash)
	m.filter[bit/64] |= 1 << (bit % 64)
	m.count++
}

// bit returns the place of a feature in the filter: other bits of the hash than those that choose the slot.
func (m *Model) bit(hash uint32) uint32 { return (hash * 2654435769) >> 7 & uint32(len(m.filter)*64-1) }

// settle computes what decoding needs.
func (m *Model) settle() {
	m.weights = slices.Clip(m.weights)
	n := len(m.labels)
	low, high := int32(0), int32(0)
	for _, v := range m.trans {
		if v != never {
			low, high = min(low, v), max(high, v)
		} else {
			low = never
		}
	}
	if low == never || n == 0 {
		m.reach = -1
	} else {
		m.reach = 2 * (high - low)
	}
}

// find returns the weights of a feature.
func (m *Model) find(hash uint32) []weight {
	if bit := m.bit(hash); m.filter[bit/64]>>(bit%64)&1 == 0 {
		return nil
	}
	mask := uint32(len(m.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := m.slots[i]
		if s.at == 0 {
			return nil
		}
		if s.hash == hash {
			return m.weights[s.at+1 : s.at+1+uint32(m.weights[s.at].label)]
		}
	}
}

// Lean returns a model that likes a label more, or less, at every position, by so many natural logarithms: the two share
// their features.
func (m *Model) Lean(label int, by float64) *Model {
	other := *m
	other.trans = slices.Clone(m.trans)
	n := len(m.labels)
	for from := range n + 1 {
		if v := &other.trans[from*n+label]; *v != never {
			*v += int32(math.Round(by / m.unit))
		}
	}
	other.settle()
	return &other
}

// Labels returns the names of the labels, by number.
func (m *Model) Labels() []string { return slices.Clone(m.labels) }

// Label returns the name of a label.
func (m *Model) Label(i uint8) string { return m.labels[i] }

// Size returns the numbers of features and of weights.
func (m *Model) Size() (features, weights int) { return m.count, len(m.weights) - 1 - m.count }

// Bytes returns the memory of the model.
func (m *Model) Bytes() int64 {
	return int64(len(m.slots))*8 + int64(len(m.filter))*8 + int64(len(m.weights))*4 + int64(len(m.trans))*4
}
