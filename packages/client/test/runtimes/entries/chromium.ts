import { inspectProperties } from '../inspect-properties.ts'
import { playRows } from '../play-rows.ts'

declare const location: { readonly origin: string }

await playRows({ controlUrl: location.origin, inspect: inspectProperties })
