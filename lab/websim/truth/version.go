package truth

import (
	"encoding/binary"
	"strconv"
)

// State says whether a page is there.
type State uint8

// The states of a page.
const (
	Unborn State = iota // not there yet: 404
	Live                // there
	Gone                // vanished: 404 or 410
)

var stateNames = [...]string{"unborn", "live", "gone"}

// String is the name of the state.
func (s State) String() string { return stateNames[min(int(s), len(stateNames)-1)] }

// MarshalText gives the name of the state.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Version is what a page was at an instant: how many changes of each kind it has seen, and whether
// it is there. Versions are comparable; two equal versions of one page have the same bytes.
type Version struct {
	Content uint32 `json:"content"`
	Minor   uint32 `json:"minor"`
	Links   uint32 `json:"links"`
	Token   uint32 `json:"token"`
	Ad      uint32 `json:"ad"`
	Moves   uint32 `json:"moves"`
	State   State  `json:"state"`
}

// Same tells whether two versions of one page are equal on a layer.
func (v Version) Same(o Version, l Layer) bool {
	if v.State != o.State || v.Moves != o.Moves {
		return false
	}
	a, b := v.counts(), o.counts()
	for k := range a {
		if a[k] != b[k] && l.Sees(Kind(k)) {
			return false
		}
	}
	return true
}

func (v Version) counts() [5]uint32 {
	return [5]uint32{Content: v.Content, Minor: v.Minor, Links: v.Links, Token: v.Token, Ad: v.Ad}
}

// Append writes the version in a short form: "c4.m0.l2.t9.a1.v0", with "-" before it when the page
// is not there.
func (v Version) Append(dst []byte) []byte {
	if v.State != Live {
		dst = append(dst, '-')
	}
	for i, n := range [...]uint32{v.Content, v.Minor, v.Links, v.Token, v.Ad, v.Moves} {
		if i > 0 {
			dst = append(dst, '.')
		}
		dst = strconv.AppendUint(append(dst, "cmltav"[i]), uint64(n), 10)
	}
	return dst
}

// String is the short form of the version.
func (v Version) String() string { return string(v.Append(nil)) }

// Key packs the version for hashing.
func (v Version) Key() (key [25]byte) {
	for i, n := range [...]uint32{v.Content, v.Minor, v.Links, v.Token, v.Ad, v.Moves} {
		binary.LittleEndian.PutUint32(key[4*i:], n)
	}
	key[24] = byte(v.State)
	return key
}
