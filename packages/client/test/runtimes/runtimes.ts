import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CHROMIUM, HEADLESS } from '@vaani/browser'
import { findRuntime } from '@vaani/test-services/find-runtime'

export type RuntimeName = 'Node' | 'Bun' | 'Deno' | 'workerd' | 'edge-vm' | 'Chromium'

/** Arguments for starting a runtime. */
export interface Start {
  /** Folder of the runtime's package; for Chromium, the binary. */
  readonly installed: string
  /** The bundled rows, in a writable folder. */
  readonly script: string
  readonly controlUrl: string
  readonly mediaPath: string
}

export interface Running {
  /** Resolves with the reason when the runtime has exited or crashed. */
  readonly ended: Promise<string>
  stop(): Promise<void>
}

export interface Runtime {
  readonly name: RuntimeName
  /** Name with the version, if a package contains it. */
  readonly title: string
  readonly entry: string
  readonly format: 'esm' | 'iife'
  /** Undefined if the runtime is not installed. */
  readonly installed: string | undefined
  start(options: Start): Running | Promise<Running>
}

function startProcess(command: string, commandArguments: readonly string[]): Running {
  const child: ChildProcess = spawn(command, commandArguments, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4000)))
  const closed = once(child, 'close')
  return {
    ended: closed.then(
      ([code]) => `It ended with ${code}: ${output}`,
      (error: unknown) => `It did not start: ${String(error)}`,
    ),
    async stop() {
      child.kill('SIGKILL')
      await closed.catch(() => undefined)
    },
  }
}

/** Configures a worker that can reach only this machine. */
const workerdConfig = (script: string, controlUrl: string): string => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "rows", esModule = embed "${path.basename(script)}")],
      bindings = [(name = "controlUrl", text = "${controlUrl}")],
      compatibilityDate = "2026-11-01",
      globalOutbound = "machine",
    )),
    (name = "machine", network = (allow = ["local"])),
  ],
);`

/** Returns the title of a runtime; if it is not installed, with the reason why its rows are skipped. */
function titleOf({ name, installed }: Omit<Runtime, 'title'>): string {
  if (name === 'Chromium') return installed === undefined ? 'Chromium, which is not installed' : name
  if (installed === undefined) return `${name}, which is not in the folder VAANI_TEST_RUNTIMES`
  const { version }: { version: string } = JSON.parse(
    readFileSync(path.join(installed, 'package.json'), 'utf8'),
  )
  return `${name} ${version}`
}

const all: readonly Omit<Runtime, 'title'>[] = [
  {
    // The oldest version that the package supports; the tests themselves run in a newer one.
    name: 'Node',
    entry: 'node.ts',
    format: 'esm',
    installed: findRuntime('node-linux-*'),
    start: ({ installed, script, controlUrl }) =>
      startProcess(path.join(installed, 'bin/node'), [script, controlUrl]),
  },
  {
    name: 'Bun',
    entry: 'bun.ts',
    format: 'esm',
    installed: findRuntime('@oven/bun-*'),
    start: ({ installed, script, controlUrl }) =>
      startProcess(path.join(installed, 'bin/bun'), ['run', script, controlUrl]),
  },
  {
    name: 'Deno',
    entry: 'deno.ts',
    format: 'esm',
    installed: findRuntime('@deno/*'),
    // Only the permissions that the client needs: the service, and the files that it uploads by path.
    start: ({ installed, script, controlUrl, mediaPath }) =>
      startProcess(path.join(installed, 'deno'), [
        'run',
        '--no-prompt',
        '--allow-net=127.0.0.1',
        `--allow-read=${path.dirname(mediaPath)}`,
        script,
        controlUrl,
      ]),
  },
  {
    name: 'workerd',
    entry: 'workerd.ts',
    format: 'esm',
    installed: findRuntime('@cloudflare/workerd-*'),
    async start({ installed, script, controlUrl }) {
      const config = `${script}.capnp`
      await writeFile(config, workerdConfig(script, controlUrl))
      return startProcess(path.join(installed, 'bin/workerd'), ['test', config])
    },
  },
  {
    name: 'edge-vm',
    entry: 'edge-vm.ts',
    format: 'iife',
    installed: findRuntime('@edge-runtime/vm'),
    start: ({ installed, script, controlUrl }) =>
      startProcess(process.execPath, [
        path.join(import.meta.dirname, 'edge-vm-host.ts'),
        path.join(installed, 'package.json'),
        script,
        controlUrl,
      ]),
  },
  {
    name: 'Chromium',
    entry: 'chromium.ts',
    format: 'esm',
    installed: CHROMIUM,
    // The page fetches its rows itself, so no automation is needed.
    start: ({ installed, script, controlUrl }) =>
      startProcess(installed, [...HEADLESS, `--user-data-dir=${script}.profile`, `${controlUrl}/page`]),
  },
]

export const runtimes: readonly Runtime[] = all.map((runtime) => ({ ...runtime, title: titleOf(runtime) }))
