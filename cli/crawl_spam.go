package cli

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
	"varve/crawl/gate"
	"varve/learn"
	"varve/spam"
	"varve/spam/filter"
	"varve/spam/label"
)

// spamOptions are the flags of crawl about spam.
type spamOptions struct {
	on           bool
	model        string
	threshold    float64
	sample       int
	black, white []string
}

func (s *spamOptions) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&s.on, "spam-filter", false, "sample each new host and leave out those that --model takes for spam; seeds are never left out")
	f.StringVar(&s.model, "model", "", "model of --spam-filter, from 'varve spam train --crawl'")
	f.Float64Var(&s.threshold, "spam-threshold", 0, "spamicity from which a host is left out (default: that of the model, chosen by 'varve spam train --max-loss', but at least 0.95; 0.9 for a model without one)")
	f.IntVar(&s.sample, "spam-sample", 0, "text pages of a host before it is judged, at most 200 (default 20)")
	f.StringArrayVar(&s.black, "spam-blacklist", nil, "file with hosts to leave out, one a line, *.example.com for a domain; repeatable")
	f.StringArrayVar(&s.white, "spam-whitelist", nil, "file with hosts that are never left out; repeatable")
}

// rules makes the part of the definition about spam. Paths are made whole: a crawl may be resumed from elsewhere.
func (s *spamOptions) rules() (r crawl.SpamRules, err error) {
	given := s.model != "" || s.threshold != 0 || s.sample != 0 || len(s.black)+len(s.white) > 0
	switch {
	case !s.on && given:
		return r, &varve.Error{Kind: varve.Invalid, Op: "crawl", Msg: "--model, --spam-threshold, --spam-sample and the lists need --spam-filter"}
	case !s.on:
		return r, nil
	case s.model == "":
		return r, noSpamModel()
	}
	r.SpamThreshold, r.SpamSample = s.threshold, s.sample
	if r.SpamModel, err = filepath.Abs(s.model); err != nil {
		return r, err
	}
	for _, list := range []struct {
		from []string
		to   *[]string
	}{{s.black, &r.SpamBlacklist}, {s.white, &r.SpamWhitelist}} {
		for _, name := range list.from {
			path, err := filepath.Abs(name)
			if err != nil {
				return r, err
			}
			*list.to = append(*list.to, path)
		}
	}
	return r, nil
}

// noSpamModel says how to come by a model.
func noSpamModel() error {
	return &varve.Error{
		Kind: varve.Invalid, Op: "crawl --spam-filter", Msg: "needs --model FILE: no model comes with Varve, for whose labels are right is for you to say",
		Hint: "crawl without the filter, label some tens of hosts ('varve spam sample'), then 'varve spam features' and 'varve spam train --crawl TABLE -o MODEL'",
	}
}

// spamFilter makes what a definition asks for: the model, the labels of the collection, the lists.
func spamFilter(col *catalog.Collection, def crawl.SpamRules, log *slog.Logger) (gate.Options, error) {
	var out gate.Options
	if def.SpamModel == "" {
		return out, nil
	}
	labels := label.Open(col.Dir())
	if err := labels.Unread(); err != nil {
		log.Warn("lines of labels of hosts cannot be read: what they say does not count in this crawl, 'varve spam labels' names them", "err", err)
	}
	if !filepath.IsAbs(def.SpamModel) { // as people write it in collection.toml: from the archive's folder
		def.SpamModel = filepath.Join(col.Dir(), "..", "..", def.SpamModel)
	}
	m, err := openModel(def.SpamModel)
	if err != nil {
		return out, err
	}
	assessor, err := filter.New(m)
	if err != nil {
		return out, &varve.Error{
			Kind: varve.Invalid, Op: "model " + def.SpamModel, Err: err, Hint: "train one with 'varve spam train --crawl', which leaves out what only a whole archive tells",
		}
	}
	lists, err := filter.OpenLists(labels, def.SpamBlacklist, def.SpamWhitelist)
	if err != nil {
		return out, &varve.Error{Kind: varve.Invalid, Op: "lists and labels of hosts", Err: err, Hint: "one host a line; docs/formats/labels.md describes labels/spam.jsonl"}
	}
	chosen, _ := spam.ThresholdOf(m)
	return gate.Options{Assessor: assessor, Rulings: lists, Threshold: chosen.InCrawl()}, nil
}

func openModel(name string) (*learn.Model, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "model " + name, Err: err, Hint: varve.HintOf(noSpamModel())}
	}
	defer f.Close()
	m, err := learn.ReadModel(f)
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "model " + name, Err: err, Hint: varve.HintOf(noSpamModel())}
	}
	return m, nil
}

// spamLines tell what a filter did.
func spamLines(rep *crawl.SpamReport) []string {
	if rep == nil {
		return nil
	}
	progress := crawl.SpamProgress{Hosts: rep.Hosts}
	out := []string{
		"spam filter: " + progress.String(),
		fmt.Sprintf("spared %s of rejected hosts, about %s; %s of them are in the archive as samples", count(rep.Spared, "URL"), SizeText(rep.SparedBytes), count(rep.Documents, "document")),
	}
	for i, h := range rep.Rejected {
		if i == 5 {
			out = append(out, fmt.Sprintf("  and %d more: see report.json", len(rep.Rejected)-i))
			break
		}
		spamicity := "by decision"
		if h.Spamicity != nil {
			spamicity = fmt.Sprintf("%.2f", *h.Spamicity)
		}
		out = append(out, fmt.Sprintf("  %-11s %s: %s (%s, %s spared)", spamicity, h.Host, h.Why, count(h.Documents, "document"), count(h.Spared, "URL")))
	}
	if len(rep.Rejected) > 0 {
		out = append(out, fmt.Sprintf("  rejected from a spamicity of %.2f on; if one is wrong: varve spam labels set normal HOST --collection NAME, then crawl again (in a running crawl it is given back)", rep.Threshold))
	}
	return out
}
