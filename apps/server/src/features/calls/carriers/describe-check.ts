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
    case 'telnyx':
    case 'vonage':
      return describeCheckedProvider(health, PROVIDERS[entry.type])
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

interface ProviderWords {
  readonly name: string
  /** What the credentials consist of. */
  readonly credentials: string
}

const PROVIDERS: Readonly<Record<'twilio' | 'telnyx' | 'vonage', ProviderWords>> = {
  twilio: {
    name: 'Twilio',
    credentials:
      'account_sid and auth_token_file, at the API key, which must be allowed to read and create calls',
  },
  telnyx: { name: 'Telnyx', credentials: 'account_sid and api_key_file' },
  vonage: { name: 'Vonage', credentials: 'application_id and private_key_file' },
}

function describeCheckedProvider(health: CarrierHealth, words: ProviderWords): string {
  switch (health.state) {
    case 'up':
      return `${words.name} answers, and takes our credentials`
    case 'unknown':
      return `nothing is known of ${words.name}`
    case 'down':
      return describeDownProvider(health.reason, words)
  }
}

function describeDownProvider(reason: Down['reason'], { name, credentials }: ProviderWords): string {
  switch (reason) {
    case 'timeout':
      return `${name} does not respond. Look at the firewall, and at api_url`
    case 'unreachable':
    case 'unresolved':
      return `no connection to ${name}. Look at DNS, the firewall, and api_url`
    case 'refused':
      return `${name} fails: it answers, but not to what we ask`
    case 'unregistered':
    case 'unauthorized':
      return `${name} refuses us. Look at ${credentials}, and whether the account is active`
    case 'failed':
      return 'the line could not start. Look whether another program, such as the server itself, listens at listen_port, and at listen_address'
  }
}

/** What a call says that depends on the kind of its line. */
interface CallWords {
  readonly failed: string
  readonly nothing: string
}

const ofProvider = ({ name }: ProviderWords): CallWords => ({
  failed: `${name} failed, refused the call, or did not reach us. Look at the log of calls in its console, at public_url, and whether the proxy passes WebSockets on`,
  nothing: 'Call an echo service to know that audio goes both ways',
})

const WORDS: Readonly<Record<LineEntry['type'], CallWords>> = {
  sip: {
    failed: 'the trunk failed, or refused the call',
    nothing: 'Look at advertised_address, media_ports, and the firewall',
  },
  twilio: ofProvider(PROVIDERS.twilio),
  telnyx: ofProvider(PROVIDERS.telnyx),
  vonage: ofProvider(PROVIDERS.vonage),
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
