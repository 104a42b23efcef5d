package review

import "syscall"

// DiskOf measures the room of the file system that a directory lies on.
func DiskOf(dir string) (Disk, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return Disk{}, err
	}
	return Disk{Free: int64(s.Bavail) * int64(s.Bsize), Size: int64(s.Blocks) * int64(s.Bsize)}, nil
}
