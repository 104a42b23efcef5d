package holdings

import "regexp"

// notInName is what a name in a plan may not have.
var notInName = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// mendingName is what crawls are called that mend another: ids of crawls begin with their time.
var mendingName = regexp.MustCompile(`^again-\d{8}T\d{6}`)

// MendingName returns what the crawls are called that fetch again what a crawl lacks. They have a definition, as all
// crawls have, but nobody planned them: their addresses are no curator's seeds.
func MendingName(crawl string) string {
	name := "again-" + notInName.ReplaceAllString(crawl, "-")
	return name[:min(len(name), 64)]
}

// IsMending reports whether a name is one of MendingName.
func IsMending(name string) bool { return mendingName.MatchString(name) }
