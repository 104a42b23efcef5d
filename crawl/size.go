package crawl

// sizeEstimate foretells how many pages a lane will have when all are found.
//
// Sitemaps and earlier captures count them. Without these the curve of discovery is asked. While the
// share of links that lead to new pages falls as pages become known,
//
//	y = y0 * (1 - D/N)    =>    N = D / (1 - y/y0)
//
// with D pages known, y new pages per visit lately and y0 in the beginning. Worked example: 8 new pages a
// visit at first, 2 lately, 300 known: N = 300/(1 - 1/4) = 400.
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
	first := float64(s.curve[quarter] - s.curve[0])
	last := float64(s.curve[n-1] - s.curve[n-1-quarter])
	if first <= 0 || last >= first {
		return maxGrowth * known
	}
	return int(min(float64(known)/(1-last/first), float64(maxGrowth*known)))
}

// expect tells the planner of a lane how many pages there will be. The lock is held.
func (c *coherent) expect(l *lane) {
	if l.size.earlier < 0 {
		l.size.earlier = c.countEarlier(l.host)
	}
	n := l.size.estimate(int(l.next))
	if c.r.sized != nil {
		n = c.r.sized(l.group.record.Name)
	}
	l.planner.Expect(n)
	l.expected = n
}
