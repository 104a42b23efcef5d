package serve_test

import (
	"encoding/json"
	"html"
	"strings"
	"testing"
)

// The page of the interface for programs tells every operation of the OpenAPI document, each in a group that has a title.
func TestManual(t *testing.T) {
	s := start(t, t.TempDir(), nil)
	status, b := s.get(s.ui + "/api/openapi.json")
	var doc struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	if err := json.Unmarshal([]byte(b), &doc); err != nil || status != 200 {
		t.Fatal(status, err)
	}
	status, b = s.get(s.ui + "/api/")
	page := html.UnescapeString(b)
	if status != 200 {
		t.Fatal(status, page)
	}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			if line := "<b>" + strings.ToUpper(method) + "</b> " + path + "</code>"; !strings.Contains(page, line) || !strings.Contains(page, `id="`+op.OperationID+`"`) {
				t.Errorf("%s %s is not on the page", method, path)
			}
		}
	}
	for _, group := range strings.Split(page, `<section class="card" id="about-`)[1:] {
		if name, _, _ := strings.Cut(group, `"`); strings.Contains(group, "<h2>"+name+"</h2>") {
			t.Errorf("routes of %q have no group: manualGroups in serve/ui/manual.go", name)
		}
	}
}
