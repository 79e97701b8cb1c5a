import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const SERVER = path.resolve(import.meta.dirname, '../..')
const REPOSITORY = path.resolve(SERVER, '../..')
const MAX_OUTPUT = 64 * 1024 * 1024
/** The base image, where it can be pulled. */
const NODE_IMAGE = 'node:24-bookworm-slim'
const USER = 'node:x:1000:1000::/home/node:/bin/sh'

export interface ServerImage extends AsyncDisposable {
  name: string
}

/**
 * Builds an image of the server as it is packed, by its Dockerfile. If the base image cannot be pulled, Node and what it needs
 * are copied from this machine to the image of `PG_IMAGE`, which must be the same Debian.
 */
export async function buildServerImage(): Promise<ServerImage> {
  await using held = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-image-'))
  held.defer(() => rm(folder, { recursive: true, force: true }))
  const context = path.join(folder, 'context')
  const installed = path.join(context, 'node_modules/@vaani/server')
  await run('pnpm', ['--filter', '@vaani/server', 'build'], { cwd: REPOSITORY, maxBuffer: MAX_OUTPUT })
  // Nothing is downloaded, so there is nothing to judge by its age or publisher.
  const offline = [
    '--offline',
    '--config.minimum-release-age=0',
    '--config.trust-policy=off',
    '--config.allow-unused-patches=true',
  ]
  await run('pnpm', ['--filter', '@vaani/server', 'deploy', '--prod', '--legacy', ...offline, installed], {
    cwd: REPOSITORY,
    maxBuffer: MAX_OUTPUT,
  })
  const base = await chooseBase(path.join(folder, 'base'))
  const name = `localhost/vaani-server:${path.basename(folder).toLowerCase()}`
  await docker(
    'build',
    '--quiet',
    `--build-arg=NODE_IMAGE=${base}`,
    `--file=${path.join(SERVER, 'Dockerfile')}`,
    `--tag=${name}`,
    context,
  )
  return {
    name,
    async [Symbol.asyncDispose]() {
      await docker('image', 'rm', '--force', name)
    },
  }
}

const docker = (...given: string[]) =>
  run('docker', given, { maxBuffer: MAX_OUTPUT, env: { ...process.env, DOCKER_BUILDKIT: '0' } })

async function chooseBase(folder: string): Promise<string> {
  const pulled = await docker('pull', '--quiet', NODE_IMAGE).then(
    () => true,
    () => false,
  )
  if (pulled) return NODE_IMAGE
  const debian = process.env['PG_IMAGE']
  if (debian === undefined) throw new Error(`${NODE_IMAGE} cannot be pulled, and PG_IMAGE names no other`)
  await copyRuntime(folder)
  const lines = [
    `FROM ${debian}`,
    'COPY programs /usr/local/bin',
    'COPY libraries /usr/lib/x86_64-linux-gnu',
    `RUN echo '${USER}' >> /etc/passwd`,
  ]
  await writeFile(path.join(folder, 'Dockerfile'), `${lines.join('\n')}\n`)
  const name = 'localhost/vaani-test-node'
  await docker('build', '--quiet', `--tag=${name}`, folder)
  return name
}

/** Copies Node and `mkfifo`, and the libraries of Debian that they and the embedded Postgres load. */
async function copyRuntime(folder: string): Promise<void> {
  const programs = path.join(folder, 'programs')
  const libraries = path.join(folder, 'libraries')
  await Promise.all([mkdir(programs, { recursive: true }), mkdir(libraries, { recursive: true })])
  await copyFile(process.execPath, path.join(programs, 'node'))
  await copyFile('/usr/bin/mkfifo', path.join(programs, 'mkfifo'))
  const wanted = /^lib(?:dl|m|pthread|rt|util|resolv|gcc_s|stdc\+\+|selinux|pcre2-8)\.so\.\d+$/
  const source = '/usr/lib/x86_64-linux-gnu'
  const names = (await readdir(source)).filter((name) => wanted.test(name))
  await Promise.all(names.map((name) => copyFile(path.join(source, name), path.join(libraries, name))))
}
