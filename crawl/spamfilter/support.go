package spamfilter

import "math"

// MaxSupport is how many supporters count at most.
const MaxSupport = 7

// MaxTargets is how many hosts one host supports at most: the first that its pages link.
const MaxTargets = 128

// Temper lowers a spamicity by support: the odds of spam are divided by one more than the number of hosts that link the host and are not
// rejected themselves.
//
//	odds' = odds / (1 + min(n, 7))
//
// Good pages seldom lead to bad ones (Gyöngyi et al. 2004), so links speak for a host. They never speak against it: not being linked
// yet says little in a crawl that has just begun, and honest blogs whose comments are full of spam link, and are linked by, the worst.
func Temper(spamicity float64, supporters int) float64 {
	if math.IsNaN(spamicity) || supporters <= 0 || spamicity >= 1 {
		return spamicity
	}
	odds := spamicity / (1 - spamicity) / float64(1+min(supporters, MaxSupport))
	return odds / (1 + odds)
}

// Support counts for each host how many others link it. The counts are a sketch of fixed size (count-min, two rows of 8 Mi counters of a byte): they
// are never too low, and exact as long as there are much fewer links between hosts than counters, about up to 100,000 hosts; beyond,
// the filter becomes more lenient. Support can be withdrawn from the targets of a host that is rejected, as long as their
// list fits into the memory given; else it stays. All errors are in favour of hosts.
type Support struct {
	rows     [2][]uint8
	lists    map[uint64][]uint64 // targets of hosts whose support counts
	barred   map[uint64]bool     // hosts whose support was withdrawn
	room     int64               // bytes for further lists
	suspects map[uint64]string
}

const counters = 1 << 23

// NewSupport makes one that keeps lists of so many bytes.
func NewSupport(memory int64) *Support {
	s := &Support{lists: map[uint64][]uint64{}, barred: map[uint64]bool{}, suspects: map[uint64]string{}, room: memory}
	for i := range s.rows {
		s.rows[i] = make([]uint8, counters)
	}
	return s
}

// Add lets a host support further hosts, by their hashes. It gives the suspects among them.
func (s *Support) Add(host uint64, targets []uint64) (touched []string) {
	size := int64(8 * len(targets))
	if list, known := s.lists[host]; known || s.room > size+64 {
		if !known {
			s.room -= 64
		}
		s.lists[host] = append(list, targets...)
		s.room -= size
	}
	if s.barred[host] {
		return nil
	}
	return s.count(targets, 1)
}

// Withdraw takes back the support of a host that is rejected, and gives the suspects that lose by it.
func (s *Support) Withdraw(host uint64) []string {
	if s.barred[host] {
		return nil
	}
	s.barred[host] = true
	return s.count(s.lists[host], -1)
}

// Restore gives back the support of a host that is not rejected any more, and gives the suspects that win by it.
func (s *Support) Restore(host uint64) []string {
	if !s.barred[host] {
		return nil
	}
	delete(s.barred, host)
	return s.count(s.lists[host], 1)
}

// count changes the counts of targets. Counters that are full stay so.
func (s *Support) count(targets []uint64, by int) (touched []string) {
	for _, t := range targets {
		for i := range s.rows {
			c := &s.rows[i][place(t, i)]
			switch {
			case *c == math.MaxUint8 || by < 0 && *c == 0:
			case by > 0:
				*c++
			default:
				*c--
			}
		}
		if name, suspect := s.suspects[t]; suspect {
			touched = append(touched, name)
		}
	}
	return touched
}

// Of is how many hosts support a host.
func (s *Support) Of(host uint64) int {
	return int(min(s.rows[0][place(host, 0)], s.rows[1][place(host, 1)]))
}

// Suspect notes that a host would be rejected without support: it is named when its support changes.
func (s *Support) Suspect(name string) { s.suspects[HashOf(name)] = name }

// Clear forgets a suspect.
func (s *Support) Clear(name string) { delete(s.suspects, HashOf(name)) }

// place is that of a hash in a row of the sketch.
func place(h uint64, row int) uint64 {
	if row == 1 {
		h = mix(h + 0x9e3779b97f4a7c15)
	}
	return h % counters
}

// HashOf names a host by a number (FNV-1a, mixed), without its port.
func HashOf(host string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(host) {
		if host[i] == ':' && host[0] != '[' {
			break
		}
		h = (h ^ uint64(host[i])) * 0x100000001b3
	}
	return mix(h)
}

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
