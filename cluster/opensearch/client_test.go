package opensearch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/index/cdx"
)

const secret = "a-secret-that-must-not-be-printed"

// fake is a server that says who it is and answers everything else the same.
func fake(t *testing.T, version string, status int, body string) *Client {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/" && version != "" {
			fmt.Fprint(w, version)
			return
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	c, err := New(Config{Address: s.URL, User: "reader", Password: secret})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const right = `{"version":{"distribution":"opensearch","number":"2.19.0"}}`

// What is wrong is said, with what to do, and never with the password.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name, version string
		status        int
		body          string
		kind          varve.Kind
		says, hint    string
	}{
		{"wrong password", "", 401, "Unauthorized", varve.Unavailable, `does not let user "reader" in`, "VARVE_OPENSEARCH_PASSWORD"},
		{"no right", right, 403, `{"error":{"type":"security_exception","reason":"no permissions"}}`, varve.Unavailable, "not do this (403)", "varve-*"},
		{"too old", `{"version":{"distribution":"opensearch","number":"2.11.1"}}`, 200, "", varve.Unavailable, "opensearch 2.11.1", "2.19"},
		{"too new", `{"version":{"distribution":"opensearch","number":"3.1.0"}}`, 200, "", varve.Unavailable, "opensearch 3.1.0", "2.19"},
		{"another engine", `{"version":{"number":"8.13.0","build_flavor":"default"}}`, 200, "", varve.Unavailable, "8.13.0", "2.19"},
		{"something else", `{"hello":1}`, 200, "", varve.Unavailable, "does not say its version", ""},
		{"no JSON", "<html>", 200, "", varve.Unavailable, "no JSON", ""},
		{"full disk", right, 429, `{"error":{"type":"cluster_block_exception","reason":"index [x] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block]"}}`, varve.Unavailable, "flood-stage", "make room"},
		{"read-only", right, 403, `{"error":{"type":"cluster_block_exception","reason":"blocked by: [FORBIDDEN/8/index write (api)]"}}`, varve.Unavailable, "must not be written", "make room"},
		{"not loaded", right, 404, `{"error":{"type":"index_not_found_exception","reason":"no such index"}}`, varve.NotFound, "has no texts of it", "varve index --to opensearch"},
		{"busy", right, 503, `{"error":{"type":"x","reason":"y"}}`, varve.Unavailable, "too much to do", "in a while"},
		{"another format", right, 200, `{"varve-text-news-2019-x":{"mappings":{"_meta":{"format":99}}}}`, varve.Unavailable, "format 99", "load them anew"},
	} {
		client := fake(t, c.version, c.status, c.body)
		_, err := client.Text(t.Context(), "news")
		if err == nil || varve.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) || !strings.Contains(varve.HintOf(err), c.hint) {
			t.Errorf("%s: %v (%s)", c.name, err, varve.HintOf(err))
		}
		if strings.Contains(fmt.Sprint(err, varve.HintOf(err)), secret) {
			t.Errorf("%s: the password is told", c.name)
		}
	}
}

// A server that is away is told at once, and again only after a while.
func TestAway(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	now := time.Unix(1e9, 0)
	c, err := New(Config{Address: s.URL, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		_, err := c.Captures(t.Context(), "news")
		if varve.KindOf(err) != varve.Unavailable || !strings.Contains(err.Error(), "cannot be reached") || !strings.Contains(varve.HintOf(err), "without --index opensearch") {
			t.Errorf("%v (%s)", err, varve.HintOf(err))
		}
	}
	if c.downFor != now.Add(downPause) {
		t.Error("it was asked again at once")
	}
}

// Something that accepts and says nothing does not hold up a question for longer than its time.
func TestSilent(t *testing.T) {
	gone := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-r.Context().Done():
		case <-gone:
		}
	}))
	defer s.Close()
	defer close(gone)
	c, err := New(Config{Address: s.URL, Timeout: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Text(t.Context(), "news"); err == nil || !strings.Contains(err.Error(), "in time") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, err = New(Config{Address: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Text(ctx, "news"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A lot of which a document was refused is an error that names it; one that the server has no room for is sent again.
func TestBulk(t *testing.T) {
	tries := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/" {
			fmt.Fprint(w, right)
			return
		}
		switch tries++; tries {
		case 1:
			w.WriteHeader(429)
			fmt.Fprint(w, `{"error":{"type":"rejected_execution_exception","reason":"queue is full"}}`)
		case 2:
			fmt.Fprint(w, `{"errors":true,"items":[{"index":{"_id":"7","status":201}},{"index":{"_id":"8","status":429,"error":{"type":"rejected_execution_exception","reason":"queue"}}}]}`)
		case 3:
			fmt.Fprint(w, `{"errors":false}`)
		default:
			fmt.Fprint(w, `{"errors":true,"items":[{"index":{"_id":"9","status":400,"error":{"type":"mapper_parsing_exception","reason":"no such field"}}}]}`)
		}
	}))
	defer s.Close()
	c, err := New(Config{Address: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	b := c.bulk("x", nil)
	b.wait = func(context.Context, time.Duration) error { return nil }
	if err := errors.Join(b.add(t.Context(), "7", object{}), b.flush(t.Context())); err != nil || tries != 3 || b.sent != 1 {
		t.Errorf("%v after %d tries", err, tries)
	}
	err = errors.Join(b.add(t.Context(), "9", object{}), b.flush(t.Context()))
	if err == nil || !strings.Contains(err.Error(), "document 9") || !strings.Contains(err.Error(), "no such field") {
		t.Error(err)
	}
	if err := LoadError("news", err); !strings.Contains(varve.HintOf(err), "goes on where it was") {
		t.Errorf("%v (%s)", err, varve.HintOf(err))
	}
}

// A part of an answer is none: a shard that failed is an error.
func TestPartAnswers(t *testing.T) {
	for _, body := range []string{
		`{"responses":[{"_shards":{"failed":1,"failures":[{"reason":{"type":"x","reason":"lost"}}]},"hits":{"hits":[]}}]}`,
		`{"responses":[{"timed_out":true,"_shards":{"failed":0},"hits":{"hits":[]}}]}`,
		`{"responses":[]}`,
	} {
		if _, err := fake(t, right, 200, body).search(t.Context(), []string{"x"}, object{}); err == nil {
			t.Errorf("%s was taken for an answer", body)
		}
	}
}

func TestConfig(t *testing.T) {
	less := -1
	for _, c := range []Config{{}, {Address: "search:9200"}, {Address: "http://u:p@x"}, {Address: "http://x", Prefix: "Über"}, {Address: "http://x", CA: []byte("none")}, {Address: "http://x", Replicas: &less}} {
		if _, err := New(c); varve.KindOf(err) != varve.Invalid {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Cursors come back as they went, and others are refused.
func TestCursor(t *testing.T) {
	got, err := parseCursor(cursorOf([]any{1.5, "news/2019/0000000001"}), 2)
	if err != nil || len(got) != 2 || got[0] != json.Number("1.5") {
		t.Error(got, err)
	}
	for _, s := range []string{"x", "o", "o!!", cursorOf([]any{1})} {
		if _, err := parseCursor(s, 2); err == nil {
			t.Errorf("%q was taken", s)
		}
	}
}

// Lines that are the same up to where OpenSearch compares them come in their order, also backwards and among others.
func TestLongLinesInOrder(t *testing.T) {
	head := "k" + strings.Repeat("x", mostLine-1)
	lines := []string{"a 2019", head, head + "1 2019", head + "1 2020", head + "2 2019", "l 2019"}
	for _, reverse := range []bool{false, true} {
		var hits []any
		given := []string{lines[0], lines[4], lines[2], lines[1], lines[3], lines[5]} // among the alike by their ids
		want := slices.Clone(lines)
		if reverse {
			slices.Reverse(given)
			slices.Reverse(want)
		}
		for i, l := range given {
			hits = append(hits, object{"_source": lineOf(l, "f"), "sort": []any{i}})
		}
		body, err := json.Marshal(object{"responses": []any{object{"status": 200, "hits": object{"hits": hits}}}})
		if err != nil {
			t.Fatal(err)
		}
		x := &Captures{client: fake(t, right, 200, string(body)), collection: "news", index: "i"}
		for most := range len(want) + 1 {
			var got []string
			for line, err := range x.lines(t.Context(), cdx.Span{}, reverse) {
				if err != nil {
					t.Fatal(err)
				}
				if got = append(got, line); len(got) == most {
					break
				}
			}
			if w := want[:cmp.Or(most, len(want))]; !slices.Equal(got, w) {
				t.Errorf("backwards %t, %d lines: %d came, or not in order", reverse, most, len(got))
			}
		}
	}
}
