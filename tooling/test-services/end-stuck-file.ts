/**
 * Ends the process of a test file that runs for far too long, after reporting where it is. Vitest's timeouts are timers of the
 * process that they watch: if that is blocked, or waits outside tests and hooks, they never end it, and the run never ends.
 */
import { Worker } from 'node:worker_threads'

import { afterAll } from 'vitest'

/** More than the longest file takes on one busy processor. */
const LIMIT_MINUTES = 40

// Reports what a process waits for. A blocked one cannot.
Object.assign(process.report, {
  reportOnSignal: true,
  signal: 'SIGUSR2',
  filename: 'stderr',
  compact: true,
  excludeEnv: true,
})

/** Runs in a thread, which a blocked main thread does not delay. */
const WATCH = `
const { execFileSync } = require('node:child_process')
const { writeSync } = require('node:fs')
const { Session } = require('node:inspector')
const { parentPort } = require('node:worker_threads')

let timer
parentPort.on('message', ({ isRunning }) => {
  clearTimeout(timer)
  if (isRunning) timer = setTimeout(reportAndEnd, ${LIMIT_MINUTES * 60_000})
})

function reportAndEnd() {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\\n')
  const ours = processes.filter((row) => row.trim().split(/ +/, 2).includes(String(process.pid)))
  writeSync(2, ['This test file is stuck. Its process and its children:', ...ours, ''].join('\\n'))
  process.kill(process.pid, 'SIGUSR2')
  const session = new Session()
  session.connectToMainThread()
  const urls = new Map()
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
  session.on('Debugger.paused', ({ params }) => {
    for (const { functionName, location } of params.callFrames)
      writeSync(2, '  at ' + functionName + ' (' + urls.get(location.scriptId) + ':' + (location.lineNumber + 1) + ')\\n')
    session.post('Debugger.resume')
  })
  session.post('Debugger.enable')
  session.post('Debugger.pause')
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 10_000)
}`

/** One thread for all files of this process, because each start of one takes 40 ms of a processor. */
const WATCH_OF_PROCESS = Symbol.for('vaani.stuck-file-watch')
const { [WATCH_OF_PROCESS]: running } = globalThis as { [WATCH_OF_PROCESS]?: Worker }
const watch = running ?? new Worker(WATCH, { eval: true, execArgv: [] })
Object.assign(globalThis, { [WATCH_OF_PROCESS]: watch })
watch.unref()
watch.postMessage({ isRunning: true })
// The process goes on to another file.
afterAll(() => watch.postMessage({ isRunning: false }))
