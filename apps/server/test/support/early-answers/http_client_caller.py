"""Sends the requests in a file with http.client, which reads no response until it has sent the whole body."""

import http.client
import json
import sys
import time
from urllib.parse import urlsplit

LIMIT_SECONDS = 60
PIECES = 16
PAUSE_SECONDS = 0.004


def pieces_of(request):
    yield request["head"].encode()
    left = request["fillBytes"]
    piece_bytes = max(1, -(-left // PIECES))
    while left > 0:
        yield b"A" * min(left, piece_bytes)
        left -= piece_bytes
    yield request["tail"].encode()


def send(request):
    url = urlsplit(request["url"])
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=LIMIT_SECONDS)
    connection.putrequest(request["method"], url.path)
    for name, value in request["headers"].items():
        connection.putheader(name, value)
    pieces = [piece for piece in pieces_of(request) if piece]
    if request["isChunked"]:
        connection.putheader("transfer-encoding", "chunked")
    else:
        connection.putheader("content-length", str(sum(map(len, pieces))))
    connection.endheaders()
    for piece in pieces:
        if request["isSlow"]:
            time.sleep(PAUSE_SECONDS)
        connection.send(b"%x\r\n%b\r\n" % (len(piece), piece) if request["isChunked"] else piece)
    if request["isChunked"]:
        connection.send(b"0\r\n\r\n")
    answer = connection.getresponse()
    status, body = answer.status, answer.read().decode()
    connection.request("GET", urlsplit(request["nextUrl"]).path)
    following = connection.getresponse()
    following.read()
    connection.close()
    return {"status": status, "body": body, "nextStatus": following.status}


def try_to_send(request):
    try:
        return send(request)
    except Exception as error:
        return {"failure": repr(error)}


with open(sys.argv[1], encoding="utf8") as file:
    print(json.dumps([{"name": one["name"], **try_to_send(one)} for one in json.load(file)]))
