package main

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"varve"
)

// Real software, captured and shown again; the table is in the log. What cannot be had here is left out, with the reason.
func TestDrillRealsites(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("a drill: VARVE_DRILL=1, root, apt and npm")
	}
	out, err := exec.Command("varve-lab", "realsites").CombinedOutput()
	t.Logf("%s", out)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == varve.ExitFindings {
		return // the table says which
	}
	if err != nil {
		t.Error(err)
	}
}
