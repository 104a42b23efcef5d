// Package stored keeps what is found of a collection's words, names and phrases through time as tables, and reads them again for commands and screens.
//
//	DIR/slices/YEAR.parquet     one row: how many texts, terms, neighbours and senses a year has
//	DIR/edges/YEAR.parquet      the graph of a year: two terms that stand in lists together, and in how many texts
//	DIR/clusters/YEAR.parquet   the senses of a year: their terms with local curvature
//	DIR/terms.parquet           one row per term and year: how often it is said
//	DIR/company.parquet         one row per term, year and companion: phrases that stand in sentences with it more often than elsewhere
//	DIR/units.parquet           one row per unit and term that represents it: senses that hold for some years
//	DIR/names/all.parquet       one row per name that came into use, or went, and year
//	DIR/former/all.parquet      one row per name and what the same thing may have been called before
//	DIR/renamings/all.parquet   pairs of these that the filters let through without being asked
//	DIR/reworded/all.parquet    one row per term that came into use, and what the years before said in the same company
//	DIR/emerging/all.parquet    phrases that begin to be used and go on, with the texts that have them first
//	DIR/build.json              of what, and by which thresholds, the tables were made
//
// # How
//
//	documents -> a file for each year (temporary) -> of each year its digest
//	job terms     parts are years: a year whose texts and thresholds are the same is not counted again; then all years are merged by term
//	job names     one part, all years: names rise and fall over all of them
//	job emerging  one part, all years
//	job reworded  one part: eras of some years, each with the one before
//
// The jobs run on varve/derive/job, so a kill at any moment loses the year under way at most, and what comes out depends on the texts alone. build.json is written last.
//
// Cost: one pass over the tables of phrases, two over each year that changed, nine over all years for names, emerging phrases and other words; memory by the largest year and by distinct names (varve/evolution/term,
// name, emerging bound both), and by the pairs of two eras (varve/evolution/reformulate).
package stored
