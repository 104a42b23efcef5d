package coherence

// Blur is the blur of a page of rate l that is captured t after the start of a window of length n:
// the expected number of changes between the capture and an instant x of the window, over all x:
//
//	l/n * integral over [0,n] of |x - t| dx  =  l * (t^2 - n*t + n^2/2) / n
//
// It is least in the middle of the window (l*n/4) and twice that at its ends (l*n/2).
func Blur(l, t, n float64) float64 {
	if n <= 0 {
		return 0
	}
	return l * (t*t - n*t + n*n/2) / n
}

// CaptureBlur is the blur of a capture: the sum over its pages. rates and times go together.
func CaptureBlur(rates, times []float64, n float64) float64 {
	sum := 0.0
	for i, l := range rates {
		sum += Blur(l, times[i], n)
	}
	return sum
}

// ActualBlur is the blur of a page whose changes are known: the mean over x in [0,n] of the number
// of changes between the capture at t and x. A change c is between t and all x on its other side:
//
//	sum over c > t of (n-c)/n  +  sum over c <= t of c/n
//
// Changes outside of the window do not count.
func ActualBlur(changes []float64, t, n float64) float64 {
	sum := 0.0
	for _, c := range changes {
		switch {
		case c < 0 || c > n || n <= 0:
		case c > t:
			sum += (n - c) / n
		default:
			sum += c / n
		}
	}
	return sum
}
