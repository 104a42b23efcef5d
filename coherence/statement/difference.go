package statement

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// firstDifference names the first member in which two JSON texts differ, with both values; "" if they
// have the same canonical form.
func firstDifference(stated, now []byte) (string, error) {
	a, err := Canonical(stated)
	if err != nil {
		return "", err
	}
	b, err := Canonical(now)
	if err != nil || bytes.Equal(a, b) {
		return "", err
	}
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		return "", err
	}
	if err := json.Unmarshal(b, &y); err != nil {
		return "", err
	}
	return difference(x, y), nil
}

// difference walks into the first member that differs.
func difference(x, y any) string {
	a, okA := x.(map[string]any)
	b, okB := y.(map[string]any)
	if okA && okB {
		names := map[string]bool{}
		for n := range a {
			names[n] = true
		}
		for n := range b {
			names[n] = true
		}
		sorted := make([]string, 0, len(names))
		for n := range names {
			sorted = append(sorted, n)
		}
		slices.Sort(sorted)
		for _, n := range sorted {
			if one(a[n]) != one(b[n]) {
				return "." + n + difference(a[n], b[n])
			}
		}
	}
	return fmt.Sprintf(": stated %.100s, the files say %.100s", one(x), one(y))
}

// one writes a value for comparing; values that come from JSON can always be written.
func one(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}
