package warc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestTry(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/samples/*arc*")
	for _, f := range files {
		fh, _ := os.Open(f)
		fmt.Println("==", filepath.Base(f))
		r, err := NewReader(fh, Options{Name: filepath.Base(f), Policy: Lenient(), Verify: true, OnFinding: func(x Finding) { fmt.Println("   !", x.Class, x.Error()) }})
		if err != nil {
			fmt.Println(err)
			continue
		}
		for {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				fmt.Println("ERR", err)
				break
			}
			st := ""
			if rec.IsHTTP() {
				h, err := rec.HTTP()
				if err == nil {
					c, err := h.Content()
					if err != nil {
						st = err.Error()
					} else {
						n, err := io.Copy(io.Discard, c)
						st = fmt.Sprint(h.Status, " ", h.Method, " content ", n, " ", err)
					}
				} else {
					st = err.Error()
				}
			}
			off, inner, typ, uri := rec.Offset, rec.Inner, rec.Type(), rec.TargetURI()
			sz, err := rec.Finish()
			fmt.Println("  ", off, inner, sz, typ, uri, st, rec.PayloadForm(), err)
		}
	}
}
