// Package eval groups the experiments: one package each, with its data, its measure and the
// figure it must reach. Commands (`varve bench`, `varve experiment`) print them.
package eval
