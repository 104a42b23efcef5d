package pdf_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"varve/lab/eval/cpu"
	"varve/text/pdf"
)

// What poppler finds in the PDF files of this machine we find too, and little else. Only in drills, where poppler is.
func TestAgainstPoppler(t *testing.T) {
	tool, err := exec.LookPath("pdftotext")
	if os.Getenv("VARVE_DRILL") == "" || err != nil {
		t.Skip("set VARVE_DRILL=1 and install poppler-utils")
	}
	files, _ := filepath.Glob("testdata/*.pdf")
	more, _ := filepath.Glob("/usr/share/doc/*/*.pdf")
	for _, file := range append(files, more...) {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var d pdf.Document
		used, err := cpu.Measure(func() error {
			d, err = pdf.Read(body, pdf.Limits{})
			return err
		})
		if err != nil {
			t.Logf("%s: %v", file, err)
			continue
		}
		c := exec.Command(tool, file, "-")
		var theirs []byte
		poppler, err := cpu.MeasureCommand(captured(c, &theirs))
		if err != nil {
			t.Logf("%s: pdftotext: %v", file, err)
			continue
		}
		want := strings.Fields(string(theirs))
		bag := map[string]int{}
		for _, w := range want {
			bag[w]++
		}
		hit, got := 0, strings.Fields(d.Text)
		for _, w := range got {
			if bag[w] > 0 {
				bag[w]--
				hit++
			}
		}
		recall, precision := float64(hit)/float64(max(1, len(want))), float64(hit)/float64(max(1, len(got)))
		t.Logf("%-60s %6d words, recall %.3f, precision %.3f; %v CPU, poppler %v", file, len(want), recall, precision, used.CPU, poppler.CPU)
		if recall < 0.9 || precision < 0.9 {
			t.Errorf("%s: recall %.3f, precision %.3f against poppler", file, recall, precision)
		}
	}
}

// captured keeps the output of a command.
func captured(c *exec.Cmd, out *[]byte) *exec.Cmd {
	c.Stdout = writer{out}
	return c
}

type writer struct{ out *[]byte }

func (w writer) Write(p []byte) (int, error) {
	*w.out = append(*w.out, p...)
	return len(p), nil
}
