package whole

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What a killed process leaves is removed by the next one; what a living one has stays, and so does what only looks alike.
func TestFolderOfAKilledProcess(t *testing.T) {
	const asked = "VARVE_TEST_FOLDER"
	if dir := os.Getenv(asked); dir != "" {
		f, err := NewFolder(dir, "test")
		if err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString(f.Path + "\n")
		select {} // until killed
	}
	dir := t.TempDir()
	alive, err := NewFolder(dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	alike := filepath.Join(dir, ".varve-test-mine")
	if err := os.Mkdir(alike, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestFolderOfAKilledProcess$")
	cmd.Env = append(os.Environ(), asked+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	left := line[:len(line)-1]
	if err := os.WriteFile(filepath.Join(left, "part"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	second, err := NewFolder(dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err != nil {
		t.Fatalf("the folder of a living process is gone: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	third, err := NewFolder(dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what the killed process left is still there")
	}
	for _, path := range []string{alive.Path, second.Path, third.Path, alike} {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s is gone", path)
		}
	}
	for _, f := range []*Folder{alive, second, third} {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if names, err := filepath.Glob(filepath.Join(dir, ".varve-test-*")); err != nil || len(names) != 1 {
		t.Errorf("left: %v, %v", names, err)
	}
}
