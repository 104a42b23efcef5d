// Package drill holds `varve-beam derive` on a real Flink cluster against `varve derive`. It has only tests, which run in `make drill-cluster`.
package drill
