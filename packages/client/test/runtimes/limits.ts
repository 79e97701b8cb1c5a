import type { RuntimeName } from './runtimes.ts'

const BY_PATH = 'An upload by path: arrives whole'
const BY_WRONG_PATH = 'An upload by a path that does not exist: the file system error, and nothing is sent'
const NO_FILES = 'it has no file system: a path fails with a TypeError'

/** Rows that a runtime cannot pass whatever the client does, with the reason. The tests play them too and expect them to fail. */
export const limits: Readonly<Record<RuntimeName, Readonly<Record<string, string>>>> = {
  Node: {},
  Bun: {},
  Deno: {},
  workerd: { [BY_PATH]: 'its file system is in memory, without the files of the machine' },
  'edge-vm': { [BY_PATH]: NO_FILES, [BY_WRONG_PATH]: NO_FILES },
  Chromium: {
    [BY_PATH]: NO_FILES,
    [BY_WRONG_PATH]: NO_FILES,
    'An upload of a stream: sent while it is read':
      'it streams requests only over HTTP/2, so the client sends a blob',
    'A redirect: the error has its status': 'it hides redirects from scripts: the status is 0',
    'A redirect: the error contains its location, without the query': 'it hides redirects from scripts',
  },
}
