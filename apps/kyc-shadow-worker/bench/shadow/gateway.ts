import { openDoor } from '@vaani/service-kit/http/door'
import { openGateway } from '../../src/gateway/open-gateway.ts'

const gateway = openGateway({
  primary: new URL(process.argv[2] ?? ''),
  maxConnections: 64,
  idleTimeoutMs: 60_000,
  watch: () => null,
})
const door = await openDoor({ host: '127.0.0.1', port: 0, whileStarting: gateway.handler })
console.log(door.port)
