/** One step of a scenario of sipp. */
export type SippStep = string

const COPIED = ['[last_Via:]', '[last_Record-Route:]', '[last_From:]']
const CONTACT = 'Contact: <sip:sipp@[local_ip]:[local_port]>'
const SDP = [
  'v=0',
  'o=sipp 1 1 IN IP4 [local_ip]',
  's=-',
  'c=IN IP4 [media_ip]',
  't=0 0',
  'm=audio [media_port] RTP/AVP 0',
  'a=rtpmap:0 PCMU/8000',
].join('\n')

const send = (message: string): SippStep => `<send><![CDATA[\n${message}\n]]></send>`

/** Waits for a request. */
export const receive = (method: string): SippStep => `<recv request="${method}"/>`

/** Responds to the last request. */
export function respond(
  status: number,
  options: { readonly hasAudio?: boolean; readonly headers?: readonly string[] } = {},
): SippStep {
  const { hasAudio = false, headers = [] } = options
  const type = hasAudio ? ['Content-Type: application/sdp'] : []
  return send(
    [
      `SIP/2.0 ${status} As scripted`,
      ...COPIED,
      '[last_To:];tag=[pid]S[call_number]',
      '[last_Call-ID:]',
      '[last_CSeq:]',
      CONTACT,
      ...headers,
      ...type,
      'Content-Length: [len]',
      '',
      hasAudio ? SDP : '',
    ].join('\n'),
  )
}

/** Responds to a request within the dialog, whose To has its tag. */
export const respondWithin = (status: number): SippStep =>
  send(
    [
      `SIP/2.0 ${status} As scripted`,
      ...COPIED,
      '[last_To:]',
      '[last_Call-ID:]',
      '[last_CSeq:]',
      CONTACT,
      'Content-Length: 0',
      '',
      '',
    ].join('\n'),
  )

/** Writes a scenario for one call. */
export const sippScenario = (steps: readonly SippStep[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<scenario name="test">\n${steps.join('\n')}\n</scenario>\n`
