package replay

import (
	"context"
	"slices"
	"time"

	"varve/archive/cdxj"
)

// maxPoints bounds the captures of one URL that a timeline holds; what is beyond is left out at its end.
const maxPoints = 50000

// point is one capture on a timeline.
type point struct {
	time   time.Time
	digest string
	status int
}

// timeline is the captures of one key in order of time.
type timeline struct {
	points []point
	cut    bool
}

// around gives the captures before and after an instant.
func (l *timeline) around(t time.Time) (prev, next *point) {
	i, found := slices.BinarySearchFunc(l.points, t, func(p point, t time.Time) int { return p.time.Compare(t) })
	if i > 0 {
		prev = &l.points[i-1]
	}
	for found && i < len(l.points) && l.points[i].time.Equal(t) {
		i++
	}
	if i < len(l.points) {
		next = &l.points[i]
	}
	return prev, next
}

// version is a run of captures with the same content.
type version struct {
	first, last time.Time
	count       int
	status      int
}

// versions joins captures with the same content.
func (l *timeline) versions() (out []version) {
	digest := ""
	for _, p := range l.points {
		n := len(out)
		if n > 0 && (cdxj.SameDigest(p.digest, digest) || p.digest == "" && p.status == out[n-1].status) {
			out[n-1].last = p.time
			out[n-1].count++
			continue
		}
		digest = p.digest
		out = append(out, version{first: p.time, last: p.time, count: 1, status: p.status})
	}
	return out
}

// timeline reads the captures of a key that the visitor of the context may know of. It is not kept for the next
// request: the frame page asks for the visitor, the page in it for archived content, and they may see different captures.
func (h *Handler) timeline(ctx context.Context, collection, key string) (*timeline, error) {
	line := &timeline{}
	for c, err := range h.cfg.Index.Captures(ctx, collection, Query{Key: key, Limit: maxPoints + 1}) {
		if err != nil {
			return nil, err
		}
		if len(line.points) == maxPoints {
			line.cut = true
			break
		}
		line.points = append(line.points, point{c.Time, c.Digest, c.Status})
	}
	return line, nil
}
