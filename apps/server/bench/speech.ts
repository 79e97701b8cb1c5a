/**
 * `pnpm bench speech`: measures speech beside its limit. The first audio of 1, 10 and 50 streams and sockets that begin together, on
 * connections that are open and on new ones, and the gaps in them, beside the engine's own first sentence; whole files beside the engine
 * alone and beside native espeak-ng with ffmpeg, if both are installed; how many streams are heard at their pace without a gap; and what
 * readers cost that stop reading. With `--beside N`, measures only the streams that begin together, beside that many processes that
 * never rest. Runs the built server: `pnpm build` first.
 */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { createEngine } from '@vaani/speech-flite'
import { measureFiles } from './speech/files.ts'
import { measureFirstByte } from './speech/first-byte.ts'
import { measureRealTime } from './speech/real-time.ts'
import { startServer } from './speech/server.ts'
import { measureSlowReaders } from './speech/slow-readers.ts'
import { socketSource } from './speech/socket-source.ts'
import { engineSource, httpSource, librarySource } from './speech/sources.ts'

const CONNECTIONS = 400

const { values } = parseArgs({ options: { beside: { type: 'string', default: '0' } } })
const busy = Array.from({ length: Number(values.beside) }, () =>
  spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
)
await using server = await startServer()
const engine = createEngine()
await using http = httpSource(server, CONNECTIONS, { opens: true })
await using newHttp = httpSource(server, CONNECTIONS, { opens: false })
using sockets = socketSource(server, { opens: true })
using newSockets = socketSource(server, { opens: false })
await measureFirstByte(
  [http, newHttp, sockets, newSockets, librarySource(engine), engineSource(engine)],
  server,
)
if (busy.length === 0) {
  await measureFiles(server, engine)
  await measureRealTime([http, sockets], server)
  await measureSlowReaders([http], server)
}
await engine.close()
for (const process of busy) process.kill()
