package links

import "bytes"

// maxQuery bounds the default query of a form.
const maxQuery = 4 << 10

// form gathers the fields of an open form that would be sent as they stand.
type form struct {
	open   bool
	get    bool
	action []byte
	query  []byte

	selectName string
	choice     string // the option that would be sent
	chosen     bool   // it was marked as selected
	options    int
}

// field handles the elements of forms.
func (p *page) field() {
	switch p.tag {
	case tagForm:
		p.startForm()
	case tagInput:
		p.input()
	case tagSelect:
		p.form.endSelect(p.e)
		p.form.selectName, p.form.choice, p.form.chosen, p.form.options = p.str(attrName), "", false, 0
		if p.has(attrDisabled) {
			p.form.selectName = ""
		}
	case tagOption:
		p.option()
	}
}

// startForm adds where the form is sent.
func (p *page) startForm() {
	p.endForm()
	f := &p.form
	f.open, f.query = true, f.query[:0]
	method := p.get(attrMethod)
	f.get = !equalFold(trim(method), "post") && !equalFold(trim(method), "dialog")
	f.action = append(f.action[:0], trim(p.get(attrAction))...)
	k := kindFormPost
	if f.get {
		k = kindFormAction
	}
	p.here(k, f.action)
}

// endForm adds the URL of the form as it would be sent without touching it.
func (p *page) endForm() {
	f := &p.form
	f.endSelect(p.e)
	if !f.open {
		return
	}
	f.open = false
	if !f.get || len(f.query) == 0 {
		return
	}
	action := f.action
	if i := bytes.IndexAny(action, "?#"); i >= 0 {
		action = action[:i]
	}
	url := append(append(append([]byte(nil), action...), '?'), f.query...)
	base := p.e.base
	if len(action) == 0 && base == baseDocument {
		p.e.base = baseURL // an empty action is the document, whatever its base
	}
	p.here(kindFormGet, url)
	p.e.base = base
}

// input adds a field that would be sent.
func (p *page) input() {
	if !p.form.open || !p.form.get || p.has(attrDisabled) {
		return
	}
	typ := p.lower(attrType)
	value := p.str(attrValue)
	switch typ {
	case "submit", "button", "image", "reset", "file", "password":
		return
	case "checkbox", "radio":
		if !p.has(attrChecked) {
			return
		}
		if value == "" {
			value = "on"
		}
	}
	p.form.add(p.e, p.str(attrName), value)
}

// add appends name=value to the query.
func (f *form) add(e *Extractor, name, value string) {
	if name == "" || !f.open || !f.get {
		return
	}
	if len(f.query)+len(name)+len(value) > maxQuery {
		e.info.Truncated = true // what would be sent is another address
		return
	}
	if len(f.query) > 0 {
		f.query = append(f.query, '&')
	}
	f.query = e.appendForm(f.query, name)
	f.query = append(f.query, '=')
	f.query = e.appendForm(f.query, value)
}

// option remembers what a select would send, and takes values that are URLs themselves.
func (p *page) option() {
	if !p.has(attrValue) {
		return
	}
	value := p.str(attrValue)
	f := &p.form
	f.options++
	if selected := p.has(attrSelected); f.options == 1 || selected && !f.chosen {
		f.choice, f.chosen = value, selected
	}
	if v := []byte(value); plausible(v) {
		p.here(kindOptionValue, v)
	}
}

// endSelect adds the chosen option of an open select.
func (f *form) endSelect(e *Extractor) {
	if f.selectName != "" && f.options > 0 {
		f.add(e, f.selectName, f.choice)
	}
	f.selectName, f.options = "", 0
}
