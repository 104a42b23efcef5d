package external

import (
	"os/exec"
	"syscall"
)

// setGroup makes the program the first of a process group that dies with us.
func setGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup ends all processes of a group.
func killGroup(group int) { _ = syscall.Kill(-group, syscall.SIGKILL) }

// setNice lets everything else go first.
func setNice(group, nice int) { _ = syscall.Setpriority(syscall.PRIO_PGRP, group, nice) }
