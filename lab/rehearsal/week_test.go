package rehearsal_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/crawl"
	"varve/crawl/stages"
	"varve/lab/rehearsal"
	"varve/lab/websim"
)

// weekPlan has three crawls with rhythms of their own.
const weekPlan = `
title = "A week"
[crawl.hourly]
seeds = ["http://tiny.sim.test/"]
every = "6h"
max-pages = 3
[crawl.daily]
seeds = ["http://tiny.sim.test/"]
every = "24h"
revisit = "lifo"
[crawl.weekly]
seeds = ["http://tiny.sim.test/"]
every = "168h"
`

// A week of schedule in virtual time: every crawl runs when it is due and at no other time, none waits for ever, none fails.
func TestWeekOfSchedule(t *testing.T) {
	spec, err := websim.Preset("tiny")
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 3)
	if err != nil {
		t.Fatal(err)
	}
	start := web.Epoch().AddDate(0, 1, 0)
	stage, err := rehearsal.New(web, rehearsal.Config{Start: start, Pace: 200 * time.Millisecond, Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Close()
	dir := t.TempDir()
	col, err := catalog.Open(dir).Collection("week")
	if err == nil {
		err = col.Create()
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(col.Dir(), "collection.toml"), []byte(weekPlan), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	plan, err := crawl.ReadPlan(col)
	if err != nil {
		t.Fatal(err)
	}
	last, runs := map[string]time.Time{}, map[string]int{}
	for stage.Clock.Now().Before(start.Add(7 * 24 * time.Hour)) { // as cron would: a look every quarter of an hour
		for _, due := range plan.Due(stage.Clock.Now(), last) {
			if waited := stage.Clock.Now().Sub(last[due.Name]); !last[due.Name].IsZero() && waited > time.Duration(due.Every)+time.Hour {
				t.Errorf("%s waited %s", due.Name, waited)
			}
			last[due.Name] = stage.Clock.Now()
			runs[due.Name]++
			res, err := stage.Crawl(context.Background(), filepath.Join(dir, fmt.Sprint(due.Name, runs[due.Name])), due.Definition, crawl.Options{Stages: stages.Set{}.Of})
			if err != nil {
				t.Fatalf("%s: %v", due.Name, err)
			}
			if res.Report.Failed > 0 || res.Report.Pages == 0 {
				t.Errorf("%s at %s: %d pages, %d failed", due.Name, last[due.Name], res.Report.Pages, res.Report.Failed)
			}
		}
		stage.Clock.Advance(15 * time.Minute)
	}
	if runs["weekly"] != 1 || runs["daily"] != 7 || runs["hourly"] < 27 || runs["hourly"] > 28 {
		t.Errorf("runs in a week: %v", runs)
	}
}
