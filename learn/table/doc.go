// Package table reads tables to learn from: ARFF (the format of Weka) and CSV, plain or gzipped.
//
// Read looks at the beginning to tell which it is. An ARFF file names the type of each column; of a CSV file, whose first
// line has the names, a column is numeric when all its cells are numbers or missing (empty or ?), else nominal.
//
//	header:  @relation, @attribute NAME numeric|real|integer|string|date|{a,b,c}, @data; names may be quoted
//	rows:    comma-separated cells, ? for missing; sparse rows {index value, ...}; a weight {w} at the end
//
// Strings and dates become nominal attributes whose values are those that occur. Errors say line and column. Reading
// is streaming (Reader for ARFF); a Table holds 8 bytes a cell. Limits bound what a hostile file can take.
package table
