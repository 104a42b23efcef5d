package spam

import (
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func TestStudentQuantile(t *testing.T) {
	for _, nu := range []float64{1, 2, 9, 99} {
		for _, p := range []float64{0.01, 0.3, 0.5, 0.8, 0.975, 0.9995} {
			want := distuv.StudentsT{Sigma: 1, Nu: nu}.Quantile(p)
			if got := studentQuantile(nu, p); got-want > 1e-9 || want-got > 1e-9 {
				t.Errorf("nu %v, p %v: %v, want %v", nu, p, got, want)
			}
		}
	}
}
