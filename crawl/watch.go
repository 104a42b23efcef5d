package crawl

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"varve/archive/warc"
	"varve/clock"
	"varve/crawl/scope"
)

// diskLow is why a run pauses by itself.
const diskLow = "disk nearly full"

// watchDisk pauses the run while there is too little room, and resumes it when there is again. Disks fill up in real time,
// whatever clock the crawl is on.
func (r *Run) watchDisk(ctx context.Context) {
	if _, real := r.place.Files.(warc.Disk); r.Def.MinDisk < 0 || !real {
		return
	}
	for {
		free, err := freeSpace(r.place.Dir)
		state, why := r.State()
		switch {
		case err != nil:
		case free < r.Def.MinDisk && state == Running:
			r.log.Warn("pausing: disk nearly full", "free", free, "min", r.Def.MinDisk)
			r.Pause(fmt.Sprintf("%s: %d MB free", diskLow, free>>20))
		case free >= r.Def.MinDisk+r.Def.MinDisk/10 && state == Paused && firstWords(why) == diskLow:
			r.Resume()
		}
		if clock.Real().Sleep(ctx, 5*time.Second) != nil {
			return
		}
	}
}

func freeSpace(dir string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * s.Bsize, nil
}

// suspect records that a URL looks like a trap, with the reason. Rules decide what comes of it.
func (r *Run) suspect(url string, s scope.Suspicion) {
	r.tally.trap(string(s.Kind))
	r.events.add("suspicion", "url", url, "kind", s.Kind, "why", s.Why)
}

// hostOverBudget tells whether and which budget of its host forbids a URL. Without a reason, what
// is under way may use it up.
func (r *Run) hostOverBudget(v *Visit) (over bool, why string) {
	s := v.settings
	if s.MaxTime != nil && r.hostTime(v) >= time.Duration(*s.MaxTime) {
		return true, fmt.Sprintf("%s: %s", parkedByBudget, time.Duration(*s.MaxTime))
	}
	if s.MaxPages == nil && s.MaxBytes == nil {
		return false, ""
	}
	stats, err := r.frontier.HostStats(v.item.Host)
	switch {
	case err != nil:
		return false, ""
	case s.MaxPages != nil && stats.Done-r.stages.order.Again(v.item.Host) >= *s.MaxPages:
		return true, fmt.Sprintf("%s: %d documents", parkedByBudget, *s.MaxPages)
	case s.MaxBytes != nil && stats.Bytes >= int64(*s.MaxBytes):
		return true, fmt.Sprintf("%s: %d bytes", parkedByBudget, int64(*s.MaxBytes))
	}
	return s.MaxPages != nil && stats.Done-r.stages.order.Again(v.item.Host)+stats.InFlight > *s.MaxPages, ""
}

// hostTime tells how long this run has been at the host of a visit.
func (r *Run) hostTime(v *Visit) time.Duration {
	r.hosts.mu.Lock()
	defer r.hosts.mu.Unlock()
	first, there := r.hosts.met[v.item.Host]
	if !there {
		first = v.started
		r.hosts.met[v.item.Host] = first
	}
	return v.started.Sub(first)
}
