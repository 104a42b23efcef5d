// Package near finds texts that are nearly the same: versions of a page that differ in a counter or a
// date, mirrors, error pages in disguise. It is pure and its fingerprints are stable: the same
// text gives the same numbers in every version of Varve (Version), since they are kept in archives.
//
// Terms. A *token* is a word in lower case, or one ideograph. A *shingle* is five tokens in a row; the
// *resemblance* of two texts is the Jaccard coefficient of their sets of shingles, |A and B| / |A or B|.
//
//   - Minhash: 64 random orders of all shingles; of each order the first shingle of the text is kept. Two
//     texts agree in one order with probability J, their resemblance. So the share of agreeing places
//     estimates J without bias, with standard error sqrt(J(1-J)/64), at most 0.0625.
//   - Simhash (Charikar): each shingle of three tokens votes for or against each of 64 bits. Texts at angle
//     theta differ in each bit with probability theta/pi, so similar texts have a small Hamming distance. It
//     costs 8 bytes and one XOR; 3 bits or fewer mean near-duplicates (Manku, Jain, Das Sarma 2007).
//   - Index: groups texts by minhash in bounded memory. The 64 places are cut into b bands of r; texts that
//     agree in a whole band are candidates, and are compared in full. r is chosen so that a pair at
//     the threshold is met with probability 0.99 or more: 1 - (1 - t^r)^b.
//   - Grouper: the same for a whole collection at once, with first and last seen; its groups do not depend on the
//     order of the texts (sets are joined, not assigned).
//   - SoftNotFound: does a page look like the answer to a URL that surely does not exist?
//
// Cost: Of is linear in the text, one pass, no allocation; about 50 MB per CPU-second (simhash alone 160). An
// Index holds at most its limit of texts, about 700 bytes each; adding and finding cost O(bands).
package near
