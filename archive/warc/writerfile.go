package warc

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"time"
)

// ready makes sure that a file is open and has room.
func (w *Writer) ready() error {
	if w.file != nil && w.size >= w.cfg.MaxSize {
		if err := w.finishFile(); err != nil {
			w.broken = err
			return err
		}
	}
	if w.file != nil {
		return nil
	}
	return w.newFile()
}

// Extension gives the usual end of names of files of that packing.
func (p Packing) Extension() string {
	switch p.Kind {
	case Plain:
		return ".warc"
	case Zstd:
		return ".warc.zst"
	}
	return ".warc.gz"
}

// nextName gives a name that no file has. Two runs may start in the same second.
func (w *Writer) nextName() string {
	for {
		name := w.cfg.Name(w.count) + w.cfg.Packing.Extension()
		w.count++
		if !w.taken[name] {
			return name
		}
	}
}

func (w *Writer) newFile() error {
	name := w.nextName()
	f, err := w.cfg.FS.Create(path.Join(w.cfg.Dir, name+OpenSuffix))
	if err != nil {
		return fmt.Errorf("new WARC file: %w", err)
	}
	w.file, w.name, w.size = f, name, 0
	if err := w.writeInfo(); err != nil {
		err = errors.Join(err, f.Close(), w.cfg.FS.Remove(path.Join(w.cfg.Dir, name+OpenSuffix)))
		w.file = nil
		return fmt.Errorf("new WARC file %s: %w", name, err)
	}
	return nil
}

// writeInfo writes the preamble and the first record and makes the new name durable.
func (w *Writer) writeInfo() error {
	enc, err := NewEncoder(w.cfg.Packing)
	if err != nil {
		return err
	}
	if b := enc.Preamble(); b != nil {
		if _, err := (&sizedFile{w}).Write(b); err != nil {
			return err
		}
	}
	if w.cfg.Info != nil {
		info, err := w.cfg.Info(w.name)
		if err != nil {
			return err
		}
		if err := enc.Encode(&sizedFile{w}, info); err != nil {
			return err
		}
	}
	return w.cfg.FS.SyncDir(w.cfg.Dir)
}

// finishFile makes the open file durable and gives it its final name.
func (w *Writer) finishFile() error {
	if err := w.syncs.flush(w.file); err != nil {
		return err
	}
	if err := w.file.Close(); err != nil {
		return fmt.Errorf("close %s: %w", w.name, err)
	}
	w.file = nil
	final := path.Join(w.cfg.Dir, w.name)
	if err := w.cfg.FS.Rename(final+OpenSuffix, final); err != nil {
		return fmt.Errorf("finish %s: %w", w.name, err)
	}
	if err := w.cfg.FS.SyncDir(w.cfg.Dir); err != nil {
		return fmt.Errorf("finish %s: %w", w.name, err)
	}
	if w.cfg.Finished != nil {
		w.cfg.Finished(w.name)
	}
	return nil
}

// Rotate closes the current file, so that readers get it; the next write starts a new one.
func (w *Writer) Rotate() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken != nil || w.file == nil {
		return w.broken
	}
	if err := w.finishFile(); err != nil {
		w.broken = err
	}
	return w.broken
}

// Close finishes the current file. Writes after it fail.
func (w *Writer) Close() error {
	err := w.Rotate()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken == nil {
		w.broken = errors.New("warc writer is closed")
	}
	return err
}

// TemplateName gives names of the form prefix-time-00000-host, as IIPC's guidelines propose.
func TemplateName(prefix, host string, started time.Time) func(int) string {
	clean := strings.NewReplacer("/", "_", "\\", "_", "\x00", "_", " ", "_")
	prefix, host = clean.Replace(prefix), clean.Replace(host)
	started = started.UTC()
	stamp := fmt.Sprintf("%s%03d", Timestamp(started), started.Nanosecond()/1e6)
	return func(n int) string { return fmt.Sprintf("%s-%s-%05d-%s", prefix, stamp, n, host) }
}
