package retention

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/bag"
	"varve/archive/catalog"
	"varve/archive/cdxj"
	"varve/archive/fixity"
	"varve/archive/store"
	"varve/coherence/statement"
	"varve/index/cdx"
	"varve/serve/access"
)

// inventoryFormat names the signed list of files of an export.
const inventoryFormat = "varve-hold-export 1"

// Export is what is handed on of a hold, with proof.
type Export struct {
	Archive  *catalog.Archive
	Hold     Hold
	By       string
	Software string
	Keys     statement.Keys
	// State makes the signed statement of how a crawl hangs together, where there is none yet. nil, or an error: the export goes without.
	State func(ctx context.Context, col *catalog.Collection, crawl string) error

	items    []bag.Item
	expect   map[string]string
	notes    []string // for the README: what is not there, and why
	statuses []string
}

// Inventory is the signed list of what an export has.
type Inventory struct {
	Format    string    `json:"format"`
	Hold      Hold      `json:"hold"`
	Made      time.Time `json:"made"`
	By        string    `json:"by"`
	Software  string    `json:"software"`
	Captures  int64     `json:"captures"` // under the hold
	Files     []File    `json:"files"`    // WARC files, whole and unchanged
	Audit     string    `json:"audit"`    // SHA-256 of the last line of the audit log when this was made
	Signature Signature `json:"signature,omitzero"`
}

// Signature is who signed an inventory: over its format and the SHA-256 of its JSON without the signature.
type Signature struct {
	Algorithm string `json:"algorithm"`
	Key       string `json:"key"` // base64
	KeyID     string `json:"keyid"`
	Value     string `json:"value"` // base64
}

func (v Inventory) signed() ([]byte, error) {
	v.Signature = Signature{}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	b, err = statement.Canonical(b)
	sum := sha256.Sum256(b)
	return []byte(inventoryFormat + "\n" + hex.EncodeToString(sum[:]) + "\n"), err
}

// Prepare puts an export together: the whole WARC files with captures under the hold, and those whose content these stand for; the folders
// of their crawls with report, events and signed statement; the decisions of curators, the ledger; a list of the captures; the lines of the audit
// log about the matter; a signed list of the files. Temporary files go to dir. The caller writes the bag.
func (b *Book) Prepare(ctx context.Context, x *Export, dir string) ([]bag.Item, bag.Config, error) {
	x.expect = map[string]string{}
	inv := Inventory{Format: inventoryFormat, Hold: x.Hold, Made: b.now().UTC().Truncate(time.Second), By: x.By, Software: x.Software}
	cols, err := x.Archive.Collections()
	if err != nil {
		return nil, bag.Config{}, err
	}
	for _, col := range cols {
		if !x.Hold.concerns(col.Name) {
			continue
		}
		if err := x.collection(ctx, b, col, dir, &inv); err != nil {
			return nil, bag.Config{}, err
		}
	}
	if len(inv.Files) == 0 {
		return nil, bag.Config{}, &varve.Error{Kind: varve.NotFound, Op: "export hold " + x.Hold.ID, Msg: "no capture is under it", Hint: "files that are not in the index yet are not known: 'varve index' first"}
	}
	tags, err := x.proof(b, &inv)
	if err != nil {
		return nil, bag.Config{}, err
	}
	return x.items, bag.Config{
		Date: b.now(), Expect: x.expect, Tags: tags,
		Info: []bag.Field{
			{Label: "External-Description", Value: "Captures under hold: " + x.Hold.Matter},
			{Label: "External-Identifier", Value: x.Hold.ID},
			{Label: "Contact-Name", Value: x.By},
			{Label: "Bag-Software-Agent", Value: x.Software},
		},
	}, nil
}

// collection adds what a collection has under the hold.
func (x *Export) collection(ctx context.Context, b *Book, col *catalog.Collection, dir string, inv *Inventory) (err error) {
	lock, err := col.Lock("export of hold " + x.Hold.ID)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	seen, err := Look(ctx, col, &State{Holds: []Hold{x.Hold}})
	if err != nil {
		return err
	}
	units := chosen(seen, x.Hold.ID)
	if len(units) == 0 {
		return nil
	}
	for _, u := range seen.Units {
		if u.Unknown != "" && !units[u.UnitName.Unit] {
			x.notes = append(x.notes, fmt.Sprintf("%s: %s was not looked through: %s", col.Name, u.UnitName.Unit, u.Unknown))
		}
	}
	rep, err := fixity.Audit(ctx, col, fixity.Config{NewOnly: true, By: x.By, Now: b.now})
	if err != nil {
		return err
	}
	if rep.Bad() {
		return &varve.Error{Kind: varve.Conflict, Op: "export " + col.Name, Msg: "the ledger is damaged, so it is not known whether all files are what they were", Hint: "varve audit --collection " + col.Name + " tells what is disputed"}
	}
	known, err := fixity.Known(col)
	if err != nil {
		return err
	}
	files, err := col.WARCs()
	if err != nil {
		return err
	}
	from := map[string]store.Source{} // files may lie in a store
	for _, f := range files {
		from[f.Name] = f.From
	}
	for _, u := range seen.Units {
		if !units[u.UnitName.Unit] {
			continue
		}
		for _, f := range u.Files {
			if f.SHA256 = known["warc/"+f.Name]; f.SHA256 == "" {
				x.notes = append(x.notes, col.Name+": "+f.Name+" lies outside of the archive and is not in this bag")
				continue
			}
			name := col.Name + "/warc/" + f.Name
			x.items = append(x.items, bag.Item{Name: name, Path: filepath.Join(col.WarcDir(), f.Name), From: from[f.Name], Size: f.Size})
			x.expect[name] = f.SHA256
			f.Name = name
			inv.Files = append(inv.Files, f)
		}
		if u.Crawl {
			if err := x.crawl(ctx, col, u.UnitName.Unit); err != nil {
				return err
			}
		}
	}
	if err := x.labels(col); err != nil {
		return err
	}
	n, err := x.captures(ctx, col, dir)
	inv.Captures += n
	return err
}

// chosen are the units under a hold, and those that they need, and so on.
func chosen(s *Survey, hold string) map[string]bool {
	out := map[string]bool{}
	for _, u := range s.Units {
		if slices.Contains(u.Held, hold) {
			out[u.UnitName.Unit] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for _, n := range s.Needs {
			if out[n.By] && !out[n.Of] {
				out[n.Of], changed = true, true
			}
		}
	}
	return out
}

// crawl adds the folder of a crawl, with its statement.
func (x *Export) crawl(ctx context.Context, col *catalog.Collection, id string) error {
	dir, err := col.CrawlDir(id)
	if err != nil {
		return err
	}
	_, measured := os.Stat(filepath.Join(dir, "coherence.json"))
	_, stated := os.Stat(filepath.Join(dir, "statement.json"))
	if measured == nil && stated != nil && x.State != nil {
		stated = x.State(ctx, col, id)
	}
	switch {
	case measured != nil:
		x.notes = append(x.notes, fmt.Sprintf("%s: crawl %s was not measured, so nothing is stated about how it hangs together", col.Name, id))
	case stated != nil:
		x.notes = append(x.notes, fmt.Sprintf("%s: crawl %s has no signed statement", col.Name, id))
	default:
		x.statuses = append(x.statuses, col.Name+"/crawls/"+id+"/statement.json")
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "frontier" {
			return fs.SkipDir
		}
		if err != nil {
			return err
		}
		return x.add(col, path, d)
	})
}

// labels adds the decisions of curators and the ledger.
func (x *Export) labels(col *catalog.Collection) error {
	paths, err := filepath.Glob(filepath.Join(col.Dir(), "labels", "*.jsonl"))
	if err != nil {
		return err
	}
	for _, path := range append(paths, col.DefinitionFile(), col.EventsFile(), fixity.LedgerFile(col)) {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = x.add(col, path, fs.FileInfoToDirEntry(info))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (x *Export) add(col *catalog.Collection, path string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	rel, err := filepath.Rel(col.Dir(), path)
	x.items = append(x.items, bag.Item{Name: col.Name + "/" + filepath.ToSlash(rel), Path: path, Size: info.Size()})
	return err
}

// captures lists the captures under the hold, as index lines.
func (x *Export) captures(ctx context.Context, col *catalog.Collection, dir string) (n int64, err error) {
	ix, err := cdx.Open(col.IndexDir("cdx"))
	if err != nil {
		return 0, err
	}
	defer ix.Close()
	path := filepath.Join(dir, col.Name+".cdxj")
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var out bytes.Buffer
	for line, err := range ix.Lines(ctx, cdx.Query{}) {
		var r cdxj.Record
		if err == nil {
			err = r.Parse(string(line))
		}
		if err != nil {
			return n, err
		}
		at, _ := r.Time()
		if !x.Hold.Covers(col.Name, r.Key, at) {
			continue
		}
		n++
		out.Write(bytes.TrimSuffix(line, []byte{'\n'}))
		out.WriteByte('\n')
		if out.Len() > 1<<20 {
			if _, err := out.WriteTo(f); err != nil {
				return n, err
			}
		}
	}
	_, err = out.WriteTo(f)
	x.items = append(x.items, bag.Item{Name: "captures/" + col.Name + ".cdxj", Path: path})
	return n, err
}

// proof makes the tag files.
func (x *Export) proof(b *Book, inv *Inventory) ([]bag.Tag, error) {
	collections := map[string]bool{}
	for _, f := range inv.Files {
		name, _, _ := strings.Cut(f.Name, "/")
		collections[name] = true
	}
	lines, hashes, err := b.audit.Extract(func(e access.Entry) bool {
		return collections[e.Collection] || strings.HasPrefix(e.Detail, x.Hold.ID+":") || e.What == x.Hold.ID
	})
	if err != nil {
		return nil, err
	}
	if len(hashes) > 0 {
		inv.Audit = hashes[len(hashes)-1]
	}
	key, err := x.Keys.Signing()
	if err != nil {
		return nil, err
	}
	text, err := inv.signed()
	if err != nil {
		return nil, err
	}
	public := key.Public().(ed25519.PublicKey)
	inv.Signature = Signature{"ed25519", base64.StdEncoding.EncodeToString(public), statement.KeyID(public), base64.StdEncoding.EncodeToString(ed25519.Sign(key, text))}
	list, err := json.MarshalIndent(inv, "", " ")
	if err != nil {
		return nil, err
	}
	tags := []bag.Tag{
		{Name: "proof/README.txt", Content: x.readme(inv, len(hashes))},
		{Name: "proof/inventory.json", Content: append(list, '\n')},
		{Name: "proof/audit.jsonl", Content: lines},
		{Name: "proof/audit-chain.txt", Content: []byte(strings.Join(append(hashes, ""), "\n"))},
	}
	keys, err := x.Keys.Public()
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(keys)) {
		der, err := x509.MarshalPKIXPublicKey(keys[id])
		if err != nil {
			return nil, err
		}
		tags = append(tags, bag.Tag{Name: "proof/keys/" + id + ".pub.pem", Content: pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})})
	}
	return tags, nil
}

// readme says in plain words what the bag is and how it is checked.
func (x *Export) readme(inv *Inventory, audited int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "Captures under hold %q (%s), handed on %s by %s.\n\n", inv.Hold.Matter, inv.Hold.ID, inv.Made.Format(time.RFC3339), inv.By)
	fmt.Fprintf(&b, "About: %s, %s.\nReason: %s\nSet by %s on %s.\n\n", cmp.Or(inv.Hold.Collection, "all collections"), cmp.Or(inv.Hold.Prefix, "every address"), inv.Hold.Reason, inv.Hold.By, inv.Hold.At.Format(time.RFC3339))
	fmt.Fprintf(&b, "%d captures are under the hold; data/captures lists them. data/COLLECTION/warc has the whole WARC files (ISO 28500) in which they and the\ncontent they stand for were recorded, byte for byte as the crawler wrote them: %d files. These files may hold other captures, too.\n\n", inv.Captures, len(inv.Files))
	b.WriteString(`How to check it, with tools of others:
  sha256sum -c manifest-sha256.txt       every file of data is what was packed
  sha256sum -c tagmanifest-sha256.txt    and so is this folder
With Varve:
  varve retention check FOLDER           all of the above, the signature of proof/inventory.json, and proof/audit.jsonl
                                         against the chain of hashes in proof/audit-chain.txt
`)
	for _, s := range x.statuses {
		fmt.Fprintf(&b, "  varve coherence verify data/%s data/%s/warc\n", s, s[:strings.IndexByte(s, '/')])
	}
	fmt.Fprintf(&b, "\nproof/audit.jsonl has the lines of the audit log about these collections and this hold, as they stand; proof/audit-chain.txt the SHA-256 of\neach of the %d lines of the log in its order. A line names the hash of the line before it (prev).\n", audited)
	b.WriteString("The public keys of the archive are in proof/keys; compare the key with what the archive publishes at /.well-known/varve-key.\n")
	if len(x.notes) > 0 {
		b.WriteString("\nWhat is not here:\n")
		for _, n := range x.notes {
			b.WriteString("  " + n + "\n")
		}
	}
	return []byte(b.String())
}

// Finding is what is wrong with an export.
type Finding struct{ File, Message string }

// Checked is what was found of an export.
type Checked struct {
	Bag       *bag.Report
	Inventory Inventory
	Audit     int // lines of the extract
	Findings  []Finding
}

// CheckExport checks an export in a folder: the bag, the signature of its list of files, the list against what is there, and the extract of the
// audit log against the chain. key, if not nil, is the one that must have signed.
func CheckExport(ctx context.Context, dir string, key ed25519.PublicKey, progress func(file string, done, total int64)) (*Checked, error) {
	rep, err := bag.Check(ctx, dir, progress)
	if err != nil {
		return nil, err
	}
	out := &Checked{Bag: rep}
	find := func(file, format string, args ...any) {
		out.Findings = append(out.Findings, Finding{file, fmt.Sprintf(format, args...)})
	}
	for _, f := range rep.Findings {
		find(f.File, "%s", f.Message)
	}
	text, err := readBounded(filepath.Join(dir, "proof", "inventory.json"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &out.Inventory); err != nil {
		return nil, fmt.Errorf("proof/inventory.json: %w", err)
	}
	out.checkSignature(key, find)
	manifest, err := os.Open(filepath.Join(dir, "manifest-sha256.txt"))
	if err != nil {
		return nil, err
	}
	defer manifest.Close()
	lines, err := fixity.ReadManifest(manifest, "manifest-sha256.txt")
	if err != nil {
		return nil, err
	}
	listed := map[string]string{}
	for _, l := range lines {
		listed[l.Path] = l.Digest
	}
	for _, f := range out.Inventory.Files {
		if listed["data/"+f.Name] != f.SHA256 {
			find("data/"+f.Name, "the signed list has another SHA-256 for it, or it is not there")
		}
	}
	return out, out.checkAudit(dir, find)
}

// maxProof bounds a file of the proof that is read into memory.
const maxProof = 256 << 20

func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxProof+1))
	if err == nil && len(b) > maxProof {
		err = fmt.Errorf("%s has more than %d bytes", filepath.Base(path), maxProof)
	}
	return b, err
}

func (c *Checked) checkSignature(want ed25519.PublicKey, find func(file, format string, args ...any)) {
	const file = "proof/inventory.json"
	s := c.Inventory.Signature
	key, err := base64.StdEncoding.DecodeString(s.Key)
	value, err2 := base64.StdEncoding.DecodeString(s.Value)
	text, err3 := c.Inventory.signed()
	switch {
	case c.Inventory.Format != inventoryFormat:
		find(file, "it is no %s", inventoryFormat)
	case errors.Join(err, err2, err3) != nil || s.Algorithm != "ed25519" || len(key) != ed25519.PublicKeySize || !ed25519.Verify(key, text, value):
		find(file, "the signature is not of this list")
	case want != nil && !bytes.Equal(want, key):
		find(file, "it was signed with another key: %s", s.KeyID)
	}
}

// checkAudit holds the extract of the audit log against the chain.
func (c *Checked) checkAudit(dir string, find func(file, format string, args ...any)) error {
	const file = "proof/audit.jsonl"
	extract, err := readBounded(filepath.Join(dir, "proof", "audit.jsonl"))
	if err != nil {
		return err
	}
	chain, err := readBounded(filepath.Join(dir, "proof", "audit-chain.txt"))
	if err != nil {
		return err
	}
	hashes := strings.Fields(string(chain))
	if len(hashes) > 0 && hashes[len(hashes)-1] != c.Inventory.Audit {
		find("proof/audit-chain.txt", "its last line is not the one that was signed")
	}
	at := 0
	for line := range bytes.Lines(extract) {
		c.Audit++
		line = bytes.TrimSuffix(line, []byte{'\n'})
		sum := sha256.Sum256(line)
		i := slices.Index(hashes[at:], hex.EncodeToString(sum[:]))
		var e access.Entry
		if err := json.Unmarshal(line, &e); err != nil || i < 0 {
			find(file, "line %d is not in the chain", c.Audit)
			continue
		}
		at += i
		if at > 0 && e.Prev != hashes[at-1] || at == 0 && e.Prev != "" {
			find(file, "line %d does not follow the one before it", c.Audit)
		}
		at++
	}
	return nil
}
