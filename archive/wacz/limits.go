package wacz

// Limits bound what a package from elsewhere can make a reader do.
type Limits struct {
	Directory int64 // bytes of the ZIP directory that are read
	Manifest  int64 // bytes of datapackage.json and datapackage-digest.json, unpacked
	Idx       int64 // bytes of an index.idx that is compressed, since it is held in memory
	Line      int   // bytes of a line in a page list
	Unpacked  int64 // bytes that one compressed entry may unpack to
	Findings  int   // findings that a report keeps; all are counted
	Nested    int   // packages within packages
}

// DefaultLimits are far beyond honest packages and far below what hurts.
func DefaultLimits() Limits {
	return Limits{
		Directory: 32 << 20, Manifest: 64 << 20, Idx: 256 << 20, Line: 32 << 20,
		Unpacked: 64 << 30, Findings: 1000, Nested: 1,
	}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	fill(&l.Directory, d.Directory)
	fill(&l.Manifest, d.Manifest)
	fill(&l.Idx, d.Idx)
	fill(&l.Line, d.Line)
	fill(&l.Unpacked, d.Unpacked)
	fill(&l.Findings, d.Findings)
	fill(&l.Nested, d.Nested)
	return l
}

func fill[T int | int64](v *T, d T) {
	if *v <= 0 {
		*v = d
	}
}
