import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Trunk } from '../../src/agent/user-agent.ts'
import type { Certificate } from './certificates.ts'
import { freePort, isTaken } from './free-port.ts'
import { makeFolder, type OnFinished } from './softphone-line.ts'

const HOST = '127.0.0.1'
const POLL_MS = 20
const REALM = 'trunk.example'

export interface KamailioOptions {
  /** Takes the calls. */
  readonly phone: Trunk
  readonly password: string
  /** Port of a relay before it, through which all messages of a call go. */
  readonly relayPort?: number
  /** Where rtpengine takes orders. Media is encrypted between the caller and it, and open between it and the phone. */
  readonly rtpenginePort?: number | undefined
  /** Listens for TLS too. */
  readonly tls?: {
    readonly port: number
    readonly certificate: Certificate
    /** Certificates of callers must be of this authority. Without it, callers need none. */
    readonly callersAuthorityFile?: string
  }
}

const tlsModule = ({
  certificate: { keyFile, certificateFile },
  callersAuthorityFile,
}: NonNullable<KamailioOptions['tls']>) => {
  const settings = [
    ['tls_method', '"TLSv1.2+"'],
    ['private_key', `"${keyFile}"`],
    ['certificate', `"${certificateFile}"`],
    ...(callersAuthorityFile === undefined
      ? []
      : [
          ['ca_list', `"${callersAuthorityFile}"`],
          ['verify_certificate', '1'],
          ['require_certificate', '1'],
        ]),
  ]
  return [
    'loadmodule "tls.so"',
    ...settings.map(([name, value]) => `modparam("tls", "${name}", ${value})`),
  ].join('\n')
}

/** A trunk that challenges each INVITE, stays in the route of its dialogs, and passes calls on to a phone. */
const config = (
  port: number,
  { phone, password, tls, relayPort, rtpenginePort }: KamailioOptions,
) => `#!KAMAILIO
debug=-1
log_stderror=yes
fork=yes
children=1
tcp_children=1
listen=udp:${HOST}:${port}
${relayPort === undefined ? '' : `alias="${HOST}:${relayPort}"`}
listen=tcp:${HOST}:${port}
${tls ? `enable_tls=yes\nlisten=tls:${HOST}:${tls.port}` : ''}
mpath="/usr/lib/x86_64-linux-gnu/kamailio/modules/:/usr/lib/aarch64-linux-gnu/kamailio/modules/"
loadmodule "sl.so"
loadmodule "tm.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "auth.so"
modparam("auth", "qop", "auth")
${tls ? tlsModule(tls) : ''}
${rtpenginePort === undefined ? '' : `loadmodule "rtpengine.so"\nmodparam("rtpengine", "rtpengine_sock", "udp:${HOST}:${rtpenginePort}")`}
request_route {
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (has_totag()) {
    ${rtpenginePort === undefined ? '' : 'if (is_method("BYE")) rtpengine_delete();'}
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "No route"); exit;
  }
  if (!is_method("INVITE")) { sl_send_reply("200", "OK"); exit; }
  if (!pv_proxy_authenticate("${REALM}", "${password}", "0")) { proxy_challenge("${REALM}", "1"); exit; }
  consume_credentials();
  ${relayPort === undefined ? 'record_route()' : `record_route_advertised_address("${HOST}:${relayPort}")`};
  $du = "sip:${phone.host}:${phone.port}";
  ${rtpenginePort === undefined ? '' : 'rtpengine_offer("RTP/AVP replace-origin"); t_on_reply("media");'}
  t_relay();
}
${rtpenginePort === undefined ? '' : 'onreply_route[media] { if (has_body("application/sdp")) rtpengine_answer("RTP/SAVP replace-origin"); }'}
`

/** Starts Kamailio as a trunk before a phone, over UDP and TCP. It knows one password, for any user. */
export async function startKamailio(onFinished: OnFinished, options: KamailioOptions): Promise<Trunk> {
  const folder = await makeFolder(onFinished)
  const port = await freePort()
  const file = join(folder, 'kamailio.cfg')
  await writeFile(file, config(port, options))
  const child = spawn('kamailio', ['-f', file, '-DD', '-E', '-Y', folder, '-m', '64', '-M', '8'], {
    cwd: folder,
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  onFinished(async () => {
    child.kill()
    await exited
  })
  while (child.exitCode === null && !(await isTaken(port))) await setTimeout(POLL_MS)
  if (options.tls) return { host: HOST, port: options.tls.port, transport: 'tls' }
  return { host: HOST, port, transport: 'udp' }
}
