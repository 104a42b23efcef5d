package learn

import (
	"encoding/binary"
	"math"
)

// A node of a forest takes 22 bytes at fixed places, so that megabytes of them load in milliseconds:
//
//	 0        8        12       16       20      21       22
//	+--------+--------+--------+--------+-------+--------+
//	| cut    | left   | right  | attrib.| nomin.| missing|      attribute -1: a leaf, whose shares begin at left
//	+--------+--------+--------+--------+-------+--------+
const twigSize = 22

func (m *forest) encode(e *encoder) error {
	e.byte(kindForest)
	m.body(e)
	return nil
}

func (m *boost) encode(e *encoder) error {
	e.byte(kindBoost)
	m.trees.body(e)
	return nil
}

func (m *forest) body(e *encoder) {
	e.ints(m.roots)
	e.int(len(m.nodes))
	for i := range m.nodes {
		n := &m.nodes[i]
		e.float(n.cut)
		e.b = binary.LittleEndian.AppendUint32(e.b, uint32(n.left))
		e.b = binary.LittleEndian.AppendUint32(e.b, uint32(n.right))
		e.b = binary.LittleEndian.AppendUint32(e.b, uint32(n.attribute))
		e.bool(n.nominal)
		e.bool(n.missingLeft)
	}
	e.int(len(m.leaves))
	for _, v := range m.leaves {
		e.b = binary.LittleEndian.AppendUint32(e.b, math.Float32bits(v))
	}
}

func (d *decoder) forest(classes int) *forest {
	m := &forest{classes: classes, roots: d.ints()}
	m.nodes = make([]twig, d.length(twigSize))
	for i := range m.nodes {
		if d.err != nil {
			return m
		}
		b := d.b[d.at : d.at+twigSize]
		d.at += twigSize
		m.nodes[i] = twig{
			cut: math.Float64frombits(binary.LittleEndian.Uint64(b)), left: int32(binary.LittleEndian.Uint32(b[8:])),
			right: int32(binary.LittleEndian.Uint32(b[12:])), attribute: int32(binary.LittleEndian.Uint32(b[16:])), nominal: b[20] != 0, missingLeft: b[21] != 0,
		}
	}
	m.leaves = make([]float32, d.length(4))
	for i := range m.leaves {
		m.leaves[i] = math.Float32frombits(binary.LittleEndian.Uint32(d.b[d.at:]))
		d.at += 4
	}
	d.checkForest(m)
	return m
}

// checkForest makes sure that every row reaches a leaf: branches lead downwards only, and leaves have their shares.
func (d *decoder) checkForest(m *forest) {
	for _, r := range m.roots {
		d.want(r >= 0 && int(r) < len(m.nodes), "root of a tree")
	}
	for i := range m.nodes {
		n := &m.nodes[i]
		if n.attribute < 0 {
			d.want(n.left >= 0 && int(n.left)+m.classes <= len(m.leaves), "shares of a leaf")
			continue
		}
		inside := int(n.left) > i && int(n.left) < len(m.nodes) && int(n.right) > i && int(n.right) < len(m.nodes)
		d.want(inside && int(n.attribute) < d.width, "branch of a tree")
	}
}

func (m *linear) encode(e *encoder) error {
	e.byte(kindLinear)
	e.float(m.slope)
	e.float(m.shift)
	e.floats(m.beta)
	m.design.encode(e)
	return nil
}

func (d *decoder) linear() Classifier {
	m := &linear{slope: d.float(), shift: d.float(), beta: d.floats(), design: d.design()}
	d.want(len(m.beta) == m.design.width+1, "a weight for each part of the vector")
	return m
}

func (m *fourier) encode(e *encoder) error {
	e.byte(kindFourier)
	e.floats(m.phases)
	e.floats(m.waves)
	e.floats(m.beta)
	m.design.encode(e)
	return nil
}

func (d *decoder) fourier() Classifier {
	m := &fourier{phases: d.floats(), waves: d.floats(), beta: d.floats(), design: d.design()}
	d.want(len(m.waves) == len(m.phases)*m.design.width && len(m.beta) == len(m.phases)+1, "a wave for each phase")
	return m
}

// encode writes how rows become vectors.
func (m *design) encode(e *encoder) {
	e.ints(m.values)
	for a := range m.scalers {
		if m.values[a] < 0 {
			s := &m.scalers[a]
			e.byte(byte(s.kind))
			e.float(s.floor)
			e.float(s.mean)
			e.float(s.dev)
			e.floats(s.sorted)
			e.floats(s.scores)
		}
	}
}

func (d *decoder) design() *design {
	m := &design{values: d.ints()}
	n := len(m.values)
	d.want(n == d.width, "a column for each attribute")
	m.scalers, m.first = make([]scaler, n), make([]int32, n)
	for a, k := range m.values {
		m.first[a] = int32(m.width)
		if k >= 0 {
			m.width += int(k)
		} else {
			m.width++
			s := scaler{kind: Scale(d.byte()), floor: d.float(), mean: d.float(), dev: d.float(), sorted: d.floats(), scores: d.floats()}
			d.want(s.kind <= Rank && len(s.sorted) == len(s.scores), "scale of a column")
			m.scalers[a] = s
		}
		if d.want(m.width <= len(d.b), "width of the vector"); d.err != nil {
			break
		}
	}
	return m
}
