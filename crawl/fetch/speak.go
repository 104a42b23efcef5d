package fetch

import (
	"errors"
	"io"
	"os"
	"time"
)

// speak sends the request and reads the answer, and tells whether the connection can be kept.
func (k *call) speak() (keep bool, err error) {
	stop := k.cn.watch(k.ctx)
	keep, err = k.sendAndRead()
	return stop() && keep, err // a context that has ended closes the socket
}

func (k *call) sendAndRead() (keep bool, err error) {
	sent, err := k.send()
	if classIn(err) == WriteTimeout {
		return false, err
	}
	keep, readErr := k.receive(sent)
	if err != nil && (readErr != nil || k.x.Head.Status == 0) {
		return false, err // an early answer to a body not taken is an answer; else the write failed
	}
	return keep && err == nil, readErr
}

// send writes the request in one go.
func (k *call) send() (at time.Time, err error) {
	x, now := k.x, k.client.cfg.Clock.Now()
	if err := k.cn.nc.SetWriteDeadline(k.until(k.client.cfg.Timeouts.Write)); err != nil {
		return now, broken(err, WriteTimeout)
	}
	_, err = k.cn.nc.Write(k.sentBytes())
	k.cn.used = true
	sent := k.client.cfg.Clock.Now()
	x.Timings.Write = sent.Sub(now)
	if err != nil {
		return sent, broken(err, WriteTimeout)
	}
	return sent, nil
}

// sentBytes are the recorded bytes, with the proxy's credentials put in where it wants them: they
// are between us and the proxy, and not for the archive.
func (k *call) sentBytes() []byte {
	if k.proxy == nil || k.target.TLS {
		return k.x.RequestBytes
	}
	return k.proxy.withCredentials(k.x.RequestBytes)
}

// minRoom is the least space given to a read.
const minRoom = 4 << 10

// fill reads once into the spool and gives the bytes read. timedOut is the class of a deadline
// that runs out before any byte comes.
func (k *call) fill(wait time.Duration, timedOut Class) ([]byte, error) {
	if k.readErr != nil {
		return nil, k.readErr
	}
	room, err := k.x.Response.room(minRoom)
	if err != nil {
		return nil, as(Local, err)
	}
	for tries := 0; ; tries++ {
		at, ends := k.pace.deadline(k.until(wait))
		if err := k.cn.nc.SetReadDeadline(at); err != nil {
			return nil, broken(err, timedOut)
		}
		n, err := k.cn.nc.Read(room)
		if n > 0 {
			k.x.Response.added(n)
			if err != nil {
				k.readErr = broken(err, timedOut)
			}
			return room[:n], k.pace.add(n)
		}
		if ends && errors.Is(err, os.ErrDeadlineExceeded) {
			if err := k.pace.check(time.Now()); err != nil {
				return nil, err
			}
			continue // fast enough so far: a new window begins
		}
		if err == nil && tries > 100 {
			err = io.ErrNoProgress
		}
		if err != nil {
			return nil, broken(err, timedOut)
		}
	}
}

// pace watches over the minimum rate: each window must bring its share of bytes.
type pace struct {
	rate   int64
	window time.Duration
	ends   time.Time
	got    int64
}

// start begins with the first bytes of an answer.
func (p *pace) start(l Limits, got int) {
	if l.MinRate > 0 {
		*p = pace{rate: l.MinRate, window: l.Window, ends: time.Now().Add(l.Window), got: int64(got)}
	}
}

// deadline gives the earlier of t and the window's end, and tells whether it is the latter.
func (p *pace) deadline(t time.Time) (time.Time, bool) {
	if p.rate > 0 && p.ends.Before(t) {
		return p.ends, true
	}
	return t, false
}

func (p *pace) add(n int) error {
	if p.rate <= 0 {
		return nil
	}
	p.got += int64(n)
	return p.check(time.Now())
}

// check begins a new window where one is over, if it brought enough.
func (p *pace) check(now time.Time) error {
	if p.rate <= 0 || now.Before(p.ends) {
		return nil
	}
	if need := int64(p.window.Seconds() * float64(p.rate)); p.got < need {
		return faultf(TooSlow, "%d bytes in %v, at least %d were due", p.got, p.window, need)
	}
	p.got, p.ends = 0, now.Add(p.window)
	return nil
}
