"""Trains CRFsuite (pip install python-crfsuite) on the files of `varve-lab train rounds` and prints its F1, as a peer of language/mention.

Features are those of CRFsuite's own example for names (example/ner.py) without chunks, which the sets do not have: words, Penn tags, shapes, affixes and
kinds of characters in a window of two tokens, and pairs of neighbours. GROUP counts as ORG where the measured file has no GROUP; types it does not have are
left out of what was found.

    python3 lab/eval/ner/crfsuite.py DIR [ITERATIONS]
"""
import glob
import os
import re
import sys

import pycrfsuite


def sentences(path):
    rows = []
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line:
            rows.append(line.split("\t"))
        elif rows:
            yield rows
            rows = []


def shape(word):
    return "".join("U" if c.isupper() else "D" if c.isdigit() else "L" if c.islower() else c for c in word)


def view(word, tag):
    s = shape(word)
    out = {"w": word, "lw": word.lower(), "pos": tag, "shape": s, "brief": re.sub(r"(.)\1+", r"\1", s)}
    for n in range(1, 5):
        out["p%d" % n], out["s%d" % n] = word[:n], word[-n:]
    kinds = [("iu", word[:1].isupper()), ("au", word.isupper()), ("al", word.islower()), ("ad", word.isdigit()), ("cd", any(c.isdigit() for c in word)), ("cs", not word.isalnum())]
    out["kind"] = "".join(k for k, yes in kinds if yes)
    return out


def features(rows):
    views = [view(r[0], r[1]) for r in rows]
    out = []
    for i in range(len(rows)):
        f = ["bias"]
        for d in range(-2, 3):
            if 0 <= i + d < len(rows):
                names = ("w", "lw", "pos", "brief", "kind") if d else views[i]
                f += ["%s[%d]=%s" % (k, d, views[i + d][k]) for k in names]
            else:
                f.append("edge[%d]" % d)
        for d in (-1, 0):
            if 0 <= i + d and i + d + 1 < len(rows):
                f += ["%s[%d,%d]=%s|%s" % (k, d, d + 1, views[i + d][k], views[i + d + 1][k]) for k in ("lw", "pos", "brief")]
        out.append(f)
    return out


def chunks(labels):
    found, begin = set(), None
    for i, label in enumerate(labels + ["O"]):
        if begin is not None and label != "I-" + labels[begin][2:]:
            found.add((begin, i, labels[begin][2:]))
            begin = None
        if label != "O" and begin is None:
            begin = i
    return found


def main(folder, iterations=100):
    right = found = wanted = 0
    for learned in sorted(glob.glob(os.path.join(folder, "learned-*.tsv"))):
        trainer = pycrfsuite.Trainer(verbose=False)
        trainer.select("lbfgs")
        trainer.set_params({"c1": 0, "c2": 1.0, "max_iterations": iterations})
        for rows in sentences(learned):
            trainer.append(features(rows), [r[2] for r in rows])
        model = learned.replace(".tsv", ".crfsuite")
        trainer.train(model)
        tagger = pycrfsuite.Tagger()
        tagger.open(model)
        measured = list(sentences(learned.replace("learned", "measured")))
        types = {r[2][2:] for rows in measured for r in rows} - {""}
        for rows in measured:
            labels = tagger.tag(features(rows))
            if "GROUP" not in types:
                labels = [label.replace("GROUP", "ORG") for label in labels]
            gold, got = chunks([r[2] for r in rows]), {c for c in chunks(labels) if c[2] in types}
            right, found, wanted = right + len(gold & got), found + len(got), wanted + len(gold)
    precision, recall = right / max(1, found), right / max(1, wanted)
    print("mentions %d precision %.3f recall %.3f F1 %.3f" % (wanted, precision, recall, 2 * precision * recall / max(1e-9, precision + recall)))


main(sys.argv[1], *map(int, sys.argv[2:]))
