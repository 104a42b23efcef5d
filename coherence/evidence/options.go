package evidence

import (
	"iter"

	"varve/archive/scan"
	"varve/archive/warc"
)

// Limits that hold where Options say nothing.
const (
	DefaultMaxBody = 16 << 20 // longer contents have only their bytes compared
	DefaultMemory  = 64 << 20 // of each sorter
)

// Options say how files are read.
type Options struct {
	Dir       string             // for runs on disk; it must exist
	Workers   int                // at least 1
	Memory    int                // bytes of lines held while sorting; DefaultMemory if 0
	Lazy      bool               // only bytes are digested at first: for comparing, where most pages are the same
	MaxBody   int64              // bytes of a content that is read whole; DefaultMaxBody if 0
	OnFinding func(warc.Finding) // damage that was met; nil for nobody
	Progress  func(name string, done, total int64)

	// Stored gives what was noted of a file before, with the default limits; nil if there is nothing, or it is not of the file as it
	// is. The file is then not scanned. nil: all are.
	Stored func(path string) iter.Seq2[Stored, error]

	// Beside makes what takes the records of a file in the same scan, for somebody else; nil for a file of which nobody wants them. Of
	// files that are stored it is not asked. Close is called at the end of the file.
	Beside func(src Source) (Sink, error)
}

// Sink takes the records of a file in order.
type Sink interface {
	scan.Sink
	Close() error
}

func (o *Options) complete() {
	o.Workers = max(o.Workers, 1)
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	if o.MaxBody <= 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.OnFinding == nil {
		o.OnFinding = func(warc.Finding) {}
	}
}
