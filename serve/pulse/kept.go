package pulse

import (
	"sync"
	"time"
)

// Limits of what is kept.
const (
	worthCosts = 20               // a value is good for so many times the time that it took to make
	longest    = 10 * time.Minute // one whose sources did not change, for so long
	mostKept   = 20_000           // when there are more it begins anew
)

// kept holds values that were found out, so that a page that is looked at often costs little.
type kept struct {
	now func() time.Time

	mu sync.Mutex
	by map[any]*value
}

type value struct {
	mu    sync.Mutex // one at a time finds it out
	has   bool
	stamp any
	at    time.Time
	cost  time.Duration
	v     any
}

func (k *kept) value(key any) *value {
	k.mu.Lock()
	defer k.mu.Unlock()
	v := k.by[key]
	if v == nil {
		if k.by == nil || len(k.by) >= mostKept {
			k.by = map[any]*value{}
		}
		v = &value{}
		k.by[key] = v
	}
	return v
}

// keep gives the value of a key: as it was if that is still good, else as find says. A stamp that is not nil
// tells the state of what it is found from. Errors are not kept.
func keep[T any](k *kept, key, stamp any, find func() (T, error)) (T, error) {
	v := k.value(key)
	v.mu.Lock()
	defer v.mu.Unlock()
	start := k.now()
	age := start.Sub(v.at)
	if v.has && age >= 0 && (age < worthCosts*v.cost || stamp != nil && stamp == v.stamp && age < longest) {
		return v.v.(T), nil
	}
	found, err := find()
	if err != nil {
		return found, err
	}
	v.has, v.v, v.stamp, v.at = true, found, stamp, k.now()
	v.cost = v.at.Sub(start)
	return found, nil
}
