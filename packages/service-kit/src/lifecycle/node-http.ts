import type * as http from 'node:http'

/**
 * Parts of `node:http`. An `import` of a built-in module reads each of its exports, and one of these loads `fetch`: 65 ms of a
 * processor at each start.
 */
export const { Agent, createServer, IncomingMessage, request, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http')
export type Agent = http.Agent
export type IncomingMessage = http.IncomingMessage
export type ServerResponse = http.ServerResponse
