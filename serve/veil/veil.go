package veil

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"time"

	"varve/serve/access"
	"varve/serve/holdings"
	"varve/web/canon"
)

// Veil keeps from one visitor what rules withhold, and where the archive lies. A nil one keeps nothing.
type Veil struct {
	paths      Paths
	set        *access.RuleSet // nil: nothing is withheld
	who        access.Visitor
	now        time.Time
	collection string
	ctx        context.Context // of the request, for questions to the index
	index      holdings.Index  // as the visitor may see it; nil: none
}

// Of gives the veil of the visitor of a context, for an answer about a collection, or about several if it is not named;
// without rules nothing is withheld. The index is one that leaves out what the visitor may not see.
func Of(ctx context.Context, paths Paths, rules *access.Decisions, index holdings.Index, collection string, now time.Time) (*Veil, error) {
	if rules == nil {
		return &Veil{paths: paths}, nil
	}
	set, err := rules.InForce()
	if err != nil {
		return nil, err
	}
	who := access.From(ctx)
	if !set.Withholds(who, collection) {
		return &Veil{paths: paths}, nil
	}
	return &Veil{paths, set, who, now, collection, ctx, index}, nil
}

// Said is what a request asks with, in its address and in a form that was read: it may come back in the answer.
func Said(r *http.Request) (out []string) {
	for _, list := range r.URL.Query() {
		out = append(out, list...)
	}
	for _, list := range r.PostForm {
		out = append(out, list...)
	}
	return out
}

// place is where in an answer a value lies: of which collection and time it tells.
type place struct {
	collection string
	from, to   time.Time // both zero: of any time
	host       bool      // a name of a host may stand here
	top        bool      // a field of the answer itself
	depth      int
}

// deepest bounds how far values are followed. What lies deeper goes.
const deepest = 60

// Answer gives an answer without what is withheld; said is what the visitor asked with.
func (v *Veil) Answer(x any, said ...string) any {
	if v == nil || x == nil {
		return x
	}
	w := v.walk(said)
	out, _ := w.value(reflect.ValueOf(x), place{collection: v.collection, top: true})
	if !out.IsValid() {
		return nil
	}
	return out.Interface()
}

// Text gives a text without the lines that tell of something withheld.
func (v *Veil) Text(s string, said ...string) string {
	if v == nil {
		return s
	}
	w := v.walk(said)
	out, gone := w.text(s, place{collection: v.collection, top: true})
	if gone {
		return ""
	}
	return out
}

// Event gives an event of a crawl, an object with its time, without what is withheld; ok is false if it is not to be told.
func (v *Veil) Event(object []byte) (out []byte, ok bool) {
	if v == nil || v.set == nil && v.paths.Text(string(object)) == string(object) {
		return object, true
	}
	var fields map[string]any
	if json.Unmarshal(object, &fields) != nil {
		return nil, false // what cannot be read cannot be judged
	}
	w := v.walk(nil)
	left, gone := w.value(reflect.ValueOf(fields), place{collection: v.collection})
	if gone {
		return nil, false
	}
	if same(left, reflect.ValueOf(fields)) {
		return object, true
	}
	out, err := json.Marshal(left.Interface())
	return out, err == nil
}

// walk goes through one answer.
type walk struct {
	*Veil
	said map[string]bool // what the visitor asked with, and index keys of that
}

func (v *Veil) walk(said []string) *walk {
	w := &walk{Veil: v, said: map[string]bool{}}
	for _, s := range said {
		w.said[s], w.said[canon.SURT(s)] = true, true
	}
	delete(w.said, "")
	return w
}

var (
	timeType  = reflect.TypeFor[time.Time]()
	anyMap    = reflect.TypeFor[map[string]any]()
	bytesType = reflect.TypeFor[[]byte]()
)

// value gives a value without what is withheld, and tells whether it goes as a whole.
func (w *walk) value(v reflect.Value, at place) (out reflect.Value, gone bool) {
	if !v.IsValid() {
		return v, false
	}
	if at.depth++; at.depth > deepest {
		return reflect.Zero(v.Type()), true
	}
	switch v.Kind() {
	case reflect.String:
		was := v.String()
		s, gone := w.text(was, at)
		if s == was {
			return v, gone
		}
		return reflect.ValueOf(s).Convert(v.Type()), gone
	case reflect.Pointer, reflect.Interface:
		return w.behind(v, at)
	case reflect.Slice, reflect.Array:
		return w.list(v, at)
	case reflect.Map:
		return w.table(v, at)
	case reflect.Struct:
		return w.fields(v, at)
	}
	return v, false
}

// behind follows a pointer or an interface.
func (w *walk) behind(v reflect.Value, at place) (reflect.Value, bool) {
	if v.IsNil() {
		return v, false
	}
	inner, gone := w.value(v.Elem(), at)
	if same(inner, v.Elem()) {
		return v, gone
	}
	if v.Kind() == reflect.Interface {
		return inner, gone
	}
	out := reflect.New(v.Type().Elem())
	out.Elem().Set(inner)
	return out, gone
}

// same tells whether nothing was taken from a value: changed ones are copies with another address, or other texts.
func same(a, b reflect.Value) bool {
	if a.Kind() == reflect.Interface || b.Kind() == reflect.Interface { // what was changed behind one comes without it
		return a.Kind() == b.Kind()
	}
	switch a.Kind() {
	case reflect.String:
		return a.String() == b.String()
	case reflect.Slice:
		return a.Len() == b.Len() && a.Pointer() == b.Pointer()
	case reflect.Map, reflect.Pointer:
		return a.Pointer() == b.Pointer()
	case reflect.Struct, reflect.Array:
		return a.CanAddr() && b.CanAddr() && a.Addr().Pointer() == b.Addr().Pointer() || !a.CanAddr() && !b.CanAddr()
	}
	return true
}

// list leaves out the items that go.
func (w *walk) list(v reflect.Value, at place) (reflect.Value, bool) {
	if v.Type() == bytesType || !tells(v.Type().Elem()) || v.Len() == 0 {
		return v, false
	}
	at.top = false
	var out []reflect.Value // from the first change on; most lists have none
	changed := false
	for i := range v.Len() {
		x, gone := w.value(v.Index(i), at)
		if !changed {
			if !gone && same(x, v.Index(i)) {
				continue
			}
			changed = true
			for k := range i {
				out = append(out, v.Index(k))
			}
		}
		if gone {
			if v.Kind() == reflect.Array {
				out = append(out, reflect.Zero(v.Type().Elem()))
			}
			continue
		}
		out = append(out, x)
	}
	switch {
	case !changed:
		return v, false
	case v.Kind() == reflect.Array:
		a := reflect.New(v.Type()).Elem()
		for i, x := range out {
			a.Index(i).Set(x)
		}
		return a, false
	}
	return reflect.Append(reflect.MakeSlice(v.Type(), 0, len(out)), out...), false
}

// table leaves out the entries that go, by their key or what is under it. An object of JSON is what a struct is elsewhere.
func (w *walk) table(v reflect.Value, at place) (reflect.Value, bool) {
	if v.IsNil() || v.Len() == 0 {
		return v, false
	}
	if v.Type() == anyMap {
		at = w.within(at, objectTimes(v.Interface().(map[string]any)))
	}
	var out reflect.Value
	change := func(key, x reflect.Value) {
		if !out.IsValid() {
			out = reflect.MakeMapWithSize(v.Type(), v.Len())
			for it := v.MapRange(); it.Next(); {
				out.SetMapIndex(it.Key(), it.Value())
			}
		}
		out.SetMapIndex(key, x)
	}
	whole := false
	for it := v.MapRange(); it.Next(); {
		key, x := it.Key(), it.Value()
		inner := at
		inner.top = false
		if key.Kind() == reflect.String {
			inner.host = at.host || hostFields[strings.ToLower(key.String())]
			if text, gone := w.text(key.String(), at); gone || text != key.String() {
				change(key, reflect.Value{})
				continue
			}
			if textFields[strings.ToLower(key.String())] {
				continue
			}
		}
		y, gone := w.value(x, inner)
		switch {
		case gone && v.Type() == anyMap && deref(x).Kind() == reflect.String:
			whole = true
		case gone:
			change(key, reflect.Value{})
		case !same(y, x) && y.Type().AssignableTo(v.Type().Elem()):
			change(key, y)
		}
	}
	if out.IsValid() {
		return out, whole
	}
	return v, whole
}

func deref(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	return v
}

// fields goes through a struct. One that has a withheld address in a field of its own goes as a whole, but for the answer
// itself, of which only the field goes.
func (w *walk) fields(v reflect.Value, at place) (reflect.Value, bool) {
	if !tells(v.Type()) {
		return v, false
	}
	var out reflect.Value
	whole := w.each(v, at, func(i int) reflect.Value {
		if !out.IsValid() {
			out = reflect.New(v.Type()).Elem()
			out.Set(v)
		}
		return out.Field(i)
	})
	if out.IsValid() {
		return out, whole
	}
	return v, whole
}

// each goes through the fields of a struct and changes those that must be, where to says they lie.
func (w *walk) each(v reflect.Value, at place, to func(i int) reflect.Value) (whole bool) {
	inner := at
	if w.set != nil { // else only paths are looked for, wherever they stand
		inner = w.within(at, structTimes(v))
		if name := collectionOf(v); name != "" {
			inner.collection = name
		}
	}
	for _, f := range planOf(v.Type()).fields {
		sub, i := inner, f.i
		sub.host, sub.top = f.host, at.top && (f.anonymous || f.text)
		if !f.exported {
			whole = w.embedded(v.Field(i), sub, func() reflect.Value { return to(i) }) || whole
			continue
		}
		x, gone := w.value(v.Field(i), sub)
		switch {
		case gone && (f.anonymous || f.text && !at.top):
			whole = true
		case gone:
			to(i).SetZero()
		case !same(x, v.Field(i)):
			to(i).Set(x)
		}
	}
	return whole
}

// embedded goes through an embedded struct whose name is not exported: its fields are those of the struct around it, but it
// cannot be replaced. It was made for this answer, so it is changed where it lies.
func (w *walk) embedded(v reflect.Value, at place, copied func() reflect.Value) bool {
	switch {
	case v.Kind() == reflect.Struct:
		v = copied()
	case v.Kind() == reflect.Pointer && !v.IsNil() && v.Type().Elem().Kind() == reflect.Struct:
		v = v.Elem()
	default:
		return false
	}
	return w.each(v, at, v.Field)
}

// times are what is known of when something was.
type times struct {
	first      time.Time // the earliest
	began, end time.Time // of work that took time
	lasted     bool
}

// otherTimes are fields with times at which nothing was captured.
var otherTimes = map[string]bool{"until": true, "next": true, "expires": true, "date": true, "dated": true, "changed": true, "created": true, "looked": true, "asked": true}

func (t *times) add(name string, at time.Time) {
	switch name = strings.ToLower(name); {
	case name == "started":
		t.began, t.lasted = at, true
	case name == "ended":
		t.end = at
	case !at.IsZero() && !otherTimes[name] && (t.first.IsZero() || at.Before(t.first)):
		t.first = at
	}
}

// objectTimes gives the times of an object of JSON.
func objectTimes(fields map[string]any) (out times) {
	for name, x := range fields {
		if s, ok := x.(string); ok {
			if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
				out.add(name, at)
			}
		}
	}
	return out
}

// within gives the place of what lies in a value with such times.
func (w *walk) within(at place, t times) place {
	switch {
	case t.lasted && !t.began.IsZero():
		at.from, at.to = t.began, t.end
		if at.to.IsZero() {
			at.to = w.now
		}
	case !t.first.IsZero():
		at.from, at.to = t.first, t.first
	}
	return at
}

// text gives a text without the lines that tell of something withheld, and tells whether nothing of it may be shown.
func (w *walk) text(s string, at place) (string, bool) {
	if at.top && w.said[s] {
		return s, false
	}
	if s = w.paths.Text(s); w.set == nil || !w.hides(s, at, 0) {
		return s, false
	}
	if !strings.Contains(s, "\n") {
		return "", true
	}
	var kept []string
	for line := range strings.SplitSeq(s, "\n") {
		if !w.hides(line, at, 0) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n"), false
}
