package simulate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"varve/coherence"
)

// Figure9Config is what figure 9 depends on.
type Figure9Config struct {
	Pages  int       `json:"pages"`  // 0 is 10,000
	Seed   uint64    `json:"seed"`   // of the first simulated site
	Seeds  int       `json:"seeds"`  // simulated sites; 0 is 30
	Rates  string    `json:"rates"`  // distribution of change rates, see Distributions; "" is exponential
	Levels []float64 `json:"levels"` // mean changes of a page during the visits; nil is DefaultLevels
}

// DefaultLevels reach from a site that is nearly static to one that is almost unstable.
var DefaultLevels = []float64{0.01, 0.03, 0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 20, 50, 100, 300}

// etas are the thresholds of the seed's figure.
var etas = []float64{0.45, 0.5, 0.55, 0.6, 0.65, 0.7}

// way is a strategy of the figure: the visit and revisit distances from the reference point that
// page i gets.
type way struct {
	name  string
	visit []float64
	again []float64
}

// Figure9 is the experiment of seed 001, figure 9: the share of coherent pages of visit-revisit
// captures, by strategy and by how much the site changes. Expected shares come from the formula;
// simulated ones are means over sites with drawn changes, the same for all strategies.
func Figure9(ctx context.Context, c Figure9Config, progress func(done, all int)) (*Result, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	f := &figure9{config: c}
	for i, m := range c.Levels {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.level(m)
		if progress != nil {
			progress(i+1, len(c.Levels))
		}
	}
	return f.result(), nil
}

func (c Figure9Config) withDefaults() (Figure9Config, error) {
	if c.Pages == 0 {
		c.Pages = 10_000
	}
	if c.Seeds == 0 {
		c.Seeds = 30
	}
	if c.Rates == "" {
		c.Rates = "exponential"
	}
	if c.Levels == nil {
		c.Levels = DefaultLevels
	}
	if c.Pages < 2 || c.Pages > 1_000_000 || c.Seeds < 1 || c.Seeds > 10_000 {
		return c, fmt.Errorf("pages must be 2 to 1,000,000 and seeds 1 to 10,000, not %d and %d", c.Pages, c.Seeds)
	}
	if distributions[c.Rates] == nil {
		return c, fmt.Errorf("distribution %q is not known; there are %s", c.Rates, strings.Join(Distributions(), ", "))
	}
	return c, nil
}

// figure9 collects the rows.
type figure9 struct {
	config              Figure9Config
	expected, simulated Table
	paired              Table
}

// level computes one row of each table.
func (f *figure9) level(m float64) {
	n := f.config.Pages
	l := quantiles(f.config.Rates, n, m)
	ways := f.ways(l)
	name := []string{fmt.Sprintf("%g", m)}
	row := Row{Name: name}
	for _, w := range ways {
		row.Values = append(row.Values, Number(w.expected(l)))
	}
	f.expected.Rows = append(f.expected.Rows, row)

	shares := make([][]float64, len(ways)+2)
	for s := range f.config.Seeds {
		f.draw(l, ways, f.config.Seed+uint64(s), shares)
	}
	row = Row{Name: name}
	for _, s := range shares {
		mean, _ := meanAndError(s)
		row.Values = append(row.Values, Number(mean))
	}
	f.simulated.Rows = append(f.simulated.Rows, row)
	f.paired.Rows = append(f.paired.Rows, f.pair(name, shares))
}

// ways are the strategies: FIFO and LIFO of a random order, the thresholds, ours last. The order of
// BFS has nothing to do with change rates here, so that any order does for its expectation; draw
// shuffles it.
func (f *figure9) ways(l []float64) []way {
	n := len(l)
	fifo := way{"BFS-FIFO", make([]float64, n), make([]float64, n)}
	lifo := way{"BFS-LIFO", make([]float64, n), make([]float64, n)}
	for i := range n {
		fifo.visit[i], fifo.again[i] = float64(i), float64(n-i)
		lifo.visit[i], lifo.again[i] = float64(i), float64(i)
	}
	out := []way{fifo, lifo}
	gaps := coherence.Gaps(n, 1)
	for _, eta := range etas {
		out = append(out, nested(fmt.Sprintf("eta %.2f", eta), coherence.Threshold(l, gaps, eta)))
	}
	return append(out, nested("varve", coherence.Arrange(l, gaps)))
}

// nested is the way of a pyramid.
func nested(name string, at []int) way {
	w := way{name: name, visit: make([]float64, len(at))}
	for k, i := range at {
		w.visit[i] = float64(k)
	}
	w.again = w.visit
	return w
}

// random tells whether pages get the places of a way by chance.
func (w way) random() bool { return strings.HasPrefix(w.name, "BFS") }

// expected is the expected coherence.
func (w way) expected(l []float64) float64 {
	gaps := make([]float64, len(l))
	for i := range gaps {
		gaps[i] = w.visit[i] + w.again[i]
	}
	if !w.random() {
		return coherence.Expected(l, gaps)
	}
	if w.name == "BFS-FIFO" {
		return coherence.Expected(l, gaps) // all intervals are equal
	}
	sum := 0.0 // mean over all orders: of exp(-2lk), k=0..n-1, a geometric series
	for _, x := range l {
		q := math.Exp(-2 * x)
		if x < 1e-12 {
			sum++
			continue
		}
		sum += -math.Expm1(-2*x*float64(len(l))) / (1 - q) / float64(len(l))
	}
	return sum / float64(len(l))
}

// draw simulates one site and adds the share of coherent pages of each way, of the optimum and of
// the worst order. By the lack of memory of the Poisson process, the times from the reference point
// back to the last change and ahead to the next are exponential.
func (f *figure9) draw(l []float64, ways []way, seed uint64, shares [][]float64) {
	n := len(l)
	r := rand.New(rand.NewPCG(seed, 9))
	back, ahead := make([]float64, n), make([]float64, n)
	for i, x := range l {
		back[i], ahead[i] = r.ExpFloat64()/x, r.ExpFloat64()/x
	}
	order := r.Perm(n)
	for j, w := range ways {
		coherent := 0
		for i := range n {
			k := i
			if w.random() {
				k = order[i]
			}
			if w.visit[k] < back[i] && w.again[k] < ahead[i] {
				coherent++
			}
		}
		shares[j] = append(shares[j], float64(coherent)/float64(n))
	}
	shares[len(ways)] = append(shares[len(ways)], float64(optimum(back, ahead))/float64(n))
	shares[len(ways)+1] = append(shares[len(ways)+1], float64(worst(back, ahead))/float64(n))
}

// pair compares ours with the others site by site: mean difference and its standard error.
func (f *figure9) pair(name []string, shares [][]float64) Row {
	ours := shares[len(shares)-3]
	row := Row{Name: name}
	difference := func(other []float64) {
		d := make([]float64, len(ours))
		for i := range d {
			d[i] = ours[i] - other[i]
		}
		mean, err := meanAndError(d)
		row.Values = append(row.Values, Number(mean), Number(err))
	}
	difference(shares[0])
	difference(shares[1])
	best := shares[2] // the threshold that does best on the mean of these very sites
	for _, s := range shares[2 : 2+len(etas)] {
		if a, _ := meanAndError(s); a > first(meanAndError(best)) {
			best = s
		}
	}
	difference(best)
	difference(shares[len(shares)-2])
	return row
}

func first(a, _ float64) float64 { return a }

// result puts the tables and the chart together.
func (f *figure9) result() *Result {
	names := []string{"changes"}
	columns := []string{"BFS-FIFO", "BFS-LIFO"}
	for _, eta := range etas {
		columns = append(columns, fmt.Sprintf("eta %.2f", eta))
	}
	columns = append(columns, "varve")
	f.expected.Title, f.expected.Names, f.expected.Columns = "Expected share of coherent pages", names, columns
	f.simulated.Title = fmt.Sprintf("Simulated share of coherent pages, mean of %d sites", f.config.Seeds)
	f.simulated.Names = names
	f.simulated.Columns = append(slices.Clone(columns), "optimum", "worst")
	f.paired.Title = "varve less others on the same sites: mean and standard error"
	f.paired.Names = names
	f.paired.Columns = []string{"-FIFO", "-FIFO ±", "-LIFO", "-LIFO ±", "-best eta", "-best eta ±", "-optimum", "-optimum ±"}
	return &Result{
		Figure: "9", Config: f.config,
		Tables: []Table{f.expected, f.simulated, f.paired},
		Notes: []string{fmt.Sprintf("%d pages; changes = mean number of changes of a page during the visits (%s rates). Optimum and worst know all changes.",
			f.config.Pages, f.config.Rates)},
		Chart: f.chart(),
	}
}

// chart draws the simulated shares.
func (f *figure9) chart() Chart {
	c := Chart{
		Title:  fmt.Sprintf("Coherent pages of a visit-revisit capture, %d pages", f.config.Pages),
		XLabel: "mean changes of a page during the visits", YLabel: "share of coherent pages", LogX: true,
	}
	for _, want := range []string{"varve", "optimum", "worst", "eta 0.45", "eta 0.60", "eta 0.70", "BFS-LIFO", "BFS-FIFO"} {
		j := slices.Index(f.simulated.Columns, want)
		l := Line{Name: want}
		for i, row := range f.simulated.Rows {
			l.X = append(l.X, f.config.Levels[i])
			l.Y = append(l.Y, float64(row.Values[j]))
		}
		c.Lines = append(c.Lines, l)
	}
	return c
}
