// Package cluster opens the engines beyond one machine that the varve.toml of an archive names. Each engine has a folder of its own and
// stands behind a seam of which the embedded default passes the same suite; without varve.toml nothing of it is used.
//
// Here: [store], where the WARC files lie (archive/store, cluster/s3); [index], where texts and captures are asked for (index/fulltext, index/cdx,
// cluster/opensearch). docs/formats/varve-toml.md tells each setting.
package cluster
