package temporal

import "varve/text/dating"

// A server may tell the same Last-Modified for most of its pages, or move it without a change: whether the stamps of a host are
// believed is dating.Trust's to say. So the versions of a host are held until it is known what its stamps are worth.
const hostBatch = 50_000 // versions of a host that are judged together

// stamps are the Last-Modified of the captures of one version, not judged yet.
type stamps struct {
	first uint32 // that was told; 0: none
	told  uint32 // last
	stays int    // how often it was told again
	moves int    // how often another one was told, although the content stayed
	// span is what the stamps assert, if they are right: from the first that can be true to the last capture that told it. Zero: nothing.
	span Span
}

// judge holds the versions of a host until its stamps can be judged.
type judge struct {
	out  func(*Version) error
	host string
	held []judged
}

type judged struct {
	v *Version
	stamps
}

// add takes the next version, in the order of the index.
func (j *judge) add(host string, v *Version, s stamps) error {
	if host != j.host || len(j.held) >= hostBatch {
		if err := j.flush(); err != nil {
			return err
		}
		j.host = host
	}
	j.held = append(j.held, judged{v, s})
	return nil
}

// trust learns what the stamps of the host are worth.
func (j *judge) trust() *dating.Trust {
	var t dating.Trust
	page, told := "", uint32(0)
	for i, h := range j.held {
		if i == 0 || h.v.Key != page {
			page, told = h.v.Key, 0
		}
		switch {
		case h.first == 0:
			continue
		case told == 0:
			t.AddStamp(instant(h.first), true)
		default:
			t.AddRevisit(true, h.first != told)
		}
		for range h.stays {
			t.AddRevisit(false, false)
		}
		for range h.moves {
			t.AddRevisit(false, true)
		}
		told = h.told
	}
	return &t
}

// flush judges the stamps of the host and lets its versions go.
func (j *judge) flush() error {
	trusted := j.trust().Trusted()
	for _, h := range j.held {
		if trusted && h.span != (Span{}) && h.moves == 0 {
			h.v.Asserted = append(h.v.Asserted, h.span)
		}
		h.v.Asserted = union(h.v.Asserted)
		if err := j.out(h.v); err != nil {
			return err
		}
	}
	clear(j.held)
	j.held = j.held[:0]
	return nil
}
