// Package temporalspeed measures the temporal index: how fast the trees are built, and what a
// question costs by the number of its answers.
//
// The versions are made up: pages whose versions follow each other for some weeks to years, so that
// an instant meets a share of all versions. Whole indexes, with the table of versions, are built and
// opened as a user does.
package temporalspeed
