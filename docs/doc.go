// Package docs holds no code: the documents lie here, and its tests hold them to the repository.
// Links between pages must lead somewhere, every page must be listed in the README.md of its
// folder, every package must have a comment, and every field, event and metric of a crawl must be
// described. That the commands shown exist is tested in cli.
package docs
