import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()
const USER_PRESENT_AND_VERIFIED = 0x05
const HAS_CREDENTIAL = 0x40

export interface DeviceOptions {
  challenge: string
  /** Where the browser says that the page is. */
  origin: string
  /** Host for which the device signs; that of the origin for honest browsers. */
  host?: string
  flags?: number
}

/** A device with one passkey (ES256), which signs whatever it is told, so that tests can lie. */
export function createPasskeyDevice() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let uses = 0

  function authenticatorData(host: string, flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++uses)
    return Buffer.concat([sha256(host), Buffer.from([flags]), counter])
  }
  const clientData = (type: string, { challenge, origin }: DeviceOptions): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const answer = <Response extends object>(response: Response) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    clientExtensionResults: {},
    response,
  })

  return {
    id: id.toString('base64url'),
    /** Winds the counter of uses back, as a copy of the device would. */
    rewind: (): void => void (uses = 0),
    make(options: DeviceOptions) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const cose = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const { host = new URL(options.origin).hostname, flags = USER_PRESENT_AND_VERIFIED } = options
      const idLength = Buffer.from([0, id.length])
      const authData = Buffer.concat([
        authenticatorData(host, flags | HAS_CREDENTIAL),
        Buffer.alloc(16),
        idLength,
        id,
        cose,
      ])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      return answer({
        clientDataJSON: clientData('webauthn.create', options).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as Map<string, string>)).toString(
          'base64url',
        ),
      })
    },
    sign(options: DeviceOptions) {
      const { host = new URL(options.origin).hostname, flags = USER_PRESENT_AND_VERIFIED } = options
      const data = authenticatorData(host, flags)
      const client = clientData('webauthn.get', options)
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
      })
    },
  }
}
