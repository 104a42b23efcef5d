package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"varve/language/sentence"
	"varve/language/timex"
)

func main() {
	lang := os.Args[1]
	f, err := timex.New(lang)
	if err != nil {
		panic(err)
	}
	if len(os.Args) > 2 && os.Args[2] == "json" {
		sc := bufio.NewScanner(os.Stdin)
		sc.Buffer(nil, 1<<22)
		enc := json.NewEncoder(os.Stdout)
		for sc.Scan() {
			var c struct{ Input, Reference string }
			json.Unmarshal(sc.Bytes(), &c)
			ref, err := time.Parse("2006-01-02T15:04:05", c.Reference[:min(len(c.Reference), 19)])
			if err != nil {
				ref = time.Date(2016, 11, 7, 0, 0, 0, 0, time.UTC)
			}
			enc.Encode(f.Find(c.Input, ref))
		}
		return
	}
	b, _ := io.ReadAll(os.Stdin)
	text := string(b)
	ref := time.Date(2016, 11, 7, 0, 0, 0, 0, time.UTC)
	if len(os.Args) > 2 {
		n := 0
		for range 3 {
			n = 0
			t0 := time.Now()
			for s := range sentence.Split(text) {
				n += len(s.Tokens)
			}
			t1 := time.Now()
			k := len(f.Find(text, ref))
			t2 := time.Now()
			fmt.Println(n, k, float64(n)/t1.Sub(t0).Seconds(), float64(n)/t2.Sub(t1).Seconds())
		}
		return
	}
	for _, e := range f.Find(text, ref) {
		a, b, ok := e.Interval()
		l, r := max(0, e.Start-25), min(len(text), e.End+20)
		fmt.Printf("%-13s [%s] %v %s..%s %v   …%q\n", e.Type, text[e.Start:e.End], first(e), a.Format("2006-01-02T15"), b.Format("2006-01-02T15"), ok, text[l:r])
	}
}

func first(e timex.Expression) string {
	if len(e.Values) == 0 {
		return "-"
	}
	return e.Values[0].Timex + " " + e.Values[0].Mod
}
