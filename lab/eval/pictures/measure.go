// Package pictures measures how well the same picture is found again after it was scaled, compressed and cropped, on any folder of pictures.
//
// Each picture of the folder is an *original*. What happens to pictures on the web is done to it (variants.go), and each *variant* is looked for
// among all originals. A pair of a variant and an original is right if the one was made of the other. Precision is the share of right pairs among
// those that are called the same, recall the share of variants whose original is among these. Both depend on the size of the folder: among twice as many
// pictures there are twice as many that could be taken for it; so wrong pairs are told by the million pairs too.
//
// Beside what varve/picture does stand hashes alone, each with the threshold that is best for it on these very pictures: the greatest
// at which its precision is 0.99. varve/picture is measured with its own, which was chosen on other pictures.
//
// Folders may have the same picture twice (a photo and its thumbnail). A file same.tsv in the folder, with two names to a line, lists such
// pairs: they are neither right nor wrong. Files of equal bytes are taken once.
package pictures

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"varve/lab/eval"
	"varve/lab/eval/cpu"
	"varve/picture"
)

// Precision is what thresholds are chosen for.
const Precision = 0.99

// Method is a way to tell whether pictures are the same.
type Method struct {
	Name      string             `json:"name"`
	Threshold int                `json:"threshold"` // bits, -1 if none is enough; of varve/picture: hundredths of likeness
	Precision float64            `json:"precision"` // over the variants of the goal
	Recall    float64            `json:"recall"`
	PerPairs  float64            `json:"wrong_per_million_pairs"`
	Variants  map[string]float64 `json:"variants"` // recall of each
}

// Report is what was measured on a folder.
type Report struct {
	Originals int      `json:"originals"`
	Queries   int      `json:"queries"` // variants of the goal
	Methods   []Method `json:"methods"` // the last is varve/picture
	Left      string   `json:"left_out,omitempty"`
	Compared  float64  `json:"hashes_compared_per_query"`
	Laid      float64  `json:"pairs_laid_per_query"`
	MakeCPU   float64  `json:"variant_and_print_cpu_ms"`
	FindCPU   float64  `json:"find_cpu_ms"`
	Curve     []Point  `json:"curve"` // of varve/picture with a higher threshold than its own
	Wrong     []string `json:"wrong,omitempty"`
}

// Point is what a threshold of likeness gives.
type Point struct {
	Likeness  float64 `json:"likeness"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
}

// curve returns points from the threshold of the product upwards, of the likenesses of right and wrong pairs among the variants of the goal.
func curve(right, wrong []float64, wanted int) (out []Point) {
	above := func(list []float64, least float64) (n int) {
		for _, v := range list {
			if v >= least {
				n++
			}
		}
		return n
	}
	for at := math.Round(100 * picture.SameLikeness); at < 100; at += 2 {
		r, w := above(right, at/100), above(wrong, at/100)
		out = append(out, Point{at / 100, float64(r) / float64(max(1, r+w)), float64(r) / float64(max(1, wanted))})
	}
	return out
}

// likenessName is the method of varve/picture.
const likenessName = "windows, likeness"

// signs is what the methods see of a picture.
type signs struct {
	average, difference uint64
	print               *picture.Print
}

// methods that are distances of hashes.
var methods = []struct {
	name     string
	distance func(a, b *signs) int
}{
	{"average hash", func(a, b *signs) int { return picture.Distance(a.average, b.average) }},
	{"difference hash", func(a, b *signs) int { return picture.Distance(a.difference, b.difference) }},
	{"hash of the whole", func(a, b *signs) int { return picture.Distance(a.print.Hash(), b.print.Hash()) }},
	{"hashes of windows", func(a, b *signs) int { return picture.Nearest(a.print, b.print) }},
}

// Measure looks for the variants of all pictures of a set. wrong lists what was not right.
func Measure(ctx context.Context, s *Set, wrong bool) (*Report, error) {
	r := &Report{Originals: len(s.Originals)}
	if s.Equal+s.Small+s.Flat+s.Failed > 0 {
		r.Left = fmt.Sprintf("of %d files: %d equal to another, %d with a side under %d pixels, %d without contrast, %d not decoded", s.Files, s.Equal, s.Small, minSide, s.Flat, s.Failed)
	}
	originals := make([]signs, len(s.Originals))
	queries := make([][]signs, len(s.Originals)) // by original and variant; without a print if the variant has none
	used, err := cpu.Measure(func() error {
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(runtime.GOMAXPROCS(0))
		for i := range s.Originals {
			g.Go(func() error {
				m := s.Originals[i].Image
				originals[i] = signsOf(picture.NewRaster(m))
				for _, v := range variants {
					body, err := v.make(m, i)
					if err != nil {
						return err
					}
					_, raster, err := picture.Decode(body)
					if err != nil {
						return fmt.Errorf("%s, %s: %w", s.Originals[i].Name, v.Name, err)
					}
					queries[i] = append(queries[i], signsOf(raster))
				}
				return ctx.Err()
			})
		}
		return g.Wait()
	})
	if err != nil {
		return nil, err
	}
	r.MakeCPU = used.CPU.Seconds() * 1000 / float64(len(originals)*(1+len(variants)))
	for _, v := range variants {
		if v.Goal {
			r.Queries += len(originals)
		}
	}
	for _, m := range methods {
		r.Methods = append(r.Methods, byDistance(m.name, m.distance, originals, queries, s.same))
	}
	return r, r.find(ctx, s, originals, queries, wrong)
}

// byDistance measures a hash with the threshold that is best for it.
func byDistance(name string, distance func(a, b *signs) int, originals []signs, queries [][]signs, same func(i, j int) bool) Method {
	right := make([][65]int, len(variants))
	var wrong [65]int
	pairs := 0
	for i, list := range queries {
		for v := range list {
			if list[v].print == nil {
				continue
			}
			for j := range originals {
				d := distance(&list[v], &originals[j])
				switch {
				case i == j:
					right[v][d]++
				case variants[v].Goal && !same(i, j):
					wrong[d]++
					pairs++
				}
			}
		}
	}
	m := Method{Name: name, Threshold: -1, Variants: map[string]float64{}}
	found, missed, all := 0, 0, 0
	for v := range variants {
		if variants[v].Goal {
			all += len(originals)
		}
	}
	for d := range wrong {
		for v := range variants {
			if variants[v].Goal {
				found += right[v][d]
			}
		}
		missed += wrong[d]
		if p := float64(found) / float64(max(1, found+missed)); p >= Precision {
			m.Threshold, m.Precision, m.Recall, m.PerPairs = d, p, float64(found)/float64(all), float64(missed)/float64(max(1, pairs))*1e6
		}
	}
	for v := range variants {
		n := 0
		for d := 0; d <= m.Threshold; d++ {
			n += right[v][d]
		}
		m.Variants[variants[v].Name] = float64(n) / float64(len(originals))
	}
	return m
}

// find measures varve/picture: the index, with the thresholds of the product.
func (r *Report) find(ctx context.Context, s *Set, originals []signs, queries [][]signs, list bool) error {
	x := picture.NewIndex()
	for i := range originals {
		x.Add(originals[i].print)
	}
	m := Method{Name: likenessName, Threshold: int(math.Round(100 * picture.SameLikeness)), Variants: map[string]float64{}}
	found, wrong, asked := 0, 0, 0
	var rightOf, wrongOf []float64 // likenesses
	used, err := cpu.Measure(func() error {
		for i := range queries {
			for v := range queries[i] {
				if err := ctx.Err(); err != nil {
					return err
				}
				q := &queries[i][v]
				if q.print == nil {
					continue
				}
				asked++
				hit := false
				for _, f := range x.Find(q.print) {
					switch {
					case f.ID == i:
						hit = true
						m.Variants[variants[v].Name] += 1 / float64(len(originals))
						if variants[v].Goal {
							found++
							rightOf = append(rightOf, f.Likeness)
						}
					case variants[v].Goal && !s.same(i, f.ID):
						wrong++
						wrongOf = append(wrongOf, f.Likeness)
						if list {
							r.Wrong = append(r.Wrong, fmt.Sprintf("taken for another (%.2f): %s, %s: %s", f.Likeness, s.Originals[i].Name, variants[v].Name, s.Originals[f.ID].Name))
						}
					}
				}
				if list && !hit && variants[v].Goal {
					r.Wrong = append(r.Wrong, fmt.Sprintf("not found (%d bits, %.2f): %s, %s", picture.Nearest(q.print, originals[i].print), picture.Likeness(q.print, originals[i].print), s.Originals[i].Name, variants[v].Name))
				}
			}
		}
		return nil
	})
	m.Precision, m.Recall = float64(found)/float64(max(1, found+wrong)), float64(found)/float64(max(1, r.Queries))
	m.PerPairs = float64(wrong) / float64(max(1, r.Queries*(len(originals)-1))) * 1e6
	r.Methods, r.Curve = append(r.Methods, m), curve(rightOf, wrongOf, r.Queries)
	r.Compared, r.Laid, r.FindCPU = float64(x.Compared)/float64(max(1, asked)), float64(x.Laid)/float64(max(1, asked)), used.CPU.Seconds()*1000/float64(max(1, asked))
	return err
}

// signsOf computes what the methods see. The baselines are as they are known: 8 by 8 cells, 1 where brighter than their mean; 8 rows of 9 cells, 1 where brighter
// than the one before.
func signsOf(r *picture.Raster) signs {
	out := signs{print: r.Print()}
	a := r.Grey(8, 8)
	sum := 0.0
	for _, v := range a {
		sum += v
	}
	for i, v := range a {
		if v*64 > sum {
			out.average |= 1 << i
		}
	}
	d := r.Grey(9, 8)
	for y := range 8 {
		for x := range 8 {
			if d[9*y+x+1] > d[9*y+x] {
				out.difference |= 1 << (8*y + x)
			}
		}
	}
	return out
}

// Summary implements eval.Report: of varve/picture, over the variants of the goal.
func (r *Report) Summary() eval.Summary {
	m := r.Methods[len(r.Methods)-1]
	f1 := 0.0
	if m.Precision+m.Recall > 0 {
		f1 = 2 * m.Precision * m.Recall / (m.Precision + m.Recall)
	}
	return eval.Found(r.Queries, m.Precision, m.Recall, f1)
}

// Print writes the table.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d pictures, %d variants of them looked for (those marked *)", r.Originals, r.Queries)
	if r.Left != "" {
		fmt.Fprintf(&b, "; left out %s", r.Left)
	}
	fmt.Fprintf(&b, "\n\n%-30s", "")
	for _, m := range r.Methods {
		fmt.Fprintf(&b, " %17s", m.Name)
	}
	row := func(name, format string, value func(m *Method) any) {
		fmt.Fprintf(&b, "\n%-30s", name)
		for i := range r.Methods {
			fmt.Fprintf(&b, " %17s", fmt.Sprintf(format, value(&r.Methods[i])))
		}
	}
	row("threshold", "%s", func(m *Method) any {
		switch {
		case m.Threshold < 0:
			return "none is enough"
		case m.Name == likenessName:
			return fmt.Sprintf("%.2f", float64(m.Threshold)/100)
		}
		return fmt.Sprintf("%d bits", m.Threshold)
	})
	row("precision", "%.4f", func(m *Method) any { return m.Precision })
	row("recall", "%.4f", func(m *Method) any { return m.Recall })
	row("wrong of a million pairs", "%.1f", func(m *Method) any { return m.PerPairs })
	for _, v := range variants {
		mark := "  "
		if v.Goal {
			mark = "* "
		}
		row(mark+v.Name, "%.3f", func(m *Method) any { return m.Variants[v.Name] })
	}
	fmt.Fprintf(&b, "\n\na lookup compares %.0f hashes of %d, lays %.1f of %d pictures upon it, and takes %.2f ms of CPU\n", r.Compared, r.Originals*picture.Windows, r.Laid, r.Originals, r.FindCPU)
	b.WriteString("with another threshold:")
	for _, p := range r.Curve {
		fmt.Fprintf(&b, "  %.2f precision %.4f recall %.4f", p.Likeness, p.Precision, p.Recall)
	}
	b.WriteByte('\n')
	for _, line := range r.Wrong {
		fmt.Fprintln(&b, line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// sameFile lists pairs of files that show one picture.
const sameFile = "same.tsv"

// readSame reads the list of a folder; there may be none.
func (s *Set) readSame(dir string) error {
	b, err := os.ReadFile(filepath.Join(dir, sameFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	s.pairs = map[[2]string]bool{}
	n := 0
	for line := range strings.Lines(string(b)) {
		n++
		a, b, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		if !ok {
			return fmt.Errorf("%s: line %d: two names with a tab between them are wanted", sameFile, n)
		}
		s.pairs[[2]string{a, b}], s.pairs[[2]string{b, a}] = true, true
	}
	return nil
}

// same reports whether two originals are known to show one picture.
func (s *Set) same(i, j int) bool {
	return s.pairs[[2]string{s.Originals[i].Name, s.Originals[j].Name}]
}
