package shim

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
)

//go:embed shim.js
var source string

// Settings is what the shim must know about the document it runs in.
type Settings struct {
	Prefix  string   `json:"prefix"`            // of addresses in the archive: "/news/"
	Time    string   `json:"time"`              // 14 digits
	Mod     string   `json:"mod"`               // what the document is used as
	URL     string   `json:"url"`               // of the document, as it was
	Base    string   `json:"base,omitempty"`    // of the page around a document that has no address of its own
	Own     string   `json:"own"`               // where our own files lie
	Frame   string   `json:"frame"`             // name of the frame of the page
	Top     string   `json:"top"`               // origin of the frame page
	Nonce   string   `json:"nonce"`             // by which the policy knows inline scripts
	Seconds int64    `json:"seconds"`           // of the capture, since 1970
	Cookies []string `json:"cookies,omitempty"` // that the page set, as far as scripts could see them
}

var version = func() string {
	sum := sha256.Sum256([]byte(source))
	return hex.EncodeToString(sum[:6])
}()

// Version names the text of the shim, so that browsers may keep it for ever.
func Version() string { return version }

// Source gives the script for a page: it takes its settings from the attribute data-varve of its element.
func Source() string { return source }

// Inline gives the script for a worker, with its settings; it is put before the worker's own on one line's end.
func Inline(s Settings) string {
	text, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return "self.varve$settings=" + string(text) + ";" + source + "\n"
}
