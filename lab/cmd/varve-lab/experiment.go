package main

import "github.com/spf13/cobra"

func newExperimentCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "experiment",
		Short: "Reproduce the experiments that our methods rest on",
		Long: `Each experiment runs on a simulated web with a seed, in virtual time, and prints a table (or CSV, or
JSON) beside the figures of the paper it reproduces.`,
	}
	c.AddCommand(newExperimentPriorityCommand(), newExperimentFocusCommand(), newExperimentSpamFeaturesCommand(), newExperimentCoherenceCommand(), newExperimentCaptureCommand(), newExperimentSpamCommand(), newExperimentFilmsCommand(), newExperimentScaleCommand())
	return c
}
