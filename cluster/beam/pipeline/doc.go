// Package pipeline does the steps of derive/job as an Apache Beam pipeline: on Flink, or on any engine with a Beam job service.
//
//	run (varve-beam derive)                         Beam job service ─> Flink
//	  plan a stage: steps ──────────────────────────> Create ─> Reshuffle ─> ParDo(doStep)
//	                                                                            │ in a worker process on any machine:
//	                                                                            │ job.Worker reads the WARC file (directory or store),
//	                                                                            v writes into the shared folder of derivatives
//	  take outcomes as they appear <── derived/.state/staged/STEP/DIGEST/ <── rename of a whole folder
//	  tables under their names, receipts; next stage
//
// Beam runs a bundle again after a failure, and a worker that was believed dead may still be at work. Neither matters: a step leaves its outcome in a
// folder that is named by the digest of what it made, and only the run gives tables their names (job.Worker, job.Await). So tables and receipts are those of the
// embedded runner, byte for byte.
//
// A worker is the same program, at the same path on every machine, started by the engine as a process (Serve); nothing is uploaded. It refuses steps of a
// run by another program.
package pipeline
