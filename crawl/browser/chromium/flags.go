package chromium

import (
	"fmt"
	"strings"
)

// always are the flags of every browser.
var always = []string{
	"--headless", "--disable-gpu", "--hide-scrollbars", "--mute-audio", "--force-color-profile=srgb", "--remote-debugging-pipe",
	// Nobody is sitting in front of it.
	"--no-first-run", "--no-default-browser-check", "--no-startup-window", "--disable-default-apps", "--disable-extensions", "--disable-notifications",
	"--disable-prompt-on-repost", "--disable-hang-monitor", "--password-store=basic", "--use-mock-keychain", "--deny-permission-prompts", "--block-new-web-contents",
	// Nothing of its own goes out, and nothing is fetched that no page asked for.
	"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-domain-reliability", "--disable-client-side-phishing-detection",
	"--disable-breakpad", "--metrics-recording-only", "--no-pings", "--dns-prefetch-disable", "--disable-field-trial-config",
	// No way past the proxy: no names, no UDP, loopback through the proxy like all else.
	"--disable-quic", "--webrtc-ip-handling-policy=disable_non_proxied_udp", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
	"--proxy-bypass-list=<-loopback>",
	// Work while no window is in front; media without a hand on the mouse; images below the fold at once.
	"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
	"--autoplay-policy=no-user-gesture-required", "--blink-settings=lazyLoadEnabled=false",
	// One process per page instead of one per site in it: each page has a browser context of its own,
	// and there is nothing in it that a page may not know.
	"--disable-site-isolation-trials",
	"--disable-features=" + strings.Join(disabled, ","),
}

// disabled are features that cost processes or memory, or that change what a page does.
var disabled = []string{
	"IsolateOrigins", "site-per-process", "SpareRendererForSitePerProcess", "BackForwardCache", "Prerender2", "NavigationPredictor",
	"HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "LocalNetworkAccessChecks", "TrackingProtection3pcd", "ThirdPartyStoragePartitioning",
	"Translate", "MediaRouter", "DialMediaRouteProvider", "OptimizationHints", "AcceptCHFrame", "AutofillServerCommunication",
	"CertificateTransparencyComponentUpdater", "InterestFeedContentSuggestions", "PrivacySandboxSettings4", "GlobalMediaControls", "PaintHolding",
}

// arguments gives the command line of a browser.
func (c *Config) arguments(profile string) []string {
	args := append([]string(nil), always...)
	args = append(args, "--user-data-dir="+profile, "--proxy-server=http://"+c.Proxy, fmt.Sprintf("--window-size=%d,%d", c.Width, c.Height), "--lang="+c.Language)
	if c.SPKI != "" {
		args = append(args, "--ignore-certificate-errors-spki-list="+c.SPKI)
	}
	if c.Heap > 0 {
		args = append(args, fmt.Sprintf("--js-flags=--max-old-space-size=%d", c.Heap))
	}
	if c.NoSandbox {
		args = append(args, "--no-sandbox")
	}
	if c.SmallShm {
		args = append(args, "--disable-dev-shm-usage")
	}
	return append(args, c.Extra...)
}
