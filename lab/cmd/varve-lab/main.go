// Command varve-lab is the laboratory of Varve: what shows and measures the product and is no part of it. 'demo' runs the product on a
// simulated country, 'sim' serves simulated webs, 'eval' measures quality on data, 'experiment' makes the tables of papers anew, and
// 'bench' measures speed beside named peers.
package main

import (
	"os"

	"github.com/spf13/cobra"

	"varve/cli"
)

func main() {
	os.Exit(cli.Run(newCommand(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func newCommand() *cobra.Command {
	root := cli.Root("varve-lab", "The laboratory of Varve: demonstration, simulated webs, evaluations, experiments, benchmarks", `What shows and measures Varve and is no part of it.`)
	root.AddCommand(newSimCommand(), newBenchCommand(), newDemoCommand(), newEvalCommand(), newExperimentCommand(), newTrainCommand(), newKBCommand(), newStatisticsCommand(), newSpeechesCommand(), newRealsitesCommand(), newClusterCommand())
	return root
}
