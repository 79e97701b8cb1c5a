import type { RuntimeName } from './runtimes.ts'

const BY_PATH = 'An upload by path: whole'
const BY_WRONG_PATH =
  'An upload by a path that leads nowhere: the error of the file system, and nothing is sent'
const NO_FILES = 'it has no files: a path fails with a TypeError'

/** Rows that a runtime cannot pass whatever the client does, with the reason. They are played too, and must fail. */
export const limits: Readonly<Record<RuntimeName, Readonly<Record<string, string>>>> = {
  Node: {},
  Bun: {},
  Deno: {},
  workerd: { [BY_PATH]: 'its files are in memory: no path leads to one of the machine' },
  'edge-vm': { [BY_PATH]: NO_FILES, [BY_WRONG_PATH]: NO_FILES },
  Chromium: {
    [BY_PATH]: NO_FILES,
    [BY_WRONG_PATH]: NO_FILES,
    'An upload of a stream: sent while it is read': 'it streams requests over HTTP/2 only, so a blob is sent',
    'A redirect: its status is told': 'it hides redirects from scripts: the status is 0',
    'A redirect: where it leads is told, without its query': 'it hides redirects from scripts',
  },
}
