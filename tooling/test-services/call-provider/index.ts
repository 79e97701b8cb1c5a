export { PEER_ACCOUNTS, type PeerProvider } from './accounts.ts'
export { type Deliver, inTurn, type PeerCall } from './peer-call.ts'
export { PEER_NUMBERS } from './peer-phone.ts'
export { type CallProviderPeer, type PeerOptions, startCallProviderPeer } from './start-peer.ts'
