package access

import (
	"sync"
	"time"
)

// Limiter lets each key through at a rate, with a burst: a bucket that fills over time.
type Limiter struct {
	rate  float64 // a second
	burst float64

	mu      sync.Mutex
	buckets map[string]bucket
}

type bucket struct {
	left float64
	at   time.Time
}

// maxBuckets bounds the memory; full buckets are dropped first, since they say nothing.
const maxBuckets = 50_000

// NewLimiter makes a limiter.
func NewLimiter(perSecond, burst float64) *Limiter {
	return &Limiter{rate: perSecond, burst: burst, buckets: map[string]bucket{}}
}

// Allow takes one from the bucket of a key, and tells how long to wait if it is empty.
func (l *Limiter) Allow(key string, now time.Time) (wait time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, found := l.buckets[key]
	if !found {
		if len(l.buckets) >= maxBuckets {
			l.sweep(now)
		}
		b = bucket{left: l.burst, at: now}
	}
	b.left = min(l.burst, b.left+now.Sub(b.at).Seconds()*l.rate)
	b.at = now
	if b.left < 1 {
		l.buckets[key] = b
		return time.Duration((1 - b.left) / l.rate * float64(time.Second)), false
	}
	b.left--
	l.buckets[key] = b
	return 0, true
}

func (l *Limiter) sweep(now time.Time) {
	for k, b := range l.buckets {
		if b.left+now.Sub(b.at).Seconds()*l.rate >= l.burst {
			delete(l.buckets, k)
		}
	}
	if len(l.buckets) >= maxBuckets {
		clear(l.buckets)
	}
}
