package learn

import "fmt"

func (m *bayes) encode(e *encoder) error {
	e.byte(kindBayes)
	e.floats(m.prior)
	e.int(len(m.columns))
	for _, c := range m.columns {
		switch c := c.(type) {
		case *table:
			e.byte(densityTable)
			e.floats(c.logs)
		case *binned:
			e.byte(densityBinned)
			e.floats(c.bins)
			e.floats(c.logs)
		case *normal:
			e.byte(densityNormal)
			e.floats(c.mean)
			e.floats(c.dev)
		case *kernel:
			e.byte(densityKernel)
			e.floats(c.width)
			e.floats(c.total)
			for k := range c.values {
				e.floats(c.values[k])
				e.floats(c.weights[k])
			}
		default:
			return fmt.Errorf("learn: a %T cannot be stored", c)
		}
	}
	return nil
}

func (d *decoder) bayes(classes int) Classifier {
	m := &bayes{prior: d.floats()}
	d.want(len(m.prior) == classes, "priors")
	m.columns = make([]density, d.length(1))
	d.want(len(m.columns) <= d.width, "more columns than attributes")
	for a := range m.columns {
		m.columns[a] = d.density(classes)
	}
	return m
}

func (d *decoder) density(k int) density {
	switch d.byte() {
	case densityTable:
		return &table{k, d.floats()}
	case densityBinned:
		return &binned{d.floats(), &table{k, d.floats()}}
	case densityNormal:
		n := &normal{d.floats(), d.floats()}
		d.want(len(n.mean) == k && len(n.dev) == k, "a bell for each class")
		return n
	case densityKernel:
		n := &kernel{values: make([][]float64, k), weights: make([][]float64, k), width: d.floats(), total: d.floats()}
		d.want(len(n.width) == k && len(n.total) == k, "a width for each class")
		for c := range k {
			n.values[c], n.weights[c] = d.floats(), d.floats()
			d.want(len(n.values[c]) == len(n.weights[c]), "a weight for each value")
		}
		return n
	}
	d.fail("no such kind of density")
	return &normal{}
}

func (m *tree) encode(e *encoder) error {
	e.byte(kindTree)
	e.bool(m.laplace)
	e.int(len(m.numeric))
	for _, n := range m.numeric {
		e.bool(n)
	}
	e.int(len(m.nodes))
	for i := range m.nodes {
		n := &m.nodes[i]
		e.floats(n.counts)
		e.ints(n.branches)
		if n.branches != nil {
			e.int(int(n.attribute))
			e.float(n.cut)
			e.floats(n.shares)
		}
	}
	return nil
}

func (d *decoder) tree(classes int) Classifier {
	m := &tree{laplace: d.bool(), numeric: make([]bool, d.length(1))}
	for i := range m.numeric {
		m.numeric[i] = d.bool()
	}
	d.want(len(m.numeric) <= d.width, "more columns than attributes")
	m.nodes = make([]node, d.length(2))
	d.want(len(m.nodes) > 0, "a tree without a root")
	for i := range m.nodes {
		n := &m.nodes[i]
		n.counts, n.branches = d.floats(), d.ints()
		d.want(len(n.counts) == classes, "counts of classes")
		if len(n.branches) == 0 {
			n.branches = nil
			continue
		}
		n.attribute, n.cut, n.shares = int32(d.int()), d.float(), d.floats()
		d.want(n.attribute >= 0 && int(n.attribute) < len(m.numeric), "attribute of a node")
		d.want(len(n.shares) == len(n.branches) && len(n.branches) > 1, "branches of a node")
		for _, b := range n.branches { // downwards only: no row goes in circles
			d.want(int(b) > i && int(b) < len(m.nodes), "branch of a node")
		}
		if d.err != nil {
			break
		}
	}
	return m
}

func (m *committee) encode(e *encoder) error {
	e.byte(kindCommittee)
	e.int(len(m.members))
	for _, c := range m.members {
		if err := e.classifier(c); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) committee(classes int) Classifier {
	m := &committee{make([]Classifier, d.length(1))}
	for i := range m.members {
		m.members[i] = d.classifier(classes)
		if d.err != nil {
			break
		}
	}
	return m
}

func (m *ratios) encode(e *encoder) error {
	e.byte(kindRatios)
	e.floats(m.floors)
	e.int(len(m.pairs))
	for _, p := range m.pairs {
		e.int(int(p.a))
		e.int(int(p.b))
	}
	return e.classifier(m.inner)
}

func (d *decoder) ratios() Classifier {
	m := &ratios{floors: d.floats(), pairs: make([]ratio, d.length(2))}
	d.want(len(m.floors) == d.width, "a floor for each attribute")
	for i := range m.pairs {
		p := ratio{int32(d.int()), int32(d.int())}
		d.want(p.a >= 0 && int(p.a) < d.width && p.b >= 0 && int(p.b) < d.width, "attribute of a ratio")
		m.pairs[i] = p
	}
	d.width += len(m.pairs)
	m.inner = d.classifier(2)
	d.width -= len(m.pairs)
	return m
}

func (m *Selected) encode(e *encoder) error {
	if m.byMean {
		e.byte(kindSelected)
	} else {
		e.byte(kindByOdds)
	}
	e.float(m.slope)
	e.float(m.shift)
	e.int(len(m.Members))
	for i := range m.Members {
		v := &m.Members[i]
		e.text(v.Name)
		for _, x := range []float64{v.AUC, v.NDCG, v.Weight, v.slope, v.shift} {
			e.float(x)
		}
		folds := v.folds
		if v.Weight == 0 { // never asked
			folds = nil
		}
		e.int(len(folds))
		for _, c := range folds {
			if err := e.classifier(c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *decoder) selected(byMean bool) Classifier {
	m := &Selected{byMean: byMean, slope: d.float(), shift: d.float(), Members: make([]Voice, d.length(40))}
	for i := range m.Members {
		v := &m.Members[i]
		v.Name = d.text()
		for _, x := range []*float64{&v.AUC, &v.NDCG, &v.Weight, &v.slope, &v.shift} {
			*x = d.float()
		}
		v.folds = make([]Classifier, d.length(1))
		d.want(len(v.folds) > 0 || !(v.Weight > 0), "a voice without classifiers")
		for f := range v.folds {
			v.folds[f] = d.classifier(2)
		}
		if d.err != nil {
			break
		}
	}
	return m
}
