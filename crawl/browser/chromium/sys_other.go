//go:build !linux

package chromium

import (
	"os"
	"os/exec"
)

// setGroup does nothing where there are no groups that die with us: the end of the pipes tells the
// browser.
func setGroup(*exec.Cmd) {}

// killGroup ends the first process; its children follow it.
func killGroup(group int) {
	if p, err := os.FindProcess(group); err == nil {
		p.Kill()
	}
}

// lock pretends that somebody has the lock, so that no folder is taken for a stale one.
func lock(*os.File) bool { return true }

// smallShm is a matter of Linux.
func smallShm() bool { return false }
