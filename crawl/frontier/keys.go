package frontier

import "encoding/binary"

// The key spaces of the store; docs/formats/frontier.md draws them.
const (
	spaceMeta  = 'm'
	spaceNote  = 'n' // name -> note of the user
	spaceHost  = 'h' // host name -> host record
	spaceQueue = 'q' // host id, pos -> item
	spaceSeen  = 's' // frontier key -> seen record
	spaceTop   = 't' // metric, inverted bucket, host id -> host name
	spaceWork  = 'w' // host id -> host name, while the host has queued URLs
)

var (
	keyVersion  = []byte{spaceMeta, 'v'}
	keyConfig   = []byte{spaceMeta, 'c'}
	keyCounters = []byte{spaceMeta, 'n'}
	keyNote     = []byte{spaceMeta, 'u'} // the user's own
)

const (
	hostIDLen   = 4
	queueKeyLen = 1 + hostIDLen + posLen
)

func seenKey(b []byte, key string) []byte  { return append(append(b, spaceSeen), key...) }
func hostKey(b []byte, name string) []byte { return append(append(b, spaceHost), name...) }

func workKey(b []byte, id uint32) []byte {
	return binary.BigEndian.AppendUint32(append(b, spaceWork), id)
}

func queueKey(b []byte, id uint32, p pos) []byte {
	return appendPos(binary.BigEndian.AppendUint32(append(b, spaceQueue), id), p)
}

// parseQueueKey takes a queue key apart; ok is false when it is not one.
func parseQueueKey(k []byte) (id uint32, p pos, ok bool) {
	if len(k) != queueKeyLen || k[0] != spaceQueue {
		return 0, pos{}, false
	}
	return binary.BigEndian.Uint32(k[1:]), decodePos(k[1+hostIDLen:]), true
}

func topKey(b []byte, m Metric, bucket uint8, id uint32) []byte {
	return binary.BigEndian.AppendUint32(append(b, spaceTop, byte(m), ^bucket), id)
}

// spaceBounds gives the half-open range of a key space.
func spaceBounds(space byte) (lower, upper []byte) { return []byte{space}, []byte{space + 1} }
