package wacz

import (
	"fmt"

	"varve/archive/warc"
)

// Rule names what was broken. The names are stable: scripts match on them.
type Rule string

// The rules. docs/formats/wacz.md tells each one in a sentence.
const (
	RuleEntryName   Rule = "entry-name"    // syntax: a path that leads out of the package, or occurs twice
	RuleManifest    Rule = "manifest"      // syntax: datapackage.json cannot be read
	RuleDigestFile  Rule = "digest-file"   // syntax: datapackage-digest.json cannot be read
	RulePage        Rule = "page"          // syntax: a line of a page list
	RuleIndexLine   Rule = "index-line"    // syntax: a line of an index
	RuleMissingPart Rule = "missing-part"  // spec: a file that every package has
	RuleProfile     Rule = "profile"       // spec: an unknown profile
	RuleVersion     Rule = "version"       // spec: an unknown version
	RuleDate        Rule = "date"          // spec: not RFC 3339
	RuleUnlisted    Rule = "unlisted"      // spec: in the ZIP, not in the manifest
	RuleReserved    Rule = "reserved"      // spec: a foreign file in archive/, indexes/ or pages/
	RuleArchiveName Rule = "archive-name"  // spec: the name does not tell the packing
	RuleStored      Rule = "stored"        // framing: compressed twice, no random access
	RuleIndexOrder  Rule = "index-order"   // framing: lines are not sorted
	RuleUnindexed   Rule = "unindexed"     // framing: a capture that the index does not have
	RuleHash        Rule = "hash"          // digest: content and manifest differ
	RuleHashForm    Rule = "hash-form"     // digest: a hash that cannot be read
	RuleSignature   Rule = "signature"     // digest: a signature that does not hold
	RuleRecordSum   Rule = "record-digest" // digest: the bytes of a record are not those of the index
	RuleMissing     Rule = "missing"       // damage: in the manifest, not in the ZIP
	RuleSize        Rule = "size"          // damage: another size than the manifest says
	RuleUnreadable  Rule = "corrupt"       // damage: an entry that cannot be read
	RuleOverlap     Rule = "overlap"       // damage: two entries share bytes
	RuleRecord      Rule = "record"        // damage: the index points to no such record
)

// Finding is one thing wrong with a package.
type Finding struct {
	File    string     `json:"file"`           // the package
	Path    string     `json:"path"`           // of the entry; empty for the package itself
	Line    int64      `json:"line,omitempty"` // of page lists and indexes, from 1
	Class   warc.Class `json:"class"`
	Rule    Rule       `json:"rule"`
	Message string     `json:"message"`
}

// Error gives the finding as one line.
func (f *Finding) Error() string {
	place := f.File
	if f.Path != "" {
		place += "!" + f.Path
	}
	if f.Line > 0 {
		place += fmt.Sprintf(":%d", f.Line)
	}
	return fmt.Sprintf("%s: %s (%s)", place, f.Message, f.Rule)
}
