//go:build !linux

package external

import (
	"os"
	"os/exec"
)

// setGroup does nothing where there are no groups that die with us.
func setGroup(*exec.Cmd) {}

// killGroup ends the program itself.
func killGroup(group int) {
	if p, err := os.FindProcess(group); err == nil {
		_ = p.Kill()
	}
}

// setNice is a matter of Linux.
func setNice(int, int) {}
