package warc

import "fmt"

// Class groups findings by what they mean for the reader of a file.
type Class string

// The classes of findings.
const (
	Syntax  Class = "syntax"  // lines that the grammar does not allow
	Spec    Class = "spec"    // well formed, but against the standard
	Digest  Class = "digest"  // content and digest differ
	Framing Class = "framing" // readable, but not record by record
	Damage  Class = "damage"  // bytes are missing or broken
	Advice  Class = "advice"  // against no rule that binds: the file is valid
)

// Action is what to do about a class of findings.
type Action uint8

// The actions. Strict is the zero value: who does not choose gets told.
const (
	Fail   Action = iota // Next returns the finding as an error; reading can go on after it
	Warn                 // report it through OnFinding
	Ignore               // say nothing
)

// Policy says what to do about each class. The zero value fails on everything but advice, which is
// reported unless Spec is ignored.
type Policy struct {
	Syntax, Spec, Digest, Framing, Damage Action
}

// Lenient reports everything and stops at nothing.
func Lenient() Policy { return Policy{Warn, Warn, Warn, Warn, Warn} }

// Silent reads what can be read and says nothing.
func Silent() Policy { return Policy{Ignore, Ignore, Ignore, Ignore, Ignore} }

func (p Policy) of(c Class) Action {
	switch c {
	case Syntax:
		return p.Syntax
	case Spec:
		return p.Spec
	case Digest:
		return p.Digest
	case Framing:
		return p.Framing
	case Advice:
		if p.Spec == Ignore {
			return Ignore
		}
		return Warn
	}
	return p.Damage
}

// Finding is one thing wrong with a file. It is also the error that Fail returns.
type Finding struct {
	File     string `json:"file"`
	Offset   int64  `json:"offset"` // of the record or member it belongs to
	RecordID string `json:"record,omitempty"`
	Class    Class  `json:"class"`
	Rule     Rule   `json:"rule"`
	Clause   string `json:"clause,omitempty"` // of ISO 28500:2017; none for ARC and broken packing
	Message  string `json:"message"`
}

// Error gives the finding as one line.
func (f *Finding) Error() string {
	s := fmt.Sprintf("%s:%d: %s (%s)", f.File, f.Offset, f.Message, f.Rule)
	if f.Clause != "" {
		s = fmt.Sprintf("%s:%d: %s (%s, clause %s)", f.File, f.Offset, f.Message, f.Rule, f.Clause)
	}
	if f.RecordID != "" {
		s += " in " + f.RecordID
	}
	return s
}

// Rule names what was broken. The names are stable: scripts match on them.
type Rule string

// The rules, by class. docs/formats/warc-findings.md tells each one in a sentence.
const (
	RuleHeaderLine    Rule = "header-line"     // syntax
	RuleLineEnd       Rule = "line-end"        // syntax
	RuleEncoding      Rule = "encoding"        // syntax
	RuleHeaderTooLong Rule = "header-too-long" // syntax
	RuleContentLength Rule = "content-length"  // syntax
	RuleRecordEnd     Rule = "record-end"      // syntax
	RuleFileStart     Rule = "file-start"      // syntax
	RuleArcLine       Rule = "arc-line"        // syntax

	RuleVersion       Rule = "version"        // spec
	RuleMissingField  Rule = "missing-field"  // spec
	RuleRepeatedField Rule = "repeated-field" // spec
	RuleEmptyField    Rule = "empty-field"    // spec
	RuleWrongType     Rule = "wrong-type"     // spec
	RuleRecordID      Rule = "record-id"      // spec
	RuleReference     Rule = "reference"      // spec
	RuleDate          Rule = "date"           // spec
	RuleTargetURI     Rule = "target-uri"     // spec
	RuleType          Rule = "type"           // spec
	RuleContentType   Rule = "content-type"   // spec
	RuleIPAddress     Rule = "ip-address"     // spec
	RuleProfile       Rule = "profile"        // spec
	RuleTruncated     Rule = "truncated"      // spec
	RuleSegment       Rule = "segment"        // spec
	RuleDuplicateID   Rule = "duplicate-id"   // spec

	RuleBlockDigest   Rule = "block-digest"   // digest
	RulePayloadDigest Rule = "payload-digest" // digest
	RuleDigestForm    Rule = "digest-form"    // digest

	RuleSharedMember Rule = "shared-member" // framing
	RuleSplitRecord  Rule = "split-record"  // framing

	RuleCorrupt     Rule = "corrupt"      // damage
	RuleChecksum    Rule = "checksum"     // damage
	RuleCutOff      Rule = "cut-off"      // damage
	RuleNoRecord    Rule = "no-record"    // damage
	RuleShortBlock  Rule = "short-block"  // damage
	RuleWrongLength Rule = "wrong-length" // damage
	RuleEmptyFile   Rule = "empty-file"   // damage

	RuleLetterCase    Rule = "letter-case"    // advice
	RuleAngleBrackets Rule = "angle-brackets" // advice
	RuleURICharacters Rule = "uri-characters" // advice
	RuleExtension     Rule = "extension"      // advice
	RuleRecommended   Rule = "recommended"    // advice
	RuleHTTP          Rule = "http"           // advice
	RuleDigestUnknown Rule = "digest-unknown" // advice
	RuleSeries        Rule = "series"         // advice
	RuleFileName      Rule = "file-name"      // advice
	RuleEmptyMember   Rule = "empty-member"   // advice
)

// clauses are those of ISO 28500:2017 that the rules about the shape of files and records come
// from. What is said about a named field carries the clause of the field, see fieldRules.
var clauses = map[Rule]string{
	RuleHeaderLine: "4", RuleLineEnd: "4", RuleEncoding: "4", RuleContentLength: "5.3", RuleRecordEnd: "4",
	RuleFileStart: "4", RuleVersion: "4", RuleRepeatedField: "5.1", RuleDuplicateID: "5.2",
	RuleBlockDigest: "5.8", RulePayloadDigest: "5.9", RuleSegment: "7", RuleSeries: "7",
	RuleSharedMember: "D.2", RuleSplitRecord: "D.2", RuleEmptyMember: "D.2", RuleFileName: "D.3",
	RuleCutOff: "4", RuleNoRecord: "4", RuleShortBlock: "5.3", RuleWrongLength: "5.3", RuleEmptyFile: "4",
}

// Clause gives the clause of ISO 28500:2017 that a rule comes from, or "" if it is not of one alone.
func (r Rule) Clause() string { return clauses[r] }
