import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Trunk } from '../../src/agent/user-agent.ts'
import { freePort, isTaken } from './free-port.ts'
import { makeFolder, type OnFinished } from './softphone-line.ts'

const HOST = '127.0.0.1'
const POLL_MS = 20
const REALM = 'trunk.example'

/** A trunk that challenges each INVITE, stays in the route of its dialogs, and passes calls on to a phone. */
const config = (port: number, phone: Trunk, password: string) => `#!KAMAILIO
debug=-1
log_stderror=yes
fork=yes
children=1
tcp_children=1
listen=udp:${HOST}:${port}
listen=tcp:${HOST}:${port}
mpath="/usr/lib/x86_64-linux-gnu/kamailio/modules/:/usr/lib/aarch64-linux-gnu/kamailio/modules/"
loadmodule "sl.so"
loadmodule "tm.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "auth.so"
modparam("auth", "qop", "auth")
request_route {
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "No route"); exit;
  }
  if (!is_method("INVITE")) { sl_send_reply("200", "OK"); exit; }
  if (!pv_proxy_authenticate("${REALM}", "${password}", "0")) { proxy_challenge("${REALM}", "1"); exit; }
  consume_credentials();
  record_route();
  $du = "sip:${phone.host}:${phone.port}";
  t_relay();
}
`

/** Starts Kamailio as a trunk before a phone, over UDP and TCP. It knows one password, for any user. */
export async function startKamailio(
  onFinished: OnFinished,
  options: { readonly phone: Trunk; readonly password: string },
): Promise<Trunk> {
  const folder = await makeFolder(onFinished)
  const port = await freePort()
  const file = join(folder, 'kamailio.cfg')
  await writeFile(file, config(port, options.phone, options.password))
  const child = spawn('kamailio', ['-f', file, '-DD', '-E', '-Y', folder, '-m', '16', '-M', '4'], {
    cwd: folder,
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  onFinished(async () => {
    child.kill()
    await exited
  })
  while (child.exitCode === null && !(await isTaken(port))) await setTimeout(POLL_MS)
  return { host: HOST, port, transport: 'udp' }
}
