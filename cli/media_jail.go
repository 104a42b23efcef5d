package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"varve"
	"varve/crawl/jail"
)

// newMediaJailCommand makes the helper of jails: 'media fetch' starts it in a network of its own, and it becomes the
// program. It is not for people.
func newMediaJailCommand() *cobra.Command {
	return &cobra.Command{
		Use: "jailed PROGRAM [ARG...]", Short: "Become a program whose network has one door", Hidden: true,
		DisableFlagParsing: true, Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return &varve.Error{Kind: varve.Unavailable, Op: "jail", Err: jail.Enter(args), Hint: "'varve media fetch' starts it where it is needed"}
		},
	}
}

// jailHelper is the command that puts a program into a jail; none if we do not know where we are.
func jailHelper() []string {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{self, "media", "jailed"}
}

// sayUnjailed tells people that there is no jail, and what holds all the same.
func sayUnjailed(to io.Writer) func(error) {
	return func(why error) {
		fmt.Fprintf(to, "varve: yt-dlp and ffmpeg run in the network of this machine: %v\n       yt-dlp is told to use the recording proxy, ffmpeg to open files only; that they do is up to them\n", why)
	}
}
