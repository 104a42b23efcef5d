package pdf

// get follows a reference to its object. Objects that refer to themselves are nil.
func (f *file) get(v any) any {
	for range 8 {
		r, ok := v.(ref)
		if !ok {
			return v
		}
		v = f.load(r)
	}
	return nil
}

// load reads an object of the file.
func (f *file) load(r ref) any {
	p, ok := f.at[r]
	if !ok || f.busy[r] {
		return nil
	}
	f.busy[r] = true
	defer delete(f.busy, r)
	l := &lexer{b: p.b, pos: p.from}
	v, _ := l.value(0)
	if d, ok := v.(dict); ok {
		if s := f.streamAt(l, d, false); s != nil {
			s.num, s.gen = p.num, p.gen
			return s
		}
	}
	if _, ok := v.(op); ok {
		return nil // "endobj": the object is empty
	}
	return v
}

// dictOf gives a dictionary, that of a stream too; nil for anything else.
func (f *file) dictOf(v any) dict {
	switch v := f.get(v).(type) {
	case dict:
		return v
	case *stream:
		return v.dict
	}
	return nil
}

func (f *file) arrayOf(v any) array {
	a, _ := f.get(v).(array)
	return a
}

func (f *file) nameOf(v any) name {
	n, _ := f.get(v).(name)
	return n
}

func (f *file) streamOf(v any) *stream {
	s, _ := f.get(v).(*stream)
	return s
}

// page is a page with what it inherits.
type page struct {
	dict      dict
	resources dict
}

// pages lists the pages in order: by the tree, or all page objects where there is no tree.
func (f *file) pages() []page {
	var list []page
	root := f.dictOf(f.trailer["Root"])
	if root == nil {
		root = f.findType("Catalog")
	}
	f.walk(root["Pages"], nil, 0, map[ref]bool{}, &list)
	if len(list) == 0 {
		list = f.allPages()
	}
	return list
}

// walk goes down the tree of pages; each node once.
func (f *file) walk(v any, resources dict, depth int, seen map[ref]bool, list *[]page) {
	if r, ok := v.(ref); ok {
		if seen[r] {
			return
		}
		seen[r] = true
	}
	d := f.dictOf(v)
	if d == nil || depth > maxNesting {
		return
	}
	if len(*list) >= f.limits.Pages {
		f.cut = true
		return
	}
	if own := f.dictOf(d["Resources"]); own != nil {
		resources = own
	}
	if d["Kids"] == nil {
		*list = append(*list, page{d, resources})
		return
	}
	for _, kid := range f.arrayOf(d["Kids"]) {
		f.walk(kid, resources, depth+1, seen, list)
	}
}

// numbers lists the objects in order.
func (f *file) numbers() []ref { return sortedKeys(f.at) }

// findType gives the last object of a type.
func (f *file) findType(t name) (found dict) {
	for _, n := range f.numbers() {
		if d, ok := f.load(n).(dict); ok && d["Type"] == t {
			found = d
		}
	}
	return found
}

func (f *file) allPages() (list []page) {
	for _, n := range f.numbers() {
		if d, ok := f.load(n).(dict); ok && d["Type"] == name("Page") && len(list) < f.limits.Pages {
			list = append(list, page{d, f.dictOf(d["Resources"])})
		}
	}
	return list
}
