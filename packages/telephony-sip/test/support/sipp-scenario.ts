/** One step of a scenario of sipp. */
export type SippStep = string

const COPIED = ['[last_Via:]', '[last_Record-Route:]', '[last_From:]']
const CONTACT = 'Contact: <sip:sipp@[local_ip]:[contact_port]>'
const sdp = (direction: string): string =>
  [
    'v=0',
    'o=sipp 1 1 IN IP4 [local_ip]',
    's=-',
    'c=IN IP4 [media_ip]',
    't=0 0',
    'm=audio [media_port] RTP/AVP 0',
    'a=rtpmap:0 PCMU/8000',
    `a=${direction}`,
  ].join('\n')

/** @param isRepeated whether sipp repeats the message until the next is received, as UDP needs it */
const send = (message: string, isRepeated = false): SippStep =>
  `<send${isRepeated ? ' retrans="500"' : ''}><![CDATA[\n${message}\n]]></send>`

/** Waits for a request. */
export const receive = (method: string): SippStep => `<recv request="${method}"/>`

const HEADERS = { via: 'Via:', from: 'From:', to: 'To:', cseq: 'CSeq:', contact: 'Contact:' } as const

/** Keeps a header of a request in a variable. Each must be used, or sipp ends. */
const keep = (name: keyof typeof HEADERS): string =>
  `<ereg regexp=".*" search_in="hdr" header="${HEADERS[name]}" check_it="true" assign_to="${name}"/>`

/** Waits for an INVITE within whose dialog sipp sends requests itself, by `request`. */
export const receiveInviteOfDialog: SippStep = [
  '<recv request="INVITE"><action>',
  ...(['from', 'to', 'contact'] as const).map(keep),
  '<ereg regexp="sip:[^&gt;]*" search_in="var" variable="contact" check_it="true" assign_to="target"/>',
  '</action></recv>',
].join('')

/** Waits for an INVITE that `respondToInvite` answers after other requests. */
export const receiveInviteToAnswerLater: SippStep = [
  '<recv request="INVITE"><action>',
  ...(['via', 'from', 'to', 'cseq'] as const).map(keep),
  '</action></recv>',
].join('')

/** Answers `receiveInviteToAnswerLater`, without a description. */
export const respondToInvite = (status: number): SippStep =>
  send(
    [
      `SIP/2.0 ${status} As scripted`,
      'Via:[$via]',
      'From:[$from]',
      'To:[$to];tag=[pid]S[call_number]',
      '[last_Call-ID:]',
      'CSeq:[$cseq]',
      CONTACT,
      'Content-Length: 0',
      '',
      '',
    ].join('\n'),
  )

/** Waits for a final response to a request of sipp. Any provisional ones are skipped. */
export const receiveResponse = (status: number): SippStep =>
  `<recv response="100" optional="true"/><recv response="${status}"/>`

/** Takes a request that may be lost, and that nobody repeats. */
export const receiveUnlessLost = (method: string): SippStep => `<recv request="${method}" optional="true"/>`

/** Keeps the call for a while, to answer repetitions. */
export const linger = (ms: number): SippStep => `<timewait milliseconds="${ms}"/>`

/** Sends a request within the dialog of `receiveInviteOfDialog`. */
export function request(
  method: string,
  options: { readonly sequence: number; readonly direction?: string },
): SippStep {
  const { sequence, direction } = options
  return send(
    [
      `${method} [$target] SIP/2.0`,
      `Via: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]`,
      'Max-Forwards: 70',
      'From:[$to];tag=[pid]S[call_number]',
      'To:[$from]',
      'Call-ID: [call_id]',
      `CSeq: ${sequence} ${method}`,
      CONTACT,
      ...(direction === undefined ? [] : ['Content-Type: application/sdp']),
      'Content-Length: [len]',
      '',
      direction === undefined ? '' : sdp(direction),
    ].join('\n'),
    method !== 'ACK',
  )
}

/** Responds to the last request. */
export function respond(
  status: number,
  options: {
    readonly hasAudio?: boolean
    readonly headers?: readonly string[]
    /** Of one fork of several. */
    readonly tag?: string
    readonly isRepeated?: boolean
  } = {},
): SippStep {
  const { hasAudio = false, headers = [], tag = '[pid]S[call_number]', isRepeated = false } = options
  const type = hasAudio ? ['Content-Type: application/sdp'] : []
  return send(
    [
      `SIP/2.0 ${status} As scripted`,
      ...COPIED,
      `[last_To:];tag=${tag}`,
      '[last_Call-ID:]',
      '[last_CSeq:]',
      CONTACT,
      ...headers,
      ...type,
      'Content-Length: [len]',
      '',
      hasAudio ? sdp('sendrecv') : '',
    ].join('\n'),
    isRepeated,
  )
}

/** Responds to a request within the dialog, whose To has its tag. */
export const respondWithin = (status: number, direction?: string): SippStep =>
  send(
    [
      `SIP/2.0 ${status} As scripted`,
      ...COPIED,
      '[last_To:]',
      '[last_Call-ID:]',
      '[last_CSeq:]',
      CONTACT,
      ...(direction === undefined ? [] : ['Content-Type: application/sdp']),
      'Content-Length: [len]',
      '',
      direction === undefined ? '' : sdp(direction),
    ].join('\n'),
  )

/** Writes a scenario for one call. */
export const sippScenario = (steps: readonly SippStep[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<scenario name="test">\n${steps.join('\n')}\n</scenario>\n`
