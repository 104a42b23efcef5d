package search

// A number about something is in favour from InFavour on and against up to Against; what lies between takes no side. They are written in queries as they are here,
// and are less than half of a step of the model (0.25).
const (
	InFavour = 0.1
	Against  = -0.1
)
