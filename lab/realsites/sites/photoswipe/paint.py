# Paints pictures: FOLDER, and how many.
import os
import struct
import sys
import zlib


def paint(file, width, height, seed):
    rows = b''.join(b'\0' + bytes((x * seed + y * 3) % 256 if c == seed % 3 else (x * 2 + y * seed) % 200 for x in range(width) for c in range(3)) for y in range(height))
    chunk = lambda kind, data: struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    with open(file, 'wb') as out:
        out.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


os.makedirs(sys.argv[1])
for i in range(1, int(sys.argv[2]) + 1):
    paint('%s/small%d.png' % (sys.argv[1], i), 120, 80, i)
    paint('%s/large%d.png' % (sys.argv[1], i), 480, 320, i)
