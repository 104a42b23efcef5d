package warc

import (
	"bytes"
	"errors"
	"io"
)

// sampleSize is how much of a candidate member is unpacked on trial.
const sampleSize = 4 << 10

// resync gets past damage: to the next record start in what is left of a readable member, or to
// the next member that unpacks to a record.
func (r *Reader) resync() error {
	r.active = false
	if r.kind == Plain {
		if len(r.win.bytes()) > 0 {
			r.win.use(1)
		}
		return r.findStart()
	}
	if r.win.open {
		if len(r.win.bytes()) > 0 {
			r.win.use(1)
		}
		return r.findStart()
	}
	return r.findMember()
}

// findStart looks for a line that starts a record in the bytes of the open member.
func (r *Reader) findStart() error {
	for {
		b := r.win.bytes()
		if i := startOfRecord(b, r.arc != nil); i >= 0 {
			r.win.use(i)
			return nil
		}
		if keep := straddling(b, r.arc != nil); len(b) > keep {
			r.win.use(len(b) - keep)
		}
		before := len(r.win.bytes())
		if !r.win.open {
			r.win.use(before)
			return nil
		}
		err := r.win.more()
		if errors.Is(err, io.EOF) {
			r.win.use(len(r.win.bytes()))
			return nil
		}
		if err != nil {
			if r.win.in.fault != nil {
				return err
			}
			return r.findMember()
		}
	}
}

// straddling gives how many bytes at the end of b may be the start of a record that goes on behind
// them: a version line, or in ARC a record line, which is as long as its address.
func straddling(b []byte, arc bool) int {
	const versionLine = 256
	if line := len(b) - 1 - bytes.LastIndexByte(b, '\n'); arc && line <= maxArcLine {
		return max(line, versionLine)
	}
	return versionLine
}

// startOfRecord finds "WARC/d.d" at the start of a line with a field line behind it.
func startOfRecord(b []byte, arc bool) int {
	best := -1
	for _, prefix := range [...]string{"WARC/", "warc/"} {
		for from := 0; ; {
			i := bytes.Index(b[from:], []byte(prefix))
			if i < 0 {
				break
			}
			i += from
			if (i == 0 || b[i-1] == '\n') && isRecordStart(b[i:]) {
				if best < 0 || i < best {
					best = i
				}
				break
			}
			from = i + 1
		}
	}
	if best < 0 && arc {
		return startOfArc(b)
	}
	return best
}

// isRecordStart tells whether b starts with a version line and something like a field behind it.
// Bytes that are not there yet are not held against it.
func isRecordStart(b []byte) bool {
	eol := bytes.IndexByte(b, '\n')
	if eol < 0 || eol > 12 {
		return false
	}
	version := bytes.TrimRight(b[len(warcPrefix):eol], "\r \t")
	if len(version) < 3 || version[0] > '1' || version[0] < '0' || version[1] != '.' {
		return false
	}
	line := b[eol+1:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	return bytes.IndexByte(line, ':') > 0
}

// findMember looks for the next packed member after the one that broke. In a file it goes back to
// just behind the start of the broken one; in a pipe it goes on where the decoder stopped.
func (r *Reader) findMember() error {
	r.win.moveTo(r.win.memberAt + 1)
	magic := r.win.u.magic()
	br := r.win.in.br
	for {
		b, err := br.Peek(inputBuffer)
		if len(b) < len(magic) {
			_, _ = br.Discard(len(b))
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			return nil // the end: the next refill says so
		}
		i := bytes.Index(b, magic)
		if i < 0 {
			_, _ = br.Discard(len(b) - len(magic) + 1)
			continue
		}
		_, _ = br.Discard(i)
		sample, _ := br.Peek(sampleSize)
		if r.startsRecord(sample) {
			return nil
		}
		_, _ = br.Discard(1)
	}
}

// startsRecord unpacks the start of a candidate member and looks for a record in it.
func (r *Reader) startsRecord(sample []byte) bool {
	var head [160]byte
	n, open := r.win.u.trial(sample, head[:])
	if open || startsVersion(head[:n]) {
		return true
	}
	return r.arc != nil && startsArc(head[:n])
}
