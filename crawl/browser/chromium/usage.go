package chromium

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Usage is what the processes of a browser use.
type Usage struct {
	CPU       time.Duration // of the living processes and of those that they have waited for
	Memory    int64         // bytes resident and shared with nobody, of all processes, and once what is shared
	Processes int
	Largest   int   // number of the process with the most memory of its own, never the first one
	Heaviest  int64 // its memory
}

// tick is the unit of processor time in /proc; it is 1/100 s on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// Usage reads what the browser uses now. Where there is no /proc it is zero.
func (p *Process) Usage() Usage { return GroupUsage(p.PID()) }

// GroupUsage reads what the processes of a group use.
func GroupUsage(group int) Usage { return groupUsage("/proc", group) }

// groupUsage sums over the processes of a group.
func groupUsage(proc string, group int) Usage {
	var u Usage
	var shared int64
	for _, pid := range numbers(proc) {
		s, err := os.ReadFile(filepath.Join(proc, strconv.Itoa(pid), "stat"))
		if err != nil {
			continue
		}
		pgid, cpu, ok := parseStat(s)
		if !ok || pgid != group {
			continue
		}
		m, err := os.ReadFile(filepath.Join(proc, strconv.Itoa(pid), "statm"))
		if err != nil {
			continue
		}
		own, common := parseStatm(m)
		u.CPU += cpu
		u.Memory += own
		u.Processes++
		shared = max(shared, common)
		if own > u.Heaviest && pid != group {
			u.Largest, u.Heaviest = pid, own
		}
	}
	u.Memory += shared
	return u
}

// numbers lists the processes.
func numbers(proc string) []int {
	d, err := os.Open(proc)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return nil
	}
	pids := make([]int, 0, len(names))
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// parseStat reads group and processor time from a line of /proc/PID/stat: field 5, and 14 to 17.
// The name in parentheses may hold anything, so fields are counted behind it.
func parseStat(line []byte) (group int, cpu time.Duration, ok bool) {
	i := bytes.LastIndexByte(line, ')')
	if i < 0 {
		return 0, 0, false
	}
	f := bytes.Fields(line[i+1:]) // f[0] is field 3
	if len(f) < 15 {
		return 0, 0, false
	}
	group, err := strconv.Atoi(string(f[2]))
	if err != nil {
		return 0, 0, false
	}
	for _, field := range f[11:15] {
		n, err := strconv.ParseInt(string(field), 10, 64)
		if err != nil {
			return 0, 0, false
		}
		cpu += time.Duration(n) * tick
	}
	return group, cpu, true
}

// maxPages is more memory than any machine has.
const maxPages = 1 << 40

// parseStatm reads own and shared memory from /proc/PID/statm, whose unit is the page.
func parseStatm(line []byte) (own, shared int64) {
	f := bytes.Fields(line)
	if len(f) < 3 {
		return 0, 0
	}
	resident, err1 := strconv.ParseInt(string(f[1]), 10, 64)
	common, err2 := strconv.ParseInt(string(f[2]), 10, 64)
	if err1 != nil || err2 != nil || resident < 0 || common < 0 || max(resident, common) > maxPages {
		return 0, 0
	}
	page := int64(os.Getpagesize())
	return max(0, resident-common) * page, common * page
}
