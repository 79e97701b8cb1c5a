import type { Headers, SipRequest } from '../message/message.ts'

/** Returns the credentials of an INVITE, which the ACK of its 2xx carries too (RFC 3261, section 22.1). */
export const authorizationOf = ({ headers }: Pick<SipRequest, 'headers'>): Headers =>
  headers.filter(([name]) => name === 'authorization' || name === 'proxy-authorization')
