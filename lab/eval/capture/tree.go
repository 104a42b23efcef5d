package capture

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// tree adds up the processor time of a process and of all that it starts, directly or not, as /proc tells it. A
// process that has ended counts with what it had used when it was last seen, so a scan must come often: every 50 ms,
// what is missed is a small part of a renderer's life. Once seen in the tree, a process stays in it, also when its
// parent has ended.
type tree struct {
	dir  string // /proc
	tick time.Duration
	used map[process]time.Duration
}

// process is a process and no later one of the same number.
type process struct {
	pid   int
	start uint64 // ticks after boot
}

// newTree watches the process of a number; it must exist.
func newTree(dir string, root int) (*tree, error) {
	t := &tree{dir: dir, tick: time.Second / 100, used: map[process]time.Duration{}}
	s, err := t.stat(root)
	if err != nil {
		return nil, err
	}
	t.used[process{root, s.start}] = s.cpu
	return t, nil
}

// total is the time used so far.
func (t *tree) total() (sum time.Duration) {
	for _, d := range t.used {
		sum += d
	}
	return sum
}

// scan looks at all processes once. Its cost is a short file per process of the machine.
func (t *tree) scan() error {
	entries, err := os.ReadDir(t.dir)
	if err != nil {
		return err
	}
	all := map[int]stat{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if s, err := t.stat(pid); err == nil { // it may have ended meanwhile
			all[pid] = s
		}
	}
	for pid := range all {
		t.admit(all, pid, 0)
	}
	return nil
}

// maxDepth bounds the way up to the root, in case numbers are reused in between.
const maxDepth = 64

// admit notes a process if it is in the tree: known, or the child of one that is.
func (t *tree) admit(all map[int]stat, pid, depth int) bool {
	s, ok := all[pid]
	if !ok || depth > maxDepth {
		return false
	}
	p := process{pid, s.start}
	if _, known := t.used[p]; !known && (s.parent <= 1 || !t.admit(all, s.parent, depth+1)) {
		return false
	}
	t.used[p] = s.cpu
	return true
}

// stat is what is of interest in /proc/PID/stat.
type stat struct {
	parent int
	start  uint64
	cpu    time.Duration
}

// stat reads one process (proc(5): the name in parentheses may hold anything, so fields count from its end).
func (t *tree) stat(pid int) (stat, error) {
	data, err := os.ReadFile(t.dir + "/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return stat{}, err
	}
	f := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	if len(f) < 20 {
		return stat{}, fmt.Errorf("process %d: %d fields after its name", pid, len(f))
	}
	var n [5]uint64
	for i, k := range []int{1, 11, 12, 19} { // ppid, utime, stime, starttime
		if n[i], err = strconv.ParseUint(string(f[k]), 10, 64); err != nil {
			return stat{}, fmt.Errorf("process %d: %w", pid, err)
		}
	}
	return stat{parent: int(n[0]), start: n[3], cpu: time.Duration(n[1]+n[2]) * t.tick}, nil
}
