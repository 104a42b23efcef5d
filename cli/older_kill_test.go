package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/index/renew"
)

// A process that is killed while it builds an index of an older format anew loses nothing: the older one answers as before, the next process
// goes on, and what it comes to is what a process comes to that was not killed.
func TestKilledRenewal(t *testing.T) {
	questions := older(t)
	from, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	pristine := filepath.Join(t.TempDir(), "archive")
	if err := os.CopyFS(pristine, os.DirFS("archive")); err != nil {
		t.Fatal(err)
	}
	run(t, 0, "index", "--archive", "archive")
	want := indexFolders(t, "archive")
	for _, index := range []string{"cdx", "temporal", "fulltext"} {
		t.Run(index, func(t *testing.T) {
			hits := 0
			for try := 0; hits < 3 && try < 60; try++ {
				dir := filepath.Join(from, fmt.Sprint(index, try))
				if err := os.CopyFS(filepath.Join(dir, "archive"), os.DirFS(pristine)); err != nil {
					t.Fatal(err)
				}
				t.Chdir(dir)
				if !killWhile(t, index, time.Duration(hits)*2*time.Millisecond) {
					continue // it was faster than the kill
				}
				hits++
				ask(t, questions, "killed while "+index+" was built anew")
				run(t, 0, "index", "--archive", "archive")
				ask(t, questions, "after the next process")
				if got := indexFolders(t, "archive"); got != want {
					t.Errorf("files of indexes:\n%s\nwithout a kill:\n%s", got, want)
				}
				if err := os.RemoveAll(dir); err != nil {
					t.Fatal(err)
				}
			}
			if hits == 0 {
				t.Error("no process could be killed in the middle: it shows nothing")
			}
			t.Logf("%d processes were killed in the middle", hits)
		})
	}
}

// A process that is killed after the new index took the place of the older one, and before its note is gone, leaves a note of work that is done:
// the next process removes it.
func TestNoteAfterSwap(t *testing.T) {
	older(t)
	run(t, 0, "index", "--archive", "archive")
	want := indexFolders(t, "archive")
	col, err := catalog.Open("archive").Collection("tiny")
	if err != nil {
		t.Fatal(err)
	}
	for _, index := range []string{"cdx", "temporal", "fulltext"} {
		if _, err := beginRenewal(col, index, renew.Work{Index: index, From: 1, To: 2}, newIndexLine(io.Discard)); err != nil {
			t.Fatal(err)
		}
	}
	run(t, 0, "index", "--archive", "archive")
	if got := indexFolders(t, "archive"); got != want {
		t.Errorf("files of indexes:\n%s\nwant:\n%s", got, want)
	}
}

// killWhile starts 'varve index' and kills it some time after it has noted that it builds an index anew. It reports whether it was still at that.
func killWhile(t *testing.T, index string, after time.Duration) bool {
	t.Helper()
	col, err := catalog.Open("archive").Collection("tiny")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("varve", "index", "--archive", "archive")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	for at := false; !at; {
		select {
		case <-ended:
			return false
		default:
			_, at = renew.Read(col.IndexDir(index))
		}
	}
	kill := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	<-ended
	_, at := renew.Read(col.IndexDir(index))
	return at
}

// indexFolders lists how many files each folder of indexes has, and which notes there are.
func indexFolders(t *testing.T, archive string) (out string) {
	t.Helper()
	files := map[string]int{}
	err := filepath.WalkDir(filepath.Join(archive, "collections"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Base(filepath.Dir(filepath.Dir(path))) == "index" {
			files[filepath.Dir(path)]++
		}
		if err == nil && filepath.Ext(path) == ".renewing" {
			out += path + "\n"
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out + fmt.Sprint(files)
}
