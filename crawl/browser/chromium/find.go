package chromium

import (
	"errors"
	"os/exec"

	"varve"
)

// ErrMissing is wrapped when there is no Chromium on this machine.
var ErrMissing = errors.New("no Chromium found")

// names are the programs that will do, in the order of search.
var names = []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "chromium-headless-shell", "chrome-headless-shell"}

// Find gives the path of a Chromium: the given one, or the first of the usual names in the search
// path.
func Find(path string) (string, error) {
	candidates := names
	if path != "" {
		candidates = []string{path}
	}
	for _, name := range candidates {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	msg := "it is needed to execute pages"
	if path != "" {
		msg = path + " is not there or cannot be executed"
	}
	return "", &varve.Error{
		Kind: varve.Unavailable, Op: "find a browser", Msg: msg, Err: ErrMissing,
		Hint: "apt-get install chromium, or name the program with --browser-path FILE; --capture parser does without",
	}
}
