package wacz

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"strings"

	"varve/archive/warc"
)

// versions are those that have the form that we read.
var versions = map[string]bool{"1.0.0": true, "1.1.0": true, "1.1.1": true, "1.2.0": true}

// readManifest reads and checks datapackage.json.
func (c *checker) readManifest() {
	if c.p.byPath[ManifestPath] == nil {
		c.find(warc.Spec, RuleMissingPart, ManifestPath, 0, "no manifest")
		return
	}
	text, err := c.p.readAll(ManifestPath, c.p.limits.Manifest)
	if err != nil {
		c.find(warc.Damage, RuleUnreadable, ManifestPath, 0, "%v", err)
		return
	}
	c.text = text
	m, err := ParseManifest(text)
	if err != nil {
		c.find(warc.Syntax, RuleManifest, ManifestPath, 0, "%v", err)
		return
	}
	c.manifest = m
	c.rep.Profile, c.rep.Version, c.rep.Title = m.Profile, m.Version, m.Title
	c.header(m)
}

func (c *checker) header(m *Manifest) {
	switch {
	case m.IsMulti():
	case m.Profile == profileDraft12:
		c.note("written for the draft of WACZ 1.2.0")
	case m.Profile != ProfilePackage:
		c.find(warc.Spec, RuleProfile, ManifestPath, 0, "profile %q, want %q", clip(m.Profile), ProfilePackage)
	}
	switch {
	case m.IsMulti() || m.Profile == profileDraft12:
	case m.Version == "":
		c.find(warc.Spec, RuleVersion, ManifestPath, 0, "no wacz_version")
	case !versions[m.Version]:
		c.find(warc.Spec, RuleVersion, ManifestPath, 0, "unknown wacz_version %q", clip(m.Version))
	case m.Version != Version:
		c.note("WACZ %s; the current version is %s", m.Version, Version)
	}
	for _, d := range []struct{ name, value string }{{"created", m.Created}, {"modified", m.Modified}, {"mainPageDate", m.MainPageDate}} {
		if d.value == "" {
			continue
		}
		if _, err := parseTime(d.value); err != nil {
			c.find(warc.Spec, RuleDate, ManifestPath, 0, "%s: %v", d.name, err)
		}
	}
}

// resources compares manifest and content.
func (c *checker) resources(ctx context.Context) error {
	if c.manifest == nil {
		return nil
	}
	listed := map[string]bool{}
	for i := range c.manifest.Resources {
		r := &c.manifest.Resources[i]
		if listed[r.Path] {
			c.find(warc.Spec, RuleManifest, r.Path, 0, "listed twice in the manifest")
			continue
		}
		listed[r.Path] = true
		if err := c.resource(ctx, r); err != nil {
			return err
		}
	}
	for _, f := range c.p.files {
		if !listed[f.Name] && f.Name != ManifestPath && f.Name != DigestPath {
			c.find(warc.Spec, RuleUnlisted, f.Name, 0, "in the ZIP, but not in the manifest")
		}
	}
	return nil
}

func (c *checker) resource(ctx context.Context, r *Resource) error {
	if c.manifest.IsMulti() && strings.Contains(r.Path, "://") {
		c.note("%s lies elsewhere and was not checked", clip(r.Path))
		return nil
	}
	f := c.p.byPath[r.Path]
	if f == nil {
		c.find(warc.Damage, RuleMissing, r.Path, 0, "in the manifest, but not in the ZIP")
		return nil
	}
	if r.Bytes < 0 {
		c.find(warc.Spec, RuleManifest, r.Path, 0, "the manifest has no size")
	} else if uint64(r.Bytes) != f.UncompressedSize64 {
		c.find(warc.Damage, RuleSize, r.Path, 0, "%d bytes, the manifest says %d", f.UncompressedSize64, r.Bytes)
	}
	if r.Hash == "" {
		c.find(warc.Spec, RuleManifest, r.Path, 0, "the manifest has no hash")
		return nil
	}
	newHash, want, err := parseHash(r.Hash)
	if err != nil {
		c.find(warc.Digest, RuleHashForm, r.Path, 0, "%v", err)
		return nil
	}
	if c.opts.NoHashes && strings.HasPrefix(r.Path, archiveDir) {
		return nil
	}
	return c.hash(ctx, r, newHash(), want)
}

// hash reads a resource and compares it with the manifest.
func (c *checker) hash(ctx context.Context, r *Resource, h hash.Hash, want []byte) error {
	in, err := c.p.OpenEntry(r.Path)
	if err != nil {
		c.find(warc.Damage, RuleUnreadable, r.Path, 0, "%v", err)
		return nil
	}
	defer in.Close()
	if _, err := io.Copy(h, &section{ctx: ctx, r: in}); err != nil {
		if errors.Is(err, ctx.Err()) {
			return err
		}
		c.find(warc.Damage, RuleUnreadable, r.Path, 0, "%v", err)
		return nil
	}
	if got := h.Sum(nil); !bytes.Equal(got, want) {
		alg, _, _ := strings.Cut(r.Hash, ":")
		c.find(warc.Digest, RuleHash, r.Path, 0, "hash is %s:%s, the manifest says %s", alg, hex.EncodeToString(got), clip(r.Hash))
	}
	return nil
}

// digestFile checks datapackage-digest.json and the signature in it.
func (c *checker) digestFile(context.Context) error {
	if c.text == nil {
		return nil
	}
	c.rep.Signature = &Signature{Kind: Unsigned}
	if c.p.byPath[DigestPath] == nil {
		c.note("no %s: nothing vouches for the manifest", DigestPath)
		return nil
	}
	b, err := c.p.readAll(DigestPath, c.p.limits.Manifest)
	if err != nil {
		c.find(warc.Damage, RuleUnreadable, DigestPath, 0, "%v", err)
		return nil
	}
	d, err := ParseDigestFile(b)
	if err != nil {
		c.find(warc.Syntax, RuleDigestFile, DigestPath, 0, "%v", err)
		return nil
	}
	c.digest(d)
	c.unknownFields(b)
	c.rep.Signature = VerifySignature(c.text, d, c.opts.Trust)
	for _, p := range c.rep.Signature.Proofs {
		if p.Outcome == Failed {
			c.find(warc.Digest, RuleSignature, DigestPath, 0, "%s: %s", p.Step, p.Detail)
		}
	}
	return nil
}

func (c *checker) digest(d *DigestFile) {
	if d.Path != ManifestPath {
		c.find(warc.Spec, RuleDigestFile, DigestPath, 0, "path is %q, want %q", clip(d.Path), ManifestPath)
	}
	newHash, want, err := parseHash(d.Hash)
	if err != nil {
		c.find(warc.Digest, RuleHashForm, DigestPath, 0, "%v", err)
		return
	}
	h := newHash()
	h.Write(c.text)
	if !bytes.Equal(h.Sum(nil), want) {
		c.find(warc.Digest, RuleHash, ManifestPath, 0, "its hash is not the one in %s", DigestPath)
	}
}

// unknownFields tells of properties that wacz-auth forbids in signatures.
func (c *checker) unknownFields(b []byte) {
	var raw struct {
		Signed json.RawMessage `json:"signedData"`
	}
	if json.Unmarshal(b, &raw) != nil || len(raw.Signed) == 0 {
		return
	}
	dec := json.NewDecoder(bytes.NewReader(raw.Signed))
	dec.DisallowUnknownFields()
	if err := dec.Decode(new(SignedData)); err != nil {
		c.find(warc.Spec, RuleSignature, DigestPath, 0, "signedData: %v", err)
	}
}
