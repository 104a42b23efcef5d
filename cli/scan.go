package cli

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"varve/archive/scan"
	"varve/coherence/evidence"
	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/lines"
	"varve/spam/survey"
	"varve/text/document"
)

// scanWorker is the argument that makes a program a worker: a process that reads pages for another one of the same program and is
// killed when a page takes too long or too much memory (archive/scan).
const scanWorker = "scan-worker"

// newScanWorker makes the command of a worker: this program once more. It is nil in the programs of tests, which have no commands.
func newScanWorker() func() *exec.Cmd {
	self, err := os.Executable()
	if err != nil || strings.HasSuffix(strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"), ".test") {
		return nil
	}
	return func() *exec.Cmd {
		c := exec.Command(self)
		c.Args = []string{os.Args[0], scanWorker}
		return c
	}
}

// mapperOf makes the mappers that workers are asked for. A new analysis adds a line.
func mapperOf(name string, config []byte) (*scan.Mapper, error) {
	switch name {
	case "pages", "media":
		var o derive.Options
		if err := json.Unmarshal(config, &o); err != nil {
			return nil, err
		}
		o.Document = document.Text
		if name == "pages" {
			return derive.PagesMapper(&o), nil
		}
		return derive.MediaMapper(&o), nil
	case "spam_pages":
		return survey.Mapper(), nil
	case "evidence":
		return evidence.MapperOf(config)
	case "wat":
		return lines.Mapper(), nil
	case annotate.Entities:
		return annotate.EntitiesMapper(config)
	case annotate.Objects:
		return annotate.ObjectsMapper(config)
	case annotate.Relevance:
		return annotate.RelevanceMapper(config)
	case annotate.Facts:
		return annotate.FactsMapper(config)
	}
	if m := annotate.Mapper(name); m != nil {
		return m, nil
	}
	return nil, errors.New("there is none: was the program replaced while it ran?")
}
