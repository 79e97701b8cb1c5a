import type { CallOutcome, CarrierHealth } from '@vaani/telephony'
import type { SipEntry } from './carriers-file.ts'
import type { CheckedCall, Heard } from './check-line.ts'

type Down = Extract<CarrierHealth, { state: 'down' }>

/** Says how a trunk answered, and what to look at if it did not. */
export function describeCheckedTrunk(health: CarrierHealth, { host, transport, register }: Place): string {
  switch (health.state) {
    case 'up':
      return `the trunk answers${register === true ? ', and has registered us' : ''}`
    case 'unknown':
      return 'nothing is known of the trunk'
    case 'down':
      return describeDown(health, { host, transport })
  }
}

type Place = Pick<SipEntry, 'host' | 'transport' | 'register'>

function describeDown({ reason, sipStatus }: Down, { host, transport }: Omit<Place, 'register'>): string {
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
      return `the trunk refuses to register us${status}. Look at username, password_file, realm and domain`
    case 'failed':
      return `the line could not start. Look whether DNS knows ${host}, and at local_address`
  }
}

const OUTCOMES: Readonly<Record<Exclude<CallOutcome, 'completed' | 'duration_limit'>, string>> = {
  busy: 'the number is busy',
  no_answer: 'nobody answered',
  rejected: 'the call was rejected',
  unreachable: 'the number was not reached',
  canceled: 'the call was given up',
  carrier_error: 'the trunk failed, or refused the call',
}

const HEARD: Readonly<Record<Heard, string>> = {
  echo: 'our own tone came back, so audio goes both ways',
  sound: 'a sound came back; call an echo service to know that ours arrives too',
  nothing: 'nothing was heard. Look at advertised_address, media_ports, and the firewall',
}

/** Says how a call went, and what was heard of it. */
export function describeCheckedCall({ ended, heard }: CheckedCall): string {
  const { outcome, sipStatus, quality } = ended
  if (outcome !== 'completed' && outcome !== 'duration_limit')
    return `${OUTCOMES[outcome]}${sipStatus === undefined ? '' : ` (SIP status ${sipStatus})`}`
  const mos = quality && quality.packetsReceived > 0 ? `; quality (MOS) ${quality.mos.toFixed(1)} of 4.5` : ''
  return `the call was answered, and ${HEARD[heard]}${mos}`
}
