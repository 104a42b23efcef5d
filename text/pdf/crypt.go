package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
)

// crypt decrypts a file that opens with the empty password: one that everybody may read, but not print or change.
type crypt struct {
	key     []byte
	aes     bool
	whole   bool // the key serves all objects (AES-256)
	nothing bool // streams are not encrypted
}

// padding fills short passwords; the empty one is all of it.
var padding = []byte("\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A")

// newCrypt makes the key for the empty password; false if the file has another one, or an unknown method.
func (f *file) newCrypt(d dict) (*crypt, bool) {
	if f.nameOf(d["Filter"]) != "Standard" {
		return nil, false
	}
	c := &crypt{}
	version, revision := integer(f.get(d["V"])), integer(f.get(d["R"]))
	switch version {
	case 1, 2:
	case 4, 5:
		if !c.method(f, d) {
			return nil, false
		}
	default:
		return nil, false
	}
	if version == 5 {
		c.aes, c.whole = true, true
		return c, c.key256(f, d, revision)
	}
	length := 5
	if n := integer(f.get(d["Length"])); n >= 40 && n <= 128 && version > 1 {
		length = n / 8
	}
	if version == 4 {
		length = 16
	}
	return c, c.key128(f, d, revision, length)
}

// method reads how streams are encrypted.
func (c *crypt) method(f *file, d dict) bool {
	filter := f.nameOf(d["StmF"])
	if filter == "" || filter == "Identity" {
		c.nothing = true
		return true
	}
	switch f.nameOf(f.dictOf(f.dictOf(d["CF"])[filter])["CFM"]) {
	case "AESV2", "AESV3":
		c.aes = true
	case "V2":
	case "None":
		c.nothing = true
	default:
		return false
	}
	return true
}

// key128 makes the key of the revisions 2 to 4 (MD5), and checks it.
func (c *crypt) key128(f *file, d dict, revision, length int) bool {
	owner, _ := f.get(d["O"]).(text)
	user, _ := f.get(d["U"]).(text)
	var id text
	if list := f.arrayOf(f.trailer["ID"]); len(list) > 0 {
		id, _ = f.get(list[0]).(text)
	}
	h := md5.New()
	h.Write(padding)
	h.Write([]byte(owner[:min(len(owner), 32)]))
	_ = binary.Write(h, binary.LittleEndian, uint32(int32(integer(f.get(d["P"])))))
	h.Write([]byte(id))
	if plain, ok := f.get(d["EncryptMetadata"]).(bool); ok && !plain && revision >= 4 {
		h.Write([]byte{255, 255, 255, 255})
	}
	key := h.Sum(nil)
	if revision >= 3 {
		for range 50 {
			sum := md5.Sum(key[:length])
			key = sum[:]
		}
	}
	c.key = key[:length]
	if revision < 3 {
		return len(user) >= 32 && bytes.Equal(rc4Of(c.key, padding), []byte(user[:32]))
	}
	sum := md5.Sum(append(bytes.Clone(padding), id...))
	check := sum[:]
	for i := range 20 {
		k := bytes.Clone(c.key)
		for j := range k {
			k[j] ^= byte(i)
		}
		check = rc4Of(k, check)
	}
	return len(user) >= 16 && bytes.Equal(check, []byte(user[:16]))
}

func rc4Of(key, data []byte) []byte {
	s, err := rc4.NewCipher(key)
	if err != nil {
		return nil
	}
	out := make([]byte, len(data))
	s.XORKeyStream(out, data)
	return out
}

// key256 makes the key of the revisions 5 and 6 (SHA-2), and checks it.
func (c *crypt) key256(f *file, d dict, revision int) bool {
	user, _ := f.get(d["U"]).(text)
	sealed, _ := f.get(d["UE"]).(text)
	if len(user) < 48 || len(sealed) < 32 {
		return false
	}
	hash := func(salt text) []byte {
		if revision < 6 {
			sum := sha256.Sum256([]byte(salt))
			return sum[:]
		}
		return hardened([]byte(salt))
	}
	if !bytes.Equal(hash(user[32:40]), []byte(user[:32])) {
		return false
	}
	b, err := aes.NewCipher(hash(user[40:48]))
	if err != nil {
		return false
	}
	c.key = make([]byte, 32)
	cipher.NewCBCDecrypter(b, make([]byte, aes.BlockSize)).CryptBlocks(c.key, []byte(sealed[:32]))
	return true
}

// hardened is the slow hash of revision 6 (ISO 32000-2, algorithm 2.B), for the empty password.
func hardened(salt []byte) []byte {
	sum := sha256.Sum256(salt)
	k := sum[:]
	for i := 0; ; i++ {
		data := bytes.Repeat(k, 64)
		b, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil
		}
		cipher.NewCBCEncrypter(b, k[16:32]).CryptBlocks(data, data)
		mod := 0
		for _, c := range data[:16] {
			mod += int(c)
		}
		switch mod % 3 {
		case 0:
			s := sha256.Sum256(data)
			k = s[:]
		case 1:
			s := sha512.Sum384(data)
			k = s[:]
		default:
			s := sha512.Sum512(data)
			k = s[:]
		}
		if i >= 63 && int(data[len(data)-1]) <= i-31 {
			return k[:32]
		}
	}
}

// decrypt gives the plain bytes of a stream or string of an object.
func (c *crypt) decrypt(num ref, gen int, data []byte) []byte {
	key := c.key
	if !c.whole {
		b := append(bytes.Clone(key), byte(num), byte(num>>8), byte(num>>16), byte(gen), byte(gen>>8))
		if c.aes {
			b = append(b, "sAlT"...)
		}
		sum := md5.Sum(b)
		key = sum[:min(len(c.key)+5, 16)]
	}
	if !c.aes {
		return rc4Of(key, data)
	}
	n := len(data) / aes.BlockSize * aes.BlockSize
	if n < 2*aes.BlockSize {
		return nil
	}
	b, err := aes.NewCipher(key)
	if err != nil {
		return nil
	}
	out := make([]byte, n-aes.BlockSize)
	cipher.NewCBCDecrypter(b, data[:aes.BlockSize]).CryptBlocks(out, data[aes.BlockSize:n])
	if pad := int(out[len(out)-1]); pad >= 1 && pad <= aes.BlockSize {
		out = out[:len(out)-pad]
	}
	return out
}
