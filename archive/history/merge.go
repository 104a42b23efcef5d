package history

import (
	"slices"
	"time"
)

// visited reports whether a visit of that millisecond is in the list of changes.
func (e *Entry) visited(at time.Time) bool {
	_, known := e.changeAt(at)
	return known
}

// changeAt finds the visit of an instant, or where it would be.
func (e *Entry) changeAt(at time.Time) (int, bool) {
	return slices.BinarySearchFunc(e.Changes, at.UTC().Truncate(time.Millisecond), func(c Change, t time.Time) int { return c.At.Compare(t) })
}

// merge adds an observation to an entry, which is zero for a URL never seen. It tells false when
// the visit is already in it. At most most changes are kept.
func merge(e *Entry, o *Observation, most int) bool {
	at := o.At.UTC().Truncate(time.Millisecond)
	i, known := e.changeAt(at)
	if known || e.Older.Visits > 0 && !at.After(e.Older.To) {
		return false
	}
	late := at.Before(e.Last)
	c := Change{At: at, Status: o.Status}
	if !late {
		c.Compared, c.Changed = e.compare(o)
		e.replace(o, at)
	}
	if e.Visits == 0 || at.Before(e.First) {
		e.First = at
	}
	e.Visits++
	e.Changes = slices.Insert(e.Changes, i, c)
	for len(e.Changes) > most {
		e.fold()
	}
	return true
}

// compare tells which layers of a visit can be compared with what is known, and which differ.
func (e *Entry) compare(o *Observation) (compared, changed Layers) {
	if !o.whole() {
		return 0, 0
	}
	if o.NotModified {
		for _, d := range e.Digests {
			if i := e.Layer(d.Name); i >= 0 {
				compared |= 1 << i
			}
		}
		return compared, 0
	}
	for _, d := range o.Digests {
		i := e.addLayer(d.Name)
		old, ok := e.Digest(d.Name)
		if i < 0 || !ok {
			continue
		}
		compared |= 1 << i
		if old != d {
			changed |= 1 << i
		}
	}
	return compared, changed
}

// addLayer gives the number of a layer, a new one if need be; -1 when there are too many.
func (e *Entry) addLayer(name string) int {
	i := e.Layer(name)
	if i < 0 && len(e.Layers) < maxLayers {
		e.Layers = append(e.Layers, name)
		i = len(e.Layers) - 1
	}
	return i
}

// replace takes over what the latest visit found.
func (e *Entry) replace(o *Observation, at time.Time) {
	e.Key, e.URL, e.Last, e.Status, e.Latest = o.Key, o.URL, at, o.Status, o.Record
	if e.URL == "" {
		e.URL = o.Key
	}
	if !o.whole() {
		return
	}
	switch {
	case o.Revisit && !o.Refers.IsZero():
		e.Original = o.Refers
	case !o.Revisit && !o.NotModified:
		e.Original = o.Record
	}
	if o.NotModified { // a 304 may bring newer validators, and says nothing of the rest
		setIf(&e.ETag, o.ETag)
		setIf(&e.LastModified, o.LastModified)
		return
	}
	e.MIME, e.Size, e.ETag, e.LastModified = o.MIME, o.Size, o.ETag, o.LastModified
	e.Digests = o.Digests
}

func setIf(dst *string, v string) {
	if v != "" {
		*dst = v
	}
}

// fold moves the oldest change into the counts.
func (e *Entry) fold() {
	c := e.Changes[0]
	e.Changes = slices.Delete(e.Changes, 0, 1)
	e.Older.Visits++
	e.Older.To = c.At
	for i := range e.Layers {
		if !c.Compared.Has(i) {
			continue
		}
		for len(e.Older.Layers) <= i {
			e.Older.Layers = append(e.Older.Layers, LayerCount{})
		}
		e.Older.Layers[i].Compared++
		if c.Changed.Has(i) {
			e.Older.Layers[i].Changed++
		}
	}
}
