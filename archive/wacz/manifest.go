package wacz

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Version is the version of the format that is written.
const Version = "1.1.1"

// Profiles of manifests.
const (
	ProfilePackage = "data-package"
	profileDraft12 = "wacz" // WACZ 1.2.0, a draft
)

// Manifest is datapackage.json.
type Manifest struct {
	Profile      string     `json:"profile"`
	Resources    []Resource `json:"resources"`
	Title        string     `json:"title,omitempty"`
	Description  string     `json:"description,omitempty"` // Markdown
	Created      string     `json:"created,omitempty"`     // RFC 3339
	Modified     string     `json:"modified,omitempty"`
	MainPageURL  string     `json:"mainPageUrl,omitempty"`
	MainPageDate string     `json:"mainPageDate,omitempty"`
	Version      string     `json:"wacz_version,omitempty"`
	Software     string     `json:"software,omitempty"`
}

// Resource is one file of the package.
type Resource struct {
	Name  string `json:"name,omitempty"`
	Path  string `json:"path"`
	Hash  string `json:"hash,omitempty"` // "sha256:hex"
	Bytes int64  `json:"bytes"`
}

// oldResource has the form of WACZ 1.0.0 as well.
type oldResource struct {
	Resource
	Bytes *int64 `json:"bytes"`
	Stats struct {
		Hash  string `json:"hash"`
		Bytes *int64 `json:"bytes"`
	} `json:"stats"`
	Hashing string `json:"hashing"`
}

// oldManifest has the places where 1.0.0 and the draft of 1.2.0 keep the same things.
type oldManifest struct {
	Manifest
	Resources []oldResource `json:"resources"`
	Metadata  struct {
		Title       string `json:"title"`
		Description string `json:"description"`
		Desc        string `json:"desc"`
	} `json:"metadata"`
	Home struct {
		URL string `json:"url"`
		TS  string `json:"ts"`
	} `json:"home"`
}

// ParseManifest reads a datapackage.json of any version from 1.0.0 on. A size that is not given
// is -1.
func ParseManifest(b []byte) (*Manifest, error) {
	var old oldManifest
	if err := json.Unmarshal(b, &old); err != nil {
		return nil, jsonError(b, err)
	}
	m := old.Manifest
	m.Resources = make([]Resource, len(old.Resources))
	for i := range old.Resources {
		m.Resources[i] = old.Resources[i].modern()
	}
	m.Title = first(m.Title, old.Metadata.Title)
	m.Description = first(m.Description, old.Metadata.Description, old.Metadata.Desc)
	m.MainPageURL = first(m.MainPageURL, old.Home.URL)
	m.MainPageDate = first(m.MainPageDate, old.Home.TS)
	return &m, nil
}

func (o *oldResource) modern() Resource {
	r := o.Resource
	r.Bytes = -1
	switch {
	case o.Bytes != nil:
		r.Bytes = *o.Bytes
	case o.Stats.Bytes != nil:
		r.Bytes = *o.Stats.Bytes
	}
	if r.Hash == "" && o.Stats.Hash != "" {
		r.Hash = first(o.Hashing, "md5") + ":" + o.Stats.Hash
	}
	return r
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// jsonError adds the line to what encoding/json says.
func jsonError(b []byte, err error) error {
	at := int64(-1)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = e.Offset
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at = e.Offset
	}
	if at < 0 || at > int64(len(b)) {
		return err
	}
	return fmt.Errorf("line %d: %w", 1+strings.Count(string(b[:at]), "\n"), err)
}

// Encode gives the manifest as it is stored.
func (m *Manifest) Encode() ([]byte, error) { return encodeJSON(m) }

// IsMulti tells whether the resources are packages themselves.
func (m *Manifest) IsMulti() bool { return strings.HasPrefix(m.Profile, "multi-wacz") }

// encodeJSON gives indented JSON without HTML escapes, as people read it.
func encodeJSON(v any) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return []byte(b.String()), err
}

// formatTime writes an instant as manifests and pages hold it; a zero time gives "".
func formatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// DigestFile is datapackage-digest.json.
type DigestFile struct {
	Path   string      `json:"path"`
	Hash   string      `json:"hash"`
	Signed *SignedData `json:"signedData,omitempty"`
}

// ParseDigestFile reads a datapackage-digest.json.
func ParseDigestFile(b []byte) (*DigestFile, error) {
	var d DigestFile
	if err := json.Unmarshal(b, &d); err != nil {
		return nil, jsonError(b, err)
	}
	return &d, nil
}
