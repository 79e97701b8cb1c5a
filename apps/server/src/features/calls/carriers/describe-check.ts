import type { CallOutcome, CarrierHealth } from '@vaani/telephony'
import type { LineEntry, SipEntry } from './carriers-file.ts'
import type { CheckedCall, Heard } from './check-line.ts'

type Down = Extract<CarrierHealth, { state: 'down' }>
type SipPlace = Pick<SipEntry, 'host' | 'transport' | 'register'>

/** Says how the far end of a line answered, and what to look at if it did not. */
export function describeCheckedLine(health: CarrierHealth, entry: LineEntry): string {
  switch (entry.type) {
    case 'sip':
      return describeCheckedTrunk(health, entry)
    case 'twilio':
      return describeCheckedTwilio(health)
  }
}

function describeCheckedTrunk(health: CarrierHealth, place: SipPlace): string {
  switch (health.state) {
    case 'up':
      return `the trunk answers${place.register === true ? ', and has registered us' : ''}`
    case 'unknown':
      return 'nothing is known of the trunk'
    case 'down':
      return describeDownTrunk(health, place)
  }
}

function describeDownTrunk({ reason, sipStatus }: Down, { host, transport }: SipPlace): string {
  const status = sipStatus === undefined ? '' : ` with ${sipStatus}`
  switch (reason) {
    case 'timeout':
      return `nothing answers at ${host} over ${transport}. Look at the port, the transport and the firewall`
    case 'unreachable':
      return transport === 'tls'
        ? `no connection to ${host}. Look at the port, and at the certificate, which must name the host`
        : `no connection to ${host}. Look at the port and the transport`
    case 'unresolved':
      return `DNS has no address of ${host}`
    case 'refused':
      return `the trunk takes no calls now: it refuses${status}`
    case 'unregistered':
    case 'unauthorized':
      return `the trunk refuses to register us${status}. Look at username, password_file, realm and domain`
    case 'failed':
      return `the line could not start. Look whether DNS knows ${host}, and at local_address`
  }
}

function describeCheckedTwilio(health: CarrierHealth): string {
  switch (health.state) {
    case 'up':
      return 'Twilio answers, and takes our credentials'
    case 'unknown':
      return 'nothing is known of Twilio'
    case 'down':
      return describeDownTwilio(health.reason)
  }
}

function describeDownTwilio(reason: Down['reason']): string {
  switch (reason) {
    case 'timeout':
      return 'Twilio does not respond. Look at the firewall, and at api_url'
    case 'unreachable':
    case 'unresolved':
      return 'no connection to Twilio. Look at DNS, the firewall, and api_url'
    case 'refused':
      return 'Twilio fails: it answers, but not to what we ask'
    case 'unregistered':
    case 'unauthorized':
      return 'Twilio refuses us. Look at account_sid and auth_token_file, at the API key, which must be allowed to read and create calls, and whether the account is active'
    case 'failed':
      return 'the line could not start. Look whether another program, such as the server itself, listens at listen_port, and at listen_address'
  }
}

/** What a call says that depends on the kind of its line. */
const WORDS: Readonly<Record<LineEntry['type'], { readonly failed: string; readonly nothing: string }>> = {
  sip: {
    failed: 'the trunk failed, or refused the call',
    nothing: 'Look at advertised_address, media_ports, and the firewall',
  },
  twilio: {
    failed:
      'Twilio failed, refused the call, or did not reach us. Look at the log of calls in its console, at public_url, and whether the proxy passes WebSockets on',
    nothing: 'Call an echo service to know that audio goes both ways',
  },
}

const OUTCOMES: Readonly<
  Record<Exclude<CallOutcome, 'completed' | 'duration_limit' | 'carrier_error'>, string>
> = {
  busy: 'the number is busy',
  no_answer: 'nobody answered',
  rejected: 'the call was rejected',
  unreachable: 'the number was not reached',
  canceled: 'the call was given up',
}

const HEARD: Readonly<Record<Exclude<Heard, 'nothing'>, string>> = {
  echo: 'our own tone came back, so audio goes both ways',
  sound: 'a sound came back; call an echo service to know that ours arrives too',
}

/** Says how a call went, and what was heard of it. */
export function describeCheckedCall({ ended, heard }: CheckedCall, { type }: LineEntry): string {
  const { outcome, sipStatus, quality } = ended
  if (outcome !== 'completed' && outcome !== 'duration_limit') {
    const words = outcome === 'carrier_error' ? WORDS[type].failed : OUTCOMES[outcome]
    return `${words}${sipStatus === undefined ? '' : ` (SIP status ${sipStatus})`}`
  }
  const mos = quality && quality.packetsReceived > 0 ? `; quality (MOS) ${quality.mos.toFixed(1)} of 4.5` : ''
  const sound = heard === 'nothing' ? `nothing was heard. ${WORDS[type].nothing}` : HEARD[heard]
  return `the call was answered, and ${sound}${mos}`
}
