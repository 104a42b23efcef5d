package api

import "reflect"

// withLists gives a value in which lists that are nil are empty ones: the document calls them lists, and programs that
// read an answer want to loop over them without asking first. What has to be changed is copied, since answers may be
// shared between requests; an answer without such lists is given back as it is. Fields that are left out when empty
// stay so.
func withLists(v any) any {
	in := reflect.ValueOf(v)
	if !in.IsValid() {
		return v
	}
	if out, changed := filled(in); changed {
		return out.Interface()
	}
	return v
}

func filled(v reflect.Value) (reflect.Value, bool) {
	t := v.Type()
	if t.Implements(jsonMarshal) || t.Implements(textMarshal) {
		return v, false
	}
	switch t.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v, false
		}
		inner, changed := filled(v.Elem())
		if !changed {
			return v, false
		}
		out := reflect.New(t.Elem())
		out.Elem().Set(inner)
		return out, true
	case reflect.Interface:
		if v.IsNil() {
			return v, false
		}
		return filled(v.Elem())
	case reflect.Slice:
		return filledSlice(v)
	case reflect.Map:
		return filledMap(v)
	case reflect.Struct:
		return filledStruct(v)
	}
	return v, false
}

func filledSlice(v reflect.Value) (reflect.Value, bool) {
	if v.IsNil() {
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return v, false // bytes are a text in JSON
		}
		return reflect.MakeSlice(v.Type(), 0, 0), true
	}
	if flat(v.Type().Elem()) {
		return v, false
	}
	var out reflect.Value
	for i := range v.Len() {
		x, changed := filled(v.Index(i))
		if !changed {
			continue
		}
		if !out.IsValid() {
			out = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(out, v)
		}
		out.Index(i).Set(x)
	}
	if out.IsValid() {
		return out, true
	}
	return v, false
}

func filledMap(v reflect.Value) (reflect.Value, bool) {
	if v.IsNil() || flat(v.Type().Elem()) {
		return v, false
	}
	var out reflect.Value
	for it := v.MapRange(); it.Next(); {
		x, changed := filled(it.Value())
		if !changed {
			continue
		}
		if !out.IsValid() {
			out = reflect.MakeMapWithSize(v.Type(), v.Len())
			for all := v.MapRange(); all.Next(); {
				out.SetMapIndex(all.Key(), all.Value())
			}
		}
		out.SetMapIndex(it.Key(), x)
	}
	if out.IsValid() {
		return out, true
	}
	return v, false
}

func filledStruct(v reflect.Value) (reflect.Value, bool) {
	var out reflect.Value
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() || flat(f.Type) {
			continue
		}
		x, changed := filled(v.Field(i))
		if !changed {
			continue
		}
		if !out.IsValid() {
			out = reflect.New(v.Type()).Elem()
			out.Set(v)
		}
		out.Field(i).Set(x)
	}
	if out.IsValid() {
		return out, true
	}
	return v, false
}

// flat tells whether values of a kind hold no lists.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Struct:
		return t == timeType
	}
	return true
}
