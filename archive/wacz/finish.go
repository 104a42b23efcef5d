package wacz

import (
	"context"
	"errors"
	"fmt"

	"varve/archive/cdxj"
)

// Finish writes the index, the page lists, the manifest and the directory.
func (w *Writer) Finish(ctx context.Context) (*Summary, error) {
	if w.failed != nil {
		return nil, w.failed
	}
	w.failed = errors.New("the package is finished")
	for _, step := range []func(context.Context) error{w.finishIndex, w.finishPages, w.finishManifest} {
		if err := step(ctx); err != nil {
			w.failed = fmt.Errorf("finish package: %w", err)
			return nil, w.failed
		}
	}
	if err := w.zip.finish(); err != nil {
		w.failed = err
		return nil, err
	}
	w.sum.Bytes = w.zip.at
	return &w.sum, nil
}

// finishIndex sorts the lines into index.cdx.gz and index.idx.
func (w *Writer) finishIndex(ctx context.Context) error {
	data, err := w.spool(false)
	if err != nil {
		return err
	}
	idx, err := w.spool(true)
	if err != nil {
		return err
	}
	zw := cdxj.NewZipWriter(data, idx, cdxj.ZipOptions{Lines: w.cfg.BlockLines, WACZ: true, Name: "index.cdx.gz"})
	for line, err := range w.sorter.Sorted() {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = zw.WriteLine(line)
		}
		if err != nil {
			return err
		}
	}
	if err := zw.Close(); err != nil {
		return err
	}
	w.sum.Captures = zw.Lines()
	if err := w.addSpool(IndexPath, data); err != nil {
		return err
	}
	return w.addSpool(IdxPath, idx)
}

// finishManifest writes the manifest and its digest, signed if there is a key.
func (w *Writer) finishManifest(context.Context) error {
	m := &Manifest{
		Profile: ProfilePackage, Version: Version, Resources: w.resources,
		Title: w.cfg.Title, Description: w.cfg.Description, Software: w.cfg.Software,
		Created: formatTime(w.cfg.Created), Modified: formatTime(w.cfg.Modified),
		MainPageURL: w.mainURL, MainPageDate: w.mainDate,
	}
	if m.Resources == nil {
		m.Resources = []Resource{}
	}
	text, err := m.Encode()
	if err != nil {
		return err
	}
	digest := DigestFile{Path: ManifestPath, Hash: sumOf(text)}
	if w.cfg.Key != nil {
		digest.Signed, err = Sign(w.cfg.Random, w.cfg.Key, digest.Hash, w.cfg.Created, w.cfg.Software)
		if err != nil {
			return err
		}
	}
	signature, err := encodeJSON(digest)
	if err != nil {
		return err
	}
	w.sum.Manifest, w.sum.Signed = m, digest.Signed != nil
	if err := w.addBytes(ManifestPath, text); err != nil {
		return err
	}
	return w.addBytes(DigestPath, signature)
}

// addBytes writes an entry that the manifest does not list.
func (w *Writer) addBytes(p string, b []byte) error {
	s, err := w.spool(true)
	if err != nil {
		return err
	}
	if _, err := s.Write(b); err != nil {
		return err
	}
	e, r, err := s.flush(p)
	if err != nil {
		return err
	}
	return w.zip.add(e, r)
}

// Close removes all temporary files. Without Finish before it, what was written is no package.
func (w *Writer) Close() error {
	err := w.sorter.Close()
	for _, s := range w.spools {
		err = errors.Join(err, s.close())
	}
	w.spools = nil
	if w.failed == nil {
		w.failed = errors.New("the package is closed")
	}
	return errors.Join(err, w.folder.Close())
}
