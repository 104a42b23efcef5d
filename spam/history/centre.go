package history

import (
	"varve/spam/feature"
)

// Centre knows the means of features in each snapshot.
type Centre struct {
	skewed []bool
	sums   [][]feature.Moments // [snapshot][feature]
}

// NewCentre makes one for features of which some are skewed: their logarithm is taken first.
func NewCentre(snapshots int, skewed []bool) *Centre {
	c := &Centre{skewed: skewed, sums: make([][]feature.Moments, snapshots)}
	for s := range c.sums {
		c.sums[s] = make([]feature.Moments, len(skewed))
	}
	return c
}

// Add takes the features of a host in a snapshot.
func (c *Centre) Add(snapshot int, vector []float64) {
	for i, v := range vector {
		c.sums[snapshot][i].Add(c.even(i, v))
	}
}

// even takes the logarithm of skewed features.
func (c *Centre) even(i int, v float64) float64 {
	if c.skewed[i] {
		return feature.Log(v)
	}
	return v
}

// Centred gives the features of a host in a snapshot less their means.
func (c *Centre) Centred(snapshot int, vector []float64) []float64 {
	out := make([]float64, len(vector))
	for i, v := range vector {
		out[i] = c.even(i, v) - c.sums[snapshot][i].Average()
	}
	return out
}

// Variance of each feature over the snapshots of a host; 0 with one.
func Variance(centred [][]float64) []float64 {
	if len(centred) == 0 {
		return nil
	}
	out := make([]float64, len(centred[0]))
	for i := range out {
		var m feature.Moments
		for _, v := range centred {
			m.Add(v[i])
		}
		out[i] = m.Variance()
	}
	return out
}

// CentredDefinitions tell the centred features and their variances, in the order: all centred, then all variances.
func CentredDefinitions(of []feature.Definition) []feature.Definition {
	var out []feature.Definition
	for _, d := range of {
		out = append(out, feature.Define("centred."+d.Name, feature.History, feature.Snapshots, "mean of "+d.Name+" over the host's pages in the last snapshot, less the mean of all hosts (of logarithms, if it is a count)"))
	}
	for _, d := range of {
		out = append(out, feature.Define("variance."+d.Name, feature.History, feature.Snapshots, "variance of the centred "+d.Name+" over snapshots"))
	}
	return out
}
