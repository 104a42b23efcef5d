// Package graphspeed measures what the features of spam/graph cost on a made-up web: CPU time and peak memory of each, from the
// edges to the last one. The web has power-law degrees and local clusters; a second snapshot keeps four fifths of its links.
//
// Peak memory is the kernel's high-water mark of the process, set back before each step; where that cannot be done it only
// grows.
package graphspeed
