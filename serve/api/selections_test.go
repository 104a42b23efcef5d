package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"varve/curate/selection"
	"varve/serve/access"
	"varve/serve/api"
)

// A topic proposes, a curator decides, and what is chosen comes as WARC.
func TestSelections(t *testing.T) {
	w := newWorld(t)
	const base = "/api/collections/aachen/selections"
	post := func(target, body string, status int, to any) {
		t.Helper()
		resp := w.do(t, access.Curator, "POST", target, body)
		b, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != status {
			t.Fatalf("%s %s: %d %s", target, body, resp.StatusCode, b)
		}
		if to != nil {
			if err := json.Unmarshal(b, to); err != nil {
				t.Fatal(err)
			}
		}
	}
	show := func(query string) (p api.SelectionPage) {
		t.Helper()
		resp := w.do(t, access.Curator, "GET", base+"/home"+query, "")
		if err := json.NewDecoder(resp.Body).Decode(&p); err != nil || resp.StatusCode != 200 {
			t.Fatal(resp.StatusCode, err)
		}
		return p
	}
	post(base, `{"name":"../home"}`, 400, nil)
	post(base, `{"name":"home"}`, 400, nil)
	var p api.Proposed
	post(base, fmt.Sprintf(`{"name":"home","examples":[%q],"threshold":0.3}`, home), 200, &p)
	if p.Proposal.Examples == 0 || p.Counts.Proposed == 0 || len(p.Proposal.Terms) == 0 {
		t.Fatalf("%+v", p)
	}
	all := show("?state=proposed&limit=1")
	if len(all.Items) != 1 || all.Next == "" && p.Counts.Proposed > 1 || all.Items[0].State != selection.Proposed {
		t.Fatalf("%+v", all)
	}
	first := all.Items[0]
	var after api.SelectionItem
	post(base+"/home/decisions", fmt.Sprintf(`[{"do":"include","url":%q,"from":%q,"note":"the front page"}]`, first.URL, first.From.Format("2006-01-02T15:04:05.999999Z07:00")), 200, &after)
	if after.Counts.Included != 1 || after.Counts.Proposed != p.Counts.Proposed-1 {
		t.Errorf("%+v", after)
	}
	post(base+"/home/decisions", `[{"do":"keep","url":"http://a.test/"}]`, 400, nil)
	post(base+"/none/decisions", `[{"do":"include","url":"http://a.test/"}]`, 404, nil)
	resp := w.do(t, access.Curator, "GET", base+"/home/export?format=warc", "")
	b, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != 200 || !bytes.HasPrefix(b, []byte{0x1f, 0x8b}) || !strings.Contains(resp.Header.Get("Content-Disposition"), "aachen-home.warc.gz") {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
	more := w.do(t, access.Curator, "GET", base+"/home/export?format=warc&undecided=take", "")
	if c, _ := io.ReadAll(more.Body); p.Counts.Proposed > 1 && len(c) <= len(b) {
		t.Errorf("%d bytes with undecided ones, %d without", len(c), len(b))
	}
	if resp := w.do(t, access.Viewer, "GET", base, ""); resp.StatusCode != 403 {
		t.Error(resp.StatusCode)
	}
	var list api.List[api.SelectionItem]
	resp = w.do(t, access.Curator, "GET", base, "")
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil || len(list.Items) != 1 || !list.Items[0].Ready {
		t.Errorf("%+v, %v", list, err)
	}
}
