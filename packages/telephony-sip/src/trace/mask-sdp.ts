import { MASK } from './mask.ts'

/** Lines that describe media, each in its whole form, so that nothing else can stand in them. Keys, names and texts have none. */
const SHOWN = [
  /^v=0$/,
  /^c=IN IP[46] [\da-f.:]{2,45}$/i,
  /^m=[a-z]{1,16} \d{1,5}(?:\/\d)? (?:RTP|UDP|TCP|udptl)(?:\/[A-Z]{1,8}){0,3}(?: (?:\d{1,3}|t38)){1,40}$/,
  /^b=[A-Z]{2,4}:\d{1,6}$/,
  /^a=rtpmap:\d{1,3} [A-Za-z][\w-]{0,19}\/\d{4,6}(?:\/\d)?$/,
  /^a=fmtp:\d{1,3} \d{1,3}(?:[,-]\d{1,3}){0,20}$/,
  /^a=fmtp:\d{1,3} [a-z][a-z-]{0,29}=(?:\d{1,6}|yes|no)(?:; ?[a-z][a-z-]{0,29}=(?:\d{1,6}|yes|no)){0,12}$/,
  /^a=(?:max)?ptime:\d{1,3}$/,
  /^a=rtcp:\d{1,5}$/,
  /^a=(?:rtcp-mux|sendrecv|sendonly|recvonly|inactive)$/,
]
const CRYPTO =
  /^a=crypto:(?<tag>\d{1,3}) (?<suite>(?:AES_(?:CM_128|192_CM|256_CM)_HMAC_SHA1_(?:32|80)|AEAD_AES_(?:128|256)_GCM)) /
const MOST_LINES = 100

function maskLine(line: string): string[] {
  const { tag, suite } = CRYPTO.exec(line)?.groups ?? {}
  if (tag !== undefined) return [`a=crypto:${tag} ${suite} ${MASK}`]
  return SHOWN.some((form) => form.test(line)) ? [line] : []
}

/** Returns the lines of a session description that describe media. */
export const maskSdp = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .slice(0, MOST_LINES)
    .filter((line) => line.length <= 200)
    .flatMap(maskLine)
