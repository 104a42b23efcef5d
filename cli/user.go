package cli

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"varve"
	"varve/serve/access"
	"varve/serve/retention"
)

func newUserCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "user",
		Short: "Who may log in to the screens and the API",
		Long: `Users of an archive and their tokens. On loopback nobody needs to log in; from any other address everybody
must. Roles: viewer looks, curator also steers crawls and sets embargoes, admin also takes down and purges.

A server that runs sees the changes at once.`,
	}
	c.AddCommand(newUserAddCommand(), newUserListCommand(), newUserRemoveCommand(), newUserTokenCommand())
	return c
}

// accessPlace is where users, rules and the audit log of an archive lie.
type accessPlace struct{ archive string }

func (p *accessPlace) flags(c *cobra.Command) {
	c.Flags().StringVar(&p.archive, "archive", "archive", "the archive directory")
}

func (p *accessPlace) dir() string              { return filepath.Join(p.archive, "access") }
func (p *accessPlace) users() *access.Users     { return access.OpenUsers(p.dir()) }
func (p *accessPlace) audit() *access.Audit     { return access.OpenAudit(p.dir()) }
func (p *accessPlace) rules() *access.Decisions { return access.OpenDecisions(p.dir(), p.audit()) }
func (p *accessPlace) orders() *access.Orders   { return access.OpenOrders(p.dir(), p.audit()) }

func (p *accessPlace) retention() *retention.Book {
	return retention.Open(p.archive, p.audit(), rand.Reader, time.Now)
}

// by names the person at the command line for the audit log.
func (p *accessPlace) by() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username + " (command line)"
	}
	return "command line"
}

func (p *accessPlace) note(did, what, detail string) error {
	return p.audit().Append(access.Entry{Time: time.Now(), By: p.by(), Did: did, What: what, Detail: detail})
}

func newUserAddCommand() *cobra.Command {
	var place accessPlace
	var role, oidc string
	c := &cobra.Command{
		Use:   "add NAME",
		Short: "Add a user, or change role and password",
		Long: `Adds a user, or changes role and password of one that is there. The password is asked for on a terminal,
else read as the first line of the standard input; it has at least 10 bytes. An empty line keeps the password that is
there, or makes a user who has only tokens.

With --oidc the user logs in at the provider of 'varve serve --oidc-issuer', and no password is asked for; one that is there stays.
The person is named by email, which the provider must have verified, or by the subject (sub) that the provider gives the person,
which outlives a change of email. --oidc '' ends it.

Exit codes: 0 done, 2 could not.`,
		Example: `  varve user add eva --role curator --archive archive
  varve user add eva --oidc eva@example.org --role curator
  printf 'a long password\n' | varve user add eva --role viewer`,
		Args: needArgs(1, "a name"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("oidc") {
				return runUserAddOIDC(c, place, args[0], access.Role(role), oidc)
			}
			return runUserAdd(c, place, args[0], access.Role(role))
		},
	}
	place.flags(c)
	c.Flags().StringVar(&role, "role", "viewer", "viewer, curator or admin")
	c.Flags().StringVar(&oidc, "oidc", "", "who that is at the provider of OpenID Connect: an email, or a subject (sub:X if it has an @)")
	return c
}

func runUserAddOIDC(c *cobra.Command, place accessPlace, name string, role access.Role, who string) error {
	key, err := access.OIDCKey(who)
	if err != nil {
		return err
	}
	if err := place.users().PutOIDC(name, role, key, time.Now()); err != nil {
		return err
	}
	if err := place.note("user added or changed", name, strings.TrimSpace(string(role)+" "+key)); err != nil {
		return err
	}
	if key == "" {
		key = "nobody"
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%s is %s, by OpenID Connect: %s\n", name, role, key)
	return err
}

func runUserAdd(c *cobra.Command, place accessPlace, name string, role access.Role) error {
	password, err := readPassword(c)
	if err != nil {
		return err
	}
	hash := ""
	if password != "" {
		if hash, err = access.HashPassword(password); err != nil {
			return &varve.Error{Kind: varve.Invalid, Op: "add user " + name, Err: err}
		}
	}
	if err := place.users().Put(name, role, hash, time.Now()); err != nil {
		return err
	}
	if err := place.note("user added or changed", name, string(role)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%s is %s\n", name, role)
	return err
}

// readPassword asks twice on a terminal, and reads a line otherwise.
func readPassword(c *cobra.Command) (string, error) {
	in, ok := c.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		line, err := bufio.NewReader(c.InOrStdin()).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", InputError("standard input", err)
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	var twice [2]string
	for i, ask := range []string{"Password: ", "Once more: "} {
		fmt.Fprint(c.ErrOrStderr(), ask)
		b, err := term.ReadPassword(int(in.Fd()))
		fmt.Fprintln(c.ErrOrStderr())
		if err != nil {
			return "", InputError("terminal", err)
		}
		twice[i] = string(b)
	}
	if twice[0] != twice[1] {
		return "", &varve.Error{Kind: varve.Invalid, Op: "read the password", Msg: "the two are not the same"}
	}
	return twice[0], nil
}

func newUserListCommand() *cobra.Command {
	var place accessPlace
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List users and their tokens", Args: cobra.NoArgs,
		Long:    "Lists the users with their roles and tokens. Hashes are not shown.\n\nExit codes: 0 done, 2 could not.",
		Example: "  varve user list --archive archive",
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := place.users().List()
			if err != nil {
				return err
			}
			return printUsers(c.OutOrStdout(), list, asJSON)
		},
	}
	place.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return c
}

func printUsers(w io.Writer, list []access.User, asJSON bool) error {
	out := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	for _, u := range list {
		u.Hash = ""
		for i := range u.Tokens {
			u.Tokens[i].Hash = ""
		}
		if asJSON {
			if err := PrintJSON(w, u); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(out, "%s\t%s\tsince %s\t%s\n", u.Name, u.Role, u.Created.Format(time.DateOnly), count(int64(len(u.Tokens)), "token"))
		if u.OIDC != "" {
			fmt.Fprintf(out, "  by OpenID Connect\t%s\n", oneLine(u.OIDC))
		}
		for _, t := range u.Tokens {
			until := "for ever"
			if !t.Expires.IsZero() {
				until = "until " + t.Expires.Format(time.DateOnly)
			}
			fmt.Fprintf(out, "  token %s\t%s\tsince %s\t%s\n", t.ID, until, t.Created.Format(time.DateOnly), oneLine(t.Note))
		}
	}
	return out.Flush()
}

func newUserRemoveCommand() *cobra.Command {
	var place accessPlace
	c := &cobra.Command{
		Use: "remove NAME", Short: "Remove a user with all tokens", Args: needArgs(1, "a name"),
		Long:    "Removes a user; sessions and tokens of that user end at once.\n\nExit codes: 0 removed, 2 could not.",
		Example: "  varve user remove eva --archive archive",
		RunE: func(c *cobra.Command, args []string) error {
			if err := place.users().Remove(args[0]); err != nil {
				return err
			}
			if err := place.note("user removed", args[0], ""); err != nil {
				return err
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "%s is removed\n", args[0])
			return err
		},
	}
	place.flags(c)
	return c
}

func newUserTokenCommand() *cobra.Command {
	var place accessPlace
	var note, revoke string
	var days int
	c := &cobra.Command{
		Use:   "token NAME",
		Short: "Make or revoke a token for programs",
		Long: `Makes a token by which a program acts as the user: Authorization: Bearer TOKEN. It is printed once and kept
nowhere; only its hash is. --revoke ID ends one ('varve user list' shows the ids).

Exit codes: 0 done, 2 could not.`,
		Example: `  varve user token eva --note "nightly report" --days 365
  varve user token eva --revoke A1B2C3D4`,
		Args: needArgs(1, "a name"),
		RunE: func(c *cobra.Command, args []string) error {
			if revoke != "" {
				if err := place.users().RemoveToken(args[0], revoke); err != nil {
					return err
				}
				return place.note("token revoked", args[0], revoke)
			}
			var until time.Time
			if days > 0 {
				until = time.Now().AddDate(0, 0, days).UTC().Truncate(time.Second)
			}
			secret, t, err := place.users().NewToken(args[0], note, time.Now(), until)
			if err != nil {
				return err
			}
			if err := place.note("token made", args[0], t.ID); err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), secret)
			return err
		},
	}
	place.flags(c)
	c.Flags().StringVar(&note, "note", "", "what it is for")
	c.Flags().IntVar(&days, "days", 0, "how long it is valid (default: until it is revoked)")
	c.Flags().StringVar(&revoke, "revoke", "", "end the token with this id")
	return c
}
