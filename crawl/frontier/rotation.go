package frontier

import (
	"cmp"
	"slices"
	"time"
)

// rotation is the round of hosts that have work and are not claimed.
//
// Hosts that get work join the end of a list; Claim takes from its front. The list is bounded:
// when it is full, or after opening, the hosts left out are found again by a pass over the list
// of hosts with work in the store, a piece at a time, whenever the list has run empty. Hosts
// whose URLs all have to wait sleep in a second list, ordered by time and bounded in the same
// way: the latest are left out and found by a pass once the others have woken.
type rotation struct {
	list   []uint32 // host numbers; head is the next
	head   int
	listed map[uint32]struct{}

	sleepers  []sleeper // earliest first
	asleep    map[uint32]struct{}
	overslept bool // some were left out of sleepers

	pass   bool   // a pass over the store is due or under way
	again  bool   // another one is needed after it
	cursor uint32 // hosts below are done in this pass
}

type sleeper struct {
	until int64 // Unix milliseconds
	id    uint32
}

const (
	rotationMax = 1 << 15 // hosts listed
	sleepersMax = 1 << 13
	passStep    = 4096 // hosts read from the store at a time
)

func newRotation(work bool) rotation {
	return rotation{listed: map[uint32]struct{}{}, asleep: map[uint32]struct{}{}, pass: work}
}

// push lists a host, unless it is listed already.
func (r *rotation) push(id uint32) {
	if _, ok := r.listed[id]; ok {
		return
	}
	if len(r.listed) >= rotationMax {
		if r.pass {
			r.again = true
		}
		r.pass = true
		return
	}
	r.listed[id] = struct{}{}
	r.list = append(r.list, id)
}

// rejoin lists a host that had its turn. During a pass it is left for the pass, or the next one, to
// find: at the end of the list it would come before hosts that the pass has not reached.
func (r *rotation) rejoin(id uint32) {
	switch {
	case !r.pass:
		r.push(id)
	case id < r.cursor:
		r.again = true
	}
}

// pop takes the next host off the list.
func (r *rotation) pop() (uint32, bool) {
	if r.head == len(r.list) {
		r.list, r.head = r.list[:0], 0
		return 0, false
	}
	id := r.list[r.head]
	r.head++
	if r.head > 1024 && r.head*2 > len(r.list) {
		r.list = slices.Delete(r.list, 0, r.head)
		r.head = 0
	}
	delete(r.listed, id)
	return id, true
}

// passed ends a pass.
func (r *rotation) passed() { r.cursor, r.pass, r.again = 0, r.again, false }

// sleep lets a host wait until t.
func (r *rotation) sleep(id uint32, until int64) {
	if _, ok := r.asleep[id]; ok {
		r.forget(id)
	}
	i, _ := slices.BinarySearchFunc(r.sleepers, until, func(s sleeper, t int64) int { return cmp.Compare(s.until, t) })
	r.sleepers = slices.Insert(r.sleepers, i, sleeper{until: until, id: id})
	r.asleep[id] = struct{}{}
	if last := len(r.sleepers) - 1; last >= sleepersMax {
		delete(r.asleep, r.sleepers[last].id)
		r.sleepers = r.sleepers[:last]
		r.overslept = true
	}
}

func (r *rotation) forget(id uint32) {
	delete(r.asleep, id)
	r.sleepers = slices.DeleteFunc(r.sleepers, func(s sleeper) bool { return s.id == id })
}

// rouseAll wakes all hosts and has those found that are not listed: what they may give out has changed.
func (r *rotation) rouseAll() {
	r.sleepers = r.sleepers[:0]
	clear(r.asleep)
	r.overslept, r.again, r.pass = false, r.pass, true
}

// rouse lists the hosts whose time has come, and those that would sleep for longer than any may: the clock was set back.
func (r *rotation) rouse(now time.Time, longest time.Duration) {
	r.sleepers = slices.DeleteFunc(r.sleepers, func(s sleeper) bool {
		if ahead(s.until, now, longest) {
			return false
		}
		delete(r.asleep, s.id)
		r.push(s.id)
		return true
	})
	if r.overslept && len(r.sleepers) == 0 {
		r.overslept, r.again, r.pass = false, r.pass, true
	}
}
