package replay

import (
	"net/http"
	"strings"
)

// sandboxed is what replayed pages may do: no popups, no top window, no links out of the frame.
const sandboxed = "allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-pointer-lock allow-presentation allow-orientation-lock"

// policy sets what every answer of this host carries.
func (h *Handler) policy(header http.Header) {
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("X-DNS-Prefetch-Control", "off")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), bluetooth=(), hid=(), midi=(), display-capture=(), publickey-credentials-get=(), identity-credentials-get=(), browsing-topics=(), attribution-reporting=()")
	header.Set("Content-Security-Policy", h.ownPolicy())
}

// ownPolicy is that of our own pages: our scripts, no other of this host, since archived ones are here too; frames only
// of this host. The navigation of the iframe is bound
// by it too, so that a replayed page cannot leave for the live web.
func (h *Handler) ownPolicy() string {
	return "default-src 'none'; script-src " + h.cfg.Base + ownPath + "frame.js " + h.cfg.Base + ownPath + "missing.js " + h.cfg.Content + ownPath + "missing.js; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src " + h.cfg.Content + "; form-action 'self'; base-uri 'none'; frame-ancestors " + h.ancestors() + "; report-uri " + ownPath + "leak"
}

// contentPolicy is that of archived content: everything may run, nothing may be asked for but this host.
func (h *Handler) contentPolicy() string {
	return "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob: mediastream:; connect-src 'self' data: blob:; worker-src 'self' blob:; frame-src 'self' data: blob:; object-src 'self' data: blob:; form-action 'self'; base-uri 'self'; webrtc 'block'; sandbox " + sandboxed + "; frame-ancestors " + h.ancestors() + "; report-uri " + ownPath + "leak"
}

// ancestors are the pages that may hold ours in a frame.
func (h *Handler) ancestors() string {
	return strings.TrimSpace("'self' " + h.cfg.Base + " " + h.cfg.UI)
}
