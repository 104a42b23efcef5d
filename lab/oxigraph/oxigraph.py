"""Oxigraph behind lines of JSON: a request on each line of standard input, an answer on each line of standard output."""
import json
import sys
import time

import pyoxigraph as ox

store = None


def load(request):
    store.bulk_load(path=request["path"], format=ox.RdfFormat.N_QUADS)
    if request.get("tidy"):
        store.optimize()
    return {}


def replace(request):
    """The quads of a small document, whose blank nodes keep their labels."""
    store.clear()
    store.extend(ox.parse(request["quads"], ox.RdfFormat.N_QUADS))
    return {}


def query(request):
    result = store.query(request["query"])
    return {"result": result.serialize(format=ox.QueryResultsFormat.JSON).decode()}


def main():
    global store
    folder = sys.argv[1]
    store = ox.Store(folder) if folder else ox.Store()
    print(json.dumps({"version": ox.__version__}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        begin = time.process_time()
        try:
            answer = {"load": load, "replace": replace, "query": query}[request["do"]](request)
        except Exception as e:
            answer = {"error": f"{type(e).__name__}: {e}"}
        answer["cpu"] = time.process_time() - begin
        print(json.dumps(answer), flush=True)


main()
