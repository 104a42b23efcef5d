package frontier

import "time"

// Head is the URL that a host would give out next.
type Head struct {
	Band  uint8   `json:"band"`
	Score float64 `json:"score"`
	// NotBefore is set when all URLs of the host must wait: the instant of the first.
	NotBefore time.Time `json:"notBefore,omitzero"`
}

// Take gives out the next URL of a host at the instant now; ok is false when it has none to give.
// Nothing is written: until Finish the URL stays queued on disk, and after a crash it is given
// out again. The caller must end it with Finish, Retry, Drop or Return.
func (f *Frontier) Take(name string, now time.Time) (it Item, ok bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h, err := f.open(name)
	if err != nil || h == nil || h.retired || h.waiting() == 0 {
		return Item{}, false, err
	}
	e, ok, err := f.peek(h, now)
	if err != nil || !ok || f.waits(e.pos, now) {
		return Item{}, false, err
	}
	it, err = f.give(h, e)
	return it, err == nil, err
}

// open is resident with the check that every call needs. It needs mu.
func (f *Frontier) open(name string) (*host, error) {
	if f.err != nil {
		return nil, f.err
	}
	return f.resident(name)
}

// item decodes an entry of a host.
func (f *Frontier) item(h *host, e entry) (Item, error) {
	it, err := decodeItem(e.val)
	it.Host, it.Domain = h.name, h.domain
	if e.pos.late() {
		it.NotBefore = time.UnixMilli(e.pos.due()).UTC()
	}
	return it, err
}

// Head tells what a host would give out next, without taking it.
func (f *Frontier) Head(name string, now time.Time) (hd Head, ok bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h, err := f.open(name)
	if err != nil || h == nil || h.retired || h.waiting() == 0 {
		return Head{}, false, err
	}
	e, ok, err := f.peek(h, now)
	if err != nil || !ok {
		return Head{}, false, err
	}
	it, err := f.item(h, e)
	hd = Head{Band: it.Band, Score: it.Score}
	if f.waits(e.pos, now) {
		hd.NotBefore = it.NotBefore
	}
	f.hosts.trim()
	return hd, err == nil, err
}

// Return gives a taken URL back as if it had never been taken, at its old place.
func (f *Frontier) Return(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	fl := f.flights[key]
	if fl == nil || f.err != nil {
		return
	}
	delete(f.flights, key)
	fl.host.land(fl.pos)
	f.hosts.insert(fl.host, fl.entry)
	f.hosts.touch(fl.host)
	if h := fl.host; !h.claimed && !h.retired {
		f.rot.push(h.id)
		f.signal()
	}
	f.hosts.trim()
}
