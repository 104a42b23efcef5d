package frontier

// Stats are the counters of a crawl. All but InFlight, Filter and Lookups survive a crash exactly.
type Stats struct {
	Queued   int64 `json:"queued"`   // waiting to be taken
	InFlight int64 `json:"inFlight"` // taken and not yet settled
	Late     int64 `json:"late"`     // of Queued and InFlight: put off with a NotBefore
	Retired  int64 `json:"retired"`  // of Queued and InFlight: of retired hosts
	Done     int64 `json:"done"`
	Failed   int64 `json:"failed"` // of Done
	Dropped  int64 `json:"dropped"`
	Retries  int64 `json:"retries"`
	Bytes    int64 `json:"bytes"`
	Hosts    int64 `json:"hosts"`  // ever seen
	Active   int64 `json:"active"` // with URLs queued or in flight

	Resident  int     `json:"resident"`  // hosts in memory
	HeadBytes int64   `json:"headBytes"` // bytes of the URLs in memory
	Filter    int64   `json:"filter"`    // bytes of the filter of seen keys
	Rebuilt   bool    `json:"rebuilt"`   // the filter is complete and in use
	Lookups   Lookups `json:"lookups"`
}

// Seen counts the keys of the seen-set.
func (s Stats) Seen() int64 { return s.Queued + s.InFlight + s.Done + s.Dropped }

// Stats gives the counters of the crawl.
func (f *Frontier) Stats() Stats {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, flying := &f.n, int64(len(f.flights))
	return Stats{
		Queued: n.queued - flying, InFlight: flying, Late: n.late, Retired: n.retired,
		Done: n.done, Failed: n.failed, Dropped: n.dropped, Retries: n.retries, Bytes: n.bytes,
		Hosts: n.hosts, Active: n.active,
		Resident: len(f.hosts.byName), HeadBytes: f.hosts.bytes,
		Filter: f.filter.used, Rebuilt: f.rebuilt, Lookups: f.lookups,
	}
}

// HostStats are the counters of one host, as in Stats.
type HostStats struct {
	Host     string `json:"host"`
	Domain   string `json:"domain,omitempty"`
	Queued   int64  `json:"queued"`
	InFlight int64  `json:"inFlight"`
	Late     int64  `json:"late"`
	Done     int64  `json:"done"`
	Failed   int64  `json:"failed"`
	Dropped  int64  `json:"dropped"`
	Retries  int64  `json:"retries"`
	Bytes    int64  `json:"bytes"`
	Retired  bool   `json:"retired,omitempty"`
	Claimed  bool   `json:"claimed,omitempty"`
}

func (s HostStats) metric(m Metric) int64 {
	return m.of(&tally{queued: s.Queued + s.InFlight, done: s.Done, failed: s.Failed, bytes: s.Bytes})
}

// HostStats gives the counters of a host; all are zero when it is not known.
func (f *Frontier) HostStats(name string) (HostStats, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return HostStats{}, f.err
	}
	if h := f.hosts.byName[name]; h != nil {
		s := h.stats(h.name)
		s.InFlight = int64(len(h.flights))
		s.Queued -= s.InFlight
		s.Claimed = h.claimed
		return s, nil
	}
	rec, _, err := readHost(f.db, name)
	return rec.stats(name), err
}

func (r *hostRecord) stats(name string) HostStats {
	t := &r.tally
	return HostStats{
		Host: name, Domain: r.domain, Queued: t.queued, Late: t.late, Done: t.done, Failed: t.failed,
		Dropped: t.dropped, Retries: t.retries, Bytes: t.bytes, Retired: r.retired,
	}
}

// Disk is what the store takes on disk and what it still has to do.
type Disk struct {
	Bytes int64 `json:"bytes"`
	Files int64 `json:"files"`
	Debt  int64 `json:"debt"` // bytes that compaction would still move
	Busy  bool  `json:"busy"` // it is compacting or flushing
}

// Disk tells how large the store is.
func (f *Frontier) Disk() (Disk, error) {
	if err := f.enter(); err != nil {
		return Disk{}, err
	}
	defer f.leave()
	m := f.db.Metrics()
	return Disk{
		Bytes: int64(m.DiskSpaceUsage()), Files: m.Total().TablesCount, Debt: int64(m.Compact.EstimatedDebt),
		Busy: m.Compact.NumInProgress > 0 || m.Flush.NumInProgress > 0,
	}, nil
}
