package objects

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// set writes a set of two topics of a forum, in one of two templates.
func set(t *testing.T, restyled bool) string {
	t.Helper()
	dir := t.TempDir()
	var index, truth strings.Builder
	for topic := range 6 {
		page := `<body id="phpbb" class="section-viewtopic"><p class="copyright"><a href="https://www.phpbb.com/">phpBB</a></p>`
		for i := range 3 {
			id := 10*topic + i + 1
			text := fmt.Sprintf("Words number %d of topic %d.", i, topic)
			post := `<div class="post" id="p%d"><p class="author"><b class="username">user %d</b> <time datetime="2024-01-0%dT10:00:00Z"></time></p><div class="content">%s</div></div>`
			if restyled {
				post = `<section class="entry" id="e-%d"><i class="who">user %d</i> <span class="at" title="2024-01-0%dT10:00:00Z"></span><p class="said">%s</p></section>`
			}
			page += fmt.Sprintf(post, id, i, i+1, text)
			fmt.Fprintf(&truth, `{"type":"post","id":"%d","author":"user %d","time":"2024-01-0%dT10:00:00","text":"%s"}`+"\n", id, i, i+1, text)
		}
		name := fmt.Sprintf("%d.html", topic)
		fmt.Fprintf(&index, "%s\thttp://forum.example/viewtopic.php?t=%d\n", name, topic)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Fprintln(&truth, `{"type":"post","id":"99","text":"On no page."}`)
	for name, text := range map[string]string{"index.tsv": index.String(), "truth.jsonl": truth.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestMeasure(t *testing.T) {
	r, err := Measure(set(t, false), Config{Wrong: true})
	if err != nil || r.Objects != 19 || r.Read != 18 || r.Right != 18 || r.Untrue != 0 || r.Fields["author"].Right != 18 || strings.Join(r.Wrong, "\n") != "post 99: not read" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = Measure(set(t, true), Config{}); err != nil || r.Right != 0 {
		t.Errorf("in another template: %+v, %v", r, err)
	}
	if r, err = Measure(set(t, true), Config{Before: set(t, false)}); err != nil || r.Objects != 9 || r.Right != 9 {
		t.Errorf("learned anew: %+v, %v", r, err)
	}
	if !strings.Contains(strings.Join(r.Learned, "\n"), "each = 'section.entry'") {
		t.Errorf("learned: %q", r.Learned)
	}
}
