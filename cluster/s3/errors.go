package s3

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"varve"
	"varve/archive/store"
)

// codeOf returns the word of the protocol for an error; "" if the server did not say one.
func codeOf(err error) string {
	if e, ok := errors.AsType[minio.ErrorResponse](err); ok {
		return e.Code
	}
	return ""
}

// explain says what an error means, and what to do. Nothing secret is in it: keys never are in answers of servers, and the
// words of a server are cut.
func (s *Store) explain(op string, err error) error {
	e, answered := errors.AsType[minio.ErrorResponse](err)
	told := func(kind varve.Kind, msg, hint string) error {
		out := &varve.Error{Kind: kind, Op: op, Msg: msg, Hint: hint}
		if answered {
			out.Err = fmt.Errorf("the server says %s: %.200s", e.Code, e.Message)
		} else {
			out.Err = err
		}
		return out
	}
	where := s.String() + " at " + s.cfg.Endpoint
	if errors.Is(err, context.Canceled) || errors.Is(err, store.ErrDigest) || errors.Is(err, store.ErrExists) {
		return fmt.Errorf("%s: %w", op, err)
	}
	if !answered {
		return s.unanswered(told, where, err)
	}
	switch e.Code {
	case "NoSuchKey", "NotFound":
		return fmt.Errorf("%s: %w", op, fs.ErrNotExist)
	case "BadDigest", "InvalidDigest", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch", "ChecksumMismatch":
		return fmt.Errorf("%s: %w: the server says %s", op, store.ErrDigest, e.Code)
	case "InvalidAccessKeyId", "InvalidToken", "ExpiredToken", "SignatureDoesNotMatch", "MissingSecurityHeader", "XAdminUserNotFound":
		return told(varve.Forbidden, "the server at "+s.cfg.Endpoint+" does not take the keys", "are access key and secret those of this server?")
	case "AccessDenied", "AllAccessDisabled", "AccountProblem":
		return told(varve.Forbidden, "the keys may not do that in "+where, "the keys need to list, read, write and delete objects, and to abort uploads")
	case "NoSuchBucket", "InvalidBucketName":
		return told(varve.NotFound, "there is no bucket "+s.cfg.Bucket+" at "+s.cfg.Endpoint, "make it first, or correct endpoint and bucket")
	case "AuthorizationHeaderMalformed", "InvalidRegion", "PermanentRedirect", "IllegalLocationConstraintException":
		hint := "correct region in [store] of varve.toml"
		if e.Region != "" {
			hint = "the server names the region " + e.Region + ": " + hint
		}
		return told(varve.Invalid, "the bucket "+s.cfg.Bucket+" is in another region or at another endpoint", hint)
	case "RequestTimeTooSkewed", "RequestExpired":
		return told(varve.Unavailable, "the clock of this machine and that of the server differ too much", "set the clock: "+time.Now().UTC().Format(time.RFC3339)+" is what this machine thinks")
	case "QuotaExceeded", "XMinioAdminBucketQuotaExceeded", "XMinioStorageFull", "InsufficientCapacity", "ServiceQuotaExceeded", "NoSpaceLeft", "TooManyBytes":
		return told(varve.Unavailable, "the bucket is full", "give it more room; the files stay here and are sent later")
	case "NotImplemented", "MethodNotAllowed", "InvalidArgument":
		return told(varve.Unavailable, "the server cannot do what an archive needs of it", "it needs conditional writes (If-None-Match), SHA-256 checksums and multipart uploads: newer versions have them")
	case "PreconditionFailed":
		return told(varve.Conflict, "the object became another one meanwhile", "somebody else writes to "+s.String())
	}
	switch {
	case e.StatusCode == http.StatusInsufficientStorage:
		return told(varve.Unavailable, "the bucket is full", "give it more room; the files stay here and are sent later")
	case e.StatusCode == http.StatusForbidden: // to HEAD there are no words
		return told(varve.Forbidden, "the server at "+s.cfg.Endpoint+" does not take the keys, or they may not do that", "are access key and secret those of this server, and is the clock right?")
	case e.StatusCode == http.StatusBadRequest || e.StatusCode == http.StatusMovedPermanently:
		return told(varve.Invalid, "the server at "+s.cfg.Endpoint+" does not understand the request", "is it an S3 server, and the region right?")
	}
	return told(varve.Unavailable, "the store does not answer as it should", "'varve archive status --remote' tries it step by step")
}

// unanswered tells of requests that came to no answer.
func (s *Store) unanswered(told func(varve.Kind, string, string) error, where string, err error) error {
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return told(varve.Unavailable, "the certificate of "+s.cfg.Endpoint+" is signed by nobody that this machine knows", "add its authority to those of the system, or set SSL_CERT_FILE")
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return told(varve.Unavailable, "the certificate of "+s.cfg.Endpoint+" is for another name", "correct the endpoint")
	}
	if e, ok := errors.AsType[*net.DNSError](err); ok && e.IsNotFound {
		return told(varve.Unavailable, "there is no such server as "+s.cfg.Endpoint, "correct endpoint in [store] of varve.toml")
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return told(varve.Unavailable, where+" is too slow", "it is tried again later; nothing is lost")
	}
	if strings.Contains(err.Error(), "server gave HTTP response to HTTPS client") {
		return told(varve.Invalid, s.cfg.Endpoint+" speaks http, not https", "correct the endpoint")
	}
	return told(varve.Unavailable, where+" does not answer", "is the server running, and the endpoint right?")
}

// Probe finds out whether the server keeps the promises that an archive relies on: it refuses wrong digests and never replaces. It writes and
// removes a small object.
func (s *Store) Probe(ctx context.Context) (err error) {
	info := store.Info{Key: fmt.Sprintf(".varve-probe-%d", time.Now().UnixNano()), Changed: time.Now()}
	key, err := s.key(info.Key)
	if err != nil {
		return err
	}
	text := strings.NewReader("varve")
	sum := sha256.Sum256([]byte("another text"))
	info.Size, info.SHA256 = int64(text.Len()), hex.EncodeToString(sum[:])
	defer func() {
		if gone := s.Delete(context.WithoutCancel(ctx), info.Key); err == nil { // else nothing may be there, and the first error says why
			err = gone
		}
	}()
	promise := func(what string) error {
		return &varve.Error{
			Kind: varve.Unavailable, Op: "try " + s.String(), Msg: "the server " + what,
			Hint: "take another server, or a newer version of this one: what it stores could be wrong and nobody would know",
		}
	}
	err = s.putWhole(ctx, key, info, text)
	if err != nil {
		err = s.explain("try "+s.String(), err)
	}
	switch {
	case err == nil:
		return promise("stores bytes with a wrong digest")
	case !errors.Is(err, store.ErrDigest):
		return err
	}
	sum = sha256.Sum256([]byte("varve"))
	info.SHA256 = hex.EncodeToString(sum[:])
	if err := s.putWhole(ctx, key, info, text); err != nil {
		return s.explain("try "+s.String(), err)
	}
	if err := s.putWhole(ctx, key, info, text); err == nil {
		return promise("replaces objects although it was told not to (If-None-Match)")
	} else if codeOf(err) != "PreconditionFailed" {
		return s.explain("try "+s.String(), err)
	}
	return nil
}
