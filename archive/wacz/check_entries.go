package wacz

import (
	"archive/zip"
	"slices"
	"strings"

	"varve/archive/warc"
)

type zipFile = zip.File

// entries checks the ZIP itself: names, overlaps, compression.
func (c *checker) entries() {
	for _, name := range c.p.twice {
		c.find(warc.Syntax, RuleEntryName, name, 0, "the ZIP has two entries of this name")
	}
	for _, f := range c.p.files {
		if err := safePath(f.Name); err != nil {
			c.find(warc.Syntax, RuleEntryName, f.Name, 0, "%v", err)
		}
		c.compression(f)
		c.place(f)
	}
	c.overlaps()
}

func (c *checker) compression(f *zip.File) {
	mustStore := strings.HasPrefix(f.Name, archiveDir) || isIndex(f.Name) && strings.HasSuffix(f.Name, ".gz")
	switch {
	case f.Method == zip.Store:
	case mustStore:
		c.find(warc.Framing, RuleStored, f.Name, 0, "compressed in the ZIP: records cannot be read by their offset")
	case f.Method != zip.Deflate:
		c.find(warc.Spec, RuleStored, f.Name, 0, "compression method %d; only 0 and 8 are allowed", f.Method)
	}
	if f.Flags&1 != 0 {
		c.find(warc.Spec, RuleStored, f.Name, 0, "encrypted")
	}
}

// place checks what stands in the folders of the format, and lists what is extra.
func (c *checker) place(f *zip.File) {
	name := f.Name
	switch {
	case strings.HasPrefix(name, archiveDir):
		c.archiveName(name)
	case strings.HasPrefix(name, indexDir):
		if !isIndex(name) && !strings.HasSuffix(name, ".loc") {
			c.find(warc.Spec, RuleReserved, name, 0, "not an index")
		}
	case strings.HasPrefix(name, pagesDir):
		if !strings.HasSuffix(name, ".jsonl") {
			c.find(warc.Spec, RuleReserved, name, 0, "not a list of pages")
		}
	case name != ManifestPath && name != DigestPath && !strings.HasSuffix(name, ".wacz"):
		c.rep.Extras = append(c.rep.Extras, name)
	}
}

// archiveName checks that the name of a WARC file tells its packing.
func (c *checker) archiveName(name string) {
	if !isWARC(name) {
		c.find(warc.Spec, RuleReserved, name, 0, "not a WARC file by its name")
		return
	}
	file, err := c.p.WARC(name)
	if err != nil {
		return // told as compressed, or by its hash
	}
	packing, err := packingOf(file)
	if err != nil {
		c.find(warc.Damage, RuleUnreadable, name, 0, "%v", err)
		return
	}
	want := (warc.Packing{Kind: packing}).Extension()
	switch {
	case strings.HasSuffix(name, want):
	case c.rep.Version == "1.0.0":
		c.note("%s is packed as %s; since 1.1 its name would have to end in %s", name, packing, want)
	default:
		c.find(warc.Spec, RuleArchiveName, name, 0, "packed as %s: the name must end in %s", packing, want)
	}
	if packing == warc.Zstd {
		c.note("%s is packed with zstd, which WACZ %s does not know: other tools may not read it", name, Version)
	}
}

// overlaps finds entries that share bytes: how small files unpack to endless ones.
func (c *checker) overlaps() {
	type span struct {
		from, to int64
		name     string
	}
	var spans []span
	for _, f := range c.p.files {
		at, err := f.DataOffset()
		if err != nil || f.CompressedSize64 > uint64(c.p.size) || at < 0 || at+int64(f.CompressedSize64) > c.p.size {
			c.find(warc.Damage, RuleUnreadable, f.Name, 0, "the entry is not within the ZIP")
			continue
		}
		spans = append(spans, span{at, at + int64(f.CompressedSize64), f.Name})
	}
	slices.SortFunc(spans, func(a, b span) int { return int(min(1, max(-1, a.from-b.from))) })
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].to {
			c.find(warc.Damage, RuleOverlap, spans[i].name, 0, "shares bytes with %s", spans[i-1].name)
		}
	}
}
