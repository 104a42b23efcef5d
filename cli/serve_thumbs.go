package cli

import (
	"time"

	"varve/crawl/browser"
	"varve/serve/thumb"
)

// drawer gives what starts the browser that draws small pictures of pages; nil where there is no Chromium.
func drawer() func() (thumb.Browser, error) {
	path, err := browser.Find("")
	if err != nil {
		return nil
	}
	return func() (thumb.Browser, error) {
		return browser.New(browser.Config{
			Path: path, Tabs: 1, Memory: 1 << 30, Screenshot: true, Still: true,
			Budget: browser.Budget{Wall: 20 * time.Second, Load: 10 * time.Second, Patience: 2 * time.Second, Requests: 300, Stale: 3 * time.Second},
		})
	}
}
