/** Runs a script in a context with web APIs only: `node edge-vm-host.ts <package.json of @edge-runtime/vm> <script> <control URL>`. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [, , folder = '', script = '', controlUrl = ''] = process.argv

interface EdgeRuntime {
  EdgeVM: new (options: { extend: (context: object) => object }) => { evaluate(code: string): unknown }
}
const { EdgeVM }: EdgeRuntime = createRequire(folder)('@edge-runtime/vm')
new EdgeVM({ extend: (context) => Object.assign(context, { controlUrl }) }).evaluate(
  readFileSync(script, 'utf8'),
)
