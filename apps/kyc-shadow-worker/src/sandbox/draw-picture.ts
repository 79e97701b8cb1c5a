import { crc32, deflateSync } from 'node:zlib'

/** The smallest that the server accepts, so that pictures cost little. */
const SIDE = 200
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Draws a grey PNG that is different for each number below 65,536, in place of a document. */
export function drawPicture(number: number): Uint8Array {
  const rows = Buffer.alloc((SIDE + 1) * SIDE)
  // Each row begins with its filter, which is none.
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1)
      rows[y * (SIDE + 1) + 1 + x] = (x * y + number * (x + 7 * y) + (number >> 8) * (5 * x + 3 * y)) & 0xff
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  // Eight bits a pixel; all else is 0, among it the colour type: grey.
  header[8] = 8
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')])
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
