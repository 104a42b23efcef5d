package triplestore

// Reached has f called at the stages of a load: begun, runs, tables, ingested.
func (s *Store) Reached(f func(stage string)) { s.reached = f }
