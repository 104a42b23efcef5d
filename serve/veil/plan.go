package veil

import (
	"reflect"
	"strings"
	"sync"
	"time"
)

// plan is what is known of a struct type: which of its fields are looked at, and how. Reflection tells it again for every value,
// at several times the cost of writing the answer; so each type is asked once.
type plan struct {
	fields     []field
	times      []field // of the type time.Time, and structs that are embedded, which may have some
	collection []int   // index of the field that names the collection; nil: none
}

type field struct {
	i         int
	name      string // in lower case
	host      bool   // a name of a host may stand there
	text      bool   // it is a string
	exported  bool
	anonymous bool
}

// plans are those of all types that were met. What they say follows from the type alone.
var plans sync.Map // of *plan, by reflect.Type

// planOf returns the plan of a struct type.
func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	p := &plan{}
	for i := range t.NumField() {
		f := t.Field(i)
		one := field{i: i, name: strings.ToLower(f.Name), text: f.Type.Kind() == reflect.String, exported: f.IsExported(), anonymous: f.Anonymous}
		one.host = hostFields[one.name]
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if of == timeType && one.exported || one.anonymous && of.Kind() == reflect.Struct {
			p.times = append(p.times, one)
		}
		if textFields[one.name] && f.Type.Kind() != reflect.Struct || !tells(f.Type) || !one.exported && !one.anonymous {
			continue
		}
		p.fields = append(p.fields, one)
	}
	name := "Collection"
	if t.Name() == name {
		name = "Name"
	}
	if f, ok := t.FieldByName(name); ok {
		p.collection = f.Index
	}
	plans.Store(t, p)
	return p
}

// tells reports whether values of a type may hold texts.
func tells(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		switch t.Elem().Kind() { // not asked further: a type may hold itself
		case reflect.String, reflect.Interface, reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map, reflect.Struct:
			return t != bytesType && t.Elem() != timeType
		}
		return false
	case reflect.Map:
		return true
	case reflect.Struct:
		return t != timeType && len(planOf(t).fields) > 0
	}
	return false
}

// collectionOf gives the name of the collection that a struct tells of; "" if it does not say.
func collectionOf(v reflect.Value) string {
	index := planOf(v.Type()).collection
	if index == nil {
		return ""
	}
	x, err := v.FieldByIndexErr(index)
	for err == nil && x.Kind() == reflect.Pointer && !x.IsNil() {
		x = x.Elem()
	}
	switch {
	case err != nil:
		return ""
	case x.Kind() == reflect.Struct && x.Type().Name() == "Collection" && v.Type().Name() != "Collection":
		return collectionOf(x)
	case x.Kind() == reflect.String:
		return x.String()
	}
	return ""
}

// structTimes gives the times among the fields of a struct, with those that it embeds.
func structTimes(v reflect.Value) (out times) {
	for _, f := range planOf(v.Type()).times {
		x := v.Field(f.i)
		if x.Kind() == reflect.Pointer {
			if x.IsNil() {
				continue
			}
			x = x.Elem()
		}
		if x.Type() == timeType && f.exported {
			out.add(f.name, x.Interface().(time.Time))
			continue
		}
		in := structTimes(x)
		if in.lasted && !out.lasted {
			out.began, out.end, out.lasted = in.began, in.end, true
		}
		out.add(f.name, in.first)
	}
	return out
}
