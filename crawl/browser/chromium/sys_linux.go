package chromium

import (
	"os"
	"os/exec"
	"syscall"
)

// setGroup makes the browser the first of a process group that dies with us.
func setGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup ends all processes of a group.
func killGroup(group int) { syscall.Kill(-group, syscall.SIGKILL) }

// lock takes the lock of a file, unless somebody has it.
func lock(f *os.File) bool { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil }

// smallShm tells whether the shared memory of this machine is too small for a browser, as in many
// containers.
func smallShm() bool {
	var s syscall.Statfs_t
	return syscall.Statfs("/dev/shm", &s) != nil || uint64(s.Bsize)*s.Blocks < 1<<30
}
