package plan

// sizeEstimate foretells how many pages a lane will have when all are found.
//
// Sitemaps and earlier captures count them. Without these the curve of discovery is asked: the more pages are known,
// the fewer links lead to new ones. With D pages known and y new pages per visit
//
//	y = y0 * (1 - D/N)
//
// is a line over D, which is drawn through the first and the last quarter of the visits, and N is where it meets zero:
//
//	N = D2 + y2*(D2-D1)/(y1-y2)
//
// Worked example: 8 new pages a visit when 100 were known, 2 when 325 were: N = 325 + 2*225/6 = 400.
type sizeEstimate struct {
	listed  int // by sitemaps
	earlier int // in earlier captures; -1: not asked yet
	curve   []int
	stride  int // visits between two points of the curve
	skipped int
}

// curvePoints bounds the points of a curve; every second is left out when it has more.
const curvePoints = 64

// visit notes how many pages are known at a visit.
func (s *sizeEstimate) visit(known int) {
	if s.stride == 0 {
		s.stride = 1
	}
	if s.skipped++; s.skipped < s.stride {
		return
	}
	s.skipped = 0
	if s.curve = append(s.curve, known); len(s.curve) <= curvePoints {
		return
	}
	for i := range curvePoints / 2 {
		s.curve[i] = s.curve[2*i+1]
	}
	s.curve = s.curve[:curvePoints/2]
	s.stride *= 2
}

// estimate gives the number of pages to expect when so many are known.
func (s *sizeEstimate) estimate(known int) int {
	if n := max(s.listed, s.earlier); n > 0 {
		return max(n, known)
	}
	return s.byCurve(known)
}

// maxGrowth bounds what the curve may foretell, as a multiple of what is known.
const maxGrowth = 8

func (s *sizeEstimate) byCurve(known int) int {
	n := len(s.curve)
	if n < 8 {
		return known
	}
	quarter := n / 4
	at := func(i, j int) (d, y float64) { // middle and new pages of a part of the curve
		return float64(s.curve[i]+s.curve[j]) / 2, float64(s.curve[j] - s.curve[i])
	}
	d1, y1 := at(0, quarter)
	d2, y2 := at(n-1-quarter, n-1)
	if y1 <= y2 {
		return maxGrowth * known
	}
	return int(min(max(d2+y2*(d2-d1)/(y1-y2), float64(known)), float64(maxGrowth*known)))
}

// expect tells the planner of a lane how many pages there will be. The lock is held.
func (c *Stage) expect(l *lane) {
	if l.size.earlier < 0 {
		l.size.earlier = c.countEarlier(l.host)
	}
	n := l.size.estimate(int(l.next))
	if c.size != nil {
		n = c.size(l.group.record.Name)
	}
	if d := n - l.expected; d*d*64 > l.expected*l.expected || n < int(l.next) { // off by an eighth
		l.expected = n
		l.planner.Expect(n)
	}
}
