import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'

/** Providers that the peer can be. */
export type PeerProvider = 'twilio' | 'telnyx' | 'vonage'

/** The accounts at the peer, as the settings of carriers name their values, and the keys that the peer itself has. */
export const PEER_ACCOUNTS = {
  twilio: { accountSid: `AC${'0123456789abcdef'.repeat(2)}`, authToken: 'token of the local peer' },
  telnyx: {
    accountSid: '61bf923e-5e4d-4595-a110-56190ea18a1b',
    applicationSid: '1293384261075731499',
    apiKey: 'key of the local peer',
    ...createSigningKeys(),
  },
  vonage: {
    applicationId: '78d335fa-323d-4114-9c3d-d6f0d48968cf',
    signatureSecret: 'secret of the local peer',
    ...createApplicationKeys(),
  },
} as const

function createSigningKeys(): { readonly publicKey: string; readonly peerKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' }: JsonWebKey = publicKey.export({ format: 'jwk' })
  return {
    publicKey: Buffer.from(x, 'base64url').toString('base64'),
    peerKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}

function createApplicationKeys(): { readonly privateKey: string; readonly peerKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    peerKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  }
}
