package desk_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"varve/lab/eval/spamfilter"
	worlds "varve/lab/websim/spam"
	"varve/learn"
	"varve/spam/desk"
	"varve/spam/label"
)

// world writes the features of a simulated web of hosts into a collection and gives the truth.
func world(t *testing.T, hosts int, seed uint64) (dir string, truth map[string]bool) {
	t.Helper()
	w, err := worlds.New(worlds.Config{Hosts: hosts, Spam: 0.4}, seed)
	if err != nil {
		t.Fatal(err)
	}
	web, err := w.Web()
	if err != nil {
		t.Fatal(err)
	}
	table := spamfilter.Tabulate(w, web, web.Epoch().AddDate(1, 6, 0), 8)
	dir = t.TempDir()
	if err := os.MkdirAll(desk.ModelDir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(desk.ModelDir(dir), "hosts-1.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := table.WriteCSV(f); err != nil {
		t.Fatal(err)
	}
	return dir, table.Truth()
}

// judge labels the first hosts of a queue by the truth.
func judge(t *testing.T, d *desk.Desk, order desk.Order, n int, truth map[string]bool) {
	t.Helper()
	list, _, err := d.Queue(order, 0, n)
	if err != nil || len(list) != n {
		t.Fatal(len(list), err)
	}
	for _, w := range list {
		e := label.Entry{Host: w.Host, Label: label.Normal, Who: "eva", When: time.Now()}
		if truth[w.Host] {
			e.Label = label.Spam
		}
		if err := d.Say(e); err != nil {
			t.Fatal(err)
		}
	}
}

// quality is the AUC of the worst-first queue against the truth: hosts nobody judged.
func quality(t *testing.T, d *desk.Desk, truth map[string]bool) float64 {
	t.Helper()
	list, all, err := d.Queue(desk.Worst, 0, 1<<20)
	if err != nil || len(list) != all {
		t.Fatal(err)
	}
	var scores []float64
	var spam []bool
	for i, w := range list {
		scores, spam = append(scores, -float64(i)), append(spam, truth[w.Host])
	}
	return learn.AUC(scores, spam)
}

func TestJudgeAndLearn(t *testing.T) {
	dir, truth := world(t, 120, 1)
	d := desk.Open(dir)
	before := quality(t, d, truth)
	judge(t, d, desk.Random, 30, truth)
	work, err := d.Retrain(context.Background(), desk.TargetSpam, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	after := quality(t, d, truth)
	t.Logf("AUC of the hosts not judged: %.3f before, %.3f after 30 labels; over folds %.3f", before, after, *work.AUC)
	if after < 0.75 || after < before+0.1 {
		t.Errorf("30 labels: %.3f before, %.3f after", before, after)
	}
	state, err := d.State()
	if err != nil || state.Hosts != 120 || state.Judged[label.Spam]+state.Judged[label.Normal] != 30 || state.Model != work.Model || state.Training.Ended.IsZero() {
		t.Errorf("%+v, %v", state, err)
	}
	list, all, err := d.Queue(desk.Uncertain, 0, 5)
	if err != nil || all != 90 || list[0].Spamicity == nil {
		t.Fatal(all, err)
	}
	c, err := d.Case(list[0].Host)
	if err != nil || len(c.Evidence) == 0 || len(c.Voices) == 0 || c.InForce != nil {
		t.Errorf("%+v, %v", c, err)
	}
	if fresh, _, err := desk.Open(dir).Queue(desk.Uncertain, 0, 5); err != nil || fresh[0].Host != list[0].Host {
		t.Errorf("another process sees another queue: %v, %v", fresh, err)
	}
}

// What a curator teaches is used, whatever the model before it is called; and so is a table that was measured again.
func TestNewestByTime(t *testing.T) {
	dir, truth := world(t, 40, 1)
	d := desk.Open(dir)
	judge(t, d, desk.Random, 30, truth)
	old, err := d.Retrain(context.Background(), desk.TargetSpam, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	models := desk.ModelDir(dir)
	if err := os.Rename(filepath.Join(models, old.Model), filepath.Join(models, "spam-demo.model")); err != nil {
		t.Fatal(err)
	}
	taught, err := d.Retrain(context.Background(), desk.TargetSpam, func() time.Time { return time.Now().Add(time.Minute) })
	if err != nil {
		t.Fatal(err)
	}
	// A copy of the archive has files of one time: the models say themselves when they were made.
	same := time.Now()
	for _, name := range []string{"spam-demo.model", taught.Model} {
		if err := os.Chtimes(filepath.Join(models, name), same, same); err != nil {
			t.Fatal(err)
		}
	}
	for name, d := range map[string]*desk.Desk{"the same desk": d, "another process": desk.Open(dir)} {
		if state, err := d.State(); err != nil || state.Model != taught.Model {
			t.Errorf("%s follows %s, %v; want %s", name, state.Model, err, taught.Model)
		}
	}
	if list, err := desk.Models(dir, ""); err != nil || len(list) != 2 || filepath.Base(list[0]) != taught.Model {
		t.Errorf("%v, %v", list, err)
	}
	again := filepath.Join(models, "hosts-0.csv") // comes before hosts-1.csv by name
	table, err := os.ReadFile(filepath.Join(models, "hosts-1.csv"))
	if err == nil {
		err = os.WriteFile(again, table, 0o644)
	}
	if err == nil {
		err = os.Chtimes(again, time.Time{}, time.Now().Add(time.Hour))
	}
	if err != nil {
		t.Fatal(err)
	}
	if state, err := d.State(); err != nil || state.Table != "hosts-0.csv" {
		t.Errorf("the table is %s, %v", state.Table, err)
	}
}

// The counts of the screen add up: waiting and judged are the hosts measured; what was said of others is told apart.
func TestCountsAddUp(t *testing.T) {
	dir, truth := world(t, 20, 1)
	d := desk.Open(dir)
	judge(t, d, desk.Random, 6, truth)
	if err := d.Say(label.Entry{Host: "elsewhere.example", Label: label.Spam, Who: "eva", When: time.Now()}); err != nil {
		t.Fatal(err)
	}
	_, waiting, err := d.Queue(desk.Random, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.State()
	if err != nil || waiting+s.Judged[label.Spam]+s.Judged[label.Normal]+s.Judged[label.Undecided] != s.Hosts || s.Unmeasured != 1 {
		t.Errorf("%d wait, %+v, %v", waiting, s, err)
	}
}

func TestRefusals(t *testing.T) {
	d := desk.Open(t.TempDir())
	if _, _, err := d.Queue(desk.Worst, 0, 1); !errors.Is(err, desk.ErrNoTable) {
		t.Error(err)
	}
	dir, truth := world(t, 20, 1)
	d = desk.Open(dir)
	if _, _, err := d.Queue("sideways", 0, 1); err == nil {
		t.Error("an order that is none was taken")
	}
	if _, err := d.Case("nowhere.example"); !errors.Is(err, desk.ErrNoHost) {
		t.Error(err)
	}
	judge(t, d, desk.Random, 4, truth)
	if _, err := d.Retrain(context.Background(), desk.TargetSpam, time.Now); !errors.Is(err, desk.ErrFew) {
		t.Error(err)
	}
	if list, all, err := d.Queue(desk.Random, 1000, 10); err != nil || len(list) != 0 || all != 16 {
		t.Error(list, all, err)
	}
}

func TestTargets(t *testing.T) {
	e := label.Entry{Label: label.Normal, Genre: []string{"news"}, Trust: 3, Bias: 2}
	for target, want := range map[desk.Target][2]bool{
		desk.TargetSpam: {false, true}, "genre=news": {true, true}, "genre=personal": {false, true}, "trust": {true, true}, "bias": {false, false}, "neutrality": {false, false},
	} {
		if yes, told := target.Says(e); yes != want[0] || told != want[1] {
			t.Errorf("%s: %v %v", target, yes, told)
		}
	}
	if _, told := desk.TargetSpam.Says(label.Entry{Label: label.Undecided}); told {
		t.Error("undecided says something")
	}
}

// Labels where the model is uncertain teach more than labels at random; told, and not asserted, for it takes many worlds to show.
func TestDrillActive(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_DRILL=1 compares the queues over three worlds")
	}
	sum := map[desk.Order]float64{}
	for seed := range uint64(3) {
		for _, order := range []desk.Order{desk.Random, desk.Uncertain} {
			dir, truth := world(t, 200, seed+10)
			d := desk.Open(dir)
			judge(t, d, desk.Random, 20, truth)
			for range 4 {
				if _, err := d.Retrain(context.Background(), desk.TargetSpam, time.Now); err != nil {
					t.Fatal(err)
				}
				judge(t, d, order, 10, truth)
			}
			if _, err := d.Retrain(context.Background(), desk.TargetSpam, time.Now); err != nil {
				t.Fatal(err)
			}
			sum[order] += quality(t, d, truth) / 3
		}
	}
	t.Logf("60 labels, 200 hosts, mean of 3 worlds: random %.4f, uncertain %.4f", sum[desk.Random], sum[desk.Uncertain])
	if sum[desk.Uncertain] < sum[desk.Random]-0.01 {
		t.Errorf("random %.4f, uncertain %.4f", sum[desk.Random], sum[desk.Uncertain])
	}
}
