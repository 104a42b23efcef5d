package access

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"syscall"
	"time"

	"varve"
	"varve/archive/whole"
)

// User is a person or program that may log in.
type User struct {
	Name    string    `json:"name"`
	Role    Role      `json:"role"`
	Hash    string    `json:"hash,omitempty"` // argon2id; empty: only tokens and OpenID Connect
	OIDC    string    `json:"oidc,omitempty"` // whom the provider vouches for: "sub:SUBJECT" or "email:ADDRESS"
	Created time.Time `json:"created"`
	Tokens  []Token   `json:"tokens,omitempty"`
}

// Users are the users of an archive, in one file that is replaced as a whole. The file is read
// again when it changed, so a command and a server see each other's changes.
type Users struct {
	path string

	mu    sync.Mutex
	state os.FileInfo
	list  []User
}

// OpenUsers gives the users in <dir>/users.json, which need not exist yet.
func OpenUsers(dir string) *Users { return &Users{path: filepath.Join(dir, "users.json")} }

// usersFile is the format of users.json.
type usersFile struct {
	Version int    `json:"version"`
	Users   []User `json:"users"`
}

const usersVersion = 1

// List gives all users by name.
func (u *Users) List() ([]User, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	info, err := os.Stat(u.path)
	if errors.Is(err, fs.ErrNotExist) {
		u.state, u.list = nil, nil
		return nil, nil
	}
	if err != nil {
		return nil, usersError(u.path, err)
	}
	if u.state != nil && u.state.ModTime().Equal(info.ModTime()) && u.state.Size() == info.Size() && os.SameFile(u.state, info) {
		return slices.Clone(u.list), nil
	}
	list, err := readUsers(u.path)
	if err != nil {
		return nil, err
	}
	u.state, u.list = info, list
	return slices.Clone(list), nil
}

func readUsers(path string) ([]User, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, usersError(path, err)
	}
	var f usersFile
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, usersError(path, err)
	}
	if f.Version != usersVersion {
		return nil, usersError(path, fmt.Errorf("version %d, want %d", f.Version, usersVersion))
	}
	return f.Users, nil
}

func usersError(path string, err error) error {
	return &varve.Error{Kind: varve.Unavailable, Op: "read " + path, Err: err, Hint: "nobody can log in until it is readable; restore it from a backup, or remove it and add the users again"}
}

// Get gives the user of that name.
func (u *Users) Get(name string) (User, bool, error) {
	list, err := u.List()
	for _, x := range list {
		if x.Name == name {
			return x, true, nil
		}
	}
	return User{}, false, err
}

var userName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)

// Put adds a user or changes role and password; an empty hash keeps the password that is there.
func (u *Users) Put(name string, role Role, hash string, now time.Time) error {
	return u.put(name, role, now, func(x *User, _ []User) error {
		if hash != "" {
			x.Hash = hash
		}
		return nil
	})
}

// PutOIDC adds a user or changes the role, and says who that is at the provider of OpenID Connect: a key of OIDCKey, or
// "" for nobody. A password that is there stays.
func (u *Users) PutOIDC(name string, role Role, key string, now time.Time) error {
	return u.put(name, role, now, func(x *User, list []User) error {
		for _, o := range list {
			if key != "" && o.OIDC == key && o.Name != name {
				return &varve.Error{Kind: varve.Conflict, Op: "add user " + name, Msg: fmt.Sprintf("%s is %s already", key, o.Name), Hint: "one person has one name; varve user add " + o.Name + " --oidc '' frees it"}
			}
		}
		x.OIDC = key
		return nil
	})
}

// put adds a user or changes the role, and what else is to be set.
func (u *Users) put(name string, role Role, now time.Time, set func(x *User, list []User) error) error {
	if !userName.MatchString(name) {
		return &varve.Error{Kind: varve.Invalid, Op: "add user", Msg: fmt.Sprintf("the name %q cannot be used", name), Hint: "letters, digits and . _ @ -, at most 64"}
	}
	if !role.Known() {
		return &varve.Error{Kind: varve.Invalid, Op: "add user " + name, Msg: fmt.Sprintf("there is no role %q", role), Hint: "viewer, curator or admin"}
	}
	return u.change(func(list []User) ([]User, error) {
		for i := range list {
			if list[i].Name == name {
				list[i].Role = role
				return list, set(&list[i], list)
			}
		}
		x := User{Name: name, Role: role, Created: now.UTC().Truncate(time.Second)}
		err := set(&x, list)
		return append(list, x), err
	})
}

// Remove takes a user and the tokens of that user away.
func (u *Users) Remove(name string) error {
	return u.change(func(list []User) ([]User, error) {
		out := slices.DeleteFunc(list, func(x User) bool { return x.Name == name })
		if len(out) == len(list) {
			return nil, noUser(name)
		}
		return out, nil
	})
}

func noUser(name string) error {
	return &varve.Error{Kind: varve.NotFound, Op: "user " + name, Msg: "there is no such user", Hint: "'varve user list' shows who there is"}
}

// change reads, changes and replaces the file, one process at a time.
func (u *Users) change(do func([]User) ([]User, error)) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(u.path), 0o700); err != nil {
		return writeError(u.path, err)
	}
	unlock, err := lockFile(u.path + ".lock")
	if err != nil {
		return writeError(u.path, err)
	}
	defer unlock()
	list, err := readUsers(u.path)
	if err != nil {
		return err
	}
	if list, err = do(list); err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b User) int { return compareNames(a.Name, b.Name) })
	b, err := json.MarshalIndent(usersFile{usersVersion, list}, "", "  ")
	if err != nil {
		return err
	}
	u.state = nil
	if err := whole.Bytes(u.path, 0o600, append(b, '\n')); err != nil {
		return writeError(u.path, err)
	}
	return nil
}

// lockFile takes an exclusive lock that the system frees when the process ends.
func lockFile(path string) (func(), error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil // closing frees the lock
}

func writeError(path string, err error) error {
	return &varve.Error{Kind: varve.Unavailable, Op: "write " + path, Err: err}
}
