package cli

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
	"varve/crawl/gate"
	"varve/learn"
	"varve/spam"
	"varve/spam/desk"
	"varve/spam/filter"
	"varve/spam/label"
)

// spamOptions are the flags of crawl about spam.
type spamOptions struct {
	on           bool
	model        string
	threshold    float64
	sample, days int
	black, white []string
}

func (s *spamOptions) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&s.on, "spam-filter", false, "judge each new host by its first pages and leave out those that --model takes for spam; seeds are never left out")
	f.StringVar(&s.model, "model", "", "model of --spam-filter, from 'varve spam train --crawl' (default: the one that the collection learnt last from the labels of its curators)")
	f.Float64Var(&s.threshold, "spam-threshold", 0, "spamicity from which a host is left out (default: that of the model, chosen by 'varve spam train --max-loss', but at least 0.92; 0.9 for a model without one)")
	f.IntVar(&s.sample, "spam-sample", 0, "text pages of a host that is in doubt after the first four before it is judged, at most 200 (default 10)")
	f.IntVar(&s.days, "spam-memory", 0, "days for which a verdict of an earlier crawl of the archive by the same model is taken over; -1: no verdicts are remembered (default 90)")
	f.StringArrayVar(&s.black, "spam-blacklist", nil, "file with hosts to leave out, one a line, *.example.com for a domain; repeatable")
	f.StringArrayVar(&s.white, "spam-whitelist", nil, "file with hosts that are never left out; repeatable")
}

// rules makes the part of the definition about spam. Paths are made whole: a crawl may be resumed from elsewhere.
func (s *spamOptions) rules() (r crawl.SpamRules, err error) {
	given := s.model != "" || s.threshold != 0 || s.sample != 0 || s.days != 0 || len(s.black)+len(s.white) > 0
	switch {
	case !s.on && given:
		return r, &varve.Error{Kind: varve.Invalid, Op: "crawl", Msg: "--model, --spam-threshold, --spam-sample, --spam-memory and the lists need --spam-filter"}
	case !s.on:
		return r, nil
	}
	r.SpamThreshold, r.SpamSample, r.SpamMemory = s.threshold, s.sample, s.days
	if r.SpamModel = crawl.LearntModel; s.model != "" {
		if r.SpamModel, err = filepath.Abs(s.model); err != nil {
			return r, err
		}
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
		Kind: varve.Invalid, Op: "crawl --spam-filter", Msg: "needs --model FILE, or a collection that learnt one: no model comes with Varve, for whose labels are right is for you to say",
		Hint: "crawl without the filter, measure its hosts ('varve spam features'), judge some tens of them and learn ('Judge hosts' of 'varve serve', or 'varve spam labels set' and 'varve spam train --crawl TABLE -o MODEL')",
	}
}

// spamFilter makes what a definition asks for: the model, the labels of the collection, the lists, the verdicts of earlier crawls.
func spamFilter(col *catalog.Collection, def crawl.SpamRules, log *slog.Logger) (gate.Options, error) {
	var out gate.Options
	if def.SpamModel == "" {
		return out, nil
	}
	labels := label.Open(col.Dir())
	if err := labels.Unread(); err != nil {
		log.Warn("lines of labels of hosts cannot be read: what they say does not count in this crawl, 'varve spam labels' names them", "err", err)
	}
	lists, err := filter.OpenLists(labels, def.SpamBlacklist, def.SpamWhitelist)
	if err != nil {
		return out, &varve.Error{Kind: varve.Invalid, Op: "lists and labels of hosts", Err: err, Hint: "one host a line; docs/formats/labels.md describes labels/spam.jsonl"}
	}
	out.Rulings = lists
	name, err := spamModel(col, def.SpamModel)
	switch {
	case err != nil:
		return out, err
	case name == "" && lists.Len() == 0:
		return out, noSpamModel()
	case name == "":
		log.Warn("no model was learnt from the labels yet: only hosts that people judged are left out; 'Judge hosts' of 'varve serve' learns one", "hosts", lists.Len())
		return out, nil
	}
	m, digest, err := openModel(name)
	if err != nil {
		return out, err
	}
	assessor, err := filter.New(m)
	if err != nil {
		return out, &varve.Error{
			Kind: varve.Invalid, Op: "model " + name, Err: err, Hint: "train one with 'varve spam train --crawl', which leaves out what only a whole archive tells",
		}
	}
	chosen, _ := spam.ThresholdOf(m)
	out.Assessor, out.Threshold, out.Model = assessor, chosen.InCrawl(), name
	out.Verdicts, err = spamVerdicts(filepath.Join(col.Dir(), "..", ".."), digest, def.SpamMemory, log)
	return out, err
}

// spamModel is the file of the model that a definition names; "" if it asks for the one that was learnt last, and there is none.
func spamModel(col *catalog.Collection, name string) (string, error) {
	switch {
	case name == crawl.LearntModel:
		return desk.CrawlModel(col.Dir())
	case !filepath.IsAbs(name): // as people write it in collection.toml: from the archive's folder
		return filepath.Join(col.Dir(), "..", "..", name), nil
	}
	return name, nil
}

// spamVerdicts opens the memory of an archive; nil if nothing is to be remembered.
func spamVerdicts(archive, model string, days int, log *slog.Logger) (gate.Verdicts, error) {
	if days < 0 {
		return nil, nil
	}
	const usual = 90
	v, err := filter.OpenVerdicts(archive, model, time.Duration(cmp.Or(days, usual))*24*time.Hour)
	if err != nil {
		return nil, &varve.Error{
			Kind: varve.Invalid, Op: "verdicts of earlier crawls", Err: err,
			Hint: "--spam-memory -1 crawls without them; the file can be deleted, crawls then judge all hosts anew",
		}
	}
	if err := v.Unread(); err != nil {
		log.Warn("lines of the verdicts of earlier crawls cannot be read: they do not count, and hide nothing else", "file", v.Path(), "err", err)
	}
	return v, nil
}

// openModel reads a model, and the digest by which its verdicts are told from those of others.
func openModel(name string) (*learn.Model, string, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, "", &varve.Error{Kind: varve.NotFound, Op: "model " + name, Err: err, Hint: varve.HintOf(noSpamModel())}
	}
	m, err := learn.ReadModel(bytes.NewReader(b))
	if err != nil {
		return nil, "", &varve.Error{Kind: varve.Invalid, Op: "model " + name, Err: err, Hint: varve.HintOf(noSpamModel())}
	}
	return m, fmt.Sprintf("sha256:%x", sha256.Sum256(b)), nil
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
