// Package lid measures language identification on labelled lines, and trains the model that comes with the
// program. Lines are split by a hash of their text: four fifths are for training, one fifth is held out and measured
// on, so that a line that is there twice is on one side only.
package lid
