package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"
)

// fate is what becomes of a flag of crawl when the crawl is resumed.
type fate int

const (
	kept     fate = iota + 1 // in the definition, as it was: given anew it is not heeded, and that is said
	replaced                 // in the definition; given anew it replaces what was
	ofTheRun                 // of the command, not of the crawl
)

// flagFates says of every flag of crawl what becomes of it.
func flagFates() map[string]fate {
	fates := map[string]fate{}
	for f, names := range map[fate][]string{
		kept: {
			"seeds", "posts", "least-posts", "scope", "scope-file", "max-hops", "max-sitemap", "workers", "timeout", "retries", "retry-wait", "ignore-robots",
			"allow-private", "user-agent", "operator", "topic", "delay", "contact",
			"revisit", "strategy", "twins", "group", "group-by", "eta", "leeway", "layers", "revisit-budget",
			"capture", "routes", "api-rules", "behaviours", "no-api", "no-media", "media-renditions", "media-live", "media-players", "media-budget", "screenshots", "rendered-text",
			"page-time", "spam-filter", "model", "spam-blacklist", "spam-whitelist", "spam-threshold", "spam-sample", "spam-memory",
		},
		replaced: {"resolve", "proxy", "ca", "accept-bad-certificates", "no-history", "max-pages", "max-urls", "max-bytes", "max-time", "min-disk"},
		ofTheRun: {
			"archive", "collection", "resume", "due", "definition", "no-index", "polite-dir", "json", "quiet", "help",
			"cookies", // those of a crawl are kept with its frontier, and these come to them
			"browser-path", "browser-tabs", "yt-dlp",
		},
	} {
		for _, name := range names {
			fates[name] = f
		}
	}
	return fates
}

// sayKept names the flags that are given to a crawl that is defined already, and have no effect on it; some have.
func (o *crawlOptions) sayKept(progress io.Writer, why string, heeded ...string) {
	fates := flagFates()
	o.flags.Visit(func(f *pflag.Flag) {
		if fates[f.Name] == kept && f.Value.String() != "" && !slices.Contains(heeded, f.Name) {
			fmt.Fprintf(progress, "varve: --%s is not heeded: %s\n", f.Name, why)
		}
	})
}
