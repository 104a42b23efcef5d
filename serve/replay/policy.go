package replay

import (
	"net/http"
	"strings"

	"varve/serve/replay/address"
	"varve/serve/replay/rewrite"
)

// sandboxed is what replayed pages may do: no popups, no top window, no links out of the frame.
const sandboxed = "allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-pointer-lock allow-orientation-lock"

// sandbox returns what archived documents may do. Without an origin of the collection each is for itself.
func sandbox(alone, scripts bool) string {
	out := sandboxed
	if alone {
		out = strings.Replace(out, " allow-same-origin", "", 1)
	}
	if !scripts {
		out = strings.Replace(out, "allow-scripts ", "", 1)
	}
	return out
}

// policy sets what every answer of this host carries. On an origin of content all is inert until it is known to be a
// document with the shim in it.
func (h *Handler) policy(header http.Header, content bool) {
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("X-DNS-Prefetch-Control", "off")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), midi=(), display-capture=(), publickey-credentials-get=(), identity-credentials-get=(), browsing-topics=()")
	if content {
		header.Set("Connection-Allowlist", "(response-origin);redirects=allow")
		header.Set("Content-Security-Policy", h.inertPolicy())
	} else {
		header.Set("Content-Security-Policy", h.ownPolicy(h.cfg.Base, "'none'"))
	}
}

// Inert sets the policy of answers that are made before a Handler is asked, or instead of it.
func Inert(header http.Header) { header.Set("Content-Security-Policy", "default-src 'none'; sandbox") }

// ownPolicy is that of our own pages: our scripts, no other of this host, since archived ones are here too; frames only
// of the content that is shown. The navigation of the iframe is bound by it too, so that a replayed page cannot leave for the live web.
func (h *Handler) ownPolicy(origin, frames string) string {
	p := "default-src 'none'; script-src " + h.cfg.Base + ownPath + "frame.js " + origin + ownPath + "missing.js; style-src " + origin + "; img-src " + origin + " data:; connect-src 'self'; frame-src " + frames + "; form-action 'self'; base-uri 'none'" + h.ancestors(origin != h.cfg.Base) + "; report-uri " + ownPath + "leak"
	if origin != h.cfg.Base {
		// Beside content: its scripts must not find a window here that lacks the shim.
		p += "; sandbox allow-scripts allow-forms allow-top-navigation-by-user-activation"
	}
	return p
}

// contentPolicy is that of archived documents with the shim in them, and of workers: everything may run, nothing may be
// asked for but the collection. Frames are of the collection too: documents that a script makes up (blob:, data:)
// would be without the shim. So would be what javascript: addresses make up: they run nowhere, since inline scripts are
// known by a nonce, and the shim runs those of links, forms and frames itself. Without scripts the rest is the same, and
// there is nothing that could ask.
func (h *Handler) contentPolicy(r *http.Request, a address.Address, scripts bool) string {
	from, alone := "'self'", !h.IsContent(r.Host)
	if h.shared() {
		o := h.contentOrigin(a.Collection)
		from, alone = o+a.Lead()+" "+o+ownPath, true
	}
	what := "default-src " + from + " 'unsafe-inline' 'unsafe-eval' data: blob: mediastream:; script-src " + from + " 'nonce-" + rewrite.Nonce + "' 'unsafe-eval' data: blob:; script-src-attr 'unsafe-inline'; connect-src " + from + " data: blob:; worker-src " + from + " blob:"
	if !scripts {
		what = "default-src " + from + " 'unsafe-inline' data: blob: mediastream:; script-src 'none'; connect-src 'none'; worker-src 'none'"
	}
	return what + "; frame-src " + from + "; fenced-frame-src 'none'; object-src " + from + "; form-action " + from + "; base-uri " + from + "; sandbox " + sandbox(alone, scripts) + h.ancestors(true) + "; report-uri " + ownPath + "leak"
}

// inertPolicy is that of all other content: the bytes as archived, pictures, texts, XML. No script runs in it, and as
// a document it has an origin of its own, so that nobody takes its window for a fresh one.
func (h *Handler) inertPolicy() string {
	return "default-src 'self' data: blob: 'unsafe-inline'; script-src 'none'; frame-src 'none'; object-src 'none'; form-action 'none'; base-uri 'none'; sandbox" + h.ancestors(true) + "; report-uri " + ownPath + "leak"
}

// printPolicy is that of PDF files: the browser's own viewer is a script.
func (h *Handler) printPolicy(scripts bool) string {
	may := "allow-downloads allow-modals"
	if scripts {
		may = "allow-scripts " + may
	}
	return "default-src 'self' data: blob: 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox " + may + h.ancestors(true) + "; report-uri " + ownPath + "leak"
}

// ancestors names the pages that may hold ours in a frame. Where each document of content is for itself, it names none:
// such a document has no origin that could be named, and the frames in it would be refused.
func (h *Handler) ancestors(content bool) string {
	if content && h.shared() {
		return ""
	}
	return strings.TrimRight("; frame-ancestors 'self' "+h.cfg.Base+" "+h.contentSource()+" "+h.cfg.UI, " ")
}
