package temporal

// A server that tells the same Last-Modified for most of its pages tells when it was deployed, or
// makes dates up. So the versions of a host are held until it is known what is usual there:
//
//	stamps that more than half of the host's stamped versions share are not believed
//	(of fewer than four stamped versions nothing is known, and none is disbelieved)
const (
	hostBatch   = 50_000 // versions of a host that are judged together
	fewStamps   = 4
	shareStamps = 2 // one in so many is usual
)

// judge holds the versions of a host until its stamps can be judged.
type judge struct {
	out  func(*Version) error
	host string
	held []judged
}

type judged struct {
	v      *Version
	stamps []stamp
}

// add takes the next version, in the order of the index.
func (j *judge) add(host string, v *Version, stamps []stamp) error {
	if host != j.host || len(j.held) >= hostBatch {
		if err := j.flush(); err != nil {
			return err
		}
		j.host = host
	}
	j.held = append(j.held, judged{v, stamps})
	return nil
}

// flush judges the stamps of the host and lets its versions go.
func (j *judge) flush() error {
	count, total := map[uint32]int{}, 0
	for _, h := range j.held {
		for _, s := range h.stamps {
			count[s.modified]++
			total++
		}
	}
	for _, h := range j.held {
		for _, s := range h.stamps {
			if total < fewStamps || count[s.modified]*shareStamps <= total {
				h.v.Asserted = append(h.v.Asserted, Span{s.modified, add(s.at, 1)})
			}
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
