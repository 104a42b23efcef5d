package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"varve"
	"varve/learn"
	"varve/spam"
	"varve/spam/label"
	"varve/spam/survey"
)

type spamExplainOptions struct {
	model, table string
	most         int
	json         bool
}

func newSpamExplainCommand() *cobra.Command {
	var o spamExplainOptions
	c := &cobra.Command{
		Use:   "explain HOST --model MODEL --table TABLE",
		Short: "Tell which features decided about a host",
		Long: `Classifies one host of a table of features and tells what decided: each feature in turn is put to what a typical host of the
other kind has (the median of the training set), and what the log-odds of spam lose by it is its weight. Features that are sums of the same thing (of the home page,
mean, deviation, ...) are put together. Weights above 0 speak for spam, below 0 for normal. They need not add up: features that say the same stand in for
each other. Beside each value stands what half of the normal and half of the spam hosts of the training set are under, and what the
feature measures. A weight of 0.7 doubles the odds of spam, one of 2.3 makes them ten times as high. If the verdict is wrong, label the host:
the label goes before the model, in running crawls too.

Exit codes: 0 told, 2 could not.`,
		Example: `  varve spam features --collection news -o hosts.csv
  varve spam explain pills.example --model spam.model --table hosts.csv
  varve spam explain pills.example --model spam.model --table hosts.csv --json`,
		Args: needArgs(1, "a host"),
		RunE: func(c *cobra.Command, args []string) error { return runSpamExplain(c, args[0], &o) },
	}
	f := c.Flags()
	f.StringVar(&o.model, "model", "", "model file, from varve spam train")
	f.StringVar(&o.table, "table", "", "table of features, from varve spam features")
	f.IntVar(&o.most, "most", 12, "features to print; 0 for all")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return c
}

// hostExplained is what explain prints.
type hostExplained struct {
	Host      string            `json:"host"`
	Label     string            `json:"label,omitempty"`
	Spamicity float64           `json:"spam"`
	Features  []featureDecided  `json:"features"`
	Members   []memberSays      `json:"members,omitempty"`
	Model     map[string]string `json:"model"`
}

type featureDecided struct {
	Feature string   `json:"feature"`
	Value   *float64 `json:"value"`  // null: unknown
	Median  *float64 `json:"median"` // of the table
	Normal  *float64 `json:"normal"` // typical of normal hosts
	Spam    *float64 `json:"spam"`   // typical of spam hosts
	Weight  float64  `json:"weight"`
	About   string   `json:"about,omitempty"` // what it measures
}

type memberSays struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
	Spam   float64 `json:"spam"`
}

func runSpamExplain(c *cobra.Command, arg string, o *spamExplainOptions) error {
	host, err := label.Host(arg)
	if err != nil {
		return UsageError(c, err.Error())
	}
	m, err := readModel(c, o.model)
	if err != nil {
		return err
	}
	hosts, err := readHosts(c, o.table, m)
	if err != nil {
		return err
	}
	i, err := hosts.Find(host)
	if err != nil {
		return &varve.Error{Kind: varve.NotFound, Op: "read " + o.table, Err: err, Hint: "'varve spam classify' lists the hosts of a table"}
	}
	e := explainHost(m, hosts, i, o.most)
	if o.json {
		return PrintJSON(c.OutOrStdout(), e)
	}
	return e.print(c.OutOrStdout())
}

// readHosts reads a table as a model wants it; m may be nil.
func readHosts(c *cobra.Command, name string, m *learn.Model) (*spam.Hosts, error) {
	if name == "" {
		return nil, &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: "needs a table of features", Hint: "make one with 'varve spam features --collection NAME -o TABLE'"}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "read " + name, Err: err, Hint: "name an ARFF or CSV file"}
	}
	defer f.Close()
	var attributes []learn.Attribute
	var class learn.Attribute
	if m != nil {
		attributes, class = m.Attributes, m.Class
	}
	hosts, err := spam.ReadHosts(f, attributes, class)
	if err != nil {
		return nil, tableError(name, err)
	}
	return hosts, nil
}

func explainHost(m *learn.Model, hosts *spam.Hosts, i, most int) hostExplained {
	row := hosts.Set.Row(i, nil)
	p := make([]float64, len(m.Class.Values))
	m.Classifier.Classify(row, p)
	out := hostExplained{
		Host: hosts.Names[i], Label: hosts.Labels[i], Spamicity: p[0],
		Model: map[string]string{"learner": m.Learner, "trained": m.Trained.Format("2006-01-02"), "digest": m.Digest},
	}
	at := map[string]int{}
	for k, a := range m.Attributes {
		at[a.Name] = k
	}
	about := aboutFeatures()
	list := spam.Explain(m, row, 0)
	if most > 0 && len(list) > most { // what speaks most for spam, and what speaks most against it
		list = append(list[:most-most/3:most-most/3], list[len(list)-most/3:]...)
	}
	for _, f := range list {
		out.Features = append(out.Features, featureDecided{
			Feature: f.Feature, Value: finite(f.Value), Median: finite(median(hosts.Set.Columns[at[f.Feature]])),
			Normal: finite(f.Normal), Spam: finite(f.Spam), Weight: f.Weight, About: about[f.Feature],
		})
	}
	if e, ok := m.Classifier.(*learn.Selected); ok {
		for k, v := range e.Members {
			if v.Weight > 0 {
				out.Members = append(out.Members, memberSays{v.Name, v.Weight, e.Alone(k, row)})
			}
		}
	}
	return out
}

// median of what is known of a column.
func median(column []float64) float64 {
	known := slices.DeleteFunc(slices.Clone(column), math.IsNaN)
	if len(known) == 0 {
		return math.NaN()
	}
	slices.Sort(known)
	return known[len(known)/2]
}

// finite gives a number, or nil for what is not known.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// aboutFeatures tells of each feature of ours what it measures.
func aboutFeatures() map[string]string {
	out := map[string]string{}
	for _, d := range survey.Definitions(survey.ByCrawl, false) {
		out[d.Name] = d.Formula
	}
	return out
}

func (e hostExplained) print(w io.Writer) error {
	fmt.Fprintf(w, "%s: spam with probability %.3f, says the model of %s", e.Host, e.Spamicity, e.Model["trained"])
	if e.Label != "" {
		fmt.Fprintf(w, "; labelled %s by people", e.Label)
	}
	fmt.Fprintln(w)
	e.printFeatures(w, "speaks for spam", func(weight float64) bool { return weight > 0 })
	e.printFeatures(w, "speaks for normal", func(weight float64) bool { return weight < 0 })
	if len(e.Members) > 0 {
		fmt.Fprintln(w, "\nwhat the members of the ensemble say, and their weight:")
	}
	for _, m := range e.Members {
		fmt.Fprintf(w, "  %.3f  %s (%.2f)\n", m.Spam, m.Name, m.Weight)
	}
	_, err := fmt.Fprintf(w, "\nWrong? A label goes before the model: varve spam labels set normal|spam HOST --collection NAME\n")
	return err
}

// printFeatures writes the features on one side.
func (e hostExplained) printFeatures(w io.Writer, title string, of func(weight float64) bool) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	number := func(v *float64) string {
		if v == nil {
			return "unknown"
		}
		return fmt.Sprintf("%.3g", *v)
	}
	some := false
	for _, f := range e.Features {
		if !of(f.Weight) {
			continue
		}
		if !some {
			fmt.Fprintf(t, "\n%s\tweight\there\tnormal hosts\tspam hosts\twhat it is\n", title)
			some = true
		}
		fmt.Fprintf(t, "  %s\t%+.2f\t%s\t%s\t%s\t%s\n", f.Feature, f.Weight, number(f.Value), number(f.Normal), number(f.Spam), f.About)
	}
	_ = t.Flush() // the last line of print tells of a failed write
}
