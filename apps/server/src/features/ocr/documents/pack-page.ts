import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { OcrDocumentPage } from '@vaani/contracts'
import { openBytes, sealBytes } from '@vaani/service-kit/vault/sealed-bytes'

const [compress, decompress] = [promisify(gzip), promisify(gunzip)]

/** The result of a page as it is stored. */
export interface PackedPage {
  outcome: 'read' | 'unreadable'
  result: Buffer
  /** Size of the result in a response. */
  bytes: number
}

interface Place {
  documentId: string
  number: number
  key: Buffer
}

const sealOf = ({ documentId, number, key }: Place) => ({ key, place: `${documentId} page ${number}` })

/** Compresses and seals the result of a page: the places of words compress to a tenth. */
export async function packPage(page: OcrDocumentPage, place: Place): Promise<PackedPage> {
  const json = Buffer.from(JSON.stringify(page))
  return {
    outcome: page.error === null ? 'read' : 'unreadable',
    result: sealBytes(await compress(json), sealOf(place)),
    bytes: json.length,
  }
}

/** The response is validated on sending. */
export async function unpackPage(result: Buffer, place: Place): Promise<OcrDocumentPage> {
  const json = await decompress(openBytes(result, sealOf(place)))
  return JSON.parse(json.toString())
}
